"""How early a recipient knows each field of a message that arrives token by token.

Every prefix of the message is decoded as if it were complete. A field is *read* from the token
after which it keeps its final value, and *known* once the text after it shows that the value has
ended: ``t=1`` could still become ``t=17``.

    REQ/TSK|g=42,t=1    "REQ/": the act is known, "REQ/TSK|": the topic, "REQ/TSK|g=42,": the goal

The same is measured in every protocol that can express the message, and in minified JSON with a
streaming parser. An ordinary JSON parser knows nothing before the last token.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from auditlog import baseline, text
from cablese import detection, registry, tokens
from cablese.json import jsontext
from cablese.meaning import Meaning
from cablese.message import Message
from cablese.translation.statement import Inexpressible, Place
from cablese.translation.translate import JSON, translate
from playground.workbench.translate import withhold

PROTOCOL = "protocol"
ROUTES = (PROTOCOL, "act", "recipient", "topic", "goal")
"""By these a message is passed on; the first that matter to a receiver."""
MOST = 400
"""Beginnings that are read."""
WORK = 400_000
"""Characters that are read for one message."""
OTHERS = 4_000
"""Characters of a message whose translations are measured too."""

_TERMS = tuple(name for name in Meaning.__struct_fields__ if name != "thread")
"""A thread is put together from the other terms."""


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
    """After how many tokens each term of ``message`` is known. Raises UnknownTokenizer."""
    if message.protocol == detection.UNKNOWN:
        words = "No protocol detected, so early routing can’t be measured."
        return Routability(tokenizer, None, refused=words)
    starts = tokens.starts(message.wire, tokenizer)
    refused = _too_long(len(starts), len(message.wire)) if starts else "The message is empty."
    if refused:
        return Routability(tokenizer, None, refused=refused)
    title = registry.get(message.protocol).title
    way = Way(message.protocol, title, len(starts), tuple(_follow(message, starts)))
    return Routability(tokenizer, way, tuple(_otherwise(message, tokenizer)))


def _too_long(count: int, length: int) -> str:
    if count <= MOST and count * length <= WORK:
        return ""
    words = f"The message has {count:,} tokens and {length:,} characters. The limit is"
    return f"{words} {MOST} tokens, and {WORK:,} characters in all prefixes together."


def _follow(message: Message, starts: Sequence[int]) -> Iterator[Term]:
    """Read every beginning, the whole one last."""
    ends = [*starts[1:], len(message.wire)]
    codec = registry.get(message.protocol)
    yield from _claim(message, ends)
    meanings = [codec.meaning(codec.decode(message.wire[:end])) for end in ends]
    final, behind = codec.meaning(message), _ends(message)
    for name in _TERMS:
        value = getattr(final, name)
        if value in (None, ()) or not meanings:
            continue
        read = _since([getattr(one, name) for one in meanings])
        end = behind.get(name)
        known = None if end is None else max(read, _tokens_to(ends, end))
        yield Term(name, _spell(value), read, known, ends[read - 1] if end is None else end)


def _claim(message: Message, ends: Sequence[int]) -> Iterator[Term]:
    """From where on the protocol is told from all others, if it is."""
    claimed = [detection.first(message.wire[:end]) for end in ends]
    if claimed and claimed[-1] == message.protocol:
        read = _since(claimed)
        yield Term(PROTOCOL, registry.get(message.protocol).title, read, read, ends[read - 1])


def _since(values: Sequence[Any]) -> int:
    """The number, from 1, of the first value from which on all are the last one."""
    at = len(values)
    while at > 1 and values[at - 2] == values[-1]:
        at -= 1
    return at


def _ends(message: Message) -> dict[str, int]:
    """Where the value of each term ends, and the character behind it, which says so, has come."""
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
    """How many tokens it takes until the first ``end`` characters are there."""
    return min(bisect_left(ends, end) + 1, len(ends))


def _otherwise(message: Message, tokenizer: str) -> Iterator[Way]:
    if len(message.wire) > OTHERS or not message.valid:
        return
    plain = _in_json(message, tokenizer)
    if plain is not None:
        yield plain
    for codec in registry.all_codecs():
        if codec.name == message.protocol:
            continue
        made = withhold(translate(message, codec.name))
        if made.wire is None:
            continue
        said = codec.decode(made.wire)
        starts = tokens.starts(said.wire, tokenizer)
        if not _too_long(len(starts), len(said.wire)):
            words = "" if made.back is None or made.back.verdict == "faithful" else "lossy"
            yield Way(
                codec.name, codec.title, len(starts), tuple(_told(said, message, starts)), words
            )


def _told(said: Message, source: Message, starts: Sequence[int]) -> Iterator[Term]:
    """The terms of ``source`` that its translation says exactly, private fields included, and where
    each is over.
    """
    ends = [*starts[1:], len(said.wire)]
    yield from _claim(said, ends)
    behind = _ends(said)
    try:
        here = registry.get(said.protocol).state(said).meaning
        there = registry.get(source.protocol).state(source).meaning
    except Inexpressible:
        return
    for name in _TERMS:
        value = getattr(there, name)
        if value not in (None, ()) and value == getattr(here, name) and name in behind:
            known = _tokens_to(ends, behind[name])
            yield Term(name, _spell(value), known, known, behind[name])


def _in_json(message: Message, tokenizer: str) -> Way | None:
    """Minified JSON: a term is known when the value of its key has ended."""
    made, written = translate(message, JSON), baseline.write(message)
    if made.wire is None or written is None:
        return None
    ends = [*tokens.starts(written, tokenizer)[1:], len(written)]
    behind = _values_end(jsontext.load(written))
    terms = []
    for row in made.ledger:
        target: Place | None = row.target
        if target is not None and target.key in behind and row.term in _TERMS:
            known = _tokens_to(ends, behind[target.key])
            terms.append(Term(row.term, _spell(target.value), known, known, behind[target.key]))
    words = "streaming parser"
    return Way("json", "minified JSON", len(ends), tuple(terms), words)


def _values_end(plain: dict[str, Any]) -> dict[str, int]:
    """For each key of a minified object the number of characters after which its value is over."""
    lengths = [len(text.to_json({key: value})) - 2 for key, value in plain.items()]
    edges = [1]
    for length in lengths:
        edges.append(edges[-1] + length + 1)
    return dict(zip(plain, (after for _, after in pairwise(edges)), strict=True))


def _spell(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else text.to_json(value)
