"""Answers that hold only what has changed."""

import re
from collections.abc import Callable

import pytest
from django.template import Context, Engine, TemplateSyntaxError
from django.test import Client

from playground.http.fragments.patches import MOST, Patches, read_stamps
from tests.playground.drawn import Elements, unstamped

ENGINE = Engine(libraries={"patches": "playground.templatetags.patches"})
PAGE = ENGINE.from_string(
    "{% load patches %}"
    '{% patch "page" %}<main>{{ title }}'
    '{% patch "head" %}<h1>{{ head }}</h1>{% endpatch %}'
    "<ol>{% for row in rows %}{% patch row.id row.key %}<li>{{ row.draw }}</li>{% endpatch %}{% "
    "endfor %}</ol>"
    '{% patch "note" %}{% if note %}<p>{{ note }}</p>{% endif %}{% endpatch %}'
    "</main>{% endpatch %}"
)
STAMP = re.compile(r'data-stamp="([0-9a-f]{16})"')


class Row:
    def __init__(self, name: str, key: str) -> None:
        self.id, self.key = name, key
        self.drawn = 0

    def draw(self) -> str:
        self.drawn += 1
        return f"drawn of {self.key}"


def rows(*keys: str) -> list[Row]:
    return [Row(f"row-{number}", key) for number, key in enumerate(keys, 1)]


def draw(patches: Patches | None, **said: object) -> str:
    return PAGE.render(Context({"patches": patches, "head": "Head", **said}))


def answer(page: str, **said: object) -> str:
    """What is sent to a browser that has ``page``."""
    return draw(Patches(STAMP.findall(page), answering=True), **said)


def put_in(sent: str) -> list[str]:
    """The patches that an answer has, without those inside of them."""
    parsed = re.sub(r"<template>(<tr .*?)</template>", r"\1", sent, flags=re.DOTALL)
    return [str(attributes["id"]) for _, attributes in Elements(parsed).outermost]


def test_a_page_is_whole_and_each_patch_has_its_id_and_stamp() -> None:
    page = draw(Patches(), rows=rows("a", "b"), note="Note")

    assert re.findall(r'<(\w+) id="([\w-]+)" data-stamp', page) == [
        ("main", "page"), ("h1", "head"), ("li", "row-1"), ("li", "row-2"), ("p", "note"),
    ]  # fmt: skip
    assert unstamped(page) == draw(None, rows=rows("a", "b"), note="Note")


def test_where_nothing_has_changed_nothing_is_sent_or_made() -> None:
    page = draw(Patches(), rows=rows("a", "b"), note="Note")
    again = rows("a", "b")

    assert answer(page, rows=again, note="Note") == ""
    assert [row.drawn for row in again] == [0, 0]


def test_what_has_changed_is_sent_alone() -> None:
    page = draw(Patches(), rows=rows("a", "b", "c"), note="Note")
    again = rows("a", "B", "c")

    sent = answer(page, rows=again, note="Another")

    assert put_in(sent) == ["row-2", "note"]
    assert len(STAMP.findall(sent)) == 2
    assert unstamped(sent) == '<li id="row-2">drawn of B</li><p id="note">Another</p>'
    assert [row.drawn for row in again] == [0, 1, 0]


@pytest.mark.parametrize(
    "change",
    [{"rows": rows("a", "b", "c")}, {"rows": rows("a")}, {"note": ""}, {"title": "Other"}],
    ids=["one more", "one less", "gone", "around"],
)
def test_what_holds_others_is_sent_whole_when_they_are_others_or_it_has_changed(
    change: dict[str, object],
) -> None:
    said: dict[str, object] = {"rows": rows("a", "b"), "note": "Note", "title": "Title"}
    page = draw(Patches(), **said)

    sent = answer(page, **(said | change))

    assert put_in(sent) == ["page"]
    assert unstamped(sent) == unstamped(draw(Patches(), **(said | change)))


def test_of_two_lists_only_the_one_that_is_longer_is_made_whole() -> None:
    lists = ENGINE.from_string(
        "{% load patches %}"
        '{% patch "page" %}<main>{% for name, rows in lists %}{% patch name %}<ol>'
        "{% for row in rows %}{% patch row.id row.key %}<li>{{ row.draw }}</li>{% endpatch %}"
        "{% endfor %}</ol>{% endpatch %}{% endfor %}</main>{% endpatch %}"
    )

    def draw_lists(patches: Patches, one: list[Row], other: list[Row]) -> str:
        return lists.render(
            Context({"patches": patches, "lists": [("one", one), ("other", other)]})
        )

    page = draw_lists(Patches(), rows("a", "b"), [Row("x", "x"), Row("y", "y")])
    longer, same = rows("a", "b", "c"), [Row("x", "x"), Row("y", "y")]

    sent = draw_lists(Patches(STAMP.findall(page), answering=True), longer, same)

    assert put_in(sent) == ["one"]
    assert all(row.key in sent for row in longer)
    assert [row.drawn for row in same] == [0, 0]


