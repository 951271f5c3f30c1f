"""`python -m tests.rooms`: how large the rooms of the code are, and what is above the limits.

It prints the modules of each folder, the longest files and functions, and the statements of product
code; with `--against REV` also those of another revision. It fails when a limit is broken.
"""

import argparse
import ast
import io
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("cablese", "auditlog", "playground")
FOLDERS = (*PRODUCT, "tests", "templates", "static")
FORMER = ("protocols",)
"""Floors of the product in older revisions, for `--against`."""
MODULES = 14
FILE = 400
"""Lines of a file. Migrations may have more: Django writes them, a line for each option."""
FUNCTION = 40
COLUMNS = 100
Key = TypeVar("Key")
SHOWN = 8
COUNTED = {"py": "Python", "js": "scripts", "html": "templates"}
"""Kinds of files whose number in a folder is limited, each on its own."""
KINDS = (*COUNTED, "css")
LONG_FUNCTIONS = {
    "auditlog/log/draft.py:_drafts": "every column of a packet has its line",
    "cablese/protocols/nlip/reading/quick.py:glance": "a parser that gives up at the first doubt",
}
"""Functions that may be longer, by file and name, each with its reason."""


class Function(NamedTuple):
    file: str
    name: str
    lines: int

    @property
    def place(self) -> str:
        return f"{self.file}:{self.name}"


class Sizes(NamedTuple):
    """What was measured of one tree."""

    modules: Mapping[tuple[str, str], int]
    """Files of a folder, by folder and kind."""
    files: Mapping[str, int]
    """Lines of a file."""
    functions: tuple[Function, ...]
    wide: Mapping[str, int]
    """Lines of a file that are wider than `COLUMNS`."""
    statements: Counter[str]
    """Statements of a floor of the product, without docstrings and migrations."""


def measure(tree: Mapping[str, str]) -> Sizes:
    """Measure a tree of sources, given by path."""
    modules: Counter[tuple[str, str]] = Counter()
    files, wide = {}, {}
    functions: list[Function] = []
    statements: Counter[str] = Counter()
    for path, text in tree.items():
        place = PurePosixPath(path)
        kind, lines = place.suffix[1:], text.splitlines()
        files[path] = len(lines)
        wide[path] = sum(len(line) > COLUMNS for line in lines)
        if kind in COUNTED:
            modules[place.parent.as_posix(), kind] += 1
        if kind == "py":
            module = ast.parse(text)
            functions += (Function(path, *each) for each in functions_of(module))
            if place.parts[0] in (*PRODUCT, *FORMER) and "migrations" not in place.parts:
                statements[place.parts[0]] += count_statements(module)
    return Sizes(modules, files, tuple(functions), wide, statements)


def functions_of(module: ast.AST, around: str = "") -> Iterator[tuple[str, int]]:
    """Yield the name of every function, with its classes, and its lines without decorators."""
    for node in ast.iter_child_nodes(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{around}{node.name}"
            if not isinstance(node, ast.ClassDef):
                assert node.end_lineno is not None
                yield name, node.end_lineno - node.lineno + 1
            yield from functions_of(node, f"{name}.")
        else:
            yield from functions_of(node, around)


def count_statements(module: ast.AST) -> int:
    return sum(isinstance(node, ast.stmt) and not is_text(node) for node in ast.walk(module))


def is_text(node: ast.stmt) -> bool:
    """Return whether a statement is nothing but text: a docstring, or a comment below a name."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def find_excess(sizes: Sizes, reasons: Mapping[str, str] = LONG_FUNCTIONS) -> list[str]:
    """Return what is above the limits, and each reason that no function needs."""
    long = {each.place for each in sizes.functions if each.lines > FUNCTION}
    return [
        *(
            f"{folder}: {number} {COUNTED[kind]}, at most {MODULES}"
            for (folder, kind), number in sorted(sizes.modules.items())
            if number > MODULES
        ),
        *(
            f"{path}: {lines} lines, at most {FILE}"
            for path, lines in sorted(sizes.files.items())
            if lines > FILE and "/migrations/" not in path
        ),
        *(
            f"{each.place}: {each.lines} lines, at most {FUNCTION}"
            for each in sizes.functions
            if each.lines > FUNCTION and each.place not in reasons
        ),
        *(
            f"{path}: {lines} lines of more than {COLUMNS} columns"
            for path, lines in sorted(sizes.wide.items())
            if lines
        ),
        *(f"{place}: is not long, and has a reason" for place in sorted(set(reasons) - long)),
    ]


def read_tree(root: Path = ROOT) -> dict[str, str]:
    """Return the sources below a folder, by path."""
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for folder in FOLDERS
        for kind in KINDS
        for path in sorted((root / folder).rglob(f"*.{kind}"))
    }


def read_revision(revision: str) -> dict[str, str]:
    """Return the sources of a revision, by path. Raises CalledProcessError for an unknown one."""
    command = ["git", "archive", "--format=tar", revision]
    packed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    tree = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            known = path.parts[0] in (*FOLDERS, *FORMER) and path.suffix[1:] in KINDS
            if known and (file := archive.extractfile(member)) is not None:
                tree[member.name] = file.read().decode()
    return tree


def report(sizes: Sizes, excess: list[str]) -> Iterator[str]:
    yield "Modules a folder"
    for (folder, kind), number in largest(sizes.modules):
        yield f"  {number:5}  {folder} ({COUNTED[kind]})"
    yield "Lines a file"
    yield from (f"  {lines:5}  {path}" for path, lines in largest(sizes.files))
    yield "Lines a function"
    lines_of = {each.place: each.lines for each in sizes.functions}
    yield from (f"  {lines:5}  {place}" for place, lines in largest(lines_of))
    yield f"Lines of more than {COLUMNS} columns"
    for kind in KINDS:
        number = sum(lines for path, lines in sizes.wide.items() if path.endswith(f".{kind}"))
        yield f"  {number:5}  {kind}"
    yield "Functions that may be longer"
    yield from (f"  {place}: {reason}" for place, reason in LONG_FUNCTIONS.items())
    yield f"Above the limits: {len(excess)}"
    yield from (f"  {line}" for line in excess)


def largest(sizes: Mapping[Key, int]) -> list[tuple[Key, int]]:
    return sorted(sizes.items(), key=lambda each: -each[1])[:SHOWN]


def say_statements(name: str, sizes: Sizes) -> str:
    floors = ", ".join(f"{floor} {number:,}" for floor, number in sizes.statements.items())
    return f"Statements of {name}: {sizes.statements.total():,} ({floors})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rooms", description=__doc__)
    parser.add_argument("--against", metavar="REV", help="count the statements of this one too")
    against = parser.parse_args().against
    sizes = measure(read_tree())
    excess = find_excess(sizes)
    print(*report(sizes, excess), sep="\n")
    print(say_statements("this tree", sizes))
    if against is not None:
        before = measure(read_revision(against))
        now, then = sizes.statements.total(), before.statements.total()
        print(say_statements(against, before))
        print(f"Change: {now - then:+,} ({now / then - 1:+.1%})")
    return 1 if excess else 0


if __name__ == "__main__":
    sys.exit(main())
