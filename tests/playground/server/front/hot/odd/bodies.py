"""Odd bodies of one packet: what is not JSON, or not an object, and its size."""

from tests.playground.server.front.hot.odd.steps import (
    GOOD,
    WIRE,
    Case,
    case,
    chunked,
    item,
    post,
)

WIRE_LIMIT, CONTENT_LIMIT, BODY_LIMIT = 4 << 20, 1 << 20, 16 << 20
HEAD = 64 << 10
"""Bytes of a body that the front keeps in memory."""


def padded(size: int) -> bytes:
    """Return a good body of so many bytes, with spaces after it."""
    return GOOD.ljust(size)


SHAPES = tuple(
    case(f"the body {repr(body)[2:-1]}", status, post(body))
    for status, body in (
        (400, b""), (400, b" \r\n\t "), (422, b"null"), (422, b"[]"), (422, b"[%b]" % GOOD),
        (422, b'"text"'), (422, b"17"), (422, b"{}"), (422, b"{"), (422, b"%b x" % GOOD),
        (422, b"%b%b" % (GOOD, GOOD)), (422, b"%b," % GOOD), (422, b"%b\0" % GOOD),
        (201, b"%b\n" % GOOD), (201, b"\n\t%b" % GOOD), (201, b"\xef\xbb\xbf%b" % GOOD),
        (422, GOOD.decode().encode("utf-16")), (422, b"{'wire':'x'}"), (422, b"wire=x"),
        (422, b'{"wire":"x",}'), (422, b'{wire:"x"}'), (422, b'/**/{"wire":"x"}'),
        (422, b"REQ/TSK|g=42,t=1"), (422, b'{"wire":"\xff"}'), (422, b'{"wire":"x","\xff":1}'),
        (422, b'{"wire":"\xc3"}'), (422, b'{"wire":"\xed\xa0\x80"}'), (422, b'{"wire":"a\nb"}'),
        (422, b'{"wire":"\\x41"}'), (422, b'{"wire":"\\ud83d"}'),
        (422, b'{"wire":"\\ude00\\ud83d"}'),
        (422, b'{"wire":"x","\\ud83d":1}'), (201, b'{"wire":"\\ud83d\\ude00"}'),
        (422, b'{"wire":"x","event_id":"e","from":"\\udc00"}'),
        (422, b'{"wire":"x","attributes":{"a":"\\ud800"}}'),
        (422, b'{"wire":"x","attributes":{"\\ud800":1}}'),
        (422, b'{"wire":"x","wire":"y"}'), (422, b'{"wire":"x","\\u0077ire":"y"}'),
        (422, b'{"wire":"x","event_id":"e","event_id":"e"}'),
        (422, b'{"wire":"x","attributes":{"a":{"b":1,"b":2}}}'),
    )
)  # fmt: skip
DEEP = (
    case("attributes as deep as they may be", 201,
        post(b'{"wire":"x","attributes":%b1%b}' % (b'{"a":' * 8, b"}" * 8))),
    case("attributes that are one deeper", 422,
        post(b'{"wire":"x","attributes":%b1%b}' % (b'{"a":' * 9, b"}" * 9))),
    case("lists in lists", 422, post(b'{"wire":"x","attributes":{"a":%b}}' % (b"[" * 5_000))),
    case("lists in lists, closed", 422,
        post(b'{"wire":"x","attributes":{"a":%b%b}}' % (b"[" * 5_000, b"]" * 5_000))),
    case("a wire that is lists in lists", 422, post(b'{"wire":%b' % (b"[" * 20_000))),
)  # fmt: skip
SIZES = (
    case("a body of what stays in memory", 201, post(padded(HEAD))),
    case("a body of one byte more", 201, post(padded(HEAD + 1))),
    case("such a body in chunks", 201, chunked(padded(HEAD + 1), size=30_000)),
    case("a body at the limit", 201, post(padded(BODY_LIMIT))),
    case("a body over the limit", 413, post(padded(BODY_LIMIT + 1))),
    case("a body over the limit in chunks", 413, chunked(padded(BODY_LIMIT + 1), size=1 << 20)),
    case("a wire at the limit", 201, post(item("x" * WIRE_LIMIT))),
    case("a wire over the limit", 413, post(item("x" * (WIRE_LIMIT + 1)))),
    case("content at the limit", 201, post(item(content="x" * CONTENT_LIMIT))),
    case("content over the limit", 413, post(item(content="x" * (CONTENT_LIMIT + 1)))),
    case("a wire of many fields", 201, post(item(f"{WIRE},@={'a_' * 2_000}b"))),
    case("a wire of 9,000 characters", 201, post(item("Ärger " * 1_500))),
)
CASES: tuple[Case, ...] = (*SHAPES, *DEEP, *SIZES)
