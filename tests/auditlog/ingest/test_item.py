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
        (b'{"wire":"a","wier":"b"}', "/wier", 'Unknown field "wier". Valid fields: wire, '),
        (
            b'{"wire":"a","%b":1}' % (b"x" * 61),
            "/" + "x" * 61,
            f'Unknown field "{"x" * 40}…". Valid fields: wire, ',
        ),
        (
            b'{"wire":"a","attributes":{"%b":1,"%b":2}}' % (b"x" * 41, b"x" * 41),
            "/attributes/" + "x" * 41,
            f'"{"x" * 40}…" is given more than once.',
        ),
        (b'{"wire":"a","a/b~c":1}', "/a~1b~0c", 'Unknown field "a/b~c". Valid fields: wire, '),
        (b'{"wire":"a","wire":"b"}', "/wire", "more than once"),
        (b'{"wire":"a","\\u0077ire":"b"}', "/wire", "more than once"),
        (b'{"wire":"a","tags":["x",""]}', "/tags/1", "length >= 1"),
        (b'{"wire":"a","tags":"x"}', "/tags", "Expected a list or null, got text"),
        (
            b'{"wire":"a","goal":1.5}',
            "/goal",
            "Expected a whole number or text or null, got a number with a fraction",
        ),
        (b'{"wire":"a","log":"Demo"}', "/log", "1 to 40 of the characters a-z, 0-9, and -"),
        (b'{"wire":"a","log":"demo\\n"}', "/log", "1 to 40"),
        (b'{"wire":"a","event_id":""}', "/event_id", "length >= 1"),
        (b'{"wire":"a","event_id":"a\\u0000"}', "/event_id", "must not contain control characters"),
        (
            b'{"wire":"a","sent_at":"2026-11-20T10:00:01"}',
            "/sent_at",
            "must end with Z or a UTC offset",
        ),
        (b'{"wire":"a","sent_at":"2026-02-30T10:00:01Z"}', "/sent_at", "not a valid date and time"),
        (
            b'{"wire":"a","sent_at":"2026-02-03T10:00:01+24:61"}',
            "/sent_at",
            "not a valid date and time",
        ),
        (b'{"wire":"a","sent_at":"yesterday"}', "/sent_at", "RFC 3339"),
        ('{"wire":"a","sent_at":"２０２６-11-20T10:00:01Z"}'.encode(), "/sent_at", "RFC 3339"),
        (b'{"wire":"\\ud800"}', "/wire", "surrogate"),
        (b'{"wire":"a","tags":["x","\\udc00y"]}', "/tags/1", "surrogate"),
        (b'{"wire":"\xff"}', "", "not UTF-8: byte 0xff at offset 9"),
        (b'{"wire":"a"', "", "not a JSON object"),
        (b'{"wire":"a"} x', "", "not a JSON object"),
        (b"", "", "not a JSON object"),
        (b'{"wire":"a","goal":NaN}', "", "not a JSON object"),
        (b'{"wire":"a","attributes":[]}', "/attributes", "Expected an object or null, got a list"),
        (b'{"wire":"a","attributes":{"a":{"":1}}}', "/attributes/a", "1 to 200 characters"),
        (b'{"wire":"a","attributes":{"a":[9007199254740992]}}', "/attributes/a/0", "as text"),
        (b'{"wire":"a","attributes":{"a":1e999}}', "/attributes", "out of range"),
        (b'{"wire":"a","attributes":{"a":{"b":1,"b":1}}}', "/attributes/a/b", "more than once"),
        (
            b'{"wire":"a","attributes":{"b":[{"x~/":1,"x~/":2}]}}',
            "/attributes/b/0/x~0~1",
            "more than once",
        ),
        (b'{"wire":"a","wire":"b","attributes":{}}', "/wire", "more than once"),
        (b'{"wire":"a","attributes":{"a":["\\ud800"]}}', "/attributes/a/0", "surrogate"),
        (b'{"wire":"a","attributes":{"a":{"\\ud800":1}}}', "/attributes/a", "surrogate"),
        (
            b'{"wire":"a","attributes":{"a":' + b'{"a":' * 9 + b"1" + b"}" * 11,
            "/attributes" + "/a" * 8,
            "nested",
        ),
        (b'{"wire":"a","attributes":{"a":' + b"[" * 100_000, "", "nested too deeply"),
        (b'{"wire":"a","sent_text":"10:00"}', "/sent_text", "requires sent_at"),
        (
            b'{"wire":"a","sent_at":"2026-11-20T10:00:01Z","sent_zone":"UTC"}',
            "/sent_zone",
            "requires sent_text",
        ),
        (
            (
                b'{"wire":"a","sent_at":"2026-11-20T10:00:01Z","sent_text":"10:00",'
                b'"sent_zone":"Europe/Berln"}'
            ),
            "/sent_zone",
            "Did you mean Europe/Berlin?",
        ),
        (
            b'{"wire":"a","from":"x","from_line":["from","to"]}',
            "/from_line/1",
            '"to", which is missing',
        ),
        (
            b'{"wire":"a","from_line":["goal"]}',
            "/from_line/0",
            "attributes, from, sent_at, thread, to",
        ),
        (b'{"tags":' + b"[" * 100_000, "/tags/0", "Expected text, got a list"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data: bytes, pointer: str, words: str) -> None:
    status, at, detail = refusal(data)
    assert (status, at) == (422, pointer)
    assert words in detail


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("protocol", 20), ("dialect", 40), ("event_id", 200), ("from", 1_000), ("to", 1_000),
        ("goal", 1_000), ("task", 1_000), ("thread", 1_000), ("sent_text", 200),
    ],
)  # fmt: skip
def test_a_text_has_a_limit(name: str, limit: int) -> None:
    def item(length: int) -> bytes:
        return json.dumps(
            {"wire": "a", "sent_at": "2026-11-20T10:00:01Z", name: "x" * length}
        ).encode()

    parse(item(limit))
    status, at, words = refusal(item(limit + 1))
    assert (status, at) == (422, f"/{name}")
    assert words.endswith(f"of length <= {limit}.")


