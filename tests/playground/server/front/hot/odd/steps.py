"""What a case consists of: requests as bytes, sent on connections of their own, and what is done to
the installation between them.

A request is one or more parts. Before each part after the first, the sender waits a moment for an
interim answer. These words are filled in for each installation: `<host>`, and the names of keys in
`KEYS`.
"""

import json
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

KEYS = {
    "key": ("agents", "ingest"),
    "other": ("others", "ingest"),
    "reader": ("readers", "read"),
    "limited": ("team", "ingest", "--log", "team"),
    "revoked": ("left", "ingest"),
    "expired": ("old", "ingest"),
    "leaving": ("leaving", "ingest"),
    "aging": ("aging", "ingest"),
    "narrowed": ("narrowed", "ingest"),
}
"""Keys of each installation by name: the source, the scopes, and more words of the command."""
PACKETS, BATCH = "/api/v1/packets", "/api/v1/packets/batch"
JSON, NDJSON, PLAIN = "application/json", "application/x-ndjson", "text/plain"
WIRE = "REQ/TSK|g=42,t=1"
GOOD = b'{"wire":"REQ/TSK|g=42,t=1"}'


@dataclass(frozen=True)
class Change:
    """Something that happens to a key between two requests."""

    what: Literal["revoke", "expire", "narrow"]
    key: str


class Request(NamedTuple):
    parts: tuple[bytes, ...]
    head_only: bool = False
    """Whether the answer has no body, because the method is HEAD."""


class Case(NamedTuple):
    name: str
    statuses: tuple[int, ...]
    steps: tuple[Request | Change, ...]


def post(
    body: bytes = GOOD,
    *headers: str,
    path: str = PACKETS,
    key: str | None = "key",
    media: str | None = JSON,
    method: str = "POST",
    host: str | None = "<host>",
    version: str = "1.1",
    length: str | None = "",
) -> Request:
    """Return a request to store something. With None, a header is left out."""
    lines = [f"{method} {path} HTTP/{version}", "Connection: close", *headers]
    if host is not None:
        lines.append(f"Host: {host}")
    if key is not None:
        lines.append(f"Authorization: Bearer <{key}>")
    if media is not None:
        lines.append(f"Content-Type: {media}")
    if length is not None:
        lines.append(f"Content-Length: {length or len(body)}")
    head = "\r\n".join((*lines, "", "")).encode("latin-1")
    return Request((head + body,), head_only=method == "HEAD")


def chunked(body: bytes, *headers: str, size: int = 7, **more: Any) -> Request:
    """Return a request with a body of chunks."""
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    written = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    return post(written, "Transfer-Encoding: chunked", *headers, length=None, **more)


def in_parts(request: Request, *places: int) -> Request:
    """Return the request in parts, cut so many bytes before its end."""
    (sent,) = request.parts
    ends = [len(sent) - place for place in places]
    cuts = zip([0, *ends], [*ends, len(sent)], strict=True)
    return Request(tuple(sent[first:last] for first, last in cuts))


def item(wire: Any = WIRE, **fields: Any) -> bytes:
    """Return an item as JSON, with the fields of an `Item`, `from_` for `from`."""
    named = {name.rstrip("_") if name == "from_" else name: it for name, it in fields.items()}
    return json.dumps({"wire": wire} | named).encode()


def case(name: str, status: int, *steps: Request | Change) -> Case:
    """Return a case whose requests are all answered with one status."""
    return Case(name, (status,) * sum(isinstance(step, Request) for step in steps), steps)


def sequence(name: str, statuses: tuple[int, ...], *steps: Request | Change) -> Case:
    return Case(name, statuses, steps)
