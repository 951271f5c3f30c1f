"""No text after a message changes it, and no text before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese.transcript import split
from tests import fuzz
from tests.transcript.endings import BETWEEN, ENDINGS, MARK, Ending, prefixes, wires
from tests.transcript.lines.lines import PRINTERS

WIRES, PREFIXES = wires(), prefixes()
LATER = (
    "",
    "Then the planner waited.",
    "note: done",
    "}",
    '"',
    "```",
    "</code>",
    '{"level":"info"}',
    "-" * 40,
)
LINES = tuple(printer.print("REJ/PLN|g=9,t=9,!=too_big") for printer in PRINTERS)


def test_there_are_messages_of_every_protocol() -> None:
    assert len(WIRES) > 200
    assert len(PREFIXES) > 60


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.name)
@fuzz.examples(10)
@given(wire=st.sampled_from(WIRES), prefix=st.sampled_from(PREFIXES))
def test_what_follows_a_message_is_not_part_of_it(ending: Ending, wire: str, prefix: str) -> None:
    if any(char in wire for char in ending.foreign):
        return
    if wire.endswith(":") and ending.closer.startswith(" "):
        return  # the colon introduces what follows
    cuts = split(f"{prefix}{ending.opener}{wire}{ending.closer}\n").messages
    assert [cut.wire for cut in cuts] == [wire]


@pytest.mark.parametrize("between", BETWEEN)
@fuzz.examples(10)
@given(wire=st.sampled_from([wire for wire in WIRES if " " not in wire and wire[0] != "{"]))
def test_two_messages_of_a_line_are_two(between: str, wire: str) -> None:
    cuts = split(f"{wire}{between}{MARK}").messages
    assert [cut.wire for cut in cuts] == [wire, MARK]


@given(wire=st.sampled_from(WIRES), later=st.sampled_from(LATER + LINES) | st.text(max_size=40))
def test_no_later_line_changes_a_message(wire: str, later: str) -> None:
    if later.lstrip().startswith("|"):
        return  # a folded packet may go on there
    cuts = split(f"{wire}\n{later}").messages
    assert cuts[:1]
    assert cuts[0].wire == wire


@given(wire=st.sampled_from([wire for wire in WIRES if wire[0] == "{"]), later=st.text(max_size=40))
def test_no_text_behind_an_object_changes_it(wire: str, later: str) -> None:
    cuts = split(wire + later).messages
    assert cuts[:1]
    assert cuts[0].wire == wire


@given(first=st.sampled_from(LATER + LINES), wire=st.sampled_from(WIRES))
def test_no_earlier_line_changes_a_message(first: str, wire: str) -> None:
    if first.endswith(('"', "```", "<code>", "}")):
        return  # it may open what the message is in
    cuts = split(f"{first}\n{wire}").messages
    assert cuts[-1:]
    assert cuts[-1].wire == wire


@pytest.mark.parametrize(
    "after",
    ["')", "`)", '");', "');", '",', '"),', "}),", "];", "`;", "»", "”", '" }', "' ]", "&quot;",
     "&nbsp;", "&#39;);", "]]>", "\u200b", "\ufeff", "\u200e\u200b", "\u2588", '"#', '"###;',
     "[^1]", "[^note]", " /* c */", " <!-- c -->"],
    ids=ascii,
)  # fmt: skip
@pytest.mark.parametrize(
    "wire", ["REQ/TSK|g=42,t=1,@=a", "FETCH|HR|return:A|p:1|aacp:1.1|a:b", "T|17|Q|obj=x"]
)
def test_what_closes_and_was_not_opened_is_part_of_no_message(wire: str, after: str) -> None:
    assert [cut.wire for cut in split(wire + after).messages] == [wire]
    assert [cut.wire for cut in split(f"planner: {wire}{after}\n").messages] == [wire]


@pytest.mark.parametrize(
    "value",
    ['"a"', "it's 'a'", "the dogs'", "it's", "(a)", "[1],(2)", "a)", ":)", "{a}", "a->b", '6"',
     "5.5'", "«a»", "a»(b)", "f(a),", "\u2588\u2588", "\u2588", "a\u2588\u2588",
     "c#", "[^1]", "&quot;a&quot;", "&lt;a&gt;", "“a”(b)"],
)  # fmt: skip
def test_what_closes_in_a_value_stays(value: str) -> None:
    wire = f"FETCH|HR|return:A|p:1|aacp:1.1|a:{value}"

    assert [cut.wire for cut in split(wire).messages] == [wire]


@pytest.mark.parametrize(("entities", "left"), [(6, ""), (7, "&nbsp;")])
def test_what_closes_is_searched_for_near_the_end(entities: int, left: str) -> None:
    wire = "FETCH|HR|return:A|p:1|aacp:1.1|a:b"

    assert [cut.wire for cut in split(wire + "&nbsp;" * entities).messages] == [wire + left]


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("f(a)", '"'),
        ('"a"', '"'),
        ("f(a)", '");'),
        ('"(a)"', "\u200b"),
        ("&quot;a&quot;", "&quot;"),
    ],
)
def test_what_closes_in_a_value_stays_before_what_does_not(value: str, after: str) -> None:
    wire = f"FETCH|HR|return:A|p:1|aacp:1.1|a:{value}"

    assert [cut.wire for cut in split(wire + after).messages] == [wire]
