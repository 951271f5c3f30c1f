"""Bodies: lines, limits and gzip."""

import gzip
import tracemalloc
from collections.abc import Iterator
from time import process_time

import pytest

from auditlog.ingest import array, body, ndjson
from auditlog.ingest.body import (
    BadBody,
    Piece,
    TooLarge,
    Unframed,
    bounded,
    check_length,
    gunzip,
    lines,
)
from auditlog.ingest.item import Item, Refusal
from tests.growth import assert_linear


def blocks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"a\nbb\n", [b"a", b"bb"]),
        (b"a\r\n\nbb", [b"a\r", b"bb"]),
        (b"\n \n\ta\n\n\n \n", [b"\ta"]),
        ("a\u2028b\x0bc\n".encode(), ["a\u2028b\x0bc".encode()]),
    ],
)
def test_lines_are_cut_at_line_feeds_wherever_blocks_end(
    data: bytes, expected: list[bytes], size: int
) -> None:
    assert list(lines(blocks(data, size))) == expected


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_line_over_its_limit_loses_no_neighbour(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "LINE_LIMIT", 4)
    assert list(lines(blocks(b"ab\n12345\ncd\n1234\n123456", size))) == [
        b"ab",
        None,
        b"cd",
        b"1234",
        None,
    ]


def test_a_line_over_its_limit_is_not_held_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    step = 64 * 1024
    monkeypatch.setattr(body, "LINE_LIMIT", 4 * step)
    body_of_one_line = Unframed(b"x" * step for _ in range(100))
    tracemalloc.start()
    try:
        assert list(lines(body_of_one_line)) == [None]
        assert tracemalloc.get_traced_memory()[1] < 20 * step
    finally:
        tracemalloc.stop()


def test_a_body_over_its_limit_is_refused_by_its_length_or_when_it_gets_there() -> None:
    check_length(None, 10)
    check_length(10, 10)
    with pytest.raises(TooLarge, match="The limit is 10"):
        check_length(11, 10)
    with pytest.raises(TooLarge, match="10"):
        list(bounded(blocks(b"x" * 11, 3), 10))


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_gzip_is_read_in_steps_and_over_several_members(size: int) -> None:
    data = gzip.compress(b"abc" * 1_000_000) + gzip.compress(b"xyz")
    read = list(gunzip(blocks(data, size)))
    assert b"".join(read) == b"abc" * 1_000_000 + b"xyz"
    assert max(map(len, read)) <= 1 << 20


@pytest.mark.parametrize("data", [b"no gzip at all", gzip.compress(b"x" * 1000, mtime=0)[:-9]])
def test_what_is_not_gzip_or_ends_early_is_said(data: bytes) -> None:
    with pytest.raises(BadBody, match="gzip"):
        list(gunzip(blocks(data, 10)))


def test_what_is_not_gzip_is_told_why() -> None:
    with pytest.raises(BadBody) as refused:
        list(gunzip([b"no gzip at all"]))
    assert str(refused.value) == "The body is not valid gzip: incorrect header check."


def items(pieces: Iterator[Piece]) -> list[Item | Refusal]:
    return [item for piece in pieces for item in piece.items]


def test_ndjson_skips_blank_lines_and_keeps_the_neighbours_of_a_bad_one() -> None:
    data = b'\xef\xbb\xbf{"wire":"a"}\r\n\n  \n{"wire":5}\n\xff\n{"wire":"b"}'
    first, second, third, last = items(ndjson.read(blocks(data, 4)))
    assert first == Item("a")
    assert last == Item("b")
    assert isinstance(second, Refusal)
    assert second.pointer == "/wire"
    assert isinstance(third, Refusal)
    assert "UTF-8" in third.detail


def test_ndjson_comes_in_pieces() -> None:
    pieces = list(ndjson.read(blocks(b'{"wire":"a"}\n' * 1001, 1000)))
    assert [len(piece.items) for piece in pieces] == [500, 500, 1]


def test_ndjson_gives_what_comes_before_too_many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ndjson, "ITEM_LIMIT", 3)
    pieces = ndjson.read([b'{"wire":"a"}\n' * 4])
    assert len(next(pieces).items) == 3
    with pytest.raises(TooLarge, match="3 items"):
        next(pieces)


def test_an_array_is_read_member_by_member() -> None:
    first, second, third = items(array.read([b'[{"wire":"a"},', b'{"wire":5},{"wire":"b"}]']))
    assert (first, third) == (Item("a"), Item("b"))
    assert isinstance(second, Refusal)
    assert second.pointer == "/wire"


