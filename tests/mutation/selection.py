"""Chooses the tests of a mutant: those that execute its lines, the likeliest first."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from tests.mutation.coverage_map import CoverageMap
from tests.mutation.mutants.mutant import Mutant
from tests.mutation.mutants.source import Scope, Source
from tests.rooms import ROOT

BUDGET = 20.0
"""Seconds of tests for one mutant, as the map measured them. A mutant that all of them let pass has
survived. The likeliest tests, those of the room, and the others have half of it each, so that none
take the time of others."""
GUARDS = (
    "tests/playground/rest/test_rights.py",
    "tests/playground/accounts",
    "tests/playground/http",
    "tests/playground/test_security.py",
    "tests/auditlog/test_access.py",
)
"""Tests of who may do what. One that is refused does not execute what it must not reach."""
RIGHTS = (
    "tests/auditlog/test_access.py",
    "tests/playground/accounts/test_page_methods.py",
    "tests/playground/rest/test_rights.py",
)
"""Those that try every page and operation, which run first."""
ESCAPES = (
    "tests/playground/display/test_escaping.py",
    "tests/playground/display/hostile/",
)
"""Tests that draw hostile text. Of all tests that draw a page they notice a lost escape first."""
OF_MACHINES = {"mode", "certificate", "printable"}
"""Forms that have nothing to do with requests: who reads a file, what a terminal shows."""
BOUNDS = (
    "tests/playground/test_form_bounds.py",
    "tests/playground/rest/test_bounds.py",
)
"""Tests that compare the bounds of every form and of everything that the API takes."""
SETTINGS = "playground/settings.py"
OF_SETTINGS = ("tests/playground/server/test_policy.py", "tests/playground/server/test_settings.py")
"""Tests that compare settings, in processes of their own too, which are not measured."""


ROOMS = {
    "playground/templatetags": ["display", "tokens", "workbench", "audit", "examine"],
    "templates/display": ["display", "workbench", "audit"],
    "templates/conversations": ["workbench", "audit"],
    "templates/commands": ["workbench"],
    "templates": ["http", "workbench", "accounts"],
    "playground/management": ["accounts", "nslip", "server"],
}
"""Rooms of `tests/playground` for folders that have no folder of tests of the same name."""
MORE = {
    "cablese/protocols": ["tests/cablese/translation", "tests/cablese/test_vectors.py"],
    "cablese": ["tests/cablese/test_fixes.py", "tests/cablese/test_edit.py"],
    "auditlog/search": ["tests/playground/audit/api/test_log.py"],
    "auditlog/ingest": ["tests/playground/audit/api", "tests/playground/audit/imports"],
    "auditlog": ["tests/playground/audit/test_audit.py", "tests/auditlog/test_access.py"],
    "playground/rest": ["tests/playground/audit/api/test_log.py", "tests/playground/workbench"],
    "playground/http": ["tests/playground/audit", "tests/playground/stream"],
    "playground/accounts": ["tests/playground/sacp/test_pages.py"],
}
"""Tests elsewhere that are worth measuring for a folder, because they come through it."""


def rooms_of(path: str) -> list[str]:
    """Return the folders and files of tests that may notice a mutant of a file."""
    if path == SETTINGS:
        return [*OF_SETTINGS, *GUARDS]
    more = [each for prefix, tests in MORE.items() if path.startswith(prefix) for each in tests]
    for prefix, rooms in ROOMS.items():
        if path.startswith(f"{prefix}/") and (prefix != "templates" or path.count("/") == 1):
            return [*(f"tests/playground/{room}/" for room in rooms), *more]
    folder = PurePosixPath("tests", path.replace("templates/", "playground/")).parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return [f"{folder}/", *more]


def guards_of(mutant: Mutant) -> tuple[str, ...]:
    """Return the tests that may notice a mutant although they do not execute its lines."""
    is_bound = mutant.replacement.endswith("=None") or mutant.replacement.isdigit()
    is_guard = mutant.kind == "permission" and mutant.form not in OF_MACHINES
    return GUARDS if is_guard else BOUNDS if is_bound else ()


class Selection:
    def __init__(self, coverage: CoverageMap, files: Mapping[str, str]) -> None:
        self._map, self._files = coverage, files
        self._noticed: dict[str, set[str]] = defaultdict(set)
        self._sources: dict[str, Source] = {}

    def learn(self, mutant: Mutant, test: str) -> None:
        """Remember a test that noticed a mutant: it runs early for others of the same file."""
        self._noticed[mutant.path].add(test)

    def choose(self, mutant: Mutant) -> list[str]:
        """Return the tests in the order in which they run."""
        likely = {"escape": ESCAPES, "permission": RIGHTS, "limit": BOUNDS}.get(mutant.kind, ())
        likely = () if mutant.form in OF_MACHINES else likely
        if mutant.path == SETTINGS:
            likely = OF_SETTINGS
        is_template = not mutant.path.endswith(".py")
        tests = self._map.tests_of(mutant.path, [0]) if is_template else self._of_module(mutant)
        guards = self._map.tests_in(*guards_of(mutant))
        compared = self._map.tests_in(*OF_SETTINGS) if mutant.path == SETTINGS else set()
        room = self._map.tests_in(rooms_of(mutant.path)[0])
        near = self._map.tests_of_file(mutant.path)
        noticed = self._noticed[mutant.path]
        first = self._map.tests_in(*likely) | noticed
        ranked = sorted(
            tests | guards | compared | (room if len(tests) < 5 else set()),
            key=lambda name: (
                name not in first, name not in tests, name not in near, name not in noticed,
                name not in room, name in guards, self._map.seconds[name], name,
            ),
        )  # fmt: skip
        return list(self._within(ranked, lambda name: (name in first, name in room)))

    def is_imported(self, mutant: Mutant) -> bool:
        """Return whether the code that a mutant changes runs when its module is imported."""
        return mutant.path.endswith(".py") and self._map.is_imported(
            mutant.path, self._lines(mutant)
        )

    def _within(self, tests: Iterable[str], group_of: Callable[[str], object]) -> Iterator[str]:
        """Yield the tests for which the time of their group is enough."""
        spent: dict[object, float] = defaultdict(float)
        for name in tests:
            group = group_of(name)
            spent[group] += self._map.seconds[name] + 0.003
            if spent[group] <= BUDGET / 2:
                yield name

    def _lines(self, mutant: Mutant) -> set[int]:
        """Return the lines that run what a mutant changes."""
        source = self._source(mutant.path)
        first = source.text.count("\n", 0, mutant.start) + 1
        last = source.text.count("\n", 0, mutant.end) + 1
        statement = source.statement_at(mutant.start)
        lines = {*range(first, last + 1), statement.lineno}
        if isinstance(statement, Scope):
            lines |= set(range(statement.lineno, (statement.end_lineno or 0) + 1))
        return lines

    def _of_module(self, mutant: Mutant) -> set[str]:
        source = self._source(mutant.path)
        statement = source.statement_at(mutant.start)
        tests = self._map.tests_of(mutant.path, self._lines(mutant))
        if not tests and isinstance(statement, ast.Assign | ast.AnnAssign | ast.ClassDef):
            # A test of a definition may execute no line that names it.
            tests = self._of_name(source, statement) | self._map.tests_in(rooms_of(mutant.path)[0])
        return tests

    def _of_name(self, source: Source, statement: ast.stmt) -> set[str]:
        """Return the tests that execute a line with the name that a statement binds."""
        above = source.parents[statement]
        names = [
            each.id
            for each in ast.walk(statement)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        ]
        for each in (statement, above):
            if isinstance(each, ast.ClassDef):
                names = [each.name]
        if not names:
            return set()
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
        tests: set[str] = set()
        for path, text in self._files.items():
            lines = [at for at, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
            tests |= self._map.tests_of(path, lines)
        return tests

    def _source(self, path: str) -> Source:
        if path not in self._sources:
            self._sources[path] = Source(path, self._files[path])
        return self._sources[path]
