"""The fork server: a pytest process that has collected the tests, and runs some for each mutant.

As a plugin (`-p tests.mutation.worker`) it replaces the run of the tests. It reads one task a line
from MUTATION_TASKS, and writes one answer a line to MUTATION_ANSWERS; both are numbers of open
files.
"""

import gc
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest

from tests.mutation import children
from tests.mutation.children import FAILED, PASSED, UNFIT, fork
from tests.mutation.fresh import Fresh
from tests.mutation.swap import Live

TASKS, ANSWERS = "MUTATION_TASKS", "MUTATION_ANSWERS"
# Generated examples are left out: they take long, and what notices a mutant must not be chance.
# A browser leaves a loop of asyncio, in which the tests after it find no database. A warning of the
# server itself would fail the first test of every child.
FLAGS = (
    "-q", "-s", "-m", "not hypothesis and not browser", "-p", "no:xdist", "-p", "no:cacheprovider",
    "-p", "no:instafail", "-p", "no:unraisableexception", "-p", "no:threadexception", "--no-header",
)  # fmt: skip
SPARE = 20.0
"""Seconds that a run may take longer than thrice what the map says; more on a busy machine."""


class Server:
    """Runs tests in children of this process."""

    def __init__(self, session: pytest.Session) -> None:
        self._items = {item.nodeid: item for item in session.items}
        self._session = session
        self._root = Path.cwd()
        self._trusted: dict[str, bool] = {}
        self._report = -1
        self._database = self._prepare()
        # All that was imported has its bytecode now; that of a mutant would outlive it.
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        away = {TASKS, ANSWERS}
        self._fresh = Fresh({key: each for key, each in os.environ.items() if key not in away})
        self._live = Live()
        gc.freeze()

    def _prepare(self) -> tuple[Path, Path]:
        """Make the database once; return its file and a copy of it."""
        from django.db import connection, connections
        from pytest_django import DjangoDbBlocker

        from auditlog.log import group_commit

        # The fixtures of this one are torn down although it never ran, which `tmp_path` cannot be.
        item = next(
            each
            for each in self._items.values()
            if isinstance(each, pytest.Function)
            and each.get_closest_marker("django_db")
            and "tmp_path" not in each.fixturenames
        )
        self._session._setupstate.setup(item)
        blocker = item._request.getfixturevalue("django_db_blocker")
        item._request.getfixturevalue("django_db_setup")
        assert isinstance(blocker, DjangoDbBlocker)
        # What is of this test alone goes, its transaction too; what is of the session stays.
        self._session._setupstate.teardown_exact(cast("pytest.Item", self._session))
        with blocker.unblock():
            group_commit.stop()
            file = Path(str(connection.settings_dict["NAME"]))
            connection.ensure_connection()
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connections.close_all()
        return file, Path(shutil.copy(file, f"{file}.copy"))

    def serve(self, task: dict[str, Any]) -> dict[str, Any]:
        """Run the tests of one mutant, or of the code as it is if the task has no path."""
        began, spent = time.monotonic(), self._spent()
        path, before = self._root / task["path"], ""
        kept = path.stat()
        before = path.read_text()
        tests = [name for name in task["tests"] if self._trusted.get(name, True)]
        try:
            path.write_text(task["source"])
            outcome, by, way = self._judge(task, tests, before)
        finally:
            path.write_text(before)
            os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))
        if outcome == "killed" and not self._passes_alone(by, tests):
            return self.serve(task | {"tests": [name for name in tests if name != by]})
        seconds, cpu = time.monotonic() - began, self._spent() - spent
        return {
            "at": task["at"], "outcome": outcome, "by": by, "way": way,
            "seconds": round(seconds, 2), "tests": len(tests), "cpu": round(cpu, 2),
        }  # fmt: skip

    def _judge(self, task: dict[str, Any], tests: list[str], before: str) -> tuple[str, str, str]:
        others = max(os.getloadavg()[0] / (os.cpu_count() or 1), 1)
        limit = (3 * task["seconds"] + SPARE) * others
        status, by = self._fork(tests, limit, task["path"], before, task["source"])
        way = "fork"
        # What a function answered during the import stays, whatever code it has now.
        if status == UNFIT or (status == PASSED and task["imported"]):
            way = "process"
            status, by = self._start(tests, 2 * limit)
        names = {PASSED: "survived", FAILED: "killed"}
        return names.get(status, "timeout"), by, way

    def _passes_alone(self, name: str, tests: list[str]) -> bool:
        """Return whether a test passes here without a mutant; if not, it shows nothing."""
        if name not in self._items:
            # Pytest itself did not start: is that the mutant's doing?
            assert self._start_part(tests, 120, "", "--collect-only")[0] == PASSED, tests
            return True
        if name not in self._trusted:
            self._trusted[name] = self._fork([name], 60, "", "", "")[0] == PASSED
        return self._trusted[name]

    def _fork(
        self, tests: list[str], limit: float, path: str, before: str, after: str
    ) -> tuple[int, str]:
        """Run tests in a child; return how it ended, and the test that failed."""
        self._put_database_back()
        return fork(lambda into: self._run_here(tests, into, path, before, after), limit)

    def _run_here(
        self, tests: list[str], into: int, path: str, before: str, after: str
    ) -> NoReturn:
        """Be the child: change the code, run the tests, and end at the first that fails."""
        if path and not path.endswith(".py"):
            _forget_templates()
        elif path and not self._change(str(self._root / path), before, after):
            os._exit(UNFIT)
        self._report = into
        items = [self._items[name] for name in tests if name in self._items]
        if items:
            self._session._setupstate.teardown_exact(items[0])
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        os._exit(PASSED)

    def _change(self, path: str, before: str, after: str) -> bool:
        """Change the code of a module. What was not imported yet is read from the changed file."""
        imported = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
        return path not in imported or self._live.swap(path, before, after)

    def report(self, report: pytest.TestReport) -> None:
        if self._report >= 0 and report.failed:
            os.write(self._report, report.nodeid.encode())
            os._exit(FAILED)

    def _start(self, tests: list[str], limit: float) -> tuple[int, str]:
        """Run tests where the changed file is imported again. What they let pass may be in a
        migration, so they run once more on a database that the migrations make.
        """
        copy = str(self._database[1])
        for database, part in [*((copy, part) for part in _parts(tests)), ("", tests)]:
            status, by = self._start_part(part, limit, database)
            if status != PASSED:
                break
        return status, by

    def _start_part(
        self, tests: list[str], limit: float, database: str, *more: str
    ) -> tuple[int, str]:
        known = [name for name in tests if name in self._items]
        with tempfile.NamedTemporaryFile("w+", suffix=".txt") as names:
            names.write("\n".join(known))
            names.flush()
            return self._fresh.run([*FLAGS, *more, f"@{names.name}"], database, limit)

    def _spent(self) -> float:
        """Return the seconds of the processor that ended children took."""
        return children.spent() + self._fresh.spent

    def _put_database_back(self) -> None:
        file, copy = self._database
        for more in ("-wal", "-shm"):
            Path(f"{file}{more}").unlink(missing_ok=True)
        shutil.copyfile(copy, file)


