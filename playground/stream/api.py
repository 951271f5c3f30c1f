"""Live sessions ("pads" in the API): post messages and watch them arrive. Anyone who has an address
can use it; no key is required.
"""

from datetime import UTC, datetime
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from msgspec import Struct
from ninja import Query, Router
from pydantic import Field as Parameter

from auditlog.access import Sender
from auditlog.database.unavailable import Unavailable
from auditlog.ingest.body import STREAM_LIMIT, BadBody, check_length
from auditlog.log import leaf
from cablese import registry
from playground.http.proxy import caller, network_of
from playground.http.throttle import Throttle
from playground.rest.body import announced, blocks, write_json
from playground.rest.choices import ProtocolParameter
from playground.rest.keys import identify, require, shown
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.stream import parse
from playground.stream.pad import HELD, LIFE, Ended, Entry, Pad, Totals, Unkept
from playground.stream.pads import PADS_OF_ONE, NoPad, TooMany, address_of, pads
from playground.stream.summary import Gap

router = Router(tags=["Stream"])

KEY_LOST = (
    "This live session has ended, because its key expired, was revoked, "
    "or may no longer write to the log."
)
TOLD = 100
"""The limit of rejected items that are listed."""
MEDIA = ("text/plain", "application/x-ndjson", parse.JSON)
Address = Annotated[str, Parameter(pattern="^[A-Za-z0-9_-]{24}$")]
throttle = Throttle(burst=30, pace=0.5)


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


class Posted(Struct, frozen=True):
    """The result of a body: the numbers of its first and last line, the number of messages, and how
    many are stored in the log.
    """

    first: int
    last: int
    messages: int
    kept: int
    unread: list[UnreadShape]
    unread_more: int


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
    openapi_extra=described(answer=PadAnswer, statuses=(201,), problems=(401, 403, 422, 429, 503)),
)
def open_pad(request: HttpRequest, protocol: ProtocolParameter | None = None) -> HttpResponse:
    """Open a live session for one hour. If opened with a key that has the ``ingest`` scope
    (``Authorization: Bearer``), it stores every message in the log as it arrives; otherwise nothing
    is stored. Set ``protocol`` to decode every message as that protocol.
    """
    key, pad = open_for(request, protocol=protocol, sender=_sender(request))
    return write_json(about(request, key, pad), 201)


