"""How early a recipient knows each field of a message that arrives token by token.

Every prefix of the message is decoded as if it were complete. A field is *read* from the token
after which it keeps its final value, and *known* once the text after it shows that the value has
ended: ``t=1`` could still become ``t=17``.

    REQ/TSK|g=42,t=1    "REQ/": the act is known, "REQ/TSK|": the topic, "REQ/TSK|g=42,": the goal

The same is measured in every protocol that can express the message, and in minified JSON with a
streaming parser. An ordinary JSON parser knows nothing before the last token.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from auditlog import baseline, text
from cablese import detection, registry, tokens
from cablese.meaning import Meaning
from cablese.message import Message
from cablese.translation.statement import Inexpressible, Place
from cablese.translation.translate import JSON, translate
from playground.workbench.translate import withhold

PROTOCOL = "protocol"
ROUTES = (PROTOCOL, "act", "recipient", "topic", "goal")
"""The terms by which a message is routed."""
MOST = 400
"""Prefixes that are decoded."""
WORK = 400_000
"""Characters that are decoded for one message."""
OTHERS = 4_000
"""The longest message whose translations are measured too, in characters."""

Write = Callable[[Any], str]
"""Writes a JSON value in a notation."""
_TERMS = tuple(name for name in Meaning.__struct_fields__ if name != "thread")
"""All terms but the thread, which is made of other terms."""


class Term(Struct, frozen=True):
    """One term: its final value, and after how many tokens it is read and known. ``end`` is the
    position after it.

    ``known`` is null if nothing says which field it comes from; only ``read`` is then available.
    """

    name: str
    value: str
    read: int
    known: int | None
    end: int

    @property
    def after(self) -> int:
        return self.read if self.known is None else self.known


class Way(Struct, frozen=True):
    """The message or another format of it, and how many ``tokens`` reveal each of its terms."""

    key: str
    title: str
    tokens: int
    terms: tuple[Term, ...]
    words: str = ""

    def after(self, name: str) -> int | None:
        return next((term.after for term in self.terms if term.name == name), None)


class Routability(Struct, frozen=True):
    """The results for the message and for other formats, or the reason why it was not measured."""

    tokenizer: str
    message: Way | None
    others: tuple[Way, ...] = ()
    refused: str = ""


def measure(message: Message, tokenizer: str) -> Routability:
    """Return after how many tokens each term of ``message`` is known. Raises UnknownTokenizer."""
    if message.protocol == detection.UNKNOWN:
        reason = "No protocol detected, so early routing can’t be measured."
        return Routability(tokenizer, None, refused=reason)
    starts = tokens.starts(message.wire, tokenizer)
    refused = _too_long(len(starts), len(message.wire)) if starts else "The message is empty."
    if refused:
        return Routability(tokenizer, None, refused=refused)
    title = registry.get(message.protocol).title
    way = Way(message.protocol, title, len(starts), tuple(_follow(message, starts)))
    return Routability(tokenizer, way, tuple(_other_formats(message, tokenizer)))


def _too_long(count: int, length: int) -> str:
    if count <= MOST and count * length <= WORK:
        return ""
    reason = f"The message has {count:,} tokens and {length:,} characters. The limit is"
    return f"{reason} {MOST} tokens, and {WORK:,} characters in all prefixes together."


def _follow(message: Message, starts: Sequence[int]) -> Iterator[Term]:
    """Decode every prefix of the message, and yield when each term is known."""
    ends = [*starts[1:], len(message.wire)]
    codec = registry.get(message.protocol)
    yield from _claim(message, ends)
    meanings = [codec.meaning(codec.decode(message.wire[:end])) for end in ends]
    final, ends_of = codec.meaning(message), _ends(message)
    for name in _TERMS:
        value = getattr(final, name)
        if value in (None, ()) or not meanings:
            continue
        read = _since([getattr(meaning, name) for meaning in meanings])
        end = ends_of.get(name)
        known = None if end is None else max(read, _tokens_to(ends, end))
        yield Term(name, _spell(value), read, known, ends[read - 1] if end is None else end)


def _claim(message: Message, ends: Sequence[int]) -> Iterator[Term]:
    """Yield from where the protocol is certain, if it is detected."""
    claimed = [detection.first(message.wire[:end]) for end in ends]
    if claimed and claimed[-1] == message.protocol:
        read = _since(claimed)
        yield Term(PROTOCOL, registry.get(message.protocol).title, read, read, ends[read - 1])


def _since(values: Sequence[Any]) -> int:
    """Return the number, from 1, of the first value after which none differs from the last."""
    at = len(values)
    while at > 1 and values[at - 2] == values[-1]:
        at -= 1
    return at


def _ends(message: Message) -> dict[str, int]:
    """Return the place after each term and the character that ends its value."""
    if not message.valid:
        return {}
    try:
        places = registry.get(message.protocol).state(message).places
    except Inexpressible:
        return {}
    spans: dict[str, int] = {}
    for field in message.fields:
        for name in {field.name, field.name.split(".", 1)[0]}:
            spans[name] = max(spans.get(name, 0), field.span.end)
    length = len(message.wire)
    return {
        term: min(spans[place.key] + 1, length)
        for term, place in places.items()
        if place.key in spans
    }


def _tokens_to(ends: Sequence[int], end: int) -> int:
    """Return how many tokens contain the first ``end`` characters."""
    return min(bisect_left(ends, end) + 1, len(ends))


def _other_formats(message: Message, tokenizer: str) -> Iterator[Way]:
    if len(message.wire) > OTHERS or not message.valid:
        return
    plain = _in_json(message, tokenizer)
    if plain is not None:
        yield plain
    for codec in registry.all_codecs():
        if codec.name == message.protocol:
            continue
        translation = withhold(translate(message, codec.name))
        if translation.wire is None:
            continue
        target = codec.decode(translation.wire)
        starts = tokens.starts(target.wire, tokenizer)
        if not _too_long(len(starts), len(target.wire)):
            note = (
                ""
                if translation.back is None or translation.back.verdict == "faithful"
                else "lossy"
            )
            yield Way(
                codec.name,
                codec.title,
                len(starts),
                tuple(_preserved(target, message, starts)),
                note,
            )


def _preserved(target: Message, source: Message, starts: Sequence[int]) -> Iterator[Term]:
    """Yield the terms of ``source`` that its translation preserves, private fields included."""
    ends = [*starts[1:], len(target.wire)]
    yield from _claim(target, ends)
    ends_of = _ends(target)
    try:
        target_meaning = registry.get(target.protocol).state(target).meaning
        source_meaning = registry.get(source.protocol).state(source).meaning
    except Inexpressible:
        return
    for name in _TERMS:
        value = getattr(source_meaning, name)
        if value not in (None, ()) and value == getattr(target_meaning, name) and name in ends_of:
            known = _tokens_to(ends, ends_of[name])
            yield Term(name, _spell(value), known, known, ends_of[name])


def measure_written(
    message: Message, key: str, title: str, write: Write, tail: int, tokenizer: str
) -> Way | None:
    """Measure a notation: a term is known when the value of its key has ended. None if the message
    cannot be written so.

    ``write`` ends an object with ``tail`` characters.
    """
    translation = translate(message, JSON)
    if translation.wire is None or baseline.write(message) is None:
        return None
    plain = text.whole(registry.get(message.protocol).plain(message))
    written = write(plain)
    ends = [*tokens.starts(written, tokenizer)[1:], len(written)]
    terms = []
    for row in translation.ledger:
        target: Place | None = row.target
        if target is not None and target.key in plain and row.term in _TERMS:
            end = min(_value_end(plain, target.key, write) - tail + 1, len(written))
            known = _tokens_to(ends, end)
            terms.append(Term(row.term, _spell(target.value), known, known, end))
    return Way(key, title, len(ends), tuple(terms), "streaming parser")


def _in_json(message: Message, tokenizer: str) -> Way | None:
    return measure_written(message, "json", "minified JSON", text.to_json, 1, tokenizer)


def _value_end(plain: dict[str, Any], key: str, write: Write) -> int:
    """Return the length of what is written up to the value of ``key``."""
    keys = list(plain)
    return len(write({name: plain[name] for name in keys[: keys.index(key) + 1]}))


def _spell(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else text.to_json(value)
