"""Responses for monitoring: whether this process is running, and whether it is ready.

The front sends them without a thread of Django, so they are immediate even under full load.
"""

import msgspec

from playground.health import readiness
from playground.http.csp import HEADERS
from playground.server.front.refusals import Answer

MEDIA = "application/json"
_NEVER = "max-age=0, no-cache, no-store, must-revalidate, private"
_HEADERS = [
    ("Content-Type", MEDIA),
    ("Cache-Control", _NEVER),
    ("X-Content-Type-Options", "nosniff"),
    *HEADERS.items(),
]


def lives() -> tuple[int, bytes]:
    """Return that the process is running. This asks neither the database nor the disk."""
    return 200, b'{"status":"ok"}'


def ready() -> tuple[int, bytes]:
    """Return 200 if packets can be stored and read, otherwise 503, and the problems."""
    state = readiness.current()
    return 200 if state.ready else 503, msgspec.json.encode(readiness.report(state))


WATCHED = {"/healthz": lives, "/readyz": ready}


def answer(method: str, path: str) -> Answer | None:
    """Return the response to a health request; None for any other request."""
    if path not in WATCHED or method not in ("GET", "HEAD"):
        return None
    status, body = WATCHED[path]()
    return status, _HEADERS, body
