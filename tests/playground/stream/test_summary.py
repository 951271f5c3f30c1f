"""Rows of a live view, and the filters that choose among them."""

import msgspec
import pytest

from auditlog.ingest.item import Item
from auditlog.log.draft import decode
from playground.stream.summary import (
    ActTotal,
    Gap,
    describe,
    draw,
    sieve,
    summarize,
    total_by_act,
)

REQUEST = Item("REQ/TSK|g=42,t=1,p=2,@=auth_refactor")
BROKEN = Item("RJE/PLN|g=7,t=1", goal="Apollo", tags=["Night Run"])


def passes(item: Item, *, protocol: str = "", severity: str = "", text: str = "") -> bool:
    (seen,) = summarize([item], [decode(item)])
    return sieve(protocol, severity, text).passes(item, seen)


def test_a_row_holds_the_wire_in_pieces_and_its_english() -> None:
    row = draw(decode(REQUEST), number=3, at=1.5, count=19)

    assert "".join(text for _, text in row.wire) == REQUEST.wire
    assert row.wire[:2] == [("run value h0", "REQ"), ("sep", "/")]
    assert (row.number, row.at, row.protocol, row.severity, row.tokens) == (
        3,
        1500,
        "nslip",
        "",
        19,
    )
    assert row.english.startswith("Requests task 1 of goal 42")
    assert msgspec.json.decode(msgspec.json.encode(row))["n"] == 3


def test_a_mistake_is_marked_and_nothing_unseen_is_in_a_row() -> None:
    row = draw(decode(Item("RJE/PLN|g=7,t=1,@=a\u202eb\udcff")), number=1, at=0, count=1)

    assert row.severity == "error"
    assert any("under-error" in kind for kind, _ in row.wire)
    assert "⟨U+202E⟩" in "".join(text for _, text in row.wire)
    assert msgspec.json.encode(row)


def test_a_row_is_one_line() -> None:
    row = draw(
        decode(Item("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nperiod:2024-08")),
        number=1,
        at=0,
        count=1,
    )

    assert (
        "".join(text for _, text in row.wire)
        == "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|⏎period:2024-08"
    )


def test_english_is_as_long_as_a_row() -> None:
    assert (
        len(
            describe(
                decode(
                    Item(
                        '{"format":"text","subformat":"English","content":"' + "long " * 500 + '"}'
                    )
                )
            )
        )
        < 400
    )


def test_a_message_at_a_glance_knows_what_is_beside_it_too() -> None:
    (seen,) = summarize([BROKEN], [decode(BROKEN)])

    assert (seen.protocol, seen.severity, seen.valid) == ("nslip", "error", False)
    assert "apollo" in seen.goals
    assert seen.tags == ("night run",)


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (REQUEST, "goal:42"),
        (REQUEST, "task:1 @auth_refactor"),
        (REQUEST, "@AUTH* REQ/"),
        (BROKEN, "goal:apollo"),
        (BROKEN, "rje"),
        (BROKEN, ""),
    ],
)
def test_words_that_fit_let_a_message_through(item: Item, text: str) -> None:
    assert passes(item, text=text)


@pytest.mark.parametrize(
    "text", ["goal:4", "@auth", "task:2", "goal:42 nothing", "@auth_refactor task:9"]
)
def test_one_word_that_does_not_fit_holds_it_back(text: str) -> None:
    assert not passes(REQUEST, text=text)


def test_protocol_and_severity_choose() -> None:
    assert passes(REQUEST, protocol="nslip")
    assert not passes(REQUEST, protocol="tline")
    assert passes(BROKEN, severity="error")
    assert passes(BROKEN, severity="warning")
    assert not passes(REQUEST, severity="info")


def test_lines_are_totalled_by_act_with_the_most_frequent_first() -> None:
    wires = ["REQ/TSK|g=1,t=1", "hello", "PRO/PLN|g=1,t=1", "REQ/TSK|g=1,t=01,p=x"]
    rows = [draw(decode(Item(wire)), number=at, at=0, count=5) for at, wire in enumerate(wires)]

    totals = total_by_act([Gap(9, 3, "3 lost in transit."), *rows])

    assert totals == [
        ActTotal("request", messages=2, invalid=1, tokens=10),
        ActTotal("", messages=1, invalid=1, tokens=5),
        ActTotal("propose", messages=1, invalid=0, tokens=5),
    ]
