"""Odd request lines and headers."""

import gzip

from tests.playground.server.front.hot.odd.steps import (
    GOOD,
    PACKETS,
    Case,
    Request,
    case,
    chunked,
    in_parts,
    post,
)

LONG = "x" * 8_000
HOSTS = (
    case("a host that is not ours", 400, post(host="evil.example")),
    case("a host with another port", 201, post(host="localhost:1")),
    case("a host in capitals", 201, post(host="LOCALHOST")),
    case("a host with a final dot", 201, post(host="localhost.")),
    case("an IPv6 host", 201, post(host="[::1]:8000")),
    case("a host with a space", 400, post(host="local host")),
    case("a host with a user", 400, post(host="me@localhost")),
    case("an empty host", 400, post(host="")),
    case("no host", 400, post(host=None)),
    case("two hosts", 400, post(GOOD, "Host: localhost")),
    case("a forwarded host is ignored", 201, post(GOOD, "X-Forwarded-Host: evil.example")),
)
MEDIA = (
    case("UTF-8 by name", 201, post(media="application/json; charset=utf-8")),
    case("UTF-8 in capitals and quotes", 201, post(media='application/json; charset="UTF-8"')),
    case("Latin-1", 415, post(media="application/json; charset=iso-8859-1")),
    case("rot13", 415, post(media="application/json; charset=rot13")),
    case("an unreadable charset", 415, post(media="application/json; charset*=x'y")),
    case("another parameter", 201, post(media="application/json; profile=x")),
    case("a media type in capitals", 201, post(media="APPLICATION/JSON")),
    case("a media type that ends in +json", 201, post(media="application/vnd.agent+json")),
    case("no media type", 201, post(media=None)),
    case("an empty media type", 201, post(media="")),
    case("curl's media type", 201, post(media="application/x-www-form-urlencoded")),
    case("lines of JSON at the address of one packet", 415, post(media="application/x-ndjson")),
    case("plain text at the address of one packet", 415, post(media="text/plain")),
    case("a form with files", 415, post(media="multipart/form-data; boundary=x")),
    case("two media types", 415, post(GOOD, "Content-Type: application/json")),
)
FRAMING = (
    case("chunks", 201, chunked(GOOD)),
    case("chunks of one byte", 201, chunked(GOOD, size=1)),
    case("no chunk", 400, chunked(b"")),
    case("chunks that cannot be read", 400, post(b"zz\r\n", "Transfer-Encoding: chunked",
        length=None)),
    case("a body in three parts", 201, in_parts(post(), 20, 5)),
    case("a head in two parts", 201, in_parts(post(), 90)),
    case("a client that waits for 100 Continue", 201,
        in_parts(post(GOOD, "Expect: 100-continue"), len(GOOD))),
    case("an unknown expectation", 201, post(GOOD, "Expect: a-miracle")),
    case("two equal lengths", 201, post(GOOD, f"Content-Length: {len(GOOD)}")),
    case("two lengths", 400, post(GOOD, "Content-Length: 3")),
    case("a negative length", 400, post(length="-1")),
    case("a length with a sign", 400, post(length=f"+{len(GOOD)}")),
    case("a length in words", 400, post(length="many")),
    case("a length of 30 digits", 400, post(length="9" * 30)),
    case("a length over the limit", 413, post(b"", length=str(1 << 30))),
    case("no length", 400, post(b"", length=None)),
    case("gzip announced and not used", 422, post(GOOD, "Content-Encoding: gzip")),
    case("gzip at the address of one packet", 201,
        post(gzip.compress(GOOD, mtime=0), "Content-Encoding: gzip")),
    case("br announced", 415, post(GOOD, "Content-Encoding: br")),
    case("a body that is not compressed", 201, post(GOOD, "Content-Encoding: identity")),
)  # fmt: skip
METHODS = tuple(
    case(f"the method {method}", 405, post(b"", method=method, length=length))
    for method, length in (
        ("GET", None), ("HEAD", None), ("OPTIONS", None), ("PUT", ""), ("PATCH", ""),
        ("DELETE", ""), ("TRACE", None), ("BREW", ""),
    )
)  # fmt: skip
ADDRESSES = (
    case("a method in small letters", 201, post(method="post")),
    case("a final slash", 404, post(path=f"{PACKETS}/")),
    case("two slashes", 404, post(path=f"/{PACKETS}")),
    case("an address in capitals", 404, post(path="/API/V1/PACKETS")),
    case("a parameter of the path", 404, post(path=f"{PACKETS};x=1")),
    case("an encoded address", 201, post(path="/api/v1/%70ackets")),
    case("an encoded slash", 201, post(path="/api/v1%2Fpackets")),
    case("a NUL in the address", 404, post(path=f"{PACKETS}%00")),
    case("half a character in the address", 404, post(path=f"{PACKETS}%ff")),
    case("dots in the address", 404, post(path="/api/v1/x/../packets")),
    case("an absolute address", 201, post(path=f"http://localhost{PACKETS}")),
    case("an absolute address elsewhere", 201, post(path=f"http://evil.example{PACKETS}")),
    case("HTTP/1.0", 201, post(version="1.0")),
    case("HTTP/1.0 without a host", 400, post(version="1.0", host=None)),
    case("HTTP/1.2", 400, post(version="1.2")),
)
QUERIES = (
    case("an empty query", 201, post(path=f"{PACKETS}?")),
    case("strict", 201, post(path=f"{PACKETS}?strict=true")),
    case("not strict", 201, post(path=f"{PACKETS}?strict=false")),
    case("strict as a number", 201, post(path=f"{PACKETS}?strict=1")),
    case("strict in capitals", 201, post(path=f"{PACKETS}?strict=TRUE")),
    case("strict and encoded", 201, post(path=f"{PACKETS}?strict=%74rue")),
    case("strict without a value", 422, post(path=f"{PACKETS}?strict")),
    case("strict that is neither", 422, post(path=f"{PACKETS}?strict=maybe")),
    case("strict twice", 422, post(path=f"{PACKETS}?strict=true&strict=true")),
    case("a misspelled parameter", 422, post(path=f"{PACKETS}?stric=true")),
    case("a parameter of batches", 422, post(path=f"{PACKETS}?log=team")),
    case("a fragment", 201, post(path=f"{PACKETS}#x")),
)
OTHERS = (
    case("a web page is wanted", 201, post(GOOD, "Accept: text/html")),
    case("XML is wanted", 201, post(GOOD, "Accept: application/xml;q=1, */*;q=0")),
    case("a compressed answer is wanted", 201, post(GOOD, "Accept-Encoding: gzip, br")),
    case("htmx", 201, post(GOOD, "HX-Request: true")),
    case("cookies", 201, post(GOOD, "Cookie: sessionid=abcdefgh12345678; csrftoken=x")),
    case("cookies that cannot be read", 201, post(GOOD, 'Cookie: sessionid="; =;;,\xff')),
    case("another origin", 201, post(GOOD, "Origin: https://evil.example",
        "Sec-Fetch-Site: cross-site", "Referer: https://evil.example/")),
    case("a question of a browser before it sends", 405,
        post(b"", "Origin: https://evil.example", "Access-Control-Request-Method: POST",
            method="OPTIONS", key=None, length=None)),
    case("an ID of the request", 201, post(GOOD, "X-Request-ID: mine", "traceparent: 00-1-2-01")),
    case("conditions", 201, post(GOOD, "If-None-Match: *", "If-Match: x", "Range: bytes=0-1")),
    case("a forwarded address is ignored", 201, post(GOOD, "X-Forwarded-For: 10.0.0.1")),
    case("a forwarded scheme is ignored", 201, post(GOOD, "X-Forwarded-Proto: https")),
    case("names with an underscore", 201, post(GOOD, "Content_Type: text/plain",
        "X_Forwarded_For: x", "Idempotency_Key: x")),
    case("a long header", 201, post(GOOD, f"X-Long: {LONG}")),
    case("bytes in a header", 201, post(GOOD, "User-Agent: \xe9\xff")),
    case("an upgrade", 201, post(GOOD, "Upgrade: websocket")),
    case("two requests at once", 201,
        Request((post().parts[0].replace(b"Connection: close\r\n", b"") + post().parts[0],))),
)  # fmt: skip
CASES: tuple[Case, ...] = (
    *HOSTS, *MEDIA, *FRAMING, *METHODS, *ADDRESSES, *QUERIES, *OTHERS,
)  # fmt: skip
