"""The kind of a request, by its method, its address, and the size of its body."""

from dataclasses import dataclass
from typing import Literal

from auditlog.ingest.body import STREAM_LIMIT

Kind = Literal["ask", "file", "sign in", "page", "store", "heavy"]
"""`ask` is for the server's own queries: the owner of a key or a session."""
KEYED = "/api/v1/packets"
"""Storing packets: the key is required before the body is read."""
HEAVY = 16 * 1024
"""Bytes of a body that make any request heavy."""
STORED = 64 * 1024
"""The same for storing, which mostly waits for the disk."""
LIMIT = 11 * 1024 * 1024
"""Bytes of a body. Forms and JSON have their own, lower limits."""
_STREAMED = (KEYED, "/api/v1/post/")
_SIGN_IN = ("/signin", "/signout")
_FILES = "/static/"


@dataclass(frozen=True, slots=True)
class Route:
    keyed: bool
    streamed: bool
    """Whether Django may start to read the body before all of it has arrived."""
    limit: int
    """The limit of bytes that are received."""


_STREAM = Route(keyed=False, streamed=True, limit=STREAM_LIMIT)
_KEYED = Route(keyed=True, streamed=True, limit=STREAM_LIMIT)
_PLAIN = Route(keyed=False, streamed=False, limit=LIMIT)


def route_of(path: str) -> Route:
    if path.startswith(KEYED):
        return _KEYED
    return _STREAM if path.startswith(_STREAMED) else _PLAIN


def kind_of(method: str, path: str, size: int, *, packed: bool = False) -> Kind:
    """Return the kind of a request whose body has so many bytes as it is sent."""
    if path.startswith(KEYED) and method == "POST":
        return "heavy" if size >= STORED else "store"
    # What a compressed body takes is not known before it is read.
    if size >= HEAVY or (packed and size):
        return "heavy"
    if path.startswith(_FILES):
        return "file"
    return "sign in" if path.startswith(_SIGN_IN) else "page"
