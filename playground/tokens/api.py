"""Bill a message, compare formats, and list published claims. Nothing is stored."""

from fractions import Fraction
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import Meta, Struct
from ninja import Router

from cablese import tokens
from cablese.text import quote
from playground.rest.body import read_json, write_json
from playground.rest.choices import TokenizerParameter, Tokenizers, one_of
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.rest.shapes import DEFAULT_TOKENIZERS, WireRequest
from playground.rest.text import check_tokenizers, decode_wire
from playground.tokens.bill import LONGEST, Bill, make
from playground.tokens.breakeven import Plan, Step, tabulate
from playground.tokens.claims import Claims, measure
from playground.tokens.formats import Strip, compare, get_titles
from playground.tokens.notations.notation import MINIFIED

router = Router(tags=["Messages"])
Baseline = Annotated[
    str, one_of(get_titles(), "A format, such as json, toon, or short, or a protocol's name.")
]


class BillRequest(WireRequest, forbid_unknown_fields=True):
    """One message, and the tokenizers to count it with."""

    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class BillAnswer(Struct, frozen=True):
    """A bill for each tokenizer. Its lines and its rest add up to its count."""

    protocol: str
    bills: dict[str, Bill]


class BaselinesRequest(BillRequest, forbid_unknown_fields=True, kw_only=True):
    """One message, and the format that the others are compared with."""

    baseline: Baseline = MINIFIED


class BaselinesAnswer(Struct, frozen=True):
    """All formats of the message, for each tokenizer, with what they lose. A format that is not
    available has no count.
    """

    protocol: str
    strips: dict[str, Strip]


class BreakEvenRequest(Struct, forbid_unknown_fields=True):
    """Token counts of a prompt, a message, and its baseline, how often each is sent, and the price
    of a cached token.
    """

    prompt: Annotated[int, Meta(ge=0, le=10_000_000, examples=[300])]
    message: Annotated[float, Meta(ge=0, le=10_000_000, examples=[19])]
    baseline: Annotated[float, Meta(ge=0, le=10_000_000, examples=[27])]
    messages: Annotated[int, Meta(ge=1, le=10_000)] = 20
    repeats: Annotated[int, Meta(ge=0, le=1_000)] = 1
    factor: Annotated[float, Meta(ge=0, le=1)] = 1.0


class BreakEvenAnswer(Struct, frozen=True):
    """``pays_back`` is the number of messages after which the protocol costs no more than its
    baseline; null if that never happens.
    """

    teaching: float
    saved: float
    pays_back: int | None
    steps: tuple[Step, ...]


@router.post(
    "/tokens/bill",
    summary="Bill a message by field",
    openapi_extra=described(body=BillRequest, answer=BillAnswer, problems=(400, 413, 422)),
)
def bill(request: HttpRequest) -> HttpResponse:
    """Return the token count of each field of a message. A token counts for the field that it
    starts in, or for the next one.
    """
    body = read_json(request, BillRequest)
    check_tokenizers(body.tokenizers)
    message = decode_wire(body)
    if len(body.wire) > LONGEST:
        detail = f"The message has {len(body.wire):,} characters; at most {LONGEST:,} are billed."
        raise Problem(413, detail, "/wire", limit=LONGEST)
    bills = {name: make(message, name) for name in dict.fromkeys(body.tokenizers)}
    counted = {name: bill for name, bill in bills.items() if bill is not None}
    return write_json(BillAnswer(message.protocol, counted))


@router.post(
    "/tokens/baselines",
    summary="Compare a message with other formats",
    openapi_extra=described(
        body=BaselinesRequest, answer=BaselinesAnswer, problems=(400, 413, 422)
    ),
)
def baselines(request: HttpRequest) -> HttpResponse:
    """Count the same message as English, JSON, YAML, TOON, XML, S-expressions, and in every
    protocol, and report what each round trip loses.
    """
    body = read_json(request, BaselinesRequest)
    if body.baseline not in get_titles():
        detail = f"Unknown baseline {quote(body.baseline)}. Expected {', '.join(get_titles())}."
        raise Problem(422, detail, "/baseline")
    check_tokenizers(body.tokenizers)
    message = decode_wire(body)
    strips = {
        name: compare([message], name, body.baseline) for name in dict.fromkeys(body.tokenizers)
    }
    return write_json(BaselinesAnswer(message.protocol, strips))


@router.post(
    "/tokens/break-even",
    summary="Compute the break-even point",
    openapi_extra=described(
        body=BreakEvenRequest, answer=BreakEvenAnswer, problems=(400, 413, 422)
    ),
)
def break_even(request: HttpRequest) -> HttpResponse:
    """Compute after how many messages a protocol breaks even: prompt tokens ÷ tokens saved per
    message, rounded up.
    """
    body = read_json(request, BreakEvenRequest)
    plan = Plan(
        body.prompt,
        Fraction(str(body.message)),
        Fraction(str(body.baseline)),
        body.messages,
        body.repeats,
        Fraction(str(body.factor)),
    )
    answer = BreakEvenAnswer(
        float(plan.teaching), float(plan.saved), plan.pays_back, tabulate(plan)
    )
    return write_json(answer)


@router.get(
    "/claims",
    summary="List published claims",
    openapi_extra=described(answer=Claims, problems=(422,)),
)
def claims(request: HttpRequest, tokenizer: TokenizerParameter = "o200k_base") -> HttpResponse:
    """List what sources claim to save, the texts that can be counted, and their counts with
    ``tokenizer``.
    """
    if tokenizer not in tokens.names():
        raise Problem(422, str(tokens.UnknownTokenizer(tokenizer)), "/tokenizer")
    return write_json(measure(tokenizer))
