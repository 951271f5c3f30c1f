"""Store and search packets. Every operation requires a key."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from msgspec import to_builtins
from ninja import Query, Router
from pydantic import Field as Parameter

from auditlog.erasure import find as erasures
from auditlog.ingest import array, ndjson, plain, zones
from auditlog.ingest.body import STREAM_LIMIT, BadBody, Piece, Unframed, utf8
from auditlog.ingest.item import WIRE_LIMIT, Item, Refused, parse
from auditlog.ingest.receive import keep, receive
from auditlog.ingest.unread import Unread
from auditlog.log import packet as packets
from auditlog.search.find import MAX_LIMIT, PATIENCE, find
from auditlog.search.language import paste
from auditlog.search.query import QueryError
from auditlog.search.saved import pin
from auditlog.sender import Sender
from cablese.text import shorten
from playground.rest.body import (
    GZIP,
    JSON,
    announced,
    blocks,
    drain,
    read_body,
    read_coding,
    respond,
    write_json,
)
from playground.rest.choices import LogParameter, ProtocolParameter, SizeParameter
from playground.rest.idempotency import begin, marked
from playground.rest.keys import Key, read_log, sender
from playground.rest.openapi import described
from playground.rest.problems import Problem, of_query
from playground.rest.receipts import answer_many, answer_one
from playground.rest.shapes import ErasedProblem, Found, PacketDetail, Receipts, RefusedBatch

router = Router(tags=["Log"], auth=Key())

ITEM_BODY = 4 * WIRE_LIMIT
NDJSON, PLAIN = "application/x-ndjson", "text/plain"
READERS = {
    JSON: array.cut,
    NDJSON: ndjson.cut,
    "application/jsonl": ndjson.cut,
    "application/ndjson": ndjson.cut,
}
OF_PLAIN = ("protocol", "log", "zone")
"""Query parameters for plain text only."""
Pieces = Iterator[Piece | Unread]
Reader = Callable[[Iterable[bytes]], Pieces]
Zone = Annotated[
    str,
    Parameter(
        max_length=100,
        description="An IANA name, such as Europe/Berlin.",
        json_schema_extra={"enum": list(zones.NAMES)},
    ),
]


@router.post(
    "/packets",
    summary="Store a packet",
    openapi_extra=described(
        body=Item,
        answer=Receipts,
        statuses=(200, 201),
        idempotent=True,
        problems=(400, 401, 403, 409, 410, 413, 422, 503),
    ),
)
def keep_one(request: HttpRequest, *, strict: bool = False) -> HttpResponse:
    """Store one packet. The response is sent after the packet is stored durably."""
    by = sender(request, "ingest")
    attempt = begin(request, by)
    body = read_body(request, ITEM_BODY)
    try:
        item = parse(body)
    except Refused as refused:
        raise Problem(
            refused.refusal.status, refused.refusal.detail, refused.refusal.pointer
        ) from None
    if attempt is None:
        results = keep([item], sender=by, strict=strict)
    else:
        pieces = (Piece([item]) for _ in attempt.tap([body]))
        results = attempt.receive(pieces, sender=by, strict=strict)
    return marked(respond(*answer_one(results)), attempt)


def _find_zone(name: str) -> ZoneInfo:
    try:
        return zones.find(name)
    except zones.UnknownZone as unknown:
        raise Problem(422, str(unknown), "/zone") from None


@router.post(
    "/packets/batch",
    summary="Store a batch of packets",
    openapi_extra=described(
        body=list[Item],
        media=(JSON, NDJSON, PLAIN),
        answer=Receipts,
        statuses=(200, 201, 207),
        idempotent=True,
        problems=(400, 401, 403, 409, 413, 415, 422, 503),
        refusals={422: RefusedBatch},
    ),
)
def keep_many(
    request: HttpRequest,
    *,
    strict: bool = False,
    protocol: ProtocolParameter | None = None,
    log: LogParameter | None = None,
    zone: Zone = zones.DEFAULT,
) -> HttpResponse:
    """Store a JSON array, NDJSON, or a plain-text log that is split into messages. For plain text
    only, ``protocol`` and ``log`` apply to all of it, and ``zone`` is the time zone of times
    without one, such as Europe/Berlin. Metadata on a log line, such as its time, sender, and
    recipient, is stored with the packet. NDJSON and plain text are read as a stream and committed
    every 500 items. Committed items stay stored if the connection breaks; an ``Idempotency-Key`` or
    an ``event_id`` makes it safe to send them again.
    """
    by = sender(request, "ingest")
    within = _find_zone(zone)
    attempt = begin(request, by)
    reader = plain.Reader(protocol=None if protocol == "auto" else protocol, log=log, zone=within)
    media = (request.content_type or JSON).lower()
    read = _find_reader(request, media, reader)
    try:
        sent = blocks(request, STREAM_LIMIT)
        content = sent if attempt is None else attempt.tap(sent)
        pieces, framed = _pieces(request, media, read, utf8(content))
        if attempt is None:
            results = receive(pieces, sender=by, strict=strict)
        else:
            results = attempt.receive(pieces, sender=by, strict=strict, framed=framed)
    except BadBody as bad:
        raise Problem(bad.status, str(bad)) from None
    finally:
        drain(request, STREAM_LIMIT)
    more: dict[str, Any] = {}
    if media == PLAIN:
        more = {"ignored": reader.ignored, "ignored_more": reader.ignored_more}
    return marked(respond(*answer_many(results, more)), attempt)


def _find_reader(request: HttpRequest, media: str, reader: plain.Reader) -> Reader:
    """Return what reads a media type. Raises Problem 415, and 422 for a parameter that does not
    apply to it.
    """
    if media == PLAIN:
        return reader.read
    if media not in READERS:
        raise Problem(
            415,
            f"Unsupported Content-Type {shorten(media)}. Expected {JSON}, {NDJSON}, or {PLAIN}.",
        )
    for name in OF_PLAIN:
        if name in request.GET:
            raise Problem(
                422,
                f'The query parameter "{name}" applies to {PLAIN} only. Set it in each item.',
                f"/{name}",
            )
    return READERS[media]


@router.get(
    "/packets/{uid:uid}",
    summary="Get a packet",
    openapi_extra=described(
        answer=PacketDetail, problems=(401, 403, 404, 410), refusals={410: ErasedProblem}
    ),
)
def get_packet(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Return one packet with its fields and English description. For an erased packet, the problem
    says in ``erased`` what was erased, when, by whom, and why.
    """
    by = sender(request, "read")
    try:
        packet = packets.find(str(uid))
    except packets.NoSuchPacket:
        raise _gone_or_missing(by, str(uid)) from None
    if by.log not in (None, packet.log.slug):
        raise Problem(404, "Packet not found.", "/id")
    return write_json(packets.as_json(packet, fields=True))


