"""One item: what is read, and what is refused with its place."""

import json

import pytest

from auditlog.ingest.item import CONTENT_LIMIT, WIRE_LIMIT, Item, Refused, parse


def refusal(data: bytes) -> tuple[int, str, str]:
    with pytest.raises(Refused) as caught:
        parse(data)
    found = caught.value.refusal
    return found.status, found.pointer, found.detail


def test_an_item_is_read_whole() -> None:
    given = {
        "wire": "REQ/TSK|g=42\0",
        "protocol": "nslip",
        "dialect": "nslip/1",
        "event_id": "a-17",
        "sent_at": "2026-11-20T10:00:01.5+01:00",
        "from": "planner",
        "to": "critic",
        "goal": 42,
        "task": "t-1",
        "thread": "x",
        "tags": ["night run", "Ü"],
        "content": "do it",
        "log": "demo-1",
    }
    item = parse(json.dumps(given).encode())
    assert item == Item(
        wire="REQ/TSK|g=42\0",
        protocol="nslip",
        dialect="nslip/1",
        event_id="a-17",
        sent_at="2026-11-20T10:00:01.5+01:00",
        from_="planner",
        to="critic",
        goal=42,
        task="t-1",
        thread="x",
        tags=["night run", "Ü"],
        content="do it",
        log="demo-1",
    )


@pytest.mark.parametrize(
    ("data", "pointer", "words"),
    [
        (b"{}", "/wire", '"wire" is missing'),
        (b"[]", "", "Expected an object, got a list"),
        (b'{"wire":5}', "/wire", "Expected text, got a whole number"),
        (b'{"wire":null}', "/wire", "Expected text, got null"),
        (b'{"wire":"a","wier":"b"}', "/wier", "There is no such key"),
        (b'{"wire":"a","a/b~c":1}', "/a~1b~0c", "There is no such key"),
        (b'{"wire":"a","wire":"b"}', "/wire", "more than once"),
        (b'{"wire":"a","tags":["x",""]}', "/tags/1", "length >= 1"),
        (b'{"wire":"a","tags":"x"}', "/tags", "Expected a list or null, got text"),
        (b'{"wire":"a","goal":1.5}', "/goal", "Expected a whole number or text or null, got a number with a fraction"),
        (b'{"wire":"a","log":"Demo"}', "/log", "1 to 40 of the characters a-z, 0-9 and -"),
        (b'{"wire":"a","log":"demo\\n"}', "/log", "1 to 40"),
        (b'{"wire":"a","event_id":""}', "/event_id", "length >= 1"),
        (b'{"wire":"a","event_id":"a\\u0000"}', "/event_id", "no control characters"),
        (b'{"wire":"a","sent_at":"2026-11-20T10:00:01"}', "/sent_at", "no offset"),
        (b'{"wire":"a","sent_at":"2026-02-30T10:00:01Z"}', "/sent_at", "no time that exists"),
        (b'{"wire":"a","sent_at":"2026-02-03T10:00:01+24:61"}', "/sent_at", "no time that exists"),
        (b'{"wire":"a","sent_at":"yesterday"}', "/sent_at", "RFC 3339"),
        ('{"wire":"a","sent_at":"２０２６-11-20T10:00:01Z"}'.encode(), "/sent_at", "RFC 3339"),
        (b'{"wire":"\\ud800"}', "/wire", "surrogate"),
        (b'{"wire":"a","tags":["x","\\udc00y"]}', "/tags/1", "surrogate"),
        (b'{"wire":"\xff"}', "", "not UTF-8: byte 0xff at place 9"),
        (b'{"wire":"a"', "", "not one JSON object"),
        (b'{"wire":"a"} x', "", "not one JSON object"),
        (b"", "", "not one JSON object"),
        (b'{"wire":"a","goal":NaN}', "", "not one JSON object"),
        (b'{"tags":' + b"[" * 100_000, "/tags/0", "Expected text, got a list"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data: bytes, pointer: str, words: str) -> None:
    status, at, detail = refusal(data)
    assert (status, at) == (422, pointer)
    assert words in detail


def test_a_time_may_have_a_leap_second_and_small_letters() -> None:
    assert parse(b'{"wire":"a","sent_at":"2016-12-31t23:59:60z"}').sent_at == "2016-12-31t23:59:60z"


def test_a_wire_may_hold_what_looks_like_keys() -> None:
    inner = json.dumps({"wire": 1, "tags": [], "a": {"wire": 2}})
    assert parse(json.dumps({"wire": inner}).encode()).wire == inner


def test_a_refused_item_keeps_its_event_id() -> None:
    with pytest.raises(Refused) as caught:
        parse(b'{"event_id":"a-1","wire":5}')
    assert caught.value.refusal.event_id == "a-1"


@pytest.mark.parametrize("text", ["a", "ü", "\U0001f600"])
def test_sizes_are_in_bytes(text: str) -> None:
    fits = text * (WIRE_LIMIT // len(text.encode()))
    assert parse(json.dumps({"wire": fits}, ensure_ascii=False).encode()).wire == fits
    assert refusal(json.dumps({"wire": fits + text}, ensure_ascii=False).encode())[:2] == (413, "/wire")


def test_content_has_a_limit_of_its_own() -> None:
    assert refusal(json.dumps({"wire": "a", "content": "x" * (CONTENT_LIMIT + 1)}).encode())[:2] == (413, "/content")
