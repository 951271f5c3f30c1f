"""The answer of decoding a text: the API returns it, and a page saves it as a file."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from msgspec import structs

from auditlog import baseline
from auditlog.findings import sensitive
from auditlog.ingest import zones
from auditlog.ingest.logged import to_item
from cablese import registry, tokens
from cablese.message import Message, Piece, Span
from cablese.transcript import Cut, around_messages
from playground.http import wanted
from playground.rest.shapes import Cost, DecodeAnswer, Decoded, LineFacts
from playground.rest.text import check_tokenizers, decode_text


def answer(
    text: str, protocol: str, dialect: str | None, tokenizers: Iterable[str]
) -> DecodeAnswer:
    """Decode all messages of a text, and count their tokens.

    Raises Problem 413 over a limit, UnknownProtocol, UnknownDialect, and UnknownTokenizer.
    """
    names = tuple(dict.fromkeys(tokenizers))
    check_tokenizers(names)
    transcript, messages = decode_text(text, protocol, dialect)
    distinct = {id(message): message for message in messages}  # Equal messages are one object.
    read = dict(zip(distinct, _read(tuple(distinct.values()), names), strict=True))
    wrappers = {name: _wrappers(text, transcript.messages, name) for name in names}
    received = datetime.now(UTC)
    decoded = [
        _place(read[id(message)], cut, {name: wrappers[name][at] for name in names}, received)
        for at, (message, cut) in enumerate(zip(messages, transcript.messages, strict=True))
    ]
    return DecodeAnswer(decoded, transcript.ignored)


def _costs(
    messages: Sequence[Message],
    plains: Sequence[str | None],
    english: Sequence[tuple[Piece, ...]],
    tokenizer: str,
) -> list[Cost]:
    wires = tokens.count_batch([message.wire for message in messages], tokenizer)
    sentences = tokens.count_batch(
        ["".join(piece.text for piece in pieces) for pieces in english], tokenizer
    )
    baselines = iter(
        tokens.count_batch([plain for plain in plains if plain is not None], tokenizer)
    )
    return [
        Cost(
            wire.count, wire.exact, None if plain is None else next(baselines).count, sentence.count
        )
        for wire, plain, sentence in zip(wires, plains, sentences, strict=True)
    ]


def _wrappers(text: str, cuts: Sequence[Cut], tokenizer: str) -> list[int | None]:
    """Return the tokens of the wrapper around each message, if it has one. Messages in the same
    wrapper have the same count.
    """
    carriers = [cut.carrier for cut in cuts]
    inside: dict[Span, list[Cut]] = {}
    for cut in cuts:
        if cut.carrier is not None:
            inside.setdefault(cut.carrier.span, []).append(cut)
    around = [around_messages(text, within, span) for span, within in inside.items()]
    counts = dict(zip(inside, tokens.count_batch(around, tokenizer), strict=True))
    return [None if carrier is None else counts[carrier.span].count for carrier in carriers]


def _facts(cut: Cut, received: datetime) -> LineFacts | None:
    """Return the metadata of a log line. ``received`` is the year of a time that is written without
    one.
    """
    if not cut.facts:
        return None
    item = to_item(cut, received=received, zone=zones.UTC)
    return LineFacts(
        sent_at=item.sent_at,
        sent_text=item.sent_text,
        sent_zone=item.sent_zone,
        from_=item.from_,
        to=item.to,
        thread=item.thread,
        attributes=item.attributes or {},
    )


def _read(messages: Sequence[Message], tokenizers: Sequence[str]) -> list[Decoded]:
    """Return the messages as answered, but for what depends on their places."""
    sentences = [
        registry.get(message.protocol).describe(message)
        for message in wanted.while_wanted(messages)
    ]
    plains = [baseline.write(message) for message in wanted.while_wanted(messages)]
    costs: list[dict[str, Cost]] = [{} for _ in messages]
    for name in tokenizers:
        for cost, counted in zip(costs, _costs(messages, plains, sentences, name), strict=True):
            cost[name] = counted
    return [
        _decoded(message, english, cost)
        for message, english, cost in zip(
            wanted.while_wanted(messages), sentences, costs, strict=True
        )
    ]


def _place(
    decoded: Decoded, cut: Cut, wrappers: dict[str, int | None], received: datetime
) -> Decoded:
    """Add what depends on the place of a message."""
    costs = {
        name: cost if wrappers[name] is None else structs.replace(cost, wrapper=wrappers[name])
        for name, cost in decoded.tokens.items()
    }
    facts = _facts(cut, received)
    return structs.replace(decoded, span=cut.span, carrier=cut.carrier, facts=facts, tokens=costs)


def _decoded(message: Message, english: tuple[Piece, ...], cost: dict[str, Cost]) -> Decoded:
    codec = registry.get(message.protocol)
    fields = message.fields
    return Decoded(
        protocol=message.protocol,
        version=message.dialect,
        span=Span(0, len(message.wire)),
        wire=message.wire,
        carrier=None,
        facts=None,
        valid=message.valid,
        values=message.values,
        meaning=codec.meaning(message),
        fields=fields,
        diagnostics=message.diagnostics,
        sensitive=sensitive.find(message, fields),
        canonical=codec.canonical(message),
        english=english,
        tokens=cost,
    )
