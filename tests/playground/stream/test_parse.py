"""What is posted to a pad, as items. A bad line never costs a neighbour."""

from collections.abc import Iterable

import pytest

from auditlog.ingest.body import ARRAY_LIMIT, TooLarge
from auditlog.ingest.item import Item, Refusal
from playground.stream.parse import CHUNK_SIZE, read
from tests.playground.stating import LINES, state

NDJSON, JSON, PLAIN = "application/x-ndjson", "application/json", "text/plain"
WIRE = "REQ/TSK|g=42,t=1"


def taken(
    body: bytes | Iterable[bytes], media: str, protocol: str | None = None
) -> list[Item | Refusal]:
    blocks = [body] if isinstance(body, bytes) else body
    return [one for piece in read(blocks, media, protocol) for one in piece]


def wires(body: bytes | Iterable[bytes], media: str, protocol: str | None = None) -> list[str]:
    return [item.wire for item in taken(body, media, protocol) if isinstance(item, Item)]


def test_an_object_with_a_wire_is_an_item_with_all_that_is_beside_it() -> None:
    (item,) = taken(b'{"wire":"REQ/TSK|g=42,t=1","from":"planner","tags":["night"]}', JSON)

    assert item == Item(WIRE, from_="planner", tags=["night"])


def test_what_a_line_says_is_beside_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    state(monkeypatch)

    for media in (PLAIN, NDJSON):
        first, second, third = taken(LINES.encode(), media)
        assert isinstance(first, Item)
        assert isinstance(second, Item)
        assert (first.sent_at, first.sent_zone, first.from_) == (
            "2026-11-20T10:00:01+00:00",
            "UTC",
            "planner",
        )
        assert (second.thread, second.sent_zone) == ("42/1", None)
        assert isinstance(third, Item)
        assert third.from_line is None


def test_lines_of_json_are_items_messages_and_plain_lines_side_by_side() -> None:
    body = (
        b'{"wire":"REQ/TSK|g=42,t=1"}\n\n{"g":"FIND_HOTEL","plan":[]}\r\n"T|17|Q|obj=x"\n10:00 a: '
        b"ACC/PLN|g=1,t=1\n"
    )

    assert wires(body, NDJSON) == [
        WIRE,
        '{"g":"FIND_HOTEL","plan":[]}',
        "T|17|Q|obj=x",
        "ACC/PLN|g=1,t=1",
    ]


def test_a_bad_line_is_told_in_its_place_and_costs_no_neighbour() -> None:
    first, bad, last = taken(b'{"wire":"a"}\n{"wire":1}\n{"wire":"b"}', NDJSON)

    assert bad == Refusal(422, "Expected text, got a whole number.", "/wire")
    assert [first, last] == [Item("a"), Item("b")]


def test_json_that_is_broken_is_shown_as_it_came() -> None:
    assert wires(b'{"g":"FIND_HOTEL","pl', JSON) == ['{"g":"FIND_HOTEL","pl']
    assert wires(b'{"nobody":"knows this"}\r\nhello\r\n', NDJSON) == [
        '{"nobody":"knows this"}',
        "hello",
    ]


def test_a_wrapper_is_taken_off_as_in_a_log() -> None:
    assert wires(b'{"msg":"T|17|Q|obj=x"}', JSON) == ["T|17|Q|obj=x"]


def test_an_array_is_its_members() -> None:
    assert wires(
        b'[{"wire":"REQ/TSK|g=42,t=1"},"ACC/PLN|g=1,t=1",{"g":"FIND_HOTEL","plan":[]}]', JSON
    ) == [
        WIRE,
        "ACC/PLN|g=1,t=1",
        '{"g":"FIND_HOTEL","plan":[]}',
    ]


@pytest.mark.parametrize("media", [PLAIN, "application/x-www-form-urlencoded", ""])
def test_anything_else_is_read_as_a_log_is(media: str) -> None:
    folded = b"FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nperiod:2024-08\n"
    body = b"10:00 planner: REQ/TSK|g=42,t=1\n# a comment\nhello there\n" + folded
    found = taken(body, media)

    assert [one.wire for one in found if isinstance(one, Item)] == [
        WIRE,
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nperiod:2024-08",
    ]
    assert [one.detail for one in found if isinstance(one, Refusal)] == [
        "no protocol detected: hello there"
    ]


def test_a_protocol_that_was_chosen_reads_every_line() -> None:
    assert wires(b"hello there\nRJE/x\n", PLAIN, "nslip") == ["hello there", "RJE/x"]
    assert wires(b"hello there\nRJE/x\n", NDJSON, "nslip") == ["hello there", "RJE/x"]


def test_blocks_may_end_anywhere_and_bytes_need_not_be_text() -> None:
    body = "REQ/TSK|g=1,t=1,@=für\n".encode() + b"REQ/TSK|g=2,t=1,@=\xff\n"
    blocks = [body[at : at + 1] for at in range(len(body))]

    assert wires(blocks, PLAIN) == ["REQ/TSK|g=1,t=1,@=für", "REQ/TSK|g=2,t=1,@=\udcff"]
    assert wires(blocks, NDJSON) == ["REQ/TSK|g=1,t=1,@=für", "REQ/TSK|g=2,t=1,@=\udcff"]


def test_a_long_body_comes_in_pieces() -> None:
    pieces = list(read([b"REQ/TSK|g=1,t=1\n" * (2 * CHUNK_SIZE + 1)], NDJSON))

    assert [len(piece) for piece in pieces] == [CHUNK_SIZE, CHUNK_SIZE, 1]


def test_json_over_its_limit_is_refused_whole() -> None:
    with pytest.raises(TooLarge):
        taken(b" " * (ARRAY_LIMIT + 1), JSON)


@pytest.mark.parametrize("media", [PLAIN, NDJSON, JSON])
def test_nothing_is_nothing(media: str) -> None:
    assert taken(b"", media) == []
    assert taken(b" \n", media) == []