@pytest.mark.parametrize("data", [b"", b"{}", b'{"wire":"a"}', b'[{"wire":"a"}', b"[" * 100_000])
def test_what_is_no_array_is_refused_whole(data: bytes) -> None:
    with pytest.raises(BadBody):
        list(array.read([data]))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"wire":"a"}', "The body is not a JSON array. Expected a list, got an object."),
        (b"null", "The body is not a JSON array. Expected a list, got null."),
        (b"[" * 100_000, "The body is nested too deeply."),
        (b" \n", "The body is empty. Expected a JSON array."),
        (b'[{"wire":"a"},', "The body is not a JSON array: Input data was truncated."),
    ],
)
def test_it_says_why_there_is_no_array(data: bytes, words: str) -> None:
    with pytest.raises(BadBody) as refused:
        list(array.read([data]))
    assert str(refused.value) == words


def test_an_array_over_its_limit_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array, "ITEM_LIMIT", 2)
    with pytest.raises(TooLarge, match="3 items"):
        list(array.read([b'[{"wire":"a"},{"wire":"a"},{"wire":"a"}]']))


DEEP = b'{"wire":"a","tags":' + b"[" * 5_000 + b"]" * 5_000 + b"}"


@pytest.mark.parametrize(
    "wrong",
    [
        b'{"wire":"\\ud800"}', b"nul", b"NaN", DEEP, b'{"wire":"\xff\\udc00"}', b'{"a":]}',
        b'"\\u12"',
        b'{"wire":"a" "to":"b"}',
        b'{"wire":"],[\\"\\\\", "x":\\ud800}', b"{'wire':1}", b"\x00",
    ],
)  # fmt: skip
def test_a_member_that_cannot_be_read_loses_no_neighbor(wrong: bytes) -> None:
    good = b'{"wire":"[\\"],{"}'
    (piece,) = array.read([b" [" + good + b" , " + wrong + b"," + good + b"]\n"])

    assert [type(one) for one in piece.items] == [Item, Refusal, Item]


@pytest.mark.parametrize(
    "body",
    [
        b"[1,nul",
        b"[nul,]",
        b"[nul,,1]",
        b"[nul]]",
        b"[nul}",
        b"{nul}",
        b"nul",
        b"x[nul]",
        b'["\\ud800',
        b"[[nul]",
        b"[nul] x",
    ],
)
def test_an_array_that_cannot_be_told_apart_is_refused_whole(body: bytes) -> None:
    with pytest.raises(BadBody):
        list(array.read([body]))


@pytest.mark.parametrize(("depth", "is_read"), [(9_999, True), (10_000, False)])
def test_members_are_told_apart_up_to_a_depth(depth: int, *, is_read: bool) -> None:
    body = b'[{"wire":"a"},' + b"[" * depth + b"]" * depth + b"]"
    if is_read:
        (piece,) = array.read([body])
        assert [type(one) for one in piece.items] == [Item, Refusal]
    else:
        with pytest.raises(BadBody):
            list(array.read([body]))


@pytest.mark.parametrize(
    "body",
    [
        b'["' + b'\\"' * 2_000_000,
        b'["' + b'\\"' * 2_000_000 + b"\\",
        b"[" * 4_000_000,
        b'["x",' * 500_000,
    ],
)
def test_hostile_arrays_take_time_in_proportion_to_their_size(body: bytes) -> None:
    begun = process_time()
    with pytest.raises(BadBody):
        list(array.read([body]))
    assert process_time() - begun < 10


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_blank_lines_are_no_items(size: int) -> None:
    data = b'\n\n{"wire":"a"}\n \r\n\n\t\n  {"wire":"b"}\n\n\n'

    assert items(ndjson.read(blocks(data, size))) == [Item("a"), Item("b")]


@pytest.mark.parametrize("blank", [b"\n", b" \n", b"\r\n", b"\t \r\n"])
def test_blank_lines_cost_less_than_lines(blank: bytes) -> None:
    size = 4_000_000 // len(blank)
    full = b"a" + blank.strip(b" \t\r")
    begun = process_time()
    assert sum(1 for _ in lines(blocks(full * size, 64 * 1024))) == size
    middle = process_time()
    assert list(lines(blocks(b"a\n" + blank * size + b"b", 64 * 1024))) == [b"a", b"b"]

    assert process_time() - middle < max((middle - begun) / 2, 0.05)


def test_blanks_without_a_line_end_take_linear_time() -> None:
    assert_linear(lambda size: list(lines([b"\n" + b" " * size + b"x"])), 500_000)


def test_a_gzip_body_that_expands_too_much_is_refused_by_then() -> None:
    read: list[int] = []
    content = gunzip(blocks(gzip.compress(b"\n" * (64 << 20)), 1_000))

    with pytest.raises(TooLarge, match="expands to more than 200 times its size"):
        read.extend(map(len, content))
    assert 0 < sum(read) <= body.SMALL


def test_a_gzip_body_of_the_same_line_again_and_again_is_read() -> None:
    data = b'{"wire":"REQ/TSK|g=42,t=1"}\n' * 250_000
    packed = gzip.compress(data)

    assert len(data) > 200 * len(packed)
    assert sum(map(len, gunzip([packed]))) == len(data)
