"""Live sessions ("pads" in the API): post messages and watch them arrive. Anyone who has an address
can use it; no key is required.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from msgspec import Struct
from ninja import Query, Router
from pydantic import Field as Parameter

from auditlog.database.unavailable import Unavailable
from auditlog.ingest.body import STREAM_LIMIT, BadBody, Unframed, utf8
from auditlog.log import leaf
from auditlog.sender import Sender
from playground.rest.body import blocks, write_json
from playground.rest.choices import ProtocolParameter
from playground.rest.keys import read_token
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.stream import opening, parse
from playground.stream.pad import ENTRIES, ChunkResult, Ended, Entry, Pad, Totals
from playground.stream.summary import Gap

router = Router(tags=["Live"])

LISTED = 100
"""The limit of rejected items that are listed."""
MEDIA = ("text/plain", "application/x-ndjson", parse.JSON)
Address = Annotated[str, Parameter(pattern="^[A-Za-z0-9_-]{24}$")]


class PadAnswer(Struct, frozen=True):
    """A live session. ``post`` is the URL to post to, ``page`` the URL to watch in a browser."""

    key: str
    page: str
    post: str
    opened: str
    expires: str
    protocol: str | None
    keeps: bool
    """Whether messages are stored in a log as they arrive."""
    totals: Totals


class UnreadShape(Struct, frozen=True):
    """A rejected item: its index in the body, and the error."""

    item: int
    detail: str
    pointer: str


class Posted(Struct):
    """The result of a body: the numbers of its first and last line, the number of messages, and how
    many are stored in the log.
    """

    first: int
    last: int
    messages: int
    kept: int
    unread: list[UnreadShape]
    unread_more: int

    def add(self, result: ChunkResult, number: int) -> None:
        """Count a chunk whose first item has this number in the body."""
        self.first = self.first if number else result.first
        self.last = result.last
        self.messages += result.messages
        self.kept += result.kept
        room = LISTED - len(self.unread)
        self.unread += [
            UnreadShape(number + at, refusal.detail, refusal.pointer)
            for at, refusal in result.unread[:room]
        ]
        self.unread_more += len(result.unread[room:])


class PadMessage(Struct, frozen=True):
    """One message of a live session."""

    number: int
    received: str
    protocol: str
    valid: bool
    severity: str
    tokens: int
    wire: str
    supplied: dict[str, Any]


class PadGap(Struct, frozen=True):
    """Missing messages up to ``number``, and the reason."""

    number: int
    missing: int
    words: str


class PadMessages(Struct, frozen=True):
    """Messages and gaps after a number, oldest first. For more, set ``after`` to ``to``."""

    pad: PadAnswer
    messages: list[PadMessage]
    gaps: list[PadGap]
    to: int


@router.post(
    "/pads",
    summary="Open a live session",
    openapi_extra=described(
        answer=PadAnswer,
        statuses=(201,),
        optional_key=True,
        problems=(401, 403, 422, 429, 503),
    ),
)
def open_pad(request: HttpRequest, protocol: ProtocolParameter | None = None) -> HttpResponse:
    """Open a live session for one hour. If opened with a key that has the ``ingest`` scope
    (``Authorization: Bearer``), it stores every message in the log as it arrives; otherwise nothing
    is stored. Set ``protocol`` to decode every message as that protocol.
    """
    key, pad = opening.open_for(request, protocol=protocol, sender=_sender(request))
    return write_json(about(request, key, pad), 201)


@router.get(
    "/pads/{key}",
    summary="Read a live session",
    openapi_extra=described(answer=PadMessages, problems=(404, 410, 422)),
)
def read_pad(
    request: HttpRequest,
    key: Address,
    after: Annotated[
        int, Query(ge=0, le=2**53, description="The number of the last message you have.")
    ] = 0,
    limit: Annotated[int, Query(ge=1, le=ENTRIES)] = 1_000,
) -> HttpResponse:
    """Return at most ``limit`` messages after a number."""
    pad = opening.find(key)
    lines = pad.after(after)[:limit]
    return write_json(
        PadMessages(
            about(request, key, pad),
            [_message(line) for line in lines if isinstance(line, Entry)],
            [
                PadGap(line.number, line.missing, line.reason)
                for line in lines
                if isinstance(line, Gap)
            ],
            lines[-1].number if lines else after,
        )
    )


@router.delete(
    "/pads/{key}",
    summary="Close a live session",
    openapi_extra=described(answer=PadAnswer, problems=(404, 410, 422)),
)
def close_pad(request: HttpRequest, key: Address) -> HttpResponse:
    """Close a live session and delete its messages. The response has its totals."""
    pad = opening.find(key)
    answer = about(request, key, pad)
    opening.close(key)
    return write_json(answer)


@router.post(
    "/post/{address}",
    summary="Post messages to a live session",
    url_name="post",
    openapi_extra=described(
        body=list[Any],
        media=MEDIA,
        answer=Posted,
        statuses=(200, 207),
        problems=(400, 404, 410, 413, 415, 422, 429, 503),
    ),
)
def post(request: HttpRequest, address: Address) -> HttpResponse:
    """Post messages as plain text (a log is split into its messages), NDJSON, or JSON. An object
    with a ``wire`` is an item as in a batch of packets; any other value or line is a message.
    Bodies of unknown length are read as a stream, in blocks of 64 KiB. A session that stores
    messages in a log rejects ``Idempotency-Key``; an ``event_id`` makes it safe to send a message
    again.
    """
    pad = _posted_to(request, address)
    posted, number = Posted(pad.last + 1, pad.last, 0, 0, [], 0), 0
    try:
        for chunk in _chunks(request, pad.protocol):
            result = pad.take(chunk)
            posted.add(result, number)
            number += len(chunk)
            if result.too_fast:
                raise Problem(
                    429,
                    f"Posted too fast. Only the first {posted.messages:,} messages were accepted.",
                    messages=posted.messages,
                ).with_headers(Retry_After="1")
    except BadBody as bad:
        detail = f"{bad} {posted.messages:,} messages before that were accepted."
        raise Problem(bad.status, detail, messages=posted.messages) from None
    except Unavailable as error:
        if not posted.kept:
            raise
        accepted = f"Only the first {posted.messages:,} messages were accepted."
        detail = f"{error.reason} {accepted} Send the rest again later."
        raise Problem(503, detail, messages=posted.messages).with_headers(
            Retry_After=str(error.retry_after)
        ) from error
    except Ended as ended:
        raise opening.explain_end(ended) from None
    return write_json(posted, 207 if posted.unread else 200)


def _posted_to(request: HttpRequest, address: str) -> Pad:
    """Return the pad that messages are posted to. Raises Problem."""
    pad = opening.find_address(address)
    if pad.key_id is not None and "HTTP_IDEMPOTENCY_KEY" in request.META:
        # The session ends with this process, and a key must be honored beyond that.
        raise Problem(
            422,
            "A live session does not honor Idempotency-Key. Give each message an event_id instead.",
        )
    return pad


def _chunks(request: HttpRequest, protocol: str | None) -> Iterator[parse.Chunk]:
    """Yield the body in chunks, and of lines that break off the whole ones. Raises BadBody."""
    media = (request.content_type or MEDIA[0]).lower()
    content = utf8(blocks(request, STREAM_LIMIT))
    if media == parse.JSON:
        return parse.read(content, media, protocol)
    body = Unframed(content, complete=lambda _line: True)
    return body.checked(parse.read(body, media, protocol))


def about(request: HttpRequest, key: str, pad: Pad) -> PadAnswer:
    return PadAnswer(
        key=key,
        page=request.build_absolute_uri(reverse("pad", args=[key])),
        post=opening.post_address(request, key),
        opened=_time(pad.opened),
        expires=_time(pad.expires),
        protocol=pad.protocol,
        keeps=pad.key_id is not None,
        totals=pad.totals,
    )


def _sender(request: HttpRequest) -> Sender | None:
    token = read_token(request)
    return None if token is None else opening.identify_sender(request, token)


def _message(entry: Entry) -> PadMessage:
    item, glance = entry.item, entry.glance
    supplied = {
        "goal": item.goal,
        "task": item.task,
        "from": item.from_,
        "to": item.to,
        "thread": item.thread,
        "tags": item.tags,
        "content": item.content,
        "sent_at": item.sent_at,
        "event_id": item.event_id,
        "attributes": item.attributes,
        "sent_text": item.sent_text,
        "sent_zone": item.sent_zone,
        "from_line": item.from_line,
    }
    return PadMessage(
        number=entry.number,
        received=_time(entry.at),
        protocol=glance.protocol,
        valid=glance.valid,
        severity=glance.severity,
        tokens=glance.tokens,
        wire=item.wire,
        supplied={name: value for name, value in supplied.items() if value is not None},
    )


def _time(seconds: float) -> str:
    return leaf.format_time(datetime.fromtimestamp(seconds, UTC))
