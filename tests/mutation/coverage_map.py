"""Which tests execute which lines and templates, and how much time of the processor each takes.

As a pytest plugin (`-p tests.mutation.coverage_map`) this module measures tests, and writes what
each file of them executes to a file of its own in the folder that MUTATION_MAP names. Tests that
fail or are skipped are not in it.
"""

import json
import os
import time
import warnings
from collections import defaultdict
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.rooms import PRODUCT

FOLDER = "MUTATION_MAP"
SLOWEST = 4.0
"""Seconds of the processor, which other programs do not change. Slower tests are left out: they
generate messages for long."""


class CoverageMap:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._executed: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._imported: dict[str, set[int]] = defaultdict(set)

    def add(self, part: dict[str, Any]) -> None:
        """Add what one process has measured."""
        names = part["tests"]
        self.seconds |= {
            name: seconds for name, seconds in names.items() if 0 <= seconds <= SLOWEST
        }
        listed = list(names)
        for path, lines in part["lines"].items():
            for line, tests in lines.items():
                chosen = {listed[at] for at in tests if listed[at] in self.seconds}
                self._executed[path][int(line)] |= chosen
        for path, lines in part["imported"].items():
            self._imported[path] |= set(lines)

    def is_imported(self, path: str, lines: Iterable[int]) -> bool:
        """Return whether one of the lines runs before any test does."""
        return not self._imported.get(path, set()).isdisjoint(lines)

    def tests_of(self, path: str, lines: Iterable[int]) -> set[str]:
        executed = self._executed.get(path, {})
        return set().union(*(executed.get(line, set()) for line in lines))

    def tests_of_file(self, path: str) -> set[str]:
        """Return the tests that execute any line of a file after its import."""
        return set().union(*self._executed.get(path, {}).values())

    def tests_in(self, *prefixes: str) -> set[str]:
        """Return the tests of folders or files."""
        return {name for name in self.seconds if name.startswith(prefixes)}


class Measuring:
    """The plugin. A template counts as executed in line 0."""

    def __init__(self, folder: Path) -> None:
        from coverage import Coverage

        self._folder, self._root = folder, Path.cwd()
        self._seconds: dict[str, float] = {}
        self._written: set[Path] = set()
        self._drawn: dict[str, set[str]] = defaultdict(set)
        self._coverage = Coverage(
            data_file=None, config_file=False, include=[f"{self._root}/{one}/*" for one in PRODUCT]
        )
        self._coverage.start()

    def _draw(self, template: Any, **_more: Any) -> None:
        if template.origin is not None:
            self._drawn[os.path.relpath(template.origin.name, self._root)].add(self._now)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        from django.test.signals import template_rendered

        self._now = item.nodeid
        self._coverage.switch_context(item.nodeid)
        template_rendered.connect(self._draw)
        began = time.process_time()
        self._seconds[item.nodeid] = -1
        try:
            return (yield)
        finally:
            if self._seconds[item.nodeid] == 0:
                self._seconds[item.nodeid] = round(time.process_time() - began, 4)
            template_rendered.disconnect(self._draw)
            self._coverage.switch_context("")
            if nextitem is None or nextitem.path != item.path:
                self._write(part_of(self._folder, item.path.relative_to(self._root).as_posix()))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._seconds[report.nodeid] = 0
        elif report.failed:
            self._seconds[report.nodeid] = -1

    def _write(self, file: Path) -> None:
        self._coverage.stop()
        numbers = {name: at for at, name in enumerate(self._seconds)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # tests of functions that are not ours measure nothing
            data, lines, imported = self._coverage.get_data(), {}, {}
        for path in sorted(data.measured_files()):
            executed = data.contexts_by_lineno(path)
            name = os.path.relpath(path, self._root)
            imported[name] = [line for line, tests in executed.items() if "" in tests]
            lines[name] = {
                line: sorted(numbers[test] for test in tests if test in numbers)
                for line, tests in executed.items()
            }
        for path, tests in self._drawn.items():
            lines[path] = {0: sorted(numbers[name] for name in tests)}
        part = {"tests": self._seconds, "lines": lines, "imported": imported}
        # Tests with a database run before the others, so a file may come more than once.
        with file.open("a" if file in self._written else "w") as parts:
            parts.write(json.dumps(part) + "\n")
        self._written.add(file)
        self._seconds, self._drawn = {}, defaultdict(set)
        self._coverage.erase()
        self._coverage.start()


def part_of(folder: Path, path: str) -> Path:
    """Return where the map of one file of tests is."""
    return folder / f"{path.replace('/', '.')}.json"


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER in os.environ:
        config.pluginmanager.register(MEASURING)


if FOLDER in os.environ:
    # It begins before the product is imported.
    MEASURING = Measuring(Path(os.environ[FOLDER]))