def _gone_or_missing(by: Sender, uid: str) -> Problem:
    """Return the problem of a packet that is not stored: 410 if it was erased."""
    try:
        gone = erasures.read(erasures.find(uid))
    except erasures.NotErased:
        gone = None
    if gone is None or by.log not in (None, gone.log):
        return Problem(404, "Packet not found.", "/id")
    return Problem(410, "This packet was erased.", "/id", erased=to_builtins(gone))


@router.get(
    "/search",
    summary="Search packets",
    openapi_extra=described(answer=Found, problems=(401, 403, 404, 422)),
)
def search(
    request: HttpRequest,
    q: str = "",
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = 50,
    cursor: str | None = None,
    log: LogParameter | None = None,
    at: SizeParameter | None = None,
) -> HttpResponse:
    """Return matching packets, newest first. Example: ``@auth* goal:42 is:invalid since:7d``."""
    found = read_log(request, sender(request, "read"), log)
    held = None if at is None else pin.read(found, at)
    offer = paste.recognize(q)
    more = {"queries": offer.queries} if offer else {}
    try:
        now = datetime.now(UTC)
        page = find([found], q, limit=limit, cursor=cursor, now=now, pin=held, patience=PATIENCE)
    except QueryError as error:
        raise of_query(error, **more) from None
    results = packets.records(page.rows)
    return write_json({"results": results, "next": page.next, "count": page.count} | more)


def _pieces(
    request: HttpRequest, media: str, read: Reader, content: Iterable[bytes]
) -> tuple[Pieces, bool]:
    """Return the pieces, and whether a cut is detectable: by length, gzip, or JSON."""
    if media == JSON or announced(request) is not None or read_coding(request) == GZIP:
        return read(content), True
    body = Unframed(content) if media == PLAIN else Unframed(content, complete=ndjson.complete)
    return body.checked(read(body)), False
