"""The Examine panel and what can be copied of a message. Every part is made when a template asks
for it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from django import forms
from django.http import QueryDict

from playground.display.glyphs import visible
from playground.display.message import WIRE_LENGTH, Shown
from playground.examine.corruption import UNITS, Corruption, Loss, Tally, Unit, corrupt
from playground.examine.injection import Lens, Stretch, lay, look
from playground.examine.routability import ROUTES, Routability, Way, measure
from playground.examine.snippets import LONGEST, Snippet, write

COPY = "copy"
SECTIONS = ("corruption", "routability", "lens")
GLANCED = 4_000
"""Characters of a message that is looked through at every keystroke."""
SILENT = 60
"""Silent losses that are told one by one."""
BESIDE = 12
"""Characters shown before and behind what was lost."""


class ExamineForm(forms.Form):
    """Which parts are open, and what is lost in the corruption test."""

    examine = forms.MultipleChoiceField(
        choices=[(name, name) for name in (*SECTIONS, COPY)], required=False
    )
    unit = forms.ChoiceField(choices=[(unit, unit) for unit in UNITS], required=False)


@dataclass(frozen=True, slots=True)
class Marked:
    """A stretch of the wire with what its loss does; no outcome between the units."""

    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Silent:
    """A silent loss, with the characters around it and what the message then says."""

    before: str
    lost: str
    after: str
    changes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A tally as a bar: where each outcome begins and how wide it is, in percent."""

    tally: Tally
    detected: float
    silent: float
    harmless: float

    @property
    def calm(self) -> float:
        """Where the harmless ones begin."""
        return self.detected + self.silent


@dataclass(frozen=True, slots=True)
class Line:
    """A term of the timeline: tokens, and the same in percent of the message."""

    name: str
    value: str
    after: int
    at: float
    read: int
    read_at: float
    json: int | None


@dataclass(frozen=True, slots=True)
class Flag:
    """A stretch of the wire, and what is known behind it."""

    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A way to say the message, and after how many tokens what is known of it."""

    way: Way
    cells: tuple[int | None, ...]
    own: bool


class Examination:
    """What the panel says of one message."""

    def __init__(self, shown: Shown, data: Mapping[str, Any] | None, base: str) -> None:
        self.shown = shown
        self.base = base
        form = ExamineForm(data if isinstance(data, QueryDict) else QueryDict())
        form.is_valid()
        self.opened = frozenset(form.cleaned_data.get("examine", ()))
        self.unit: Unit = form.cleaned_data.get("unit") or "tokens"
        self.units = UNITS

    @cached_property
    def snippets(self) -> tuple[Snippet, ...]:
        return write(self.shown.message, self.base)

    @property
    def longest(self) -> int:
        return LONGEST

    @cached_property
    def corruption(self) -> Corruption | None:
        return corrupt(self.shown.message, self.unit, self.shown.tokenizer)

    @property
    def one(self) -> str:
        """One of the units, in words."""
        return self.unit.removesuffix("s")

    @cached_property
    def bars(self) -> list[Bar]:
        made = self.corruption
        return (
            []
            if made is None
            else [_bar(tally) for tally in (made.tally, *made.baselines) if tally.tested]
        )

    @cached_property
    def marked(self) -> list[Marked]:
        """The wire with what the loss of each unit does."""
        made, wire = self.corruption, self.shown.message.wire
        if made is None:
            return []
        drawn, at = [], 0
        for loss in made.losses:
            if loss.span.start < at:
                continue
            if at < loss.span.start:
                drawn.append(Marked(visible(wire[at : loss.span.start]), ""))
            drawn.append(Marked(visible(loss.text), loss.outcome))
            at = loss.span.end
        if at < len(wire):
            drawn.append(Marked(visible(wire[at : at + WIRE_LENGTH]), ""))
        return drawn

    @cached_property
    def silent(self) -> list[Silent]:
        made = self.corruption
        losses = [] if made is None else [loss for loss in made.losses if loss.outcome == "silent"]
        return [self._silent(loss) for loss in losses[:SILENT]]

    def _silent(self, loss: Loss) -> Silent:
        wire, (start, end) = self.shown.message.wire, loss.span
        changes = tuple(
            (visible(self._named(one.key)), visible(_brief(one.before)), visible(_brief(one.after)))
            for one in loss.changes
        )
        before, after = wire[max(start - BESIDE, 0) : start], wire[end : end + BESIDE]
        return Silent(visible(before), visible(loss.text[:120]), visible(after), changes)

    def _named(self, key: str) -> str:
        """A changed value as the wire calls it: ``g``, which the values have as ``slots.g``."""
        inner = key.partition(".")[2]
        return inner if inner in self._names and key not in self._names else key

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(field.name for field in self.shown.fields)

    @cached_property
    def noticed(self) -> list[tuple[str, int]]:
        """The diagnostics that notice losses, the most frequent first."""
        made = self.corruption
        found = (
            Counter(code for loss in made.losses for code in loss.codes)
            if made is not None
            else Counter[str]()
        )
        return sorted(found.items(), key=lambda one: (-one[1], one[0]))[:8]

    @cached_property
    def routability(self) -> Routability:
        return measure(self.shown.message, self.shown.tokenizer)

    @cached_property
    def lines(self) -> list[Line]:
        """The terms in the order in which they become known."""
        way = self.routability.message
        if way is None:
            return []
        plain = next((other for other in self.routability.others if other.key == "json"), None)
        many = max(way.tokens, 1)
        lines = [
            Line(
                term.name.replace("_", " "),
                visible(term.value[:120]),
                term.after,
                round(100 * term.after / many, 2),
                term.read,
                round(100 * term.read / many, 2),
                None if plain is None else plain.after(term.name),
            )
            for term in way.terms
        ]
        return sorted(lines, key=lambda line: line.after)

    @property
    def plain(self) -> Way | None:
        return next((other for other in self.routability.others if other.key == "json"), None)

    @cached_property
    def flags(self) -> list[Flag]:
        """The wire, cut where a term becomes known."""
        way, wire = self.routability.message, self.shown.message.wire
        if way is None:
            return []
        edges = sorted({0, len(wire), *(term.end for term in way.terms)})
        named = {
            end: tuple(term.name.replace("_", " ") for term in way.terms if term.end == end)
            for end in edges
        }
        return [Flag(visible(wire[start:end]), named[end]) for start, end in pairwise(edges)]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        way = self.routability.message
        return tuple(name for name in ROUTES if way is not None and way.after(name) is not None)

    @cached_property
    def compared(self) -> list[Compared]:
        way = self.routability.message
        if way is None:
            return []
        return [
            Compared(one, tuple(one.after(name) for name in self.columns), one is way)
            for one in (way, *self.routability.others)
        ]

    @cached_property
    def lens(self) -> Lens:
        return look(self.shown.message)

    @property
    def glance(self) -> Lens | None:
        """The lens, where looking takes no time worth speaking of."""
        return self.lens if len(self.shown.message.wire) <= GLANCED else None

    @cached_property
    def stretches(self) -> list[Stretch]:
        laid = lay(self.shown.message.wire[:WIRE_LENGTH], self.lens.findings)
        return [Stretch(visible(one.text), one.mark) for one in laid]


def _bar(tally: Tally) -> Bar:
    parts = (tally.detected, tally.silent, tally.harmless)
    return Bar(tally, *(round(100 * one / tally.tested, 2) for one in parts))


def _brief(value: str | None) -> str:
    return "missing" if value is None else value if len(value) <= 120 else f"{value[:119]}…"