def test_an_answer_to_a_browser_that_has_nothing_is_everything() -> None:
    said: dict[str, object] = {"rows": rows("a"), "note": "Note"}

    assert unstamped(draw(Patches(answering=True), **said)) == unstamped(draw(Patches(), **said))


BOX = ENGINE.from_string(
    "{% load patches %}"
    '{% patch "box" %}<div>{{ box_note.draw }}{% for row in rows %}'
    "{% patch row.id row.key %}<p>{{ row.draw }}</p>{% endpatch %}{% endfor %}</div>{% endpatch %}"
)
AROUND = ENGINE.from_string(
    '{% load patches %}{% patch "around" %}<main>{{ title }}{% include box %}</main>{% endpatch %}'
)


@pytest.mark.parametrize(
    ("title", "keys", "first", "rest", "drawn"),
    [
        ("One", ("a", "b"), [], [], [1, 0, 0]),
        ("One", ("a", "x"), ["row-2"], [], [1, 0, 1]),
        ("One", ("a", "x", "c"), ["box"], [], [2, 1, 2, 2]),
        ("Two", ("a", "x"), ["row-2"], ["around"], [2, 1, 2]),
    ],
    ids=["nothing", "a row", "a longer box", "what is around it"],
)
def test_what_a_response_begins_with_is_neither_made_nor_sent_again(
    title: str, keys: tuple[str, ...], first: list[str], rest: list[str], drawn: list[int]
) -> None:
    """A changed patch of which the browser has a part is made twice: with its part, and whole."""

    def context(patches: Patches, title: str, rows: list[Row]) -> Context:
        said = {"patches": patches, "box": BOX, "title": title, "rows": rows}
        return Context(said | {"box_note": Row("note", "note")})

    page = AROUND.render(context(Patches(), "One", rows("a", "b")))
    said = context(Patches(STAMP.findall(page), answering=True), title, rows(*keys))

    assert put_in(BOX.render(said)) == first
    assert put_in(sent := AROUND.render(said)) == rest
    assert [row.drawn for row in (said["box_note"], *said["rows"])] == drawn
    assert not rest or all(f"drawn of {key}" in sent for key in keys)


def test_two_patches_with_the_same_markup_are_told_apart() -> None:
    page = draw(Patches(), rows=rows("a", "a"))

    first, second = re.findall(r'<li id="row-\d" data-stamp="(\w+)"', page)
    assert first != second


def test_a_text_that_looks_like_a_hole_is_a_text() -> None:
    page = draw(Patches(), rows=rows("a"), title="<! row-1><!0 head>", note="<p id=head>")

    assert "&lt;! row-1&gt;&lt;!0 head&gt;" in page
    assert "&lt;p id=head&gt;" in page


def test_stamps_are_believed_up_to_a_limit() -> None:
    assert read_stamps("a b c") == ("a", "b", "c")
    assert len(read_stamps("x " * 10 * MOST)) == MOST
    assert answer("", rows=rows("a")) == answer('data-stamp="0000000000000000"', rows=rows("a"))


@pytest.mark.parametrize(
    "said",
    ["{% patch %}{% endpatch %}", '{% patch "a" "b" "c" %}{% endpatch %}', '{% patch "a" %}'],
)
def test_a_patch_that_is_said_wrongly_is_refused_when_the_page_is_read(said: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        ENGINE.from_string("{% load patches %}" + said)


TEXT = "REQ/TSK|g=42,t=1,@=auth\nRJE/PLN|g=42,t=1\nACC/PLN|g=42,t=01\n"


@pytest.mark.parametrize(
    ("change", "ids"),
    [
        (lambda text: text, set()),
        (
            lambda text: text.replace("@=auth", "@=auth_refactor"),
            {"message-1", "wire", "field-5", "english", "chips", "bill"},
        ),
        (lambda text: text.replace("t=01", "t=001"), {"message-3", "note-3-1"}),
        (lambda text: "\n" + text, {"reading-state", "note-2-1"}),
    ],
    ids=["nothing", "the shown message", "another message", "a line before all"],
)
def test_typing_is_answered_by_what_it_changed(
    client: Client, change: Callable[[str], str], ids: set[str]
) -> None:
    whole = client.post("/reading", {"text": TEXT}).content.decode()

    sent = client.post(
        "/reading", {"text": change(TEXT), "have": " ".join(STAMP.findall(whole))}
    ).content.decode()
    found = set(put_in(sent))

    assert ids <= found
    assert not found & {"reading", "panel-list", "spends", "examines", "detection"}
    assert not found & {"panel-fields", "field-4"}
    if not ids:
        assert not sent.strip()
    assert len(sent) < len(whole) / 2
