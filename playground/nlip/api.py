"""Check NLIP exchanges for everyone, and send messages for callers with a key."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from ninja import Router

from cablese import registry
from cablese.protocols.nlip.exchange.breaches import Breach
from cablese.protocols.nlip.exchange.checker import examine
from cablese.text import quote
from playground.nlip import peers, turns
from playground.rest.body import read_json, write_json
from playground.rest.choices import NlipDialect
from playground.rest.keys import Key, sender
from playground.rest.openapi import described
from playground.rest.problems import NotYet, Problem
from playground.rest.shapes import TEXT_LIMIT

MESSAGES = 1_000
Status = Annotated[int, Meta(ge=100, le=599, description="The HTTP status of an answer.")]
Wire = Annotated[
    str, Meta(description=f"A message as it was sent, at most {TEXT_LIMIT:,} characters in all.")
]
router = Router(tags=["NLIP"])


class ExchangeRequest(Struct, forbid_unknown_fields=True):
    """A request and its response, or a transcript: a request, its response, the next request, and
    so on.

    ``own_tokens`` lists contents or identities of earlier conversation tokens from the server.
    ``status`` is the HTTP status of the response. With ``messages``, ``statuses`` has one for each,
    null if unknown.
    """

    request: Wire | UnsetType = UNSET
    response: Wire | UnsetType = UNSET
    messages: Annotated[tuple[Wire, ...], Meta(max_length=MESSAGES)] | UnsetType = UNSET
    status: Status | None = None
    statuses: Annotated[tuple[Status | None, ...], Meta(max_length=MESSAGES)] = ()
    own_tokens: Annotated[tuple[str, ...], Meta(max_length=MESSAGES)] = ()
    dialect: NlipDialect = None


class ExchangeAnswer(Struct, frozen=True):
    """Findings in message order, with messages counted from 0. ``held`` lists the requirements that
    applied and are met. ``valid`` says whether each message is valid.
    """

    findings: tuple[Breach, ...]
    held: tuple[str, ...]
    valid: tuple[bool, ...]


class SendRequest(Struct, forbid_unknown_fields=True):
    """A message for a server: NLIP as JSON, or plain text, which is sent as English text.

    ``server`` is a name or an address in CABLESE_NLIP_SERVERS; no other server is called.
    ``tokens`` are those of the previous answer. With ``exact``, the message is sent unchanged,
    valid or not, without tokens.
    """

    server: str
    message: Wire
    control: bool = False
    exact: bool = False
    tokens: Annotated[tuple[turns.Kept, ...], Meta(max_length=100)] = ()
    dialect: NlipDialect = None


class SendAnswer(Struct, frozen=True):
    """The message sent, without its secrets, the answer with its HTTP status, and the findings.

    ``moved`` is the target of a redirect, which is not followed. Send ``tokens`` with the next
    message.
    """

    request: str
    response: str
    status: int
    moved: str
    valid: tuple[bool, bool]
    findings: tuple[Breach, ...]
    held: tuple[str, ...]
    tokens: tuple[turns.Kept, ...]
    note: str


@router.post(
    "/send",
    summary="Send a message",
    auth=Key(),
    openapi_extra=described(
        body=SendRequest, answer=SendAnswer, problems=(400, 401, 403, 413, 422, 429, 502, 503, 504)
    ),
)
def send_message(request: HttpRequest) -> HttpResponse:
    """Send a message to a configured NLIP server, and check its answer. Requires the scope ingest.

    Redirects are not followed. An answer is limited to 20 s and 1 MiB.
    """
    caller = sender(request, "ingest")
    body = read_json(request, SendRequest)
    dialect = _dialect(body.dialect)
    try:
        peer = peers.find(body.server)
    except peers.Unknown:
        raise _unknown_server() from None
    if seconds := peers.pace(f"key:{caller.key_id}"):
        raise Problem(429, f"Too many messages. Wait {seconds} s.").with_headers(
            Retry_After=str(seconds)
        )
    draft = turns.Draft(
        body.message,
        dialect or peers.dialect_of(peer.url),
        body.control,
        body.exact,
        "",
        body.tokens,
    )
    try:
        turn = turns.take(peer, draft)
    except turns.BadMessage as bad:
        raise Problem(422, str(bad), f"/{bad.part}") from None
    except peers.NoReply as none:
        problem = Problem(none.status, str(none))
        raise (
            problem.with_headers(Retry_After=str(peers.RETRY)) if none.status == 503 else problem
        ) from None
    return write_json(_answer_of(turn))


def _answer_of(turn: turns.Turn) -> SendAnswer:
    return SendAnswer(
        turn.request.wire,
        turn.answer.wire,
        turn.status,
        turn.moved,
        (turn.request.valid, turn.answer.valid),
        turn.report.findings,
        turn.report.held,
        turn.tokens,
        turn.note,
    )


def _unknown_server() -> Problem:
    names = ", ".join(peer.name for peer in peers.listed())
    if not names:
        return NotYet(peers.OFF)
    return Problem(422, f"Unknown server. Expected {names}.", "/server")


def _dialect(name: str | None) -> str | None:
    known = registry.get("nlip").dialects
    if name is not None and name not in known:
        raise Problem(
            422, f"Unknown dialect {quote(name)}. Expected one of {', '.join(known)}.", "/dialect"
        )
    return name


@router.post(
    "/exchange",
    summary="Check an exchange",
    openapi_extra=described(body=ExchangeRequest, answer=ExchangeAnswer, problems=(400, 413, 422)),
)
def check_exchange(request: HttpRequest) -> HttpResponse:
    """Check an exchange against NLIP-20 to NLIP-28, and answers against their HTTP status. An
    invalid answer violates NLIP-20.
    """
    body = read_json(request, ExchangeRequest)
    codec, dialect = registry.get("nlip"), _dialect(body.dialect)
    messages = [codec.decode(wire, dialect=dialect) for wire in _wires(body)]
    report = examine(messages, own_tokens=body.own_tokens, statuses=_statuses(body))
    return write_json(
        ExchangeAnswer(report.findings, report.held, tuple(message.valid for message in messages))
    )


def _wires(body: ExchangeRequest) -> tuple[str, ...]:
    """Return the messages in order. Raises Problem unless there is either a list or a request and a
    response.
    """
    pair = body.request, body.response
    if body.messages is not UNSET:
        if pair != (UNSET, UNSET):
            raise Problem(422, 'Expected "messages", or "request" and "response".', "/messages")
        wires = body.messages
        if not wires:
            raise Problem(422, "Expected at least one message.", "/messages")
    else:
        for name, wire in zip(("request", "response"), pair, strict=True):
            if wire is UNSET:
                raise Problem(
                    422, f'Missing "{name}". Provide it or a list of "messages".', f"/{name}"
                )
        wires = tuple(wire for wire in pair if wire is not UNSET)
    if sum(map(len, wires)) > TEXT_LIMIT:
        raise Problem(
            413,
            f"The messages are larger than the limit of {TEXT_LIMIT:,} characters.",
            limit=TEXT_LIMIT,
        )
    return wires


def _statuses(body: ExchangeRequest) -> tuple[int | None, ...]:
    """Return the statuses in message order. Raises Problem for a status without an answer."""
    if body.messages is UNSET:
        if body.statuses:
            raise Problem(
                422, '"statuses" requires "messages". Use "status" with "response".', "/statuses"
            )
        return None, body.status
    if body.status is not None:
        raise Problem(
            422, '"status" requires "response". Use "statuses" with "messages".', "/status"
        )
    for at, status in enumerate(body.statuses):
        if status is not None and (at % 2 == 0 or at >= len(body.messages)):
            raise Problem(
                422, f"Message {at} is not a response and cannot have a status.", f"/statuses/{at}"
            )
    return body.statuses