@pytest.mark.parametrize(
    ("fits", "longer", "pointer", "limit"),
    [
        ({"tags": ["x"] * 100}, {"tags": ["x"] * 101}, "/tags", 100),
        ({"tags": ["x" * 1_000]}, {"tags": ["x" * 1_001]}, "/tags/0", 1_000),
        (
            {"sent_at": f"2026-11-20T10:00:01.{'0' * 14}+01:00"},
            {"sent_at": f"2026-11-20T10:00:01.{'0' * 15}+01:00"},
            "/sent_at",
            40,
        ),
        (
            {"sent_at": "2026-11-20T10:00:01Z", "sent_text": "10:00", "sent_zone": "UTC"},
            {"sent_at": "2026-11-20T10:00:01Z", "sent_text": "10:00", "sent_zone": "x" * 201},
            "/sent_zone",
            200,
        ),
    ],
    ids=["tags", "tag", "time", "zone"],
)
def test_tags_and_times_have_limits(
    fits: dict[str, object], longer: dict[str, object], pointer: str, limit: int
) -> None:
    parse(json.dumps({"wire": "a", **fits}).encode())
    status, at, words = refusal(json.dumps({"wire": "a", **longer}).encode())
    assert (status, at) == (422, pointer)
    assert words.endswith(f"of length <= {limit}.")


def test_a_time_may_have_a_leap_second_and_small_letters() -> None:
    assert parse(b'{"wire":"a","sent_at":"2016-12-31t23:59:60z"}').sent_at == "2016-12-31t23:59:60z"


def test_attributes_may_have_the_names_of_other_keys() -> None:
    given = {
        "wire": "a",
        "from": "b",
        "attributes": {"from": "c", "wire": [{"from": "d"}], "task": 1.5},
    }
    item = parse(json.dumps(given).encode())
    assert (item.from_, item.attributes) == ("b", given["attributes"])


def test_a_time_as_written_and_its_zone_are_read() -> None:
    given = {
        "wire": "a", "sent_at": "2026-11-20T10:00:01+01:00", "sent_text": "Nov 20 10:00:01",
        "sent_zone": "Europe/Berlin", "from_line": ["sent_at"],
    }  # fmt: skip
    item = parse(json.dumps(given).encode())
    assert (item.sent_text, item.sent_zone, item.from_line) == (
        "Nov 20 10:00:01",
        "Europe/Berlin",
        ["sent_at"],
    )


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
    assert refusal(json.dumps({"wire": fits + text}, ensure_ascii=False).encode())[:2] == (
        413,
        "/wire",
    )


def test_content_has_a_limit_of_its_own() -> None:
    assert refusal(json.dumps({"wire": "a", "content": "x" * (CONTENT_LIMIT + 1)}).encode())[
        :2
    ] == (413, "/content")
