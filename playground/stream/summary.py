"""A message at a glance: what a row of a live view says of it, and what the filters of that view
ask.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby

from msgspec import Struct, field

from auditlog.ingest.item import Item
from auditlog.log.draft import TOKENIZER
from cablese import detection, registry, tokens
from cablese.message import SEVERITIES, Message
from playground.display.glyphs import visible
from playground.display.highlight import ROW_LENGTH, Run, brief_runs, worst

ENGLISH_LENGTH = 300
UNREAD = "Open this message to see its meaning."
"""In place of a description where too much would have to be decoded at once."""


class Glance(Struct, frozen=True, gc=False):
    """What filters and totals ask of a message. Goals, tasks and tags are those that it says and
    those beside it.
    """

    protocol: str
    severity: str
    """The worst of its diagnostics; empty when it has none."""
    valid: bool
    tokens: int
    goals: tuple[str, ...]
    tasks: tuple[str, ...]
    tags: tuple[str, ...]


class Row(Struct, frozen=True, gc=False):
    """One line of a live view. ``wire`` is its beginning as pairs of CSS classes and text, nothing
    in it unseen.
    """

    number: int = field(name="n")
    at: int = field(name="t")
    """Milliseconds since 1970."""
    protocol: str = field(name="p")
    severity: str = field(name="s")
    tokens: int = field(name="k")
    wire: list[tuple[str, str]] = field(name="w")
    english: str = field(name="e")

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.at / 1000, UTC)


class Gap(Struct, frozen=True, gc=False):
    """Where messages are missing: how many, up to which number, and a sentence that says how many
    and why.
    """

    number: int = field(name="n")
    missing: int = field(name="gap")
    words: str = field(name="why")


class Sieve(Struct, frozen=True):
    """Which messages to show: of one protocol, at least so bad, and with all these words.

    A word is `@tag` (`@tag*` for all that begin so), `goal:42`, `task:1`, or text that stands in
    the wire.
    """

    protocol: str = ""
    severity: str = ""
    words: tuple[str, ...] = ()

    def passes(self, item: Item, seen: Glance) -> bool:
        if self.protocol and seen.protocol != self.protocol:
            return False
        if self.severity and (not seen.severity or _rank(seen.severity) > _rank(self.severity)):
            return False
        return all(_has(word, item, seen) for word in self.words)


def sieve(protocol: str, severity: str, text: str) -> Sieve:
    return Sieve(protocol, severity, tuple(text.casefold().split()))


def look(items: Sequence[Item], messages: Sequence[Message]) -> list[Glance]:
    """Glances of items that were decoded to `messages`; their tokens are counted in one call."""
    counts = tokens.count_batch([item.wire for item in items], TOKENIZER)
    return [
        _look(item, message, count.count)
        for item, message, count in zip(items, messages, counts, strict=True)
    ]


def draw(message: Message, *, number: int, at: float, count: int) -> Row:
    return Row(
        number=number,
        at=int(at * 1000),
        protocol=message.protocol,
        severity=worst(message),
        tokens=count,
        wire=[(kind, _joined(runs)) for kind, runs in groupby(brief_runs(message), _kind)],
        english=describe(message),
    )


def sketch(
    wire: str, diagnostics: str, *, protocol: str, number: int, at: float, count: int
) -> Row:
    """A row of a message that is not decoded. ``diagnostics`` are those that were stored, as
    JSON.
    """
    severity = next((one for one in SEVERITIES if f'"severity":"{one}"' in diagnostics), "")
    said = visible(wire[:ROW_LENGTH]).replace("\n", "⏎")
    runs = [("run", said)] if said else []
    return Row(number, int(at * 1000), protocol, severity, count, runs, UNREAD)


def describe(message: Message) -> str:
    """The message in words, as long as a row is."""
    if message.protocol == detection.UNKNOWN:
        return "No protocol detected."
    words = "".join(piece.text for piece in registry.get(message.protocol).describe(message))
    return visible(words if len(words) <= ENGLISH_LENGTH else f"{words[:ENGLISH_LENGTH]}…")


def _look(item: Item, message: Message, count: int) -> Glance:
    meaning = (
        None
        if message.protocol == detection.UNKNOWN
        else registry.get(message.protocol).meaning(message)
    )
    return Glance(
        protocol=message.protocol,
        severity=worst(message),
        valid=message.valid,
        tokens=count,
        goals=_folded(meaning and meaning.goal, item.goal),
        tasks=_folded(meaning and meaning.task, item.task),
        tags=_folded(*(meaning.tags if meaning else ()), *(item.tags or ())),
    )


def _folded(*said: object) -> tuple[str, ...]:
    return tuple(str(one).casefold() for one in said if one is not None)


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity)


def _has(word: str, item: Item, seen: Glance) -> bool:
    if word.startswith("@") and len(word) > 1:
        return _among(word[1:], seen.tags)
    name, colon, value = word.partition(":")
    if colon and value and name in ("goal", "task"):
        return _among(value, seen.goals if name == "goal" else seen.tasks)
    return word in item.wire.casefold()


def _among(word: str, values: Iterable[str]) -> bool:
    if word.endswith("*"):
        return any(value.startswith(word[:-1]) for value in values)
    return word in values


def _joined(runs: Iterable[Run]) -> str:
    """A row is one line: a sign stands where the wire has an end of a line."""
    return "".join(run.text for run in runs).replace("\n", "⏎")


def _kind(run: Run) -> str:
    """CSS classes, as `_runs.html` writes them."""
    if run.kind == "separator" and not run.severity:
        return "sep"
    hue = "" if run.hue is None else f" h{run.hue}"
    under = f" under-{run.severity}" if run.severity else ""
    return f"run {run.kind}{hue}{under}{' glyph' if run.glyph else ''}"
