"""A process that has imported the modules of others, and starts pytest in children of its own.

What a mutant changes outside of functions counts only where the product is imported again. To
import Django, Hypothesis, and Schemathesis again as well would take longer than most tests.
`python -m tests.mutation.fresh` reads one task a line and writes one answer a line.
"""

import importlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import warnings
from typing import Any, NoReturn, Self

import pytest

from tests.mutation.children import FAILED, PASSED, fork, spent

LEFT_OUT = (
    "_hypothesis_pytestplugin", "_pytest", "django.contrib", "django.db.backends", "ninja",
    "pysqlite3", "pytest_django", "schemathesis.pytest", "sqlite3",
)  # fmt: skip
"""What pytest imports itself, what needs the settings, and SQLite: the settings choose which."""
LATE_IMPORTS = (
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
    "-W", "ignore::hypothesis.errors.HypothesisSideeffectWarning",
)  # fmt: skip
"""Warnings about plugins that were imported before pytest began."""


class Fresh:
    """The process, as others see it. It ends with the process that started it."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.spent = 0.0
        """Seconds of the processor that the children took."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutation.fresh"], env=environ, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._ask({"modules": _modules_of_others()})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()

    def run(self, words: list[str], database: str, limit: float) -> tuple[int, str]:
        """Run pytest up to the first failure; return how it ended, and the test that failed.

        Tests begin with a copy of the file `database`; if there is none, the migrations make one.
        """
        answer = self._ask({"words": words, "database": database, "limit": limit})
        self.spent = answer["spent"]
        return answer["status"], answer["by"]

    def _ask(self, task: dict[str, Any]) -> dict[str, Any]:
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        into.write(json.dumps(task) + "\n")
        into.flush()
        answer: dict[str, Any] = json.loads(out.readline())
        return answer


class First:
    """A plugin that ends the process at the first failure."""

    def __init__(self, into: int, database: str) -> None:
        self._into, self._database = into, database

    def pytest_sessionstart(self) -> None:
        if self._database:
            from django.conf import settings

            shutil.copyfile(self._database, settings.DATABASES["default"]["TEST"]["NAME"])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.end(report.nodeid)

    def end(self, by: str) -> NoReturn:
        os.write(self._into, by.encode())
        os._exit(FAILED)


def _modules_of_others() -> list[str]:
    """Return the names of what this process has imported of Python and of packages."""
    places = (sysconfig.get_path("purelib"), sysconfig.get_path("stdlib"))
    return [
        name
        for name, module in [*sys.modules.items()]
        if (getattr(module, "__file__", None) or "").startswith(places)
        and not name.startswith(LEFT_OUT)
    ]


def _import(modules: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in modules:
            importlib.import_module(name)


def _run(task: dict[str, Any], into: int) -> NoReturn:
    first = First(into, task["database"])
    more = ["--reuse-db"] if task["database"] else []
    if pytest.main([*task["words"], *LATE_IMPORTS, *more], plugins=[first]) != pytest.ExitCode.OK:
        first.end("start of pytest")
    os._exit(PASSED)


def _answer(task: dict[str, Any]) -> dict[str, Any]:
    if "modules" in task:
        _import(task["modules"])
        return {"imported": len(task["modules"])}
    status, by = fork(lambda into: _run(task, into), task["limit"])
    return {"status": status, "by": by, "spent": spent()}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)
