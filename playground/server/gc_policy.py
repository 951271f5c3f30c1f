"""When Python collects garbage.

Python looks for reference cycles only after many new objects. A form with a large text makes few of
them, so a hundred such forms would keep gigabytes. So the bytes of bodies are counted here as well.
"""

import gc
import threading
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

EVERY = 32 * 1024 * 1024
"""Bytes of bodies between two collections."""
_AT_MOST = EVERY // 4
"""The limit of what a body counts: some announce a length that never arrives."""
_CHUNKED = 1024 * 1024


YOUNG = 50_000
"""New objects between two collections of the youngest generation."""
MIDDLE, OLD = 2, 200
"""Collections of a generation between two of the next older one.

A collection holds Python's lock until it ends, and no request is answered meanwhile: 0.3 s for a
million objects of one large text. So the young generations stay small.
"""


def settle() -> None:
    """Collect less often, and never the objects that exist now.

    Requests make many small objects and few cycles. This saves a tenth of the time of a batch.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


IDLE = 10_000
"""New objects from which they are collected when no request runs."""


def collect_idle() -> None:
    """Collect what the last requests left, if it is much.

    To be called when no request runs. The collection that Python begins by itself comes in the
    middle of one, which then takes 14 to 25 ms longer.
    """
    if gc.get_count()[0] > IDLE:
        gc.collect(1)


def with_collection(application: WSGIApplication) -> WSGIApplication:
    lock, received = threading.Lock(), 0

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        nonlocal received
        size = _size(environ)
        if size:
            with lock:
                received += min(size, _AT_MOST)
                due = received >= EVERY
                received = 0 if due else received
            if due:
                gc.collect()
        return application(environ, start_response)

    return respond


def _size(environ: WSGIEnvironment) -> int:
    if "HTTP_TRANSFER_ENCODING" in environ:
        return _CHUNKED
    length = environ.get("CONTENT_LENGTH", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0
