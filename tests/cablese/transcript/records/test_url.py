"""Messages in query strings and in the bodies of forms."""

from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from cablese.transcript import split
from tests.growth import assert_linear

WIRES = (
    "REQ/TSK|g=42,t=1,!=two words é",
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|period:2024-08",
    "T|17|Q|obj=a%7Cb",
    '{"g":"FIND_HOTEL","plan":[]}',
    "SLIP v3 planner exec Request Plan",
)
LINES = (
    "GET /send?from=planner&to=executor&m={} HTTP/1.1",
    "curl 'http://bus/send?from=planner&to=executor&m={}'",
    "from=planner&to=executor&m={}&x=1",
)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("encode", [quote, quote_plus])
def test_a_value_of_a_query_string_is_decoded(
    encode: Callable[..., str], line: str, wire: str
) -> None:
    written = encode(wire, safe="")
    text = f"10:00 {line.format(written)}\n"

    (cut,) = split(text).messages

    assert cut.wire == wire
    assert text[slice(*cut.span)] == written
    assert cut.carrier is not None
    assert cut.carrier.words == "URL-encoded text"
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")


def test_each_value_is_decoded_on_its_own() -> None:
    text = "&".join(f"m{number}={quote_plus(wire)}" for number, wire in enumerate(WIRES))

    assert [cut.wire for cut in split(text).messages] == list(WIRES)


def test_it_is_decoded_inside_a_record() -> None:
    text = '{"url":"/send?m=REQ%2FTSK%7Cg%3D1","status":200}'

    assert [cut.wire for cut in split(text).messages] == ["REQ/TSK|g=1"]


def test_an_escape_of_a_message_stays_in_it() -> None:
    assert [cut.wire for cut in split("T|17|Q|obj=a%7Cb").messages] == ["T|17|Q|obj=a%7Cb"]


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    (cut,) = split("m=REQ%2FTSK%7Cg%3D1%2C%21%3D%FF%FE&x=1").messages

    assert cut.wire == "REQ/TSK|g=1,!=%FF%FE"


@pytest.mark.parametrize("piece", ["%7C", "a%7Cb&", "%7", "%7C%7B", "x=%7c&"])
def test_many_take_as_much_longer_as_the_text_is(piece: str) -> None:
    assert_linear(lambda size: split(piece * size), 5_000)
