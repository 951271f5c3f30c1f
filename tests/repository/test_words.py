"""Check that pages and messages avoid the phrases that we replaced with plain English."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("cablese", "auditlog", "playground")

PHRASES = {
    "is not a": r"(?<!there )(?<!there's )\bis no (?!longer\b)",
    "is (in, after, before, at)": (
        r"\bstands? (in|inside|among|behind|before|after|at|alone|beside|here|there|more than)\b"
    ),
    "after": r"\bbehind (a|an|the|its|this) (\w+ )?(comma|field|line|message|packet|slot|value)\b",
    "with, metadata": r"\b(said|facts) beside\b|\bbeside (a|the|its|this) (message|packet)s?\b",
    "the limit is N": r"\bso many are taken\b",
    "again": r"\banew\b",
    "you, or the noun": r"\b(nobody|somebody)\b|\bwho and whom\b|\bfor who (may|holds)\b",
    "reported": r"\b(is|was|not even when it was) told what\b",
    "space": r"\bblanks?\b",
    "fix": r"(?<![.#/])\bmend(s|ed|ing)?\b",
    "best match": r"\blikest\b",
    "request": r"\ba wish\b",
    "other formats": r"\bsaid otherwise\b",
    "highlighted, pinned, unpinned": r"\blit together\b|\blet(s)? go of\b|\bwhat is (lit|held)\b",
    "two sentences": r"\bwhat it is that\b",
    "round trip": r"\b(the|its|a) way back\b|\bway back (lost|really)\b",
    "changed": r"\bbent\b",
    "fragment": r"\bpieces? (of text )?that (is|are) no\b|\bitems? that (is|are) no\b",
    "info": r"\bpieces? of advice\b|\bwithout a remark\b",
    "break even": r"\b(never )?pays? back\b",
    "undo": r"\btakes? (it|them|that) (all )?back\b",
    "American spelling": (r"\b(behaviour|colour|favour|honour|neighbour|recognise)(d|s|ed|ing)?\b"),
}
"""Better words, and the phrases they replace. Whole phrases, so that honest English passes."""

PROMPTS = (
    "cablese/protocols/aacp/authoring/briefing.py",
    "cablese/protocols/aacp/authoring/specification.py",
)
"""Instructions for models: their tokens are counted, and published with them."""
WORDS = re.compile("|".join(f"(?:{phrase})" for phrase in PHRASES.values()), re.IGNORECASE)
_MARKUP = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}|<!--.*?-->|</?\w[^>]*>", re.DOTALL)
_TITLES = re.compile(r'\b(?:alt|aria-label|placeholder|title)="([^"]*)"')
_SCRIPTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')


def find(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each match."""
    for match in WORDS.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[0]


def visible(template: str) -> str:
    """Return what a template draws, on its own lines: text and the attributes that people read."""

    def read(markup: re.Match[str]) -> str:
        named = "".join(f" | {one} | " for one in _TITLES.findall(markup[0]))
        return named + "\n" * (markup[0].count("\n") - named.count("\n"))

    return _MARKUP.sub(read, template)


def messages(source: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences in a module that are not docstrings, with their first lines."""
    tree = ast.parse(source)
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in docstrings:
            continue
        if isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def scripted(source: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences in a script, with their first lines."""
    for match in _SCRIPTED.finditer(source):
        if " " in match[0]:
            yield source.count("\n", 0, match.start()) + 1, match[0]


def places() -> Iterator[str]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for line, words in find(visible(path.read_text("utf-8"))):
            yield f"{path.relative_to(ROOT)}:{line}: {words}"
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for first, text in messages(path.read_text("utf-8")):
            for line, words in find(text):
                yield f"{path.relative_to(ROOT)}:{first + line - 1}: {words}"
    for path in sorted((ROOT / "static").rglob("*.js")):
        for first, text in scripted(path.read_text("utf-8")):
            for line, words in find(text):
                yield f"{path.relative_to(ROOT)}:{first + line - 1}: {words}"


def test_pages_and_messages_use_plain_words() -> None:

    assert [place for place in places() if not place.startswith(PROMPTS)] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "404 Not Found",
        "There is no packet with this ID.",
        "p stands for priority.",
        "The server runs behind a proxy.",
        "This is no longer valid.",
        "SACP stands for Structured Agent Communication Protocol.",
        "Amendments are listed below.",
    ],
)
def test_plain_english_passes(sentence: str) -> None:
    assert list(find(sentence)) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "This is no receipt.",
        "A blank stands inside a value.",
        "A comma stands behind the last value.",
        "Nobody is signed in.",
        "There is nothing that can be mended.",
    ],
)
def test_replaced_phrases_are_found(sentence: str) -> None:
    assert list(find(sentence)) != []


def test_only_text_for_people_is_searched() -> None:
    page = '<p class="mended" title="a blank">One {# anew #}{{ blank }}\nblank</p>'

    assert list(find(visible(page))) == [(1, "blank"), (2, "blank")]
    assert [text for _, text in messages('"""A blank."""\nx = "mend"\ny = "a mend"')] == ["a mend"]
    assert list(scripted('// "no"\nsay("let go of it");'))[-1][0] == 2
