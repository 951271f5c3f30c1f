"""Keeps senders that are slow, or pretend to be, from holding every thread.

granian gives a request to a thread before its body has come, and sets no time within which it must. As many half-sent
forms as there are threads would then stop the whole installation. Whoever sends to the log shows a key before the body
is read; to everything else anybody may send, and there at most half of the threads wait for a body. The others go on
answering pages, searches and the log.
"""

from collections.abc import Iterable
from threading import BoundedSemaphore
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from playground.envelope import turn_away

KEYED = "/api/v1/packets"
_BUSY = (
    b'{"type":"about:blank","title":"Service Unavailable","status":503,'
    b'"detail":"Too many bodies are on their way at once; try again.","pointer":""}'
)
_BUSY_WORDS = "Too many bodies are on their way at once. Try again."


def with_limit(application: WSGIApplication, *, threads: int) -> WSGIApplication:
    """Answers 503 when half of the threads are waiting for bodies that anybody may send."""
    places = BoundedSemaphore(max(1, threads // 2))

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not _may_wait(environ):
            return application(environ, start_response)
        if not places.acquire(blocking=False):
            status = "503 Service Unavailable"
            return turn_away(environ, start_response, status, _BUSY_WORDS, problem=_BUSY, Retry_After="1")
        try:
            return application(environ, start_response)
        finally:
            places.release()

    return respond


def _may_wait(environ: WSGIEnvironment) -> bool:
    """Whether a body is announced that is read before anybody is asked for a key; a chunked one always is."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return True
    return environ.get("CONTENT_LENGTH", "0") not in ("", "0") and not environ["PATH_INFO"].startswith(KEYED)
