"""Lets go of what large requests leave behind.

Python looks for values that hold each other only when there are many of them (`wsgi` says how
many). A form with a large text leaves few, so a hundred of these would keep gigabytes. Here their
bytes are counted instead.
"""

import gc
import threading
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

EVERY = 32 * 1024 * 1024
"""Bytes of bodies between two looks."""
_AT_MOST = EVERY // 4
"""What a body counts at most: some announce a length that never comes."""
_CHUNKED = 1024 * 1024


YOUNG = 50_000
"""New values between two looks at the newest."""
MIDDLE, OLD = 2, 200
"""Looks between two at the next older ones, and so on.

A look holds Python's lock from its beginning to its end, while nobody is answered: 0.3 s for a
million values that one large text became. So only few looks' worth of values is ever young.
"""


def settle() -> None:
    """Look less often, and never again through what is loaded now.

    Requests make many small values and hardly a cycle: this saves a tenth of the time of a batch.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


class Tally:
    """The bytes that came since the last look, for many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bytes = 0

    def add(self, size: int) -> bool:
        """Whether it is time to look."""
        with self._lock:
            self._bytes += min(size, _AT_MOST)
            due = self._bytes >= EVERY
            if due:
                self._bytes = 0
        return due


def with_collection(application: WSGIApplication) -> WSGIApplication:
    tally = Tally()

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        size = _size(environ)
        if size and tally.add(size):
            gc.collect()
        return application(environ, start_response)

    return respond


def _size(environ: WSGIEnvironment) -> int:
    if "HTTP_TRANSFER_ENCODING" in environ:
        return _CHUNKED
    length = environ.get("CONTENT_LENGTH", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0