@router.get(
    "/pads/{key}",
    summary="Read a live session",
    openapi_extra=described(answer=PadMessages, problems=(404, 410, 422)),
)
def read_pad(
    request: HttpRequest,
    key: Address,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=HELD)] = 1_000,
) -> HttpResponse:
    """Return at most ``limit`` messages after a number."""
    pad = find(key)
    lines = pad.after(after)[:limit]
    return write_json(
        PadMessages(
            about(request, key, pad),
            [_message(one) for one in lines if isinstance(one, Entry)],
            [PadGap(one.number, one.missing, one.words) for one in lines if isinstance(one, Gap)],
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
    pad = find(key)
    answer = about(request, key, pad)
    pads.close(key)
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
        problems=(400, 404, 410, 413, 422, 429, 503),
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
    media = (request.content_type or MEDIA[0]).lower()
    first, messages, kept, number, unread = pad.last + 1, 0, 0, 0, 0
    told: list[UnreadShape] = []
    last = pad.last
    try:
        check_length(announced(request), STREAM_LIMIT)
        for piece in parse.read(blocks(request, STREAM_LIMIT), media, pad.protocol):
            taken = pad.take(piece)
            first = first if number else taken.first
            messages, kept, last = messages + taken.messages, kept + taken.kept, taken.last
            unread += len(taken.unread)
            told += [UnreadShape(number + at, one.words, one.pointer) for at, one in taken.unread][
                : TOLD - len(told)
            ]
            number += len(piece)
            if taken.too_fast:
                raise _too_fast(messages)
    except BadBody as bad:
        raise Problem(
            bad.status, f"{bad} {messages:,} messages before that were accepted.", messages=messages
        ) from None
    except Unavailable as error:
        if not kept:
            raise
        accepted = f"Only the first {messages:,} messages were accepted."
        words = f"{error.reason} {accepted} Send the rest again later."
        raise Problem(503, words, messages=messages).with_headers(
            Retry_After=str(error.retry_after)
        ) from error
    except Ended as ended:
        raise _ended(ended, "This live session has ended. Start another one.") from None
    answer = Posted(first, last, messages, kept, told, unread - len(told))
    return write_json(answer, 207 if unread else 200)


def _too_fast(messages: int) -> Problem:
    words = f"Posted too fast. Only the first {messages:,} messages were accepted."
    return Problem(429, words, messages=messages).with_headers(Retry_After="1")


def _posted_to(request: HttpRequest, address: str) -> Pad:
    """Return the pad that messages are posted to. Raises Problem."""
    try:
        pad = pads.at(address)
    except NoPad:
        raise Problem(
            404, "No live session at this address. Restarting the server ends all live sessions."
        ) from None
    except Ended as ended:
        raise _ended(ended, "This live session has ended. Start another one.") from None
    if pad.key_id is not None and "HTTP_IDEMPOTENCY_KEY" in request.META:
        # The session ends with this process, and a key must be honored beyond that.
        words = (
            "A live session does not honor Idempotency-Key. Give each message an event_id instead."
        )
        raise Problem(422, words)
    return pad


def open_for(
    request: HttpRequest, *, protocol: str | None, sender: Sender | None
) -> tuple[str, Pad]:
    """Open a pad for the caller. Raises Problem 429 and 503, and registry.UnknownProtocol."""
    if protocol in ("", "auto"):
        protocol = None
    if protocol is not None:
        registry.get(protocol)
    opener = f"key:{sender.key_id}" if sender else network_of(caller(request))
    if seconds := throttle.wait(opener):
        raise Problem(
            429, f"Too many live sessions were started. Try again in {seconds} s."
        ).with_headers(Retry_After=str(seconds))
    try:
        return pads.open(opener, protocol=protocol, key_id=sender.key_id if sender else None)
    except TooMany as full:
        words = (
            f"The limit of live sessions from your address is {PADS_OF_ONE}. "
            "Close one, or wait until one ends."
            if full.mine
            else "The server is at its limit of live sessions. Wait until one ends."
        )
        raise Problem(429 if full.mine else 503, words).with_headers(
            Retry_After=str(full.seconds)
        ) from None


def find(key: str) -> Pad:
    """Return the pad with a key. Raises Problem 404 and 410."""
    try:
        return pads.get(key)
    except NoPad:
        raise Problem(
            404,
            "No live session has this key. Restarting the server ends all live sessions.",
            "/key",
        ) from None
    except Ended as ended:
        raise _ended(
            ended, f"This live session has ended. The limit is {LIFE // 60} minutes.", "/key"
        ) from None


def _ended(ended: Ended, words: str, pointer: str = "") -> Problem:
    return Problem(410, KEY_LOST if isinstance(ended, Unkept) else words, pointer)


def about(request: HttpRequest, key: str, pad: Pad) -> PadAnswer:
    return PadAnswer(
        key=key,
        page=request.build_absolute_uri(reverse("pad", args=[key])),
        post=post_address(request, key),
        opened=_time(pad.opened),
        expires=_time(pad.expires),
        protocol=pad.protocol,
        keeps=pad.key_id is not None,
        totals=pad.totals,
    )


def post_address(request: HttpRequest, key: str) -> str:
    return request.build_absolute_uri(reverse("api:post", args=[address_of(key)]))


def ingesting(request: HttpRequest, token: str) -> Sender:
    """Return the sender of a key that opens a storing pad. Raises Problem 401 and 403."""
    sender = identify(request, token.strip())
    if sender is None:
        raise Problem(401, "This key is mistyped, expired, or revoked.").with_headers(
            WWW_Authenticate="Bearer"
        )
    require(request, sender, "ingest")
    return sender


def _sender(request: HttpRequest) -> Sender | None:
    token = shown(request)
    return None if token is None else ingesting(request, token)


def _message(entry: Entry) -> PadMessage:
    item, seen = entry.item, entry.seen
    beside = {
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
        protocol=seen.protocol,
        valid=seen.valid,
        severity=seen.severity,
        tokens=seen.tokens,
        wire=item.wire,
        supplied={name: value for name, value in beside.items() if value is not None},
    )


def _time(seconds: float) -> str:
    return leaf.format_time(datetime.fromtimestamp(seconds, UTC))
