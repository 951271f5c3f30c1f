"""Answers for monitoring: whether the process of this installation lives, and can do its work.

The front gives them without a thread of Django, so they come at once however busy those are.
"""

import msgspec

from playground.health import readiness
from playground.http.csp import HEADERS
from playground.server.front.refusals import Answer

LIVES, READY = "/healthz", "/readyz"
MEDIA = "application/json"
_NEVER = "max-age=0, no-cache, no-store, must-revalidate, private"
_HEADERS = [
    ("Content-Type", MEDIA),
    ("Cache-Control", _NEVER),
    ("X-Content-Type-Options", "nosniff"),
    *HEADERS.items(),
]


def lives() -> bytes:
    """The process lives and answers. It asks neither the database nor the disk."""
    return b'{"status":"ok"}'


def ready() -> tuple[int, bytes]:
    """200 when packets can be stored and read, 503 when not, and what is wrong."""
    state = readiness.current()
    return 200 if state.ready else 503, msgspec.json.encode(readiness.report(state))


def answer(method: str, path: str) -> Answer | None:
    """Return the answer to a question about health; None for any other request."""
    if path not in (LIVES, READY) or method not in ("GET", "HEAD"):
        return None
    status, body = (200, lives()) if path == LIVES else ready()
    return status, _HEADERS, body
