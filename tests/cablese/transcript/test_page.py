"""A message in an element of HTML that begins on an earlier line has no entities."""

import html
import json

import pytest

from cablese.transcript import split
from tests.growth import assert_linear

WIRES = (
    "INF/OBS|g=1,t=1,!=a<b",
    "FETCH|HR|return:A|p:1|aacp:1.1|filter:age<30&dept>4",
    'FETCH|HR|return:A|p:1|aacp:1.1|filter:name="a"',
    '{"Format":"text","Subformat":"English","Content":"a < b"}',
)


def _read(text: str) -> list[str]:
    return [cut.wire for cut in split(text).messages]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "page",
    [
        "<pre>\n«»\n</pre>\n",
        "<td>\n  «»\n</td>",
        '<html>\r\n<body class="log">\r\n<div>\r\n«»\r\n</div>\r\n',
        "<pre><code>«»\n«»\n</code></pre>",
        "<p>10:00 planner: «»<br>\n10:01 coder: «»<br>\n</p>",
        "<table>\n<tr>\n<td>\n«»\n</td>\n</tr>\n</table>",
    ],
)
def test_a_message_of_a_page_has_no_entities(page: str, wire: str) -> None:
    text = page.replace("«»", html.escape(wire, quote=wire[0] != "{"))

    assert _read(text) == [wire] * text.count("&lt;b" if "a<b" in wire else wire[:5])


@pytest.mark.parametrize("wire", ["INF/OBS|g=1,t=1,!=use_&lt;b&gt;", "INF/OBS|g=1,@=a&amp;b"])
@pytest.mark.parametrize(
    "text",
    [
        "«»",
        "```\n«»\n```",
        "<pre>\nREQ/TSK|g=1\n</pre>\n«»",
        "Put it into a <pre> element:\n«»",
        "`<code>` and more\n«»",
        f"<div>\n{'-' * 4_000}\n«»",
    ],
)
def test_elsewhere_a_value_may_have_entities(text: str, wire: str) -> None:
    assert _read(text.replace("«»", wire))[-1] == wire


def test_a_string_may_hold_a_page() -> None:
    page = "<pre>\nINF/OBS|g=1,t=1,!=a&lt;b\n</pre>"

    assert _read(json.dumps({"body": page})) == ["INF/OBS|g=1,t=1,!=a<b"]


def test_it_is_one_page_in_pieces() -> None:
    lines = "<pre>\nREQ/TSK|g=1\n" + "INF/OBS|g=1,t=1,!=a&lt;b\n" * 3 + "</pre>\nINF/OBS|!=a&lt;b\n"
    wires, context, at = [], "", 0
    while at < len(lines):
        piece = lines[at : at + 40]
        found = split(piece, final=at + 40 >= len(lines), context=context)
        wires += [cut.wire for cut in found.messages]
        at, context = at + max(found.end, 1), found.context

    assert wires == ["REQ/TSK|g=1", *["INF/OBS|g=1,t=1,!=a<b"] * 3, "INF/OBS|!=a&lt;b"]


@pytest.mark.parametrize("unit", ["<pre>", "<td>\n", "<p class=", "INF/OBS|!=a&lt;b\n<pre>\n"])
def test_many_elements_take_time_in_proportion(unit: str) -> None:
    assert_linear(lambda size: split(unit * (size // len(unit)) + "INF/OBS|!=a&lt;b"), 20_000)
