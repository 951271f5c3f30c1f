"""Find the tests that cover each requirement, by their own marks.

    a case of tests/vectors:
        {"name": "an unknown act", "wire": "RJE/PLN|g=42", "requirement": "NSLIP-13", …}
    on a test, a class, or a module:
        @pytest.mark.requirement("NSLIP-17")

Tests are parsed, not imported, so that a page can list them without running them.
"""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from msgspec import Struct

MARK = "requirement"


class Proof(Struct, frozen=True):
    """One test: its name and file, and for a vector case its protocol and raw text."""

    requirement: str
    name: str
    place: str
    protocol: str = ""
    wire: str = ""


def collect(tests: Path) -> dict[str, tuple[Proof, ...]]:
    """Return the tests of each requirement under ``tests``. Empty if there are no tests."""
    found: dict[str, list[Proof]] = {}
    for proof in (*_vectors(tests), *_marked(tests)):
        found.setdefault(proof.requirement, []).append(proof)
    return {requirement: tuple(proofs) for requirement, proofs in found.items()}


def quote(tests: Path, proof: Proof) -> str:
    """Return the source of a test, including its marks. Raises LookupError if it is missing."""
    try:
        lines = (tests.parent / proof.place).read_text("utf-8").split("\n")
    except FileNotFoundError as error:
        raise LookupError(proof.place) from error
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.FunctionDef) and node.name == proof.name:
            first = min((node.lineno, *(mark.lineno for mark in node.decorator_list)))
            return dedent("\n".join(lines[first - 1 : node.end_lineno]))
    raise LookupError(proof.name)


def _vectors(tests: Path) -> Iterator[Proof]:
    for path in sorted(tests.glob("vectors/*.jsonl")):
        for line in path.read_text("utf-8").split("\n"):
            if line:
                case = json.loads(line)
                yield Proof(
                    case["requirement"], case["name"], _place(path, tests), path.stem, case["wire"]
                )


def _marked(tests: Path) -> Iterator[Proof]:
    for path in sorted(tests.rglob("test_*.py")):
        source = path.read_text("utf-8")
        if f".{MARK}(" in source:
            yield from _in_body(ast.parse(source), _place(path, tests), ())


def _in_body(
    node: ast.Module | ast.ClassDef, place: str, outer: tuple[str, ...]
) -> Iterator[Proof]:
    for one in node.body:
        if isinstance(one, ast.Assign) and any(
            isinstance(to, ast.Name) and to.id == "pytestmark" for to in one.targets
        ):
            outer = (*outer, *_named(one.value))
    for one in node.body:
        if isinstance(one, ast.ClassDef):
            yield from _in_body(one, place, (*outer, *_decorated(one)))
        elif isinstance(one, ast.FunctionDef) and one.name.startswith("test_"):
            for requirement in dict.fromkeys((*outer, *_decorated(one))):
                yield Proof(requirement, one.name, place)


def _decorated(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        yield from _named(decorator)


def _named(expression: ast.expr) -> Iterator[str]:
    """Yield the IDs in each ``pytest.mark.requirement(…)`` of an expression, including marks of a
    parameter.
    """
    for node in ast.walk(expression):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == MARK
        ):
            yield from (str(one.value) for one in node.args if isinstance(one, ast.Constant))


def _place(path: Path, tests: Path) -> str:
    return path.relative_to(tests.parent).as_posix()
