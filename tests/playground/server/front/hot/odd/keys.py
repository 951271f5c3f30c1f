"""Odd keys: none, wrong ones, and ones that lose their rights while they are used."""

from tests.playground.server.front.hot.odd.steps import (
    GOOD,
    Case,
    Change,
    case,
    item,
    post,
    sequence,
)

UNKNOWN = "cbl_live_000000000000_0000000000000000000000000000000000000000000_1izJov"
"""A key with a right checksum that nobody made."""


def said(authorization: str) -> Case:
    return case(f"the authorization {authorization!r}", 401,
        post(GOOD, f"Authorization: {authorization}", key=None))  # fmt: skip


CASES: tuple[Case, ...] = (
    case("no key", 401, post(key=None)),
    case("no key and an empty body", 401, post(b"", key=None)),
    case("no key and an unknown parameter", 401, post(key=None, path="/api/v1/packets?x=1")),
    said(""),
    said("Bearer"),
    said("Bearer  <key>"),
    said("Basic YTpi"),
    said("Token <key>"),
    said("<key>"),
    said("Bearer cbl_live_x"),
    said("Bearer <key>x"),
    said("Bearer x<key>"),
    said("Bearer <key> <key>"),
    said(f"Bearer {UNKNOWN}"),
    said(f"Bearer {UNKNOWN[:-1]}X"),
    said("Bearer cbl_live_\xe9"),
    case("the scheme in small letters", 201, post(GOOD, "Authorization: bearer <key>", key=None)),
    case("the scheme in capitals", 201, post(GOOD, "Authorization: BEARER <key>", key=None)),
    case("spaces after the key", 201, post(GOOD, "Authorization: Bearer <key>  ", key=None)),
    case("a tab before the key", 401, post(GOOD, "Authorization: Bearer\t<key>", key=None)),
    case("two keys", 401, post(GOOD, "Authorization: Bearer <other>")),
    case("a key in the query", 401, post(key=None, path="/api/v1/packets?key=<key>")),
    case("a key in a cookie", 401, post(GOOD, "Cookie: sessionid=<key>", key=None)),
    case("a revoked key", 401, post(key="revoked")),
    case("an expired key", 401, post(key="expired")),
    case("a key that may only read", 403, post(key="reader")),
    case("a key that may only read, and an empty body", 403, post(b"", key="reader")),
    case("a key of one log", 201, post(key="limited")),
    case("a key of one log that names it", 201, post(item(log="team"), key="limited")),
    case("a key of one log that names another", 422, post(item(log="default"), key="limited")),
    case("a key of one log that names none", 422, post(item(log="nowhere"), key="limited")),
    sequence("a key that is revoked", (201, 201, 401, 401),
        post(key="leaving"), post(key="leaving"), Change("revoke", "leaving"),
        post(key="leaving"), post(key="leaving")),
    sequence("a key that expires", (201, 201, 401, 401),
        post(key="aging"), post(key="aging"), Change("expire", "aging"),
        post(key="aging"), post(key="aging")),
    sequence("a key that loses its scope", (201, 201, 403, 403),
        post(key="narrowed"), post(key="narrowed"), Change("narrow", "narrowed"),
        post(key="narrowed"), post(key="narrowed")),
)  # fmt: skip
