"""Export all packets that a query finds. A client that lost the rest continues after the last leaf
it has.
"""

import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from auditlog.erasure.find import count as erased
from auditlog.export import file, pieces
from auditlog.export.records import Record
from auditlog.models import Log
from auditlog.search.saved import pin
from playground.http import streaming
from playground.rest.choices import LogParameter
from playground.rest.keys import Key, read_log, sender, while_valid
from playground.rest.openapi import described
from playground.rest.problems import Problem

router = Router(tags=["Log"], auth=Key())

LAST_LEAF = 2**53 - 1
LAST_SECOND = 4_102_444_799
"""The end of the year 2099."""
_LEVEL = 1
"""Of gzip: higher levels make an export slower than most networks."""
_HEADERS = {
    "Cablese-Log-Size": {
        "description": "The size of the log that the export is limited to, for `at`.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Cablese-Last-Leaf": {
        "description": "The leaf of the last packet of the export. Missing if the export is empty.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Cablese-Erased": {
        "description": "How many packets among these leaves were erased. They are not exported, "
        "and whether the query would have found them is unknown.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Cablese-Time": {
        "description": "The time from which the query counts, for `time`.",
        "schema": {"type": "integer", "minimum": 0},
    },
}
Place = Annotated[int, Query(ge=0, le=LAST_LEAF)]


@router.get(
    "/export",
    summary="Export packets",
    openapi_extra=described(
        answer=Record,
        written="application/x-ndjson",
        also="text/csv",
        headers=_HEADERS,
        problems=(401, 403, 404, 422),
    ),
)
def export(
    request: HttpRequest,
    q: str = "",
    format: Literal["ndjson", "csv"] = "ndjson",  # noqa: A002 - the parameter's name
    log: LogParameter | None = None,
    after: Annotated[Place, Query(description="Only packets after this leaf.")] | None = None,
    at: Place | None = None,
    time: Annotated[int, Query(ge=0, le=LAST_SECOND)] | None = None,
) -> StreamingHttpResponse:
    """Return all matching packets, oldest first, one per line. Packets that arrive during the
    export are not included. It is complete if the last line has the leaf of ``Cablese-Last-Leaf``.
    To continue after a break, drop a last line without a line feed, and send the same request with
    ``after``: the leaf of the last line; ``at``: the value of ``Cablese-Log-Size``; and ``time``:
    the value of ``Cablese-Time``, in seconds since 1970. With `Accept-Encoding: gzip`, the response
    is compressed.
    """
    by = sender(request, "export")
    extent = _begin(read_log(request, by, log), q, after, at, time)
    last = extent.find_last()
    blocks = while_valid(by, file.write(extent, format))
    is_gzip = _takes_gzip(request)
    media = f"{file.MEDIA[format]}; charset=utf-8"
    answer = streaming.respond(request, _compress(blocks) if is_gzip else blocks, media)
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cablese-Log-Size"] = str(extent.size)
    answer.headers["Cablese-Erased"] = str(erased(extent.log, extent.after + 1, extent.size))
    answer.headers["Cablese-Time"] = str(int(extent.now.timestamp()))
    if last is not None:
        answer.headers["Cablese-Last-Leaf"] = str(last)
    if is_gzip:
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def _begin(
    log: Log, query: str, after: int | None, at: int | None, seconds: int | None
) -> pieces.Extent:
    """Return what to export. Raises Problem and BadPin."""
    if seconds is not None:
        now = datetime.fromtimestamp(seconds, UTC)
    elif at:
        now = pin.read(log, at).received.replace(microsecond=0)  # as `Cablese-Time` says it
    else:
        now = datetime.now(UTC).replace(microsecond=0)
    try:
        return pieces.begin(log, query, now=now, after=after, size=at)
    except pieces.BadPlace as bad:
        raise Problem(422, str(bad), f"/{bad.name}") from None


def _takes_gzip(request: HttpRequest) -> bool:
    """Return whether a client accepts gzip, by its name and with a quality above 0."""
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        name, *more = (piece.strip() for piece in part.split(";"))
        if name == "gzip":
            return not any(piece.startswith("q=0") and not piece[3:].strip(".0") for piece in more)
    return False


def _compress(blocks: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    for block in blocks:
        if packed := packer.compress(block):
            yield packed
    yield packer.flush()
