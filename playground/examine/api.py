"""Test corruption and early routing, check for injection, and check receipts. Nothing is stored.

Checking receipts needs no key; one that reads the log gets more details.
"""

from collections.abc import Callable
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from msgspec import Meta, Raw, Struct
from ninja import Router

from auditlog.findings import injection
from auditlog.log.draft import TOKENIZER
from cablese import tokens
from playground.audit import receipt_pace, receipt_text, receipts
from playground.examine import corruption, routability
from playground.rest.body import read_json, write_json
from playground.rest.choices import Tokenizer
from playground.rest.keys import optional
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.rest.shapes import Text, WireRequest
from playground.rest.text import check_text, decode_wire

router = Router()


class ExamineRequest(WireRequest, forbid_unknown_fields=True):
    """One message."""


class CorruptionRequest(ExamineRequest, forbid_unknown_fields=True, kw_only=True):
    """One message, and what is dropped from it: tokens, characters, or fields."""

    unit: corruption.Unit = "tokens"
    tokenizer: Tokenizer = TOKENIZER


class RoutabilityRequest(ExamineRequest, forbid_unknown_fields=True, kw_only=True):
    """One message, and the tokenizer."""

    tokenizer: Tokenizer = TOKENIZER


class CorruptionAnswer(Struct, frozen=True):
    """The outcome of each loss. ``cut`` is true if only the first units were dropped."""

    protocol: str
    cut: bool
    result: corruption.Corruption


class LensAnswer(Struct, frozen=True):
    """What could affect a reader. No findings does not mean that the message is safe."""

    protocol: str
    result: injection.Lens


class ReceiptRequest(Struct, forbid_unknown_fields=True):
    """A receipt as the log returned it, the whole response, a packet ID, or a leaf hash, and
    optionally the wire.
    """

    receipt: Annotated[
        Raw, Meta(extra_json_schema={"anyOf": [{"type": "object"}, {"type": "string"}]})
    ]
    wire: Text | None = None


class ReceiptAnswer(Struct, frozen=True):
    """The result for each receipt, and what no receipt proves."""

    checks: tuple[receipts.Check, ...]
    unproven: str = receipts.UNPROVEN


@router.post(
    "/corruption",
    summary="Test corruption",
    tags=["Messages"],
    openapi_extra=described(
        body=CorruptionRequest, answer=CorruptionAnswer, problems=(400, 413, 422)
    ),
)
def corrupt(request: HttpRequest) -> HttpResponse:
    """Drop each token, character, or field once, and report whether the loss is detected, silently
    changes the meaning, or has no effect. At most 400 are dropped, fewer in a long message.
    ``baselines`` has the same for the message as minified JSON.
    """
    body = read_json(request, CorruptionRequest)
    tokens.info(body.tokenizer)
    message = decode_wire(body)
    result = corruption.corrupt(message, body.unit, body.tokenizer, dialect=body.dialect)
    if result is None:
        raise Problem(422, "No protocol detected, so the corruption test cannot run.", "/wire")
    return write_json(CorruptionAnswer(message.protocol, result.is_cut, result))


@router.post(
    "/routability",
    summary="Test routing",
    tags=["Messages"],
    openapi_extra=described(
        body=RoutabilityRequest, answer=routability.Routability, problems=(400, 413, 422)
    ),
)
def route(request: HttpRequest) -> HttpResponse:
    """Return the number of tokens after which a reader knows the protocol, the act, the
    recipient, the goal, and every other term.
    """
    body = read_json(request, RoutabilityRequest)
    tokens.info(body.tokenizer)
    return write_json(routability.measure(decode_wire(body), body.tokenizer))


@router.post(
    "/lens",
    summary="Check for injection",
    tags=["Messages"],
    openapi_extra=described(body=ExamineRequest, answer=LensAnswer, problems=(400, 413, 422)),
)
def examine(request: HttpRequest) -> HttpResponse:
    """Find what in a message could affect a model or a parser. Each finding has its place and an
    explanation.
    """
    message = decode_wire(read_json(request, ExamineRequest))
    return write_json(LensAnswer(message.protocol, injection.check(message)))


@router.post(
    "/receipts/check",
    summary="Check a receipt",
    tags=["Log"],
    openapi_extra=described(
        body=ReceiptRequest,
        answer=ReceiptAnswer,
        optional_key=True,
        problems=(400, 413, 422, 429),
    ),
)
def check_receipt(request: HttpRequest) -> HttpResponse:
    """Verify a receipt: is this packet in the log, at that leaf index, unchanged? Without a key,
    the response says no more than that.

    A ``wire`` has its own verdict in ``raw_text``: the receipt can be verified although the text
    differs.
    """
    seconds = receipt_pace.wait(request)
    if seconds:
        detail = f"Too many receipt checks. Try again in {seconds} s."
        raise Problem(429, detail).with_headers(Retry_After=str(seconds))
    body = read_json(request, ReceiptRequest)
    if body.wire is not None:
        check_text(body.wire, "/wire")
    try:
        given = receipt_text.read(_given(body.receipt))
        reads = _reader(request)
        checks = tuple(receipts.check(receipt, wire=body.wire, reads=reads) for receipt in given)
    except receipt_text.Unreadable as bad:
        raise Problem(422, str(bad), "/receipt") from None
    return write_json(ReceiptAnswer(checks))


def _given(sent: Raw) -> str:
    """Return the text of ``receipt``: the content of a JSON string, or the JSON itself."""
    text = bytes(sent).decode()
    # msgspec reads no number that is too large for it; the text of a receipt may hold any.
    return msgspec.json.decode(text, type=str) if text.startswith('"') else text


def _reader(request: HttpRequest) -> Callable[[str], bool]:
    """Return a function that tells whether the caller's key reads a log."""
    by = optional(request)
    if by is None or "read" not in by.scopes:
        return lambda _log: False
    return lambda log: by.log in (None, log)