def _parts(tests: list[str]) -> list[list[str]]:
    """Part the tests by files, the likeliest file alone, then the next two, then four: to collect
    all of them takes longer than to run those that notice a mutant.
    """
    files: dict[str, list[str]] = {}
    for name in tests:
        files.setdefault(name.partition("::")[0], []).append(name)
    listed = [*files.values()]
    parts: list[list[str]] = []
    while listed:
        size = 2 ** len(parts)
        parts.append([name for file in listed[:size] for name in file])
        listed = listed[size:]
    return parts


def _forget_templates() -> None:
    from django.template import engines

    for engine in engines.all():
        for loader in getattr(getattr(engine, "engine", None), "template_loaders", ()):
            loader.reset()


class Plugin:
    def __init__(self) -> None:
        self._server: Server | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._server is not None:
            self._server.report(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._server = Server(session)
        with (
            os.fdopen(int(os.environ[TASKS])) as tasks,
            os.fdopen(int(os.environ[ANSWERS]), "w") as answers,
        ):
            answers.write(json.dumps({"ready": len(session.items)}) + "\n")
            answers.flush()
            for line in tasks:
                answers.write(json.dumps(self._server.serve(json.loads(line))) + "\n")
                answers.flush()
        os._exit(0)


def pytest_configure(config: pytest.Config) -> None:
    if TASKS in os.environ:
        config.pluginmanager.register(Plugin())
