"""Find the cheapest format for messages of a text, or of a search. Nothing is stored."""

from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import Meta, Struct, structs
from ninja import Router
from pydantic import Field as Parameter

from auditlog.log.draft import TOKENIZER
from cablese.text import quote
from playground.autopilot.analysis import Analysis, analyze
from playground.autopilot.candidate import RULE, Candidate
from playground.autopilot.traffic import CHARACTERS, MESSAGES, Traffic, of_search, of_text
from playground.autopilot.wording import sum_up
from playground.rest.body import read_json, write_json
from playground.rest.choices import (
    Dialect,
    LogParameter,
    Protocol,
    Tokenizer,
    TokenizerParameter,
    one_of,
)
from playground.rest.keys import Key, readable_log, sender
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.rest.shapes import MessagesText
from playground.rest.text import check_text, check_tokenizers, name_protocol
from playground.tokens.formats import get_titles
from playground.tokens.notations.notation import MINIFIED

router = Router(tags=["Messages"])
Baseline = Annotated[
    str, one_of(get_titles(), "A format, such as json, toon, or short, or a protocol's name.")
]
BaselineParameter = Annotated[str, Parameter(json_schema_extra={"enum": list(get_titles())})]
_SENTENCE = (
    "Keep these 2 messages in nSLIP: 30 tokens, 33.3% fewer than minified JSON; its 290-token "
    "prompt breaks even after 39 messages; no field is lost."
)


class AutopilotRequest(Struct, forbid_unknown_fields=True):
    """Text with any number of messages. ``texts`` asks for the messages in each format."""

    text: MessagesText
    protocol: Protocol = "auto"
    dialect: Dialect = None
    tokenizer: Tokenizer = TOKENIZER
    baseline: Baseline = MINIFIED
    texts: bool = False


class AutopilotLimits(Struct, frozen=True):
    """How many messages, and how many characters in all of them, are analyzed."""

    messages: int = MESSAGES
    characters: int = CHARACTERS


class AutopilotAnswer(Struct, frozen=True):
    """All formats, best first as ``rule`` says, and the answer in one sentence.

    The ``texts`` of candidates are empty unless the request asks for them.
    """

    sentence: Annotated[str, Meta(examples=[_SENTENCE])]
    rule: str
    limits: AutopilotLimits
    analysis: Analysis


@router.post(
    "/autopilot",
    summary="Find the cheapest format",
    openapi_extra=described(
        body=AutopilotRequest, answer=AutopilotAnswer, problems=(400, 413, 422)
    ),
)
def autopilot(request: HttpRequest) -> HttpResponse:
    """Compare every protocol and format that can carry the first valid messages of a text: tokens,
    prompt and break-even, silent changes, early routing, and what would be lost.
    """
    body = read_json(request, AutopilotRequest)
    check_tokenizers([body.tokenizer])
    _check_baseline(body.baseline)
    check_text(body.text, "/text")
    protocol = name_protocol(body.protocol, body.dialect)
    traffic = of_text(body.text, protocol, body.dialect)
    return _answer(traffic, body.tokenizer, body.baseline, texts=body.texts)


@router.get(
    "/search/autopilot",
    summary="Find the cheapest format of packets",
    auth=Key(),
    tags=["Log"],
    openapi_extra=described(answer=AutopilotAnswer, problems=(401, 403, 404, 422)),
)
def search_autopilot(
    request: HttpRequest,
    q: str = "",
    log: LogParameter | None = None,
    tokenizer: TokenizerParameter = TOKENIZER,
    baseline: BaselineParameter = MINIFIED,
) -> HttpResponse:
    """Compare every protocol and format that can carry the newest valid packets of a search, in the
    order in which they were stored.
    """
    by = sender(request, "read")
    check_tokenizers([tokenizer])
    _check_baseline(baseline)
    traffic = of_search(readable_log(request, by, log), q, datetime.now(UTC))
    return _answer(traffic, tokenizer, baseline, texts=False)


def _check_baseline(baseline: str) -> None:
    if baseline not in get_titles():
        detail = f"Unknown baseline {quote(baseline)}. Expected {', '.join(get_titles())}."
        raise Problem(422, detail, "/baseline")


def _answer(traffic: Traffic, tokenizer: str, baseline: str, *, texts: bool) -> HttpResponse:
    analysis = analyze(traffic, tokenizer, baseline)
    sentence = sum_up(analysis)
    if not texts:
        analysis = structs.replace(
            analysis, candidates=tuple(map(_without_texts, analysis.candidates))
        )
    return write_json(AutopilotAnswer(sentence, RULE, AutopilotLimits(), analysis))


def _without_texts(candidate: Candidate) -> Candidate:
    return structs.replace(candidate, texts=())
