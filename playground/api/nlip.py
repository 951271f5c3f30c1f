"""The exchange checker of NLIP: open to everyone who can reach the server. Nothing is kept."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from ninja import Router

from playground.api.body import read_json, write_json
from playground.api.document import described
from playground.api.problem import Problem
from playground.api.shapes import TEXT_LIMIT
from protocols import registry
from protocols.nlip.exchange import Breach, examine

MESSAGES = 1_000
Status = Annotated[int, Meta(ge=100, le=599, description="The HTTP status of an answer.")]
Wire = Annotated[str, Meta(description=f"A message as it was sent, at most {TEXT_LIMIT:,} characters in all.")]
router = Router(tags=["NLIP"])


class ExchangeRequest(Struct, forbid_unknown_fields=True):
    """A request and its response, or a transcript: a request, its response, the next request, and so on.

    ``own_tokens`` are contents or identities of conversation tokens that the server made before. ``status`` is the
    HTTP status of the response; of ``messages``, ``statuses`` has one for each, null where it is not known.
    """

    request: Wire | UnsetType = UNSET
    response: Wire | UnsetType = UNSET
    messages: Annotated[tuple[Wire, ...], Meta(max_length=MESSAGES)] | UnsetType = UNSET
    status: Status | None = None
    statuses: Annotated[tuple[Status | None, ...], Meta(max_length=MESSAGES)] = ()
    own_tokens: Annotated[tuple[str, ...], Meta(max_length=MESSAGES)] = ()
    dialect: str | None = None


class ExchangeAnswer(Struct, frozen=True):
    """Findings in the order of the messages, which are counted from 0; ``held`` are the requirements that applied and
    that nothing breaks. ``valid`` says of each message whether it is one."""

    findings: tuple[Breach, ...]
    held: tuple[str, ...]
    valid: tuple[bool, ...]


@router.post(
    "/exchange",
    summary="Check an exchange",
    openapi_extra=described(body=ExchangeRequest, answer=ExchangeAnswer, problems=(400, 413, 422)),
)
def check_exchange(request: HttpRequest) -> HttpResponse:
    """Check what two end-points sent each other against NLIP-20 to NLIP-28, and answers against their HTTP status.
    An answer that is not a valid message breaks NLIP-20.
    """
    asked = read_json(request, ExchangeRequest)
    codec = registry.get("nlip")
    if asked.dialect not in (None, *codec.dialects):
        words = f'"{asked.dialect}" is no dialect of nlip; there are {", ".join(codec.dialects)}.'
        raise Problem(422, words, "/dialect")
    messages = [codec.decode(wire, dialect=asked.dialect) for wire in _wires(asked)]
    report = examine(messages, own_tokens=asked.own_tokens, statuses=_statuses(asked))
    return write_json(ExchangeAnswer(report.findings, report.held, tuple(message.valid for message in messages)))


def _wires(asked: ExchangeRequest) -> tuple[str, ...]:
    """The messages in their order. Raises Problem unless there is a request and a response, or a list, and not both."""
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
                raise Problem(422, f'"{name}" is missing; or give a list of "messages".', f"/{name}")
        wires = tuple(one for one in pair if one is not UNSET)
    if sum(map(len, wires)) > TEXT_LIMIT:
        raise Problem(413, f"The messages have more than {TEXT_LIMIT:,} characters.", limit=TEXT_LIMIT)
    return wires


def _statuses(asked: ExchangeRequest) -> tuple[int | None, ...]:
    """The statuses of the messages, in their order. Raises Problem for one that belongs to no answer."""
    if asked.messages is UNSET:
        if asked.statuses:
            raise Problem(422, '"statuses" belong to "messages"; a response has a "status".', "/statuses")
        return None, asked.status
    if asked.status is not None:
        raise Problem(422, '"status" belongs to a "response"; "messages" have "statuses".', "/status")
    for at, status in enumerate(asked.statuses):
        if status is not None and (at % 2 == 0 or at >= len(asked.messages)):
            raise Problem(422, f"Message {at} is not a response, so it has no status.", f"/statuses/{at}")
    return asked.statuses
