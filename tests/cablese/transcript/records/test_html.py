"""Messages whose bars or quotes are entities, as HTML and tables in Markdown write them, and those
of which a search has marked a part.
"""

import html
import json

import pytest

from cablese.transcript import split
from tests.growth import assert_linear

LINE_WIRES = (
    "REQ/TSK|g=42,t=1,!=two words & a<b",
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|period:2024-08",
    "T|17|Q|obj=test_scope;ctx=api_auth",
)
WIRE = '{"g":"FIND_HOTEL","plan":[["search","HOTELS",{"loc":"a|b"}]]}'
BARS = ("&#124;", "&#0124;", "&#x7C;", "&#x7c;", "&vert;", "&verbar;", "&VerticalLine;")
QUOTES = ("&quot;", "&#34;", "&#x22;")


@pytest.mark.parametrize("wire", LINE_WIRES)
@pytest.mark.parametrize("bar", BARS)
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("line", ["{}", "planner: {}", 'msg="{}" level=info', "<td>{}</td>"])
def test_a_bar_may_be_an_entity(line: str, times: int, bar: str, wire: str) -> None:
    written = html.escape(wire).replace("|", bar)
    for _ in range(times - 1):
        written = html.escape(written)
    text = f"{line.format(written)}\n"

    (cut,) = split(text).messages

    assert cut.wire == wire
    assert text[slice(*cut.span)] == written
    assert cut.carrier is not None
    assert cut.carrier.words == "HTML"


@pytest.mark.parametrize("quote", QUOTES)
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("line", ["{}", "planner: {}", "| planner | {} |"])
def test_a_quote_may_be_an_entity(line: str, times: int, quote: str) -> None:
    written = WIRE.replace('"', quote)
    for _ in range(times - 1):
        written = html.escape(written)

    (cut,) = split(line.format(written)).messages

    assert cut.wire == WIRE


@pytest.mark.parametrize("wire", LINE_WIRES)
def test_other_bars_part_the_cells_of_a_table(wire: str) -> None:
    written = html.escape(wire).replace("|", "&#124;")
    text = f"| from | message | to | period |\n|-|-|-|-|\n| planner | {written} | exec | p:1 |\n"

    (cut,) = split(text).messages

    assert cut.wire == wire
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "exec")


def test_each_cell_is_decoded_on_its_own() -> None:
    text = "|".join(wire.replace("|", "&#124;") for wire in LINE_WIRES)

    assert [cut.wire for cut in split(text).messages] == list(LINE_WIRES)


def test_it_is_decoded_inside_a_record() -> None:
    text = json.dumps({"body": "REQ/TSK&#124;g=1", "status": 200})

    assert [cut.wire for cut in split(text).messages] == ["REQ/TSK|g=1"]


@pytest.mark.parametrize("wire", ["REQ/TSK|g=1,!=a&#124;b", "INF/OBS|g=1,!=a&amp;vert;b"])
def test_an_entity_of_a_message_stays_in_it(wire: str) -> None:
    assert [cut.wire for cut in split(wire).messages] == [wire]


def test_other_text_with_entities_is_ignored() -> None:
    text = "a&#124;b &quot;REQ/TSK&quot; T&vert;maybe&vert;later"

    assert split(text).messages == ()


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ("<em>FETCH</em>|HR|return:A|p:1|aacp:1.1", "FETCH|HR|return:A|p:1|aacp:1.1"),
        ("FETCH|<em>HR</em>|return:<em>A</em>|aacp:1.1|p:1", "FETCH|HR|return:A|aacp:1.1|p:1"),
        ("<b>coder</b>: <mark>REQ</mark>/TSK|g=1 (12ms)", "REQ/TSK|g=1"),
        ('<span class="k">T</span>|17|Q|obj=x', "T|17|Q|obj=x"),
        ('{"highlight":{"wire":["<em>T</em>|17|Q|obj=x"]}}', "T|17|Q|obj=x"),
        ('{"highlight":{"wire":["T|17|Q|obj=<em>a</em>_b"]}}', "T|17|Q|obj=a_b"),
        ('{"_highlightResult":{"w":{"value":"REQ/TSK|<em>g=1</em>,t=1"}}}', "REQ/TSK|g=1,t=1"),
        ('{"_formatted":{"wire":"INF/OBS|@=<em>a</em> b"}}', "INF/OBS|@=a b"),
    ],
)
def test_a_part_of_a_message_may_be_marked(text: str, wire: str) -> None:
    assert [cut.wire for cut in split(text).messages] == [wire]


@pytest.mark.parametrize("marked", ["<em>T</em>|17|Q|obj=x", "T|17|Q|obj=<em>x</em>"])
@pytest.mark.parametrize("key", ["message", "log.message"])
def test_what_a_search_marks_in_a_hit_is_no_second_message(marked: str, key: str) -> None:
    hits = [
        {"_id": str(n), "_source": {key: "T|17|Q|obj=x"}, "highlight": {key: [marked]}}
        for n in range(2)
    ]

    found = split(json.dumps({"hits": {"hits": hits}})).messages

    assert [(cut.wire, cut.carrier and cut.carrier.path) for cut in found] == [
        ("T|17|Q|obj=x", f"/hits/hits/{n}/_source/{key}") for n in range(2)
    ]


@pytest.mark.parametrize("wire", ["REQ/TSK|g=1,!=an <em>x</em>", "INF/OBS|g=1,@=<b>a</b>"])
@pytest.mark.parametrize("form", ["{}", '{{"msg":"{}"}}'])
def test_markup_of_a_value_stays_in_it(wire: str, form: str) -> None:
    assert [cut.wire for cut in split(form.format(wire)).messages] == [wire]


@pytest.mark.parametrize("text", ["<b>FETCH</b> or <b>PROC</b> | HR", "<i>T</i>|17|<i>X</i>|obj=x"])
def test_words_of_a_page_are_ignored(text: str) -> None:
    assert split(text).messages == ()


@pytest.mark.parametrize(
    "piece", ["&#124;", "a&#124;b|", "&amp;", "&#124", "x='&vert;", "{&#34;", "<b>|</b>", "<b "]
)
def test_many_take_as_much_longer_as_the_text_is(piece: str) -> None:
    assert_linear(lambda size: split(piece * size), 5_000)
