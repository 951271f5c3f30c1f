"""A message in short: its row in a live view, and what the filters of that view compare."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby

from msgspec import Struct, field

from auditlog.ingest.item import Item
from auditlog.log.draft import TOKENIZER
from cablese import detection, registry, tokens
from cablese.message import SEVERITIES, Message
from playground.audit.marks import Mark
from playground.display.glyphs import visible
from playground.display.highlight import ROW_LENGTH, Run, brief_runs, worst

ENGLISH_LENGTH = 300
UNREAD = "Open this message to see its meaning."
"""Replaces a description if too much would have to be decoded at once."""
NOT_DECODED = "not decoded"
"""Replaces the act of such a message."""


class Glance(Struct, frozen=True, gc=False):
    """What filters and totals need of a message. Goals, tasks, and tags are those of the message
    and of its metadata.
    """

    protocol: str
    severity: str
    """That of the worst diagnostic; empty without any."""
    valid: bool
    tokens: int
    goals: tuple[str, ...]
    tasks: tuple[str, ...]
    tags: tuple[str, ...]


class Row(Struct, frozen=True, gc=False):
    """One line of a live view. ``wire`` is its beginning as pairs of CSS classes and text, with
    glyphs for invisible characters.
    """

    number: int = field(name="n")
    at: int = field(name="t")
    """Milliseconds since 1970."""
    protocol: str = field(name="p")
    severity: str = field(name="s")
    tokens: int = field(name="k")
    wire: list[tuple[str, str]] = field(name="w")
    english: str = field(name="e")
    act: str = field(name="a", default="")
    """Empty for a text of no protocol."""
    marks: list[Mark] = field(name="m", default_factory=list)
    """What was found in a stored packet, or that its findings are not made yet."""

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.at / 1000, UTC)


class ActTotal(Struct, gc=False):
    """How many of the lines of a view have an act, and what they are together."""

    act: str
    messages: int = 0
    invalid: int = 0
    tokens: int = 0


class Gap(Struct, frozen=True, gc=False):
    """Missing messages: how many, up to which number, and a sentence with count and reason."""

    number: int = field(name="n")
    missing: int = field(name="gap")
    reason: str = field(name="why")


class Sieve(Struct, frozen=True):
    """A filter for messages: by protocol, by lowest severity, and by words that must all match.

    A word is `@tag` (`@tag*` for all that start so), `goal:42`, `task:1`, or text in the wire.
    """

    protocol: str = ""
    severity: str = ""
    words: tuple[str, ...] = ()

    def passes(self, item: Item, glance: Glance) -> bool:
        if self.protocol and glance.protocol != self.protocol:
            return False
        if self.severity and (not glance.severity or _rank(glance.severity) > _rank(self.severity)):
            return False
        return all(_has(word, item, glance) for word in self.words)


def sieve(protocol: str, severity: str, text: str) -> Sieve:
    return Sieve(protocol, severity, tuple(text.casefold().split()))


def summarize(items: Sequence[Item], messages: Sequence[Message]) -> list[Glance]:
    """Return the glances of items that were decoded to `messages`. Counts tokens in one call."""
    counts = tokens.count_batch([item.wire for item in items], TOKENIZER)
    return [
        _summarize(item, message, count.count)
        for item, message, count in zip(items, messages, counts, strict=True)
    ]


def draw(
    message: Message, *, number: int, at: float, count: int, marks: Sequence[Mark] = ()
) -> Row:
    return Row(
        number=number,
        at=int(at * 1000),
        protocol=message.protocol,
        severity=worst(message),
        tokens=count,
        wire=[(kind, _joined(runs)) for kind, runs in groupby(brief_runs(message), _kind)],
        english=describe(message),
        act=_act(message),
        marks=list(marks),
    )


def sketch(
    wire: str,
    diagnostics: str,
    *,
    protocol: str,
    number: int,
    at: float,
    count: int,
    marks: Sequence[Mark] = (),
) -> Row:
    """Return the row of a message without decoding it. ``diagnostics`` are the stored ones, as
    JSON.
    """
    severity = next((level for level in SEVERITIES if f'"severity":"{level}"' in diagnostics), "")
    text = visible(wire[:ROW_LENGTH]).replace("\n", "⏎")
    runs = [("run", text)] if text else []
    return Row(
        number, int(at * 1000), protocol, severity, count, runs, UNREAD, NOT_DECODED, list(marks)
    )


def total_by_act(lines: Iterable[Row | Gap]) -> list[ActTotal]:
    """Return the totals of each act, the most frequent first."""
    totals: dict[str, ActTotal] = {}
    for line in lines:
        if isinstance(line, Row):
            total = totals.setdefault(line.act, ActTotal(line.act))
            total.messages += 1
            total.invalid += line.severity == "error"
            total.tokens += line.tokens
    return sorted(totals.values(), key=lambda total: (-total.messages, total.act))


def describe(message: Message) -> str:
    """Return the English description of a message, cut to a row."""
    if message.protocol == detection.UNKNOWN:
        return "No protocol detected."
    sentence = registry.get(message.protocol).sentence(message)
    return visible(sentence if len(sentence) <= ENGLISH_LENGTH else f"{sentence[:ENGLISH_LENGTH]}…")


def _summarize(item: Item, message: Message, count: int) -> Glance:
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


def _act(message: Message) -> str:
    if message.protocol == detection.UNKNOWN:
        return ""
    return registry.get(message.protocol).meaning(message).act


def _folded(*values: object) -> tuple[str, ...]:
    return tuple(str(value).casefold() for value in values if value is not None)


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity)


def _has(word: str, item: Item, glance: Glance) -> bool:
    if word.startswith("@") and len(word) > 1:
        return _among(word[1:], glance.tags)
    name, colon, value = word.partition(":")
    if colon and value and name in ("goal", "task"):
        return _among(value, glance.goals if name == "goal" else glance.tasks)
    return word in item.wire.casefold()


def _among(word: str, values: Iterable[str]) -> bool:
    if word.endswith("*"):
        return any(value.startswith(word[:-1]) for value in values)
    return word in values


def _joined(runs: Iterable[Run]) -> str:
    """Return the runs as one line, with a sign for each line end."""
    return "".join(run.text for run in runs).replace("\n", "⏎")


def _kind(run: Run) -> str:
    """Return the CSS classes of a run, as `draw_runs` writes them."""
    if run.kind == "separator" and not run.severity:
        return "sep"
    hue = "" if run.hue is None else f" h{run.hue}"
    under = f" under-{run.severity}" if run.severity else ""
    return f"run {run.kind}{hue}{under}{' glyph' if run.glyph else ''}"
