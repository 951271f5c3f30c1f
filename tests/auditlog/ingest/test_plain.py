"""Text as it is, cut into messages while it comes in."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditlog.ingest import plain
from auditlog.ingest.body import TooLarge
from auditlog.ingest.item import WIRE_LIMIT, Item, Refusal
from cablese import transcript
from cablese.registry import UnknownProtocol

LOG = """\
2026-11-20T10:00:01Z planner: REQ/TSK|g=42,t=1
a word in between – ü
REJ/PLN|g=42,t=1,!=größe
"""


def blocks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def read(reader: plain.Reader, data: bytes, size: int = 7) -> list[tuple[str, tuple[int, int]]]:
    found = []
    for piece in reader.read(blocks(data, size)):
        assert piece.spans is not None
        for item, span in zip(piece.items, piece.spans, strict=True):
            assert isinstance(item, Item)
            found.append((item.wire, span))
    return found


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("step", [1, 20, 1 << 16])
def test_messages_have_their_place_however_the_text_arrives(
    size: int, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "_STEP", step)
    reader = plain.Reader()
    found = read(reader, LOG.encode(), size)
    assert [wire for wire, _ in found] == ["REQ/TSK|g=42,t=1", "REJ/PLN|g=42,t=1,!=größe"]
    assert [LOG[start:end] for _, (start, end) in found] == [wire for wire, _ in found]
    assert [one.text for one in reader.ignored] == [
        "2026-11-20T10:00:01Z planner:",
        "a word in between – ü",
    ]
    assert [LOG[slice(*one.span)] for one in reader.ignored] == [one.text for one in reader.ignored]


@pytest.mark.parametrize("prefix", ["", "2026-11-20T10:00:01Z planner: "])
@pytest.mark.parametrize("size", [WIRE_LIMIT, WIRE_LIMIT + 1, WIRE_LIMIT + 900_000])
def test_a_long_line_is_whole_or_refused_whole(prefix: str, size: int) -> None:
    begin = "REQ/TSK|g=42,t=1,@="
    long = begin + "a" * (size - len(begin))
    data = f"REQ/TSK|g=1\n{prefix}{long}\nREQ/TSK|g=3\n".encode()
    reader = plain.Reader()

    pieces = list(reader.read(blocks(data, 1 << 16)))

    first, item, last = (item for piece in pieces for item in piece.items)
    assert (wire_of(first), wire_of(last)) == ("REQ/TSK|g=1", "REQ/TSK|g=3")
    if size > WIRE_LIMIT:
        assert isinstance(item, Refusal)
        assert (item.status, item.pointer) == (413, "/wire")
    else:
        assert wire_of(item) == long
    assert [one.text for one in reader.ignored] == [prefix.strip()] * bool(prefix)


def wire_of(item: Item | Refusal) -> str:
    assert isinstance(item, Item)
    return item.wire


TABLE = "time,from,message,to\n" + "10:00,planner,REQ/TSK|g=1,t=1,executor\n" * 9
CHAT = "planner 09:42\nREQ/TSK|g=1\nexecutor 09:43\n" + "ACC/TSK|g=1\n" * 9


@pytest.mark.parametrize("step", [1, 40, 1 << 16])
@pytest.mark.parametrize(
    ("text", "sent"),
    [
        (TABLE, [("REQ/TSK|g=1,t=1", "planner")] * 9),
        (CHAT, [("ACC/TSK|g=1", "executor")] * 9),
    ],
)
def test_columns_and_speakers_are_the_same_however_the_text_arrives(
    text: str, sent: list[tuple[str, str | None]], step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "_STEP", step)
    pieces = plain.Reader().read(blocks(text.encode(), 7))
    items = [item for piece in pieces for item in piece.items if isinstance(item, Item)]

    assert [(item.wire, item.from_) for item in items][-len(sent) :] == sent


@pytest.mark.parametrize("empty", ["\n", "\r\n", " \n\n"])
def test_an_empty_line_between_two_chunks_ends_what_a_speaker_says(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "_STEP", 1)
    pieces = plain.Reader().read([CHAT.encode(), empty.encode(), b"REJ/PLN|g=1\n"])
    items = [item for piece in pieces for item in piece.items if isinstance(item, Item)]

    assert [(item.wire, item.from_) for item in items][-2:] == [
        ("ACC/TSK|g=1", "executor"),
        ("REJ/PLN|g=1", None),
    ]


def test_bytes_that_are_not_utf_8_come_back_as_they_were() -> None:
    ((wire, _),) = read(plain.Reader(), b"REJ/PLN|g=42,!=gr\xf6\xdfe\n")
    assert wire.encode(errors="surrogateescape") == b"REJ/PLN|g=42,!=gr\xf6\xdfe"


def test_with_a_protocol_every_line_is_a_message() -> None:
    reader = plain.Reader(protocol="nslip")
    assert [wire for wire, _ in read(reader, b"REQ/TSK|g=1\n\nno message\n")] == [
        "REQ/TSK|g=1",
        "no message",
    ]
    assert reader.ignored == []


def test_an_unknown_protocol_is_said_at_once() -> None:
    with pytest.raises(UnknownProtocol):
        read(plain.Reader(protocol="morse"), b"x\n")


def test_too_many_messages_come_after_those_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "ITEM_LIMIT", 2)
    pieces = plain.Reader().read([b"REQ/TSK|g=1\n" * 3])
    assert len(next(pieces).items) == 2
    with pytest.raises(TooLarge, match="2 messages"):
        next(pieces)


def test_many_ignored_stretches_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "IGNORED_LIMIT", 2)
    reader = plain.Reader()
    assert read(reader, b"a\nb\nc\nd\n") == []
    assert (len(reader.ignored), reader.ignored_more) == (2, 2)


def test_text_without_a_message_is_listed_before_what_surrounds_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plain, "IGNORED_LIMIT", 3)
    reader = plain.Reader()
    lines = [b"2026-11-20T10:00:0%dZ planner: REQ/TSK|g=42,t=1\n" % n for n in range(5)]
    read(reader, b"".join((*lines[:4], b"lost\n", lines[4], b"lost too\n")))
    texts = [one.text for one in reader.ignored]
    assert texts == ["2026-11-20T10:00:00Z planner:", "lost", "lost too"]
    assert reader.ignored_more == 4


def test_blank_lines_are_passed_over_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = transcript.split

    def split(text: str, *named: Any, **more: Any) -> transcript.Transcript:
        seen.append(len(text))
        return real(text, *named, **more)

    monkeypatch.setattr(transcript, "split", split)
    data = b"\n" * 1_000_000 + b" \r\n" * 1_000_000 + b"REQ/TSK|g=1\n"

    assert read(plain.Reader(), data, 65_536) == [("REQ/TSK|g=1", (4_000_000, 4_000_011))]
    assert sum(seen) < 1_000


LINES = [
    "REQ/TSK|g=1\n",
    "\n",
    " \n",
    "\r\n",
    "no message\n",
    '{"g":"X",\n',
    '"plan":[]}\n',
    "  ",
    "\t",
]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(parts=st.lists(st.sampled_from(LINES), max_size=20), size=st.integers(1, 40))
def test_blank_lines_change_no_message_and_no_span(parts: list[str], size: int) -> None:
    text = "".join(parts)
    expected = [(cut.wire, cut.span) for cut in transcript.split(text).messages]

    assert read(plain.Reader(), text.encode(), size) == expected


def test_ignored_bytes_that_are_no_text_can_be_answered() -> None:
    reader = plain.Reader()

    (piece,) = reader.read([b"REQ/TSK|g=1,t=1\nhello \xff\n"])

    assert len(piece.items) == 1
    assert [one.text for one in reader.ignored] == ["hello \ufffd"]
    assert msgspec.json.encode(reader.ignored)


@pytest.mark.parametrize("size", [1_000, 65_536])
def test_a_record_between_two_chunks_names_its_parties(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "_STEP", size)
    record = '- wire: "REQ/TSK|g={},t=1"\n  from: planner\n  to: executor\n'
    data = "".join(record.format(number) for number in range(2_000)).encode()
    pieces = plain.Reader().read(blocks(data, size))
    items = [item for piece in pieces for item in piece.items if isinstance(item, Item)]

    assert len(items) == 2_000
    assert {(item.from_, item.to) for item in items} == {("planner", "executor")}


@pytest.mark.parametrize("protocol", [None, "nslip"])
@pytest.mark.parametrize("size", [1, 65_536])
def test_a_byte_order_mark_is_part_of_nothing(
    protocol: str | None, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "_STEP", 1)
    reader = plain.Reader(protocol=protocol)

    assert read(reader, b"\xef\xbb\xbfREQ/TSK|g=1\n", size) == [("REQ/TSK|g=1", (1, 12))]
    assert reader.ignored == []


def test_a_message_after_a_long_line_is_whole_however_the_text_arrives() -> None:
    """A line of megabytes made the text so long that the message at its end was cut."""
    wires = [f"REQ/TSK|g={number},@={'y' * 400}{number}" for number in range(1_000_000, 1_004_000)]
    data = ("pre\n" * 25_000 + "x" * 3_000_000 + "\n" + "\n".join(wires)).encode()

    found = [wire for wire, _ in read(plain.Reader(), data, 65_536)]

    assert found == wires
