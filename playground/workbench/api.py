"""Decode, encode, count, and translate messages. Needs no key. Nothing is stored."""

from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from msgspec import Meta, Struct, structs
from ninja import Router

from auditlog.findings import sensitive
from cablese import registry, tokens
from cablese.codec import Codec
from cablese.text import quote
from cablese.translation.ledger import Row
from cablese.translation.statement import Place
from cablese.translation.translate import ENGLISH, JSON, Return, get_targets, translate_text
from playground.rest import decoded
from playground.rest.body import read_json, write_json
from playground.rest.choices import Dialect, ReadAs, Target, Tokenizers
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.rest.shapes import (
    DEFAULT_TOKENIZERS,
    About,
    Counted,
    DecodeAnswer,
    DecodeRequest,
    EncodeAnswer,
    EncodeRequest,
    MessageText,
    ProtocolsAnswer,
    TokensAnswer,
    TokensRequest,
)
from playground.rest.text import (
    AUTO,
    check_text,
    check_tokenizers,
    name_protocol,
)
from playground.workbench.translate import withhold

CHARACTERS_IN_PIECES = 256 * 1024
router = Router(tags=["Messages"])


class TranslateRequest(Struct, forbid_unknown_fields=True):
    """One message, and the target."""

    wire: MessageText
    to: Annotated[Target, Meta(examples=["aacp"])]
    protocol: ReadAs = AUTO
    dialect: Dialect = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class Spending(Struct, frozen=True):
    """Token counts of the translation and of the original."""

    count: int
    exact: bool
    source: int


class TranslateAnswer(Struct, frozen=True, rename={"back": "return"}):
    """The translation, a row for each part of the message, and the result of the round trip.

    ``refused`` says why no faithful translation exists; there is then no ``wire``.
    """

    protocol: str
    to: str
    wire: str | None
    valid: bool
    ledger: tuple[Row, ...]
    added: tuple[Place, ...]
    back: Return | None
    refused: str | None
    tokens: dict[str, Spending]


@router.get("/protocols", summary="List protocols", openapi_extra=described(answer=ProtocolsAnswer))
def protocols(request: HttpRequest) -> HttpResponse:
    """List all protocols with their dialects, fields, diagnostics, and reference."""
    return write_json(
        ProtocolsAnswer([_about(codec) for codec in registry.all_codecs()], list(tokens.names()))
    )


@router.post(
    "/decode",
    summary="Decode messages",
    openapi_extra=described(body=DecodeRequest, answer=DecodeAnswer, problems=(400, 413, 422)),
)
def decode(request: HttpRequest) -> HttpResponse:
    """Decode all messages in a text. An invalid message is a result with diagnostics, not an error.

    Messages inside MCP, A2A, chat records, and JSON log records are taken out of their wrapper,
    which ``carrier`` names. ``facts`` are what the line or record states about a message: its time,
    sender, recipient, thread, and attributes.
    """
    body = read_json(request, DecodeRequest)
    return write_json(decoded.answer(body.text, body.protocol, body.dialect, body.tokenizers))


@router.post(
    "/encode",
    summary="Encode a message",
    openapi_extra=described(body=EncodeRequest, answer=EncodeAnswer, problems=(400, 413, 422)),
)
def encode(request: HttpRequest) -> HttpResponse:
    """Encode values in canonical form, and return the diagnostics of the result."""
    body = read_json(request, EncodeRequest)
    codec = registry.get(body.protocol)
    dialect = registry.check_dialect(codec.name, body.dialect)
    if codec.forbids_sensitive:
        sensitive.refuse(body.values)
    wire = codec.encode(body.values, dialect=dialect)
    message = codec.decode(wire, dialect=dialect)
    counts = {name: tokens.count(wire, name) for name in body.tokenizers}
    counted = {name: Counted(count.count, count.exact) for name, count in counts.items()}
    return write_json(EncodeAnswer(wire, message.valid, message.diagnostics, counted))


@router.post(
    "/tokens",
    summary="Count tokens",
    openapi_extra=described(body=TokensRequest, answer=TokensAnswer, problems=(400, 413, 422)),
)
def count_tokens(request: HttpRequest) -> HttpResponse:
    """Count the tokens of texts. On request, also return where each token starts and ends."""
    body = read_json(request, TokensRequest)
    for at, text in enumerate(body.texts):
        check_text(text, f"/texts/{at}")
    check_tokenizers(body.tokenizers)
    if body.pieces:
        _check_pieces(body)
    results: list[dict[str, Counted]] = [{} for _ in body.texts]
    for name in dict.fromkeys(body.tokenizers):
        for text, result, count in zip(
            body.texts, results, tokens.count_batch(body.texts, name), strict=True
        ):
            pieces = tokens.pieces(text, name) if body.pieces else msgspec.UNSET
            result[name] = Counted(count.count, count.exact, pieces)
    return write_json(TokensAnswer(results))


@router.post(
    "/translate",
    summary="Translate messages",
    openapi_extra=described(
        body=TranslateRequest, answer=TranslateAnswer, problems=(400, 413, 422)
    ),
)
def translate(request: HttpRequest) -> HttpResponse:
    """Translate a message to another protocol, and report what became of each term and field. A
    refusal is a result, not an error.
    """
    body = read_json(request, TranslateRequest)
    check_text(body.wire, "/wire")
    if body.to not in get_targets():
        detail = f"Unknown target {quote(body.to)}. Expected {', '.join(get_targets())}."
        raise Problem(422, detail, "/to")
    protocol = None if body.protocol == AUTO else body.protocol
    name_protocol(AUTO if protocol in (ENGLISH, JSON) else body.protocol, body.dialect)
    check_tokenizers(body.tokenizers)
    translation = withhold(
        translate_text(body.wire, body.to, protocol=protocol, dialect=body.dialect)
    )
    counts = (
        {}
        if translation.wire is None
        else {name: _compare_counts(translation.wire, body.wire, name) for name in body.tokenizers}
    )
    return write_json(TranslateAnswer(**structs.asdict(translation), tokens=counts))


def _compare_counts(wire: str, source: str, tokenizer: str) -> Spending:
    translated, original = tokens.count_batch([wire, source], tokenizer)
    return Spending(translated.count, translated.exact, original.count)


def _about(codec: Codec) -> About:
    rules = (*codec.rules, *codec.thread_rules, *codec.reference.checked, *codec.common_rules)
    return About(
        codec.name,
        codec.title,
        codec.summary,
        codec.dialects,
        codec.form,
        codec.labels,
        rules,
        codec.reference,
    )


def _check_pieces(body: TokensRequest) -> None:
    """Raise Problem 413 for too much text. A piece takes a hundred times the memory of its
    character, in each tokenizer.
    """
    characters = sum(map(len, body.texts)) * len(set(body.tokenizers))
    if characters > CHARACTERS_IN_PIECES:
        detail = (
            f"The texts have {characters:,} characters for all tokenizers. "
            f"The limit is {CHARACTERS_IN_PIECES:,}."
        )
        raise Problem(413, detail, "/pieces", limit=CHARACTERS_IN_PIECES)
