"""Every requirement and the tests that name it: python -m tests.requirements [--write]

Ends with 1 when a requirement has no test, or when a test names one that does not exist. With
``--write``, the file that the reference pages read is made again.

    a case of tests/vectors:
        {"name": "an unknown act", "wire": "RJE/PLN|g=42", "requirement": "NSLIP-13", …}
    on a test, a class, or a module:
        @pytest.mark.requirement("NSLIP-17")

Tests are parsed, not imported, so that they can be listed without running them.
"""

import ast
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent

import msgspec

from cablese import registry
from playground.reference.proofs import FILE, Proof

TESTS = Path(__file__).parent
MARK = "requirement"
Proofs = Mapping[str, tuple[Proof, ...]]


def collect(tests: Path) -> dict[str, tuple[Proof, ...]]:
    """Return the tests of each requirement under ``tests``. Empty if there are no tests."""
    found: dict[str, list[Proof]] = {}
    for requirement, proof in (*_vectors(tests), *_marked(tests)):
        found.setdefault(requirement, []).append(proof)
    return {requirement: tuple(found[requirement]) for requirement in sorted(found)}


def write(proofs: Proofs) -> bytes:
    """Return the file for the reference pages, with one value per line."""
    return (json.dumps(msgspec.to_builtins(proofs), indent=0) + "\n").encode()


def _vectors(tests: Path) -> Iterator[tuple[str, Proof]]:
    for path in sorted(tests.glob("vectors/*.jsonl")):
        for line in path.read_text("utf-8").split("\n"):
            if line:
                case = json.loads(line)
                place = _place(path, tests)
                proof = Proof(case["name"], place, protocol=path.stem, wire=case["wire"])
                yield case["requirement"], proof


def _marked(tests: Path) -> Iterator[tuple[str, Proof]]:
    for path in sorted(tests.rglob("test_*.py")):
        source = path.read_text("utf-8")
        if f".{MARK}(" in source:
            lines = source.split("\n")
            for requirement, test in _in_body(ast.parse(source), ()):
                yield requirement, Proof(test.name, _place(path, tests), _quote(lines, test))


def _in_body(
    node: ast.Module | ast.ClassDef, outer: tuple[str, ...]
) -> Iterator[tuple[str, ast.FunctionDef]]:
    for one in node.body:
        if isinstance(one, ast.Assign) and any(
            isinstance(to, ast.Name) and to.id == "pytestmark" for to in one.targets
        ):
            outer = (*outer, *_named(one.value))
    for one in node.body:
        if isinstance(one, ast.ClassDef):
            yield from _in_body(one, (*outer, *_decorated(one)))
        elif isinstance(one, ast.FunctionDef) and one.name.startswith("test_"):
            for requirement in dict.fromkeys((*outer, *_decorated(one))):
                yield requirement, one


def _quote(lines: list[str], test: ast.FunctionDef) -> str:
    """Return the source of a test, including its marks."""
    first = min((test.lineno, *(mark.lineno for mark in test.decorator_list)))
    return dedent("\n".join(lines[first - 1 : test.end_lineno]))


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


def get_requirements() -> dict[str, str]:
    """All of them, protocol by protocol, with their sentences."""
    return {
        name: words
        for codec in registry.all_codecs()
        for name, words in codec.reference.requirements.items()
    }


def find_gaps(proofs: Proofs) -> list[str]:
    """The requirements that no test names."""
    return [name for name in get_requirements() if name not in proofs]


def find_strays(proofs: Proofs) -> list[str]:
    """What tests name and no protocol asks for."""
    return sorted(proofs.keys() - get_requirements().keys())


def table(proofs: Proofs) -> Iterator[str]:
    """A line for each requirement, and one for each file of vectors and each test below it."""
    for name, words in get_requirements().items():
        proven = proofs.get(name, ())
        yield f"{name:<9} {'' if proven else 'GAP: '}{words}"
        cases = [proof for proof in proven if proof.protocol]
        if cases:
            more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
            yield f"{'':<9} {cases[0].place}: {cases[0].name}{more}"
        yield from (
            f"{'':<9} {proof.place}::{proof.name}" for proof in proven if not proof.protocol
        )


def main() -> int:
    proofs = collect(TESTS)
    if "--write" in sys.argv:
        FILE.write_bytes(write(proofs))
    for line in table(proofs):
        print(line)
    gaps, strays = find_gaps(proofs), find_strays(proofs)
    print(
        f"\n{len(get_requirements())} requirements, {len(gaps)} without a"
        f" test{': ' if gaps else '.'}{' '.join(gaps)}"
    )
    for stray in strays:
        print(
            f"{stray} is named by {proofs[stray][0].place}, and no protocol asks for it.",
            file=sys.stderr,
        )
    return 1 if gaps or strays else 0


if __name__ == "__main__":
    sys.exit(main())
