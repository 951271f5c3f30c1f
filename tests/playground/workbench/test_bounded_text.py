"""Text is normalized and shortened by our own functions, which take linear time."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.template import Context, Template
from django.test import Client

from auditlog.findings.injection import check
from auditlog.ingest.item import Item
from cablese import detection
from cablese.prompt import for_prompt, is_instruction
from playground.templatetags.wire import shorten
from tests.auditlog.sending import keep, make_sender
from tests.growth import assert_linear
from tests.installation import ROOT

MARKS = "\u0301\u0323"
MODULES = sorted(
    path for name in ("auditlog", "cablese", "playground") for path in (ROOT / name).rglob("*.py")
)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
QUADRATIC = frozenset(
    {
        "truncatechars",
        "truncatechars_html",
        "truncatewords",
        "truncatewords_html",
        "slugify",
        "urlize",
        "urlizetrunc",
    }
)
"""Filters of Django that normalize, or take quadratic time on hostile text."""
NORMALIZING = frozenset({"normalize", "is_normalized", "Truncator", "slugify", "punycode"})
OURS_TO_SLUG = {"title", "line.kind", "row.verdict"}
"""Slugs are made of these, which hold words of our own."""


def filters(template: str) -> set[tuple[str, str]]:
    """Variables with each of their filters."""
    inside = re.findall(r"{{(.*?)}}|{%(.*?)%}", template, flags=re.DOTALL)
    expressions = re.findall(
        r"([\w.\"']+)((?:\|\w+(?::(?:\"[^\"]*\"|[\w.]+))?)+)", " ".join(map(" ".join, inside))
    )
    return {(name, match) for name, chain in expressions for match in re.findall(r"\|(\w+)", chain)}


def normalizing(source: str) -> set[str]:
    """Names that `source` takes from `unicodedata` or Django and that normalize."""
    return set(_normalizing(ast.parse(source)))


def _normalizing(tree: ast.AST) -> Iterator[str]:
    modules = {"unicodedata"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {
                name.asname or name.name for name in node.names if name.name == "unicodedata"
            }
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            ("unicodedata", "django.utils")
        ):
            yield from (name.name for name in node.names if name.name in NORMALIZING)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in modules
        ):
            yield from {node.attr} & NORMALIZING


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import unicodedata\nunicodedata.normalize('NFC', x)", {"normalize"}),
        ("import unicodedata as u\nu.normalize('NFC', x)", {"normalize"}),
        ("from unicodedata import combining, normalize as n", {"normalize"}),
        ("from django.utils.text import Truncator", {"Truncator"}),
        ("from django.utils.encoding import punycode", {"punycode"}),
        ("from cablese.normalization import normalize", set()),
        ("import unicodedata\nunicodedata.name('x')", set()),
    ],
)
def test_a_module_that_normalizes_is_noticed(source: str, found: set[str]) -> None:
    assert normalizing(source) == found


def test_one_module_normalizes() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): names
        for path in MODULES
        if (names := normalizing(path.read_text()))
    }

    assert found == {
        "cablese/normalization.py": {"normalize", "is_normalized"},
        "playground/reference/pages.py": {"slugify"},  # of our own titles
    }


def test_a_filter_in_a_template_is_noticed() -> None:
    assert filters("{{ fragment.text|visible|truncatechars:80 }}{% if x|length > 1 %}") == {
        ("fragment.text", "visible"),
        ("fragment.text", "truncatechars"),
        ("x", "length"),
    }


def test_templates_shorten_with_our_own_filter() -> None:
    used = {pair for path in TEMPLATES for pair in filters(path.read_text())}

    assert ("fragment.text", "shorten") in used
    assert {pair for pair in used if pair[1] in QUADRATIC} == {
        (name, "slugify") for name in OURS_TO_SLUG
    }


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("", 3, ""),
        ("\u200bx", 8, "⟨U+200B⟩"[:7] + "…"),
        ("a\x00b", 3, "a␀b"),
        ("e\u0301e\u0301", 4, "e\u0301e\u0301"),
    ],
    ids=ascii,
)
def test_shortened_text_has_at_most_so_many_characters(text: str, limit: int, shown: str) -> None:
    assert shorten(text, limit) == shown


def test_shortened_text_is_escaped_and_takes_numbers() -> None:
    template = Template(
        "{% load wire %}{{ text|shorten:4 }} {{ number|shorten:4 }} {{ none|shorten:4 }}"
    )

    assert (
        template.render(Context({"text": "<b>", "number": 12, "none": None})) == "&lt;b&gt; 12 None"
    )


@pytest.mark.parametrize(
    "text", ["a" + MARKS * 50_000, "\u200b" * 100_000], ids=["marks", "hidden"]
)
def test_nothing_beyond_the_limit_is_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def count(text: str) -> str:
        read.append(len(text))
        return text

    monkeypatch.setattr("playground.templatetags.wire.visible", count)

    shorten(text, 80)

    assert read == [81]


def marked(size: int) -> str:
    return "INF/OBS|g=42,t=1,@=a" + MARKS * (size // 2)


def test_a_prompt_safe_copy_of_marks_takes_linear_time() -> None:
    assert_linear(lambda size: for_prompt(detection.decode(marked(size)[:60_000])), 7_000)
    assert_linear(lambda size: is_instruction(marked(size)), 9_000)


def test_the_lens_takes_linear_time_on_marks() -> None:
    assert_linear(lambda size: check(detection.decode(marked(size))), 7_000)


@pytest.mark.django_db
def test_the_page_of_an_entry_takes_linear_time_on_marks(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    sender = make_sender()

    def act(size: int) -> None:
        packet = keep(Item(marked(24), content="a" + MARKS * (size // 2)), sender=sender)
        assert client.get(f"/audit/default/{packet.uid}").status_code == 200

    assert_linear(act, 9_000)


def test_what_is_searched_is_there() -> None:
    assert ROOT / "auditlog/search/terms.py" in MODULES
    assert len(TEMPLATES) > 50
