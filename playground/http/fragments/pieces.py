"""A response in two pieces: what the reader waits for, and the rest, which is made while the
browser shows the first one (`static/base/patches.js`).

A server that sends the first piece at once asks for this with `ASKED` in the environ of a request
(`server.front.visit`). Others get a whole response.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator

from django.http import HttpRequest, StreamingHttpResponse

ASKED = "cablese.pieces"
REST, END = "<!--rest-->", "<!--end-->"
"""The ends of the pieces. Browsers ignore them, and no text contains them, because `<` is escaped.
A response without its `END` failed after its status was sent.
"""


class InPieces(StreamingHttpResponse):
    in_pieces = True

    def __init__(self, first: str, make_rest: Callable[[], str]) -> None:
        super().__init__(_each(first, make_rest))

    def compress(self) -> None:
        """Compress the pieces, each so that a browser can read it when it arrives."""
        self.streaming_content = _compressed(iter(self))
        self.headers["Content-Encoding"] = "gzip"


def are_asked_for(request: HttpRequest) -> bool:
    return ASKED in request.META


def _each(first: str, make_rest: Callable[[], str]) -> Iterator[str]:
    yield first + REST
    yield make_rest() + END


def _compressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    # The lowest level: a small piece takes longer to compress than to send.
    gzip = zlib.compressobj(level=1, wbits=31)
    for piece in pieces:
        yield gzip.compress(piece) + gzip.flush(zlib.Z_SYNC_FLUSH)
    yield gzip.flush()
