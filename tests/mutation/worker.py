"""The fork server: a pytest process that has collected the tests, and runs some for each mutant.

As a plugin (`-p tests.mutation.worker`) it replaces the run of the tests. It reads one task a line
from MUTATION_TASKS, and writes one answer a line to MUTATION_ANSWERS; both are numbers of open
files.
"""

import gc
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest

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
PASSED, FAILED, UNFIT = 0, 1, 77
"""How a child ends. It is unfit when a mutant changes more than functions."""


class Server:
    """Runs tests in children of this process."""

    def __init__(self, session: pytest.Session) -> None:
        self._items = {item.nodeid: item for item in session.items}
        self._session = session
        self._root = Path.cwd()
        self._trusted: dict[str, bool] = {}
        self._report = -1
        self._database = self._prepare()
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
        began, spent = time.monotonic(), _spent()
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
        seconds = round(time.monotonic() - began, 2)
        return {
            "at": task["at"], "outcome": outcome, "by": by, "way": way, "seconds": seconds,
            "tests": len(tests), "cpu": round(_spent() - spent, 2),
        }  # fmt: skip

    def _judge(self, task: dict[str, Any], tests: list[str], before: str) -> tuple[str, str, str]:
        others = max(os.getloadavg()[0] / (os.cpu_count() or 1), 1)
        limit = (3 * task["seconds"] + SPARE) * others
        status, by = self._fork(tests, limit, task["path"], before, task["source"])
        way = "fork"
        # What a function answered during the import stays, whatever code it has now.
        if status == UNFIT or (status == PASSED and task["imported"]):
            way, status, by = "process", PASSED, ""
            for part in _parts(tests):
                status, by = self._start(part, 2 * limit)
                if status != PASSED:
                    break
        names = {PASSED: "survived", FAILED: "killed"}
        return names.get(status, "timeout"), by, way

    def _passes_alone(self, name: str, tests: list[str]) -> bool:
        """Return whether a test passes here without a mutant; if not, it shows nothing."""
        if name not in self._items:
            # Pytest itself did not start: is that the mutant's doing?
            assert self._start(tests, 120, "--collect-only")[0] == PASSED, tests
            return True
        if name not in self._trusted:
            self._trusted[name] = self._fork([name], 60, "", "", "")[0] == PASSED
        return self._trusted[name]

    def _fork(
        self, tests: list[str], limit: float, path: str, before: str, after: str
    ) -> tuple[int, str]:
        """Run tests in a child; return how it ended, and the test that failed."""
        self._put_database_back()
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            os.close(out)
            self._run_here(tests, into, path, before, after)
        os.close(into)
        try:
            return _wait(child, out, limit)
        finally:
            os.close(out)

    def _run_here(
        self, tests: list[str], into: int, path: str, before: str, after: str
    ) -> NoReturn:
        """Be the child: change the code, run the tests, and end at the first that fails."""
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nothing, number)
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
        except BaseException as error:  # noqa: BLE001  (a child must not become a second server)
            os.write(into, f"{type(error).__name__}: {error}"[:500].encode())
            os._exit(FAILED)

    def _change(self, path: str, before: str, after: str) -> bool:
        """Change the code of a module. What was not imported yet is read from the changed file."""
        imported = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
        return path not in imported or self._live.swap(path, before, after)

    def report(self, report: pytest.TestReport) -> None:
        if self._report >= 0 and report.failed:
            os.write(self._report, report.nodeid.encode())
            os._exit(FAILED)

    def _start(self, tests: list[str], limit: float, *more: str) -> tuple[int, str]:
        """Run tests in a process that imports the changed file anew."""
        known = [name for name in tests if name in self._items]
        with tempfile.NamedTemporaryFile("w+", suffix=".txt") as names:
            names.write("\n".join(known))
            names.flush()
            command = [
                sys.executable, "-m", "pytest", *FLAGS, "-x", "-rfE", "--tb=no", *more,
                f"@{names.name}",
            ]  # fmt: skip
            away = {TASKS, ANSWERS}
            environ = {key: value for key, value in os.environ.items() if key not in away}
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                env=environ, start_new_session=True,
            )  # fmt: skip
            try:
                said = process.communicate(timeout=limit)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return -1, ""
        return (FAILED, _first_failed(said)) if process.returncode else (PASSED, "")

    def _put_database_back(self) -> None:
        file, copy = self._database
        for more in ("-wal", "-shm"):
            Path(f"{file}{more}").unlink(missing_ok=True)
        shutil.copyfile(copy, file)


def _spent() -> float:
    """Return the seconds of the processor that ended children took."""
    times = os.times()
    return times.children_user + times.children_system


def _parts(tests: list[str]) -> list[list[str]]:
    """Part the tests of the likeliest file from the rest: to collect all takes long."""
    file = tests[0].partition("::")[0] if tests else ""
    at = next((at for at, name in enumerate(tests) if not name.startswith(f"{file}::")), 0)
    return [part for part in (tests[:at], tests[at:]) if part]


def _wait(child: int, out: int, limit: float) -> tuple[int, str]:
    """Wait for a child to write or to end, and make sure that nothing of it is left."""
    ready, _, _ = select.select([out], [], [], limit)
    by = os.read(out, 4096).decode() if ready else ""
    if not ready:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return (os.waitstatus_to_exitcode(status) if ready else -1), by


def _first_failed(said: str) -> str:
    for line in said.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            return line.split(" ", 1)[1].split(" - ", 1)[0]
    return "start of pytest"


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
