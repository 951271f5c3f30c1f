"""Readers name rules by their codes: each of these must be in the table of its protocol."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.rooms import ROOT


def named(source: Path) -> Iterator[str]:
    """Yield each code that a module reports, or takes out of its own table."""
    for node in ast.walk(ast.parse(source.read_text())):
        match node:
            case ast.Call(func=ast.Attribute(attr="_report"), args=[ast.Constant(str(code)), *_]):
                yield code
            case ast.Subscript(value=ast.Name("RULES"), slice=ast.Constant(str(code))):
                yield code


def rules_of_protocols() -> Iterator[str]:
    """Yield the tables of rules whose codes readers name."""
    for path in sorted((ROOT / "cablese/protocols").glob("*/rules.py")):
        if any(code for source in path.parent.glob("*.py") for code in named(source)):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


MODULES = (
    *rules_of_protocols(),
    "cablese.conversation.checks",
    "cablese.protocols.nslip.flow",
    "cablese.protocols.tline.conversation",
)


@pytest.mark.parametrize("module", MODULES)
def test_each_reported_code_is_a_rule(module: str) -> None:
    rules = import_module(module).RULES
    path = ROOT / f"{module.replace('.', '/')}.py"
    own = {"flow.py", "conversation.py"}  # modules with a table of their own
    sources = [one for one in path.parent.glob("*.py") if one.name not in own]
    codes = {
        code for source in (sources if path.stem == "rules" else [path]) for code in named(source)
    }
    assert codes
    assert codes <= rules.keys()
    assert all(rule.code.endswith(f".{code}") for code, rule in rules.items())
