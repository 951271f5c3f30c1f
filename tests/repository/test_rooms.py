"""The rooms of the code stay small enough to be read. `python -m tests.rooms` says more."""

import subprocess

import pytest

from tests import rooms

SHORT = "def f() -> None:\n    pass\n"


def test_every_kind_of_source_is_read() -> None:
    tree = rooms.read_tree()

    for path in ("cablese/__init__.py", "tests/rooms.py", "static/base/base.js"):
        assert path in tree
    assert {path.rsplit(".", 1)[1] for path in tree} == set(rooms.KINDS)


@pytest.mark.parametrize(
    ("tree", "excess"),
    [
        ({f"cablese/a/m{n}.py": "" for n in range(15)}, "cablese/a: 15 Python, at most 14"),
        ({f"static/a/m{n}.js": "" for n in range(15)}, "static/a: 15 scripts, at most 14"),
        ({f"tests/a/m{n}.html": "" for n in range(15)}, "tests/a: 15 templates, at most 14"),
        ({"static/a.css": "a\n" * 401}, "static/a.css: 401 lines, at most 400"),
        (
            {"cablese/a.py": "class A:\n    def f(self):\n" + "        pass\n" * 40},
            "cablese/a.py:A.f: 41 lines, at most 40",
        ),
        (
            {"cablese/a.py": "def f():\n    def g():\n" + "        pass\n" * 39},
            "cablese/a.py:f: 41 lines, at most 40",
        ),
        (
            {"cablese/a.py": f"{'a' * 101}\n{'a' * 100}\n"},
            "cablese/a.py: 1 lines of more than 100 columns",
        ),
        (
            {"templates/a.html": f"{'a' * 101}\n"},
            "templates/a.html: 1 lines of more than 100 columns",
        ),
    ],
)
def test_what_is_above_a_limit_is_found(tree: dict[str, str], excess: str) -> None:
    assert rooms.find_excess(rooms.measure(tree), {}) == [excess]


def test_what_is_just_within_the_limits_is_not_found() -> None:
    tree = {f"cablese/a/m{n}.py": "a\n" * 400 for n in range(14)}
    tree |= {f"cablese/a/m{n}.js": f"{'a' * 100}\n" for n in range(14)}
    tree["cablese/b.py"] = "def f():\n" + "    pass\n" * 39

    assert rooms.find_excess(rooms.measure(tree), {}) == []


def test_a_reason_is_for_one_function_that_needs_it() -> None:
    tree = {"cablese/a.py": "def f():\n" + "    pass\n" * 40, "cablese/b.py": SHORT}
    sizes = rooms.measure(tree)

    assert rooms.find_excess(sizes, {"cablese/a.py:f": "a parser"}) == []
    assert rooms.find_excess(sizes, {"cablese/a.py:f": "", "cablese/b.py:f": ""}) == [
        "cablese/b.py:f: is not long, and has a reason"
    ]


def test_statements_are_counted_without_docstrings_migrations_and_tests() -> None:
    source = '"""A text."""\nA = 1\n"""Why."""\n\n\ndef f():\n    """Do it."""\n    return A\n'
    tree = dict.fromkeys(
        ("cablese/a.py", "auditlog/a.py", "auditlog/migrations/a.py", "tests/a.py"), source
    )

    assert rooms.measure(tree).statements == {"cablese": 3, "auditlog": 3}


def test_another_revision_is_read_as_it_was() -> None:
    head = subprocess.run(
        ["git", "show", "HEAD:cablese/message.py"],
        cwd=rooms.ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert rooms.read_revision("HEAD")["cablese/message.py"] == head


def test_nothing_is_above_a_limit() -> None:
    assert rooms.find_excess(rooms.measure(rooms.read_tree())) == []
