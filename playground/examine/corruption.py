"""The corruption test: drop each token, character, or field of a message once, and decode the rest.

detected   a problem is reported that the whole message does not have
silent     nothing is reported, and the meaning changes
harmless   nothing is reported, and the meaning is the same

    REQ/TSK|g=42,t=1    without "/": detected    without "42": detected
                        "42" without its 2: silent, g is 4

Info-level problems do not count as detected. The same test runs on the message as minified JSON,
twice: for a recipient that only parses it, and for one that also checks all rules of the protocol.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, Struct

from auditlog import baseline, text
from cablese import detection, registry, tokens
from cablese.codec import Codec, Unencodable
from cablese.json import jsontext
from cablese.message import Field, Message, Span
from cablese.translation.ledger import Difference, differences
from cablese.translation.statement import Inexpressible

Unit = Literal["tokens", "characters", "fields"]
Outcome = Literal["detected", "silent", "harmless"]
UNITS: tuple[Unit, ...] = ("tokens", "characters", "fields")
MOST = 400
"""Most units that are dropped."""
WORK = 200_000
"""Characters that one test decodes: a long message drops fewer units."""
CHANGES = 8
"""Differences that are reported for one loss."""


class Change(Struct, frozen=True):
    """One value that a loss changed, as JSON; None if the key is missing."""

    key: str
    before: str | None
    after: str | None


class Loss(Struct, frozen=True):
    """One dropped unit: its place, the outcome, and what was reported or changed.

    ``codes`` are the new diagnostics. ``changes`` are the changed values of a silent loss.
    """

    span: Span
    text: str
    outcome: Outcome
    codes: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


class Tally(Struct, frozen=True):
    """Losses by outcome. ``units`` is the number of all units, ``tested`` the number of those
    dropped.
    """

    title: str
    units: int
    tested: int
    detected: int
    silent: int
    harmless: int


class Corruption(Struct, frozen=True):
    """All losses of a message, with tallies for the message and for its JSON."""

    unit: Unit
    tokenizer: str
    tally: Tally
    losses: tuple[Loss, ...]
    baselines: tuple[Tally, ...]

    @property
    def is_cut(self) -> bool:
        return self.tally.tested < self.tally.units


class _Cut(NamedTuple):
    """A unit, and the texts that may remain without it; the least detected one counts."""

    span: Span
    left: tuple[str, ...]


Read = Callable[[str], Any]
"""Reads a text in a notation; None if that is not possible."""
_Result = tuple[Outcome, tuple[str, ...], tuple[Change, ...]]
_ORDER: tuple[Outcome, ...] = ("silent", "harmless", "detected")


def corrupt(
    message: Message, unit: Unit, tokenizer: str, *, dialect: str | None = None
) -> Corruption | None:
    """Drop each unit of ``message`` once; None without a protocol. Raises UnknownTokenizer.

    The rest is decoded as the same protocol, and as ``dialect`` if given.
    """
    if message.protocol == detection.UNKNOWN:
        return None
    codec = registry.get(message.protocol)
    cuts, units = _cut(message, codec, unit, tokenizer)
    judge = _Judge(message, codec, dialect)
    losses = tuple(_lose(message.wire, cut, judge.wire) for cut in cuts)
    tally = _count(codec.title, units, losses)
    return Corruption(
        unit, tokenizer, tally, losses, tuple(_baselines(message, codec, unit, tokenizer, judge))
    )


def tally_message(message: Message, tokenizer: str, most: int = MOST) -> Tally | None:
    """Count the outcomes of dropping each of the first ``most`` tokens of ``message``; None without
    a protocol. Raises UnknownTokenizer.
    """
    if message.protocol == detection.UNKNOWN:
        return None
    codec = registry.get(message.protocol)
    cuts, units = _cut_text(message.wire, "tokens", tokenizer)
    judge = _Judge(message, codec, message.dialect)
    losses = [_lose(message.wire, cut, judge.wire) for cut in cuts[:most]]
    return _count(codec.title, units, losses)


def tally_written(
    message: Message, written: str, read: Read, title: str, tokenizer: str, most: int = MOST
) -> Tally | None:
    """Count the same for a message ``written`` in a notation, and a recipient that ``read``s it and
    checks all rules of the protocol; None if the protocol cannot express what is read.
    """
    plain = read(written)
    codec = registry.get(message.protocol)
    whole = _restore(codec, plain, message.dialect)
    if whole is None:
        return None
    judge = _Judge(message, codec, message.dialect)
    cuts, units = _cut_text(written, "tokens", tokenizer)
    test = partial(judge.plain, plain, whole, read=read)
    return _count(title, units, [_lose(written, cut, test) for cut in cuts[:most]])


def _lose(wire: str, cut: _Cut, judge: Callable[[str], _Result]) -> Loss:
    worst = min((judge(left) for left in cut.left), key=lambda result: _ORDER.index(result[0]))
    return Loss(cut.span, wire[slice(*cut.span)], *worst)


def _count(title: str, units: int, losses: Sequence[Loss]) -> Tally:
    outcomes = Counter(loss.outcome for loss in losses)
    return Tally(
        title, units, len(losses), outcomes["detected"], outcomes["silent"], outcomes["harmless"]
    )


def _cut(message: Message, codec: Codec, unit: Unit, tokenizer: str) -> tuple[list[_Cut], int]:
    """Return the units to drop, and the number of all units."""
    wire = message.wire
    if unit == "fields" and codec.form == "json":
        return _keys(message)
    if unit == "fields":
        spans = _fields(message.fields)
        return [
            _Cut(span, _without(wire, span, codec.separators)) for span in spans[: _room(wire)]
        ], len(spans)
    return _cut_text(wire, unit, tokenizer)


def _room(wire: str) -> int:
    return max(1, min(MOST, WORK // max(len(wire), 1)))


def _cut_text(wire: str, unit: Unit, tokenizer: str) -> tuple[list[_Cut], int]:
    """Return a text without each of its first units, and the number of all units."""
    if unit == "characters":
        units = len(wire)
        spans = [Span(at, at + 1) for at in range(min(units, _room(wire)))]
    else:
        parts = tokens.pieces(wire, tokenizer)
        units = len(parts)
        spans = [part.span for part in parts[: _room(wire)]]
    return [_Cut(span, (wire[: span.start] + wire[span.end :],)) for span in spans], units


def _fields(fields: Sequence[Field]) -> list[Span]:
    """Return each field from the start of its name to the end of its value."""
    spans = [(field.name_span or field.span, field.span) for field in fields]
    return [Span(min(name.start, value.start), max(name.end, value.end)) for name, value in spans]


def _without(wire: str, span: Span, separators: str) -> tuple[str, ...]:
    """Return the text without a field and the separator before or after it."""
    start, end = span
    left = []
    if start and wire[start - 1] in separators:
        left.append(wire[: start - 1] + wire[end:])
    if end < len(wire) and wire[end] in separators:
        left.append(wire[:start] + wire[end + 1 :])
    return tuple(left) or (wire[:start] + wire[end:],)


def _keys(message: Message) -> tuple[list[_Cut], int]:
    """Return the keys of a JSON message, each with everything in it."""
    try:
        whole = jsontext.load(message.wire)
    except jsontext.NotClean:
        return [], 0
    if not isinstance(whole, dict):
        return [], 0
    spans: dict[str, Span] = {}
    for field, span in zip(message.fields, _fields(message.fields), strict=True):
        root = field.name.split(".", 1)[0]
        known = spans.get(root, span)
        spans[root] = Span(min(known.start, span.start), max(known.end, span.end))
    keys = [key for key in whole if key in spans]
    tested = keys[: _room(message.wire)]
    return [
        _Cut(_quoted(message.wire, spans[key]), (_leave_out(whole, key),)) for key in tested
    ], len(keys)


def _quoted(wire: str, span: Span) -> Span:
    """Return a span with the quotes around it."""
    start, end = span
    return Span(start - (wire[start - 1 : start] == '"'), end + (wire[end : end + 1] == '"'))


def _leave_out(whole: dict[str, Any], key: str) -> str:
    return jsontext.dump({name: value for name, value in whole.items() if name != key})


class _Judge:
    """Decode the rest of a message as its recipient would."""

    def __init__(self, message: Message, codec: Codec, dialect: str | None) -> None:
        self.message = message
        self.codec = codec
        self.dialect = dialect
        self.known = _codes(message)

    def wire(self, left: str) -> _Result:
        return self._compare(
            self.message.values, self.known, self.codec.decode(left, dialect=self.dialect)
        )

    def _compare(self, values: dict[str, Any], known: Counter[str], after: Message) -> _Result:
        new = tuple((_codes(after) - known).keys())
        if new:
            return "detected", new, ()
        changes = [
            _change(difference)
            for difference, _ in zip(
                differences(values, after.values), range(CHANGES), strict=False
            )
        ]
        return ("silent" if changes else "harmless"), (), tuple(changes)

    def plain(
        self,
        plain: Any,
        whole: Message | None,
        left: str,
        *,
        read: Read = jsontext.load_or_none,
    ) -> _Result:
        """Decode as a recipient of JSON does. One that knows the ``whole`` message also checks the
        rules of the protocol.
        """
        again = read(left)
        if again is None:
            return "detected", ("json",), ()
        if again == plain or whole is None:
            return ("harmless" if again == plain else "silent"), (), ()
        after = _restore(self.codec, again, self.message.dialect)
        if after is None:
            return "detected", ("json",), ()
        return self._compare(whole.values, _codes(whole), after)


def _codes(message: Message) -> Counter[str]:
    """Count errors and warnings by code."""
    return Counter(
        diagnostic.code for diagnostic in message.diagnostics if diagnostic.severity != "info"
    )


def _restore(codec: Codec, plain: Any, dialect: str) -> Message | None:
    """Return the message for a plain reading; None if the protocol cannot express it."""
    if not isinstance(plain, dict):
        return None
    try:
        return codec.decode(
            codec.encode(codec.restore(plain).values, dialect=dialect), dialect=dialect
        )
    except (Inexpressible, Unencodable):
        return None


def _baselines(
    message: Message, codec: Codec, unit: Unit, tokenizer: str, judge: _Judge
) -> Iterator[Tally]:
    written = baseline.write(message) if message.valid else None
    if written is None:
        return
    plain = jsontext.load(written)
    if unit == "fields":
        units = len(plain)
        cuts = [
            _Cut(Span(0, 0), (_leave_out(plain, key),)) for key in list(plain)[: _room(written)]
        ]
    else:
        cuts, units = _cut_text(written, unit, tokenizer)
    parsed = [_lose(written, cut, partial(judge.plain, plain, None)) for cut in cuts]
    yield _count("JSON, parsed", units, parsed)
    whole = _restore(codec, plain, message.dialect)
    if whole is not None:
        checked = [_lose(written, cut, partial(judge.plain, plain, whole)) for cut in cuts]
        yield _count(f"JSON, checked by {codec.title} rules", units, checked)


def _change(difference: Difference) -> Change:
    sides = (
        None if value is UNSET else text.to_json(value)
        for value in (difference.before, difference.after)
    )
    return Change(difference.key, *sides)
