"""NLIP: the exchange checker, for everyone, and the client agent, for those who show a key. Nothing
is stored.
"""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from ninja import Router

from cablese import registry
from cablese.protocols.nlip.exchange.checker import Breach, examine
from playground.nlip import peers, turns
from playground.nlip.turns import BadMessage, Draft, Kept
from playground.rest.body import read_json, write_json
from playground.rest.choices import NlipDialect
from playground.rest.keys import Key, sender
from playground.rest.openapi import described
from playground.rest.problems import Problem
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

    ``own_tokens`` are contents or identities of conversation tokens that the server made before.
    ``status`` is the HTTP status of the response; of ``messages``, ``statuses`` has one for each,
    null where it is not known.
    """

    request: Wire | UnsetType = UNSET
    response: Wire | UnsetType = UNSET
    messages: Annotated[tuple[Wire, ...], Meta(max_length=MESSAGES)] | UnsetType = UNSET
    status: Status | None = None
    statuses: Annotated[tuple[Status | None, ...], Meta(max_length=MESSAGES)] = ()
    own_tokens: Annotated[tuple[str, ...], Meta(max_length=MESSAGES)] = ()
    dialect: NlipDialect = None


class ExchangeAnswer(Struct, frozen=True):
    """Findings in the order of the messages, which are counted from 0; ``held`` are the
    requirements that applied and that nothing breaks. ``valid`` says of each message whether it is
    one.
    """

    findings: tuple[Breach, ...]
    held: tuple[str, ...]
    valid: tuple[bool, ...]


class SendRequest(Struct, forbid_unknown_fields=True):
    """A message for a server: NLIP as JSON, or words that become a text in English.

    ``server`` is a name or an address of CABLESE_NLIP_SERVERS, nothing else is called. ``tokens``
    are those that the answer before gave. With ``exact`` the message goes out as it is, valid or
    not, and no token is added.
    """

    server: str
    message: Wire
    control: bool = False
    exact: bool = False
    tokens: Annotated[tuple[Kept, ...], Meta(max_length=100)] = ()
    dialect: NlipDialect = None


class SendAnswer(Struct, frozen=True):
    """What was sent, without its secrets, what came back with which HTTP status, and the checker's
    findings.

    ``moved`` is where a redirection points; it is not followed. ``tokens`` belong to the next
    message.
    """

    request: str
    response: str
    status: int
    moved: str
    valid: tuple[bool, bool]
    findings: tuple[Breach, ...]
    held: tuple[str, ...]
    tokens: tuple[Kept, ...]
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
    """Send a message to an NLIP server that the administrator named, and check what it answers.
    Needs the scope ingest.

    Redirections are not followed. An answer takes at most 20 s and 1 MiB.
    """
    found = sender(request, "ingest")
    asked = read_json(request, SendRequest)
    dialect = _dialect(asked.dialect)
    try:
        peer = peers.find(asked.server)
    except peers.Unknown:
        raise _unknown_server() from None
    if seconds := peers.pace(f"key:{found.key_id}"):
        raise Problem(429, f"Too many messages to send; wait {seconds} s.").with_headers(
            Retry_After=str(seconds)
        )
    draft = Draft(
        asked.message,
        dialect or peers.dialect_of(peer),
        asked.control,
        asked.exact,
        "",
        asked.tokens,
    )
    try:
        turn = turns.take(peer, draft)
    except BadMessage as bad:
        raise Problem(422, str(bad), f"/{bad.part}") from None
    except peers.NoReply as none:
        problem = Problem(none.status, str(none))
        raise (
            problem.with_headers(Retry_After=str(peers.RETRY)) if none.status == 503 else problem
        ) from None
    sides = turn.request, turn.answer
    valid = sides[0].valid, sides[1].valid
    wires = sides[0].wire, sides[1].wire
    told = SendAnswer(
        *wires,
        turn.status,
        turn.moved,
        valid,
        turn.findings,
        turn.report.held,
        turn.kept,
        turn.note,
    )
    return write_json(told)


def _unknown_server() -> Problem:
    names = ", ".join(one.name for one in peers.listed())
    if not names:
        return Problem(503, peers.OFF)
    return Problem(
        422, f"No server of this name or address is set up. Expected one of {names}.", "/server"
    )


def _dialect(name: str | None) -> str | None:
    known = registry.get("nlip").dialects
    if name not in (None, *known):
        raise Problem(
            422, f'Unknown dialect "{name}". Expected one of {", ".join(known)}.', "/dialect"
        )
    return name


@router.post(
    "/exchange",
    summary="Check an exchange",
    openapi_extra=described(body=ExchangeRequest, answer=ExchangeAnswer, problems=(400, 413, 422)),
)
def check_exchange(request: HttpRequest) -> HttpResponse:
    """Check what two end-points sent each other against NLIP-20 to NLIP-28, and answers against
    their HTTP status. An answer that is not a valid message breaks NLIP-20.
    """
    asked = read_json(request, ExchangeRequest)
    codec, dialect = registry.get("nlip"), _dialect(asked.dialect)
    messages = [codec.decode(wire, dialect=dialect) for wire in _wires(asked)]
    report = examine(messages, own_tokens=asked.own_tokens, statuses=_statuses(asked))
    return write_json(
        ExchangeAnswer(report.findings, report.held, tuple(message.valid for message in messages))
    )


def _wires(asked: ExchangeRequest) -> tuple[str, ...]:
    """The messages in their order. Raises Problem unless there is a request and a response, or a
    list, and not both.
    """
    pair = asked.request, asked.response
    if asked.messages is not UNSET:
        if pair != (UNSET, UNSET):
            raise Problem(422, 'Give "messages", or "request" and "response".', "/messages")
        wires = asked.messages
        if not wires:
            raise Problem(422, "There is no message to look at.", "/messages")
    else:
        for name, one in zip(("request", "response"), pair, strict=True):
            if one is UNSET:
                raise Problem(
                    422, f'"{name}" is missing; or give a list of "messages".', f"/{name}"
                )
        wires = tuple(one for one in pair if one is not UNSET)
    if sum(map(len, wires)) > TEXT_LIMIT:
        raise Problem(
            413, f"The messages have more than {TEXT_LIMIT:,} characters.", limit=TEXT_LIMIT
        )
    return wires


def _statuses(asked: ExchangeRequest) -> tuple[int | None, ...]:
    """The statuses of the messages, in their order. Raises Problem for one that belongs to no
    answer.
    """
    if asked.messages is UNSET:
        if asked.statuses:
            raise Problem(
                422, '"statuses" belong to "messages"; a response has a "status".', "/statuses"
            )
        return None, asked.status
    if asked.status is not None:
        raise Problem(
            422, '"status" belongs to a "response"; "messages" have "statuses".', "/status"
        )
    for at, status in enumerate(asked.statuses):
        if status is not None and (at % 2 == 0 or at >= len(asked.messages)):
            raise Problem(
                422, f"Message {at} is not a response, so it has no status.", f"/statuses/{at}"
            )
    return asked.statuses
