"""Imports go down: playground, auditlog, cablese. The rules are in pyproject.toml; here every test
run says so.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = {
    "cablese": ("auditlog", "playground", "django", "ninja"),
    "auditlog": ("playground", "ninja", "django_htmx", "django.template", "django.shortcuts"),
}
FILES = [
    path.relative_to(ROOT).as_posix()
    for floor in FORBIDDEN
    for path in sorted((ROOT / floor).rglob("*.py"))
]


def test_no_module_imports_anything_from_above() -> None:
    assert [
        (file, name)
        for file in FILES
        for name in imports(ast.parse((ROOT / file).read_text()))
        if f"{name}.".startswith(tuple(f"{module}." for module in FORBIDDEN[file.split("/")[0]]))
    ] == []


def imports(tree: ast.AST) -> list[str]:
    """Everything imported, wherever in the file: `from a import b` counts as `a.b`, which may be a
    module too.
    """
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def test_a_forbidden_import_is_seen() -> None:
    source = "import a.b\ndef late():\n    from django import template\n"

    assert imports(ast.parse(source)) == ["a.b", "django.template"]


def test_the_import_rules_of_the_project_hold() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout


def test_a_command_starts_without_the_libraries_of_the_api() -> None:
    """Importing them takes half as long again as all that a command needs."""
    loaded = subprocess.run(
        [sys.executable, "-c", "import django, sys; django.setup(); print(*sys.modules)"],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "playground.settings"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "auditlog.models" in loaded
    assert {"ninja", "pydantic"}.isdisjoint(loaded)
