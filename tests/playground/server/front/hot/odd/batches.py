"""Odd batches."""

import gzip

from tests.playground.server.front.hot.odd.steps import (
    BATCH,
    GOOD,
    JSON,
    NDJSON,
    PLAIN,
    Case,
    Request,
    case,
    chunked,
    item,
    post,
    sequence,
)

LINES = b"%b\n%b\n" % (GOOD, GOOD)
BAD = b'{"wire":1}'


def batch(body: bytes, media: str = NDJSON, *headers: str, query: str = "") -> Request:
    return post(body, *headers, path=BATCH + query, media=media)


def array(*members: bytes) -> Request:
    return batch(b"[%b]" % b",".join(members), JSON)


ARRAYS = (
    case("an array", 201, array(GOOD, GOOD)),
    case("an empty array", 200, array()),
    case("an array with something else", 207, array(GOOD, BAD, GOOD)),
    case("an array of nothing right", 422, array(BAD, b"null", b"[]")),
    case("an array with one wrong item", 422, array(BAD)),
    case("an array with half a character", 207, array(GOOD, b'{"wire":"\xff"}')),
    case("an array with NaN", 207, array(GOOD, b'{"wire":"x","goal":NaN}')),
    case("an array that does not end", 422, batch(b"[%b" % GOOD, JSON)),
    case("an array and more", 422, batch(b"[%b] x" % GOOD, JSON)),
    case("an array with a BOM", 201, batch(b"\xef\xbb\xbf[%b]" % GOOD, JSON)),
    case("an object", 422, batch(GOOD, JSON)),
    case("an empty batch", 422, batch(b"", JSON)),
    case("501 items", 201, array(*[GOOD] * 501)),
    case("an array without a media type", 201, post(b"[%b]" % GOOD, path=BATCH, media=None)),
    case("the same event twice in a batch", 207, array(*[item(event_id="twice")] * 2)),
    case("a strict array", 207,
        batch(b"[%b,%b]" % (GOOD, item("RJE/PLN|g=1,t=1")), JSON, query="?strict=true")),
    sequence("a batch again", (201, 200), *[array(item(event_id="b1"), item(event_id="b2"))] * 2),
    sequence("a batch with a conflict", (201, 422),
        array(item(event_id="b3")), array(item("INF/OBS|g=1,t=1", event_id="b3"))),
)  # fmt: skip
LINED = (
    case("lines", 201, batch(LINES)),
    case("lines of another name", 201, batch(LINES, "application/jsonl")),
    case("a last line without its end", 201, batch(LINES[:-1])),
    case("blank lines", 201, batch(b"\n\r\n%b\n\n" % LINES)),
    case("no lines", 200, batch(b"")),
    case("only blank lines", 200, batch(b"\n\n\n")),
    case("lines with a BOM", 201, batch(b"\xef\xbb\xbf%b" % LINES)),
    case("lines with a wrong one", 207, batch(b"%b%b\n%b" % (LINES, BAD, LINES))),
    case("wrong lines", 422, batch(b"%b\n%b\n" % (BAD, BAD))),
    case("lines in chunks", 201, chunked(LINES, path=BATCH, media=NDJSON)),
    case("lines in chunks that break off", 207,
        chunked(LINES + GOOD[:-3], path=BATCH, media=NDJSON)),
    case("lines before a chunk that cannot be read", 207, post(b"%x\r\n%b\r\nzz\r\n" % (
        len(LINES), LINES), "Transfer-Encoding: chunked", path=BATCH, media=NDJSON, length=None)),
    case("lines in a chunk that cannot be read", 400, post(b"zz\r\n" + LINES,
        "Transfer-Encoding: chunked", path=BATCH, media=NDJSON, length=None)),
    case("gzip", 201, batch(gzip.compress(LINES, mtime=0), NDJSON, "Content-Encoding: gzip")),
    case("gzip in capitals", 201,
        batch(gzip.compress(LINES, mtime=0), NDJSON, "Content-Encoding: GZIP")),
    case("half of gzip", 422,
        batch(gzip.compress(LINES, mtime=0)[:-9], NDJSON, "Content-Encoding: gzip")),
    case("no gzip", 422, batch(LINES, NDJSON, "Content-Encoding: gzip")),
    case("another encoding", 415, batch(LINES, NDJSON, "Content-Encoding: br")),
    case("a charset of lines", 415, batch(LINES, f"{NDJSON}; charset=utf-16")),
    case("a media type that is none", 415, batch(LINES, "text/csv")),
    case("a parameter of plain text", 422, batch(LINES, query="?zone=UTC")),
    case("a log for lines", 422, batch(LINES, query="?log=team")),
    case("a wrong zone", 422, batch(LINES, query="?zone=Mars/Base")),
    case("a key that may not store a batch", 403, post(LINES, path=BATCH, media=NDJSON,
        key="reader")),
    case("no key for a batch", 401, post(LINES, path=BATCH, media=NDJSON, key=None)),
    sequence("a named batch again", (201, 201),
        *[batch(LINES, NDJSON, "Idempotency-Key: batch")] * 2),
    case("a batch by another method", 405, post(b"", path=BATCH, method="PUT")),
)  # fmt: skip
PLAINS = (
    case("a log", 201, batch(b"REQ/TSK|g=42,t=1\n", PLAIN)),
    case("a log with something between", 201, batch(b"hello\nREQ/TSK|g=42,t=1\n", PLAIN)),
    case("a log of nothing", 422, batch(b"hello\n", PLAIN)),
    case("a log into another", 201, batch(b"REQ/TSK|g=42,t=1\n", PLAIN, query="?log=team")),
    case("a log that is not UTF-8", 201, batch(b"REQ/TSK|g=42,t=1,@=\xff\n", PLAIN)),
)
CASES: tuple[Case, ...] = (*ARRAYS, *LINED, *PLAINS)
