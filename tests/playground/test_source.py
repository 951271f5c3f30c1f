"""What docs/security.md claims of our code: no shell, approved hashes, and safe scripts."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from auditlog import access
from tests.installation import ROOT

CODE = sorted(
    path for room in ("auditlog", "cablese", "playground") for path in (ROOT / room).rglob("*.py")
)
SCRIPTS = sorted((ROOT / "static").rglob("*.js"))


# The source.


@cache
def _nodes() -> list[tuple[Path, ast.AST]]:
    """Every call and every import of our code."""
    kinds = (ast.Call, ast.Import, ast.ImportFrom)
    return [
        (path, node)
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, kinds)
    ]


@cache
def _calls() -> list[tuple[Path, ast.Call, str]]:
    return [
        (path, node, ast.unparse(node.func))
        for path, node in _nodes()
        if isinstance(node, ast.Call)
    ]


def _imports() -> Iterator[tuple[str, str]]:
    for path, node in _nodes():
        if isinstance(node, ast.Import):
            yield from ((path.name, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((path.name, f"{node.module}.{one.name}") for one in node.names)


RISKY = {
    "eval", "exec", "compile", "os.system", "os.popen", "marshal.loads", "yaml.load", "mark_safe",
}  # fmt: skip
EXPRESSIONS = {
    "re.compile", "re.search", "re.match", "re.fullmatch", "re.sub", "re.split", "re.findall",
}  # fmt: skip


def test_code_runs_no_shell_and_evaluates_nothing() -> None:
    found = {(path.name, name) for path, _, name in _calls() if name in RISKY}
    shells = [
        path.name
        for path, call, _ in _calls()
        if any(keyword.arg == "shell" for keyword in call.keywords)
    ]
    modules = {
        (name, module)
        for name, module in _imports()
        if re.match(r"(pickle|shelve|marshal|xml|lxml)\b", module)
    }
    processes = {name for name, module in _imports() if module.split(".")[0] == "subprocess"}
    made = {
        path.name
        for path, call, name in _calls()
        if name in EXPRESSIONS
        and isinstance(call.args[0], ast.Name)
        and not call.args[0].id.isupper()
        and not call.args[0].id.startswith("_")
    }

    assert found == set()
    assert shells == []
    # XML is read only to see whether what was just written comes back.
    assert modules == {
        ("elements.py", "xml.etree.ElementTree"),
        ("elements.py", "xml.sax.saxutils.escape"),
        ("elements.py", "xml.sax.saxutils.quoteattr"),
        ("notation.py", "xml.etree.ElementTree.ParseError"),
    }  # fmt: skip
    # npm and pip download the packages for the browser.
    assert processes <= {"supervisor.py", "dump.py", "pool.py", "child.py", "downloads.py"}
    assert made == set()


def test_html_is_put_together_by_what_escapes() -> None:
    places = {"format_html": 0, "format_html_join": 1}
    calls = [(path.name, call, name) for path, call, name in _calls() if name in places]

    assert {file for file, _, _ in calls} == {
        "state_table.py",
        "charts.py",
        "save.py",
    }
    for file, call, name in calls:
        assert isinstance(call.args[places[name]], ast.Constant), f"{file}:{call.lineno}"


def test_secrets_come_from_the_secure_generator() -> None:
    # It spreads a secret that comes from the secure generator.
    drawn = {path for path, module in _imports() if module.split(".")[0] == "random"}
    assert drawn == {"vocabulary.py"}
    assert {name for name, module in _imports() if module.split(".")[0] == "secrets"} >= {
        "access.py",
        "pads.py",
    }
    key = access.new_token().split("_")[3]
    assert len(key) == 43


def test_only_approved_hashes_are_used() -> None:
    hashes = {
        (path.name, name.rpartition(".")[2])
        for path, _, name in _calls()
        if re.search(r"(^|\.)(md5|sha1|sha224|sha3_\d+|blake2[bs])$", name)
    }
    # The name of a file as a library wants it, sums of tokens and of statistics that a self-check
    # compares, a stamp of a part of a page, and numbers of examples: no secret.
    assert hashes == {
        ("counted.py", "blake2b"),
        ("vocabulary.py", "sha1"),
        ("vocabulary.py", "blake2b"),
        ("patches.py", "blake2b"),
        ("examples.py", "blake2b"),
    }


def test_scripts_use_nothing_risky() -> None:
    risky = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|"
        r"postMessage|__proto__"
    )
    stored = re.compile(r"(?:local|session)Storage\.setItem\(\"(\w+)\"")

    used = {
        (path.name, risk) for path in SCRIPTS for risk in risky.findall(path.read_text("utf-8"))
    }
    # A page and its own worker pass messages; no window receives one.
    assert used == {
        ("offer.js", "postMessage"),
        ("transport.js", "postMessage"),
        ("worker.js", "postMessage"),
    }
    assert {name for path in SCRIPTS for name in stored.findall(path.read_text("utf-8"))} == {
        "forgets",  # for a moment, as a signal to other tabs
        "theme",
        "view",
    }
