"""The Checks panel of a message, and the snippets to copy."""

from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import pairwise
from typing import Any

from django import forms

from playground.display.glyphs import visible
from playground.display.message import WIRE_LENGTH, Shown
from playground.examine.corruption import UNITS, Corruption, Loss, Tally, Unit, corrupt
from playground.examine.injection import Lens, Stretch, lay, look
from playground.examine.routability import ROUTES, Routability, Term, Way, measure
from playground.examine.snippets import LONGEST, Snippet, write

COPY = "copy"
SECTIONS = ("corruption", "routability", "lens")
GLANCED = 4_000
"""Characters of a message that is checked at every keystroke."""
SILENT = 60
"""Silent losses that are listed."""
BESIDE = 12
"""Characters shown before and after a lost part."""


class ExamineForm(forms.Form):
    """The open sections, and what the corruption test drops."""

    examine = forms.MultipleChoiceField(
        choices=[(name, name) for name in (*SECTIONS, COPY)], required=False
    )
    unit = forms.ChoiceField(choices=[(unit, unit) for unit in UNITS], required=False)


class Examination:
    """What the panel says of one message. Each part is computed when a template draws it."""

    def __init__(self, shown: Shown, data: Mapping[str, Any] | None, base: str) -> None:
        self.shown = shown
        self.base = base
        form = ExamineForm(data or {})
        form.is_valid()
        self.opened: list[str] = form.cleaned_data.get("examine", [])
        self.unit: Unit = form.cleaned_data.get("unit") or "tokens"
        self.units = UNITS
        self.longest = LONGEST

    @cached_property
    def snippets(self) -> tuple[Snippet, ...]:
        return write(self.shown.message, self.base)

    @cached_property
    def corruption(self) -> Corruption | None:
        return corrupt(self.shown.message, self.unit, self.shown.tokenizer)

    @property
    def losses(self) -> tuple[Loss, ...]:
        return () if self.corruption is None else self.corruption.losses

    @property
    def tallies(self) -> list[Tally]:
        """Return the tallies of the message and of its JSON, without empty ones."""
        tested = self.corruption
        rows = () if tested is None else (tested.tally, *tested.baselines)
        return [tally for tally in rows if tally.tested]

    @property
    def marked(self) -> Iterator[tuple[str, str]]:
        """Yield the raw text in pieces, each with the outcome of dropping it."""
        wire, at = self.shown.message.wire, 0
        for loss in self.losses:
            if loss.span.start < at:
                continue
            yield visible(wire[at : loss.span.start]), ""
            yield visible(loss.text), loss.outcome
            at = loss.span.end
        yield visible(wire[at : at + WIRE_LENGTH]), ""

    @cached_property
    def silent(self) -> list[tuple[str, str, str, list[tuple[str, str, str]]]]:
        """Return the first silent losses: the text before, the lost text, the text after, and what
        changes.
        """
        losses = [loss for loss in self.losses if loss.outcome == "silent"]
        names = {field.name for field in self.shown.fields}
        return [_around(self.shown.message.wire, loss, names) for loss in losses[:SILENT]]

    @property
    def noticed(self) -> list[tuple[str, int]]:
        """Return the diagnostics that detect losses, the most frequent first."""
        found = Counter(code for loss in self.losses for code in loss.codes)
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:8]

    @cached_property
    def routability(self) -> Routability:
        return measure(self.shown.message, self.shown.tokenizer)

    @property
    def ways(self) -> tuple[Way, ...]:
        """Return the message and the other formats."""
        routes = self.routability
        return () if routes.message is None else (routes.message, *routes.others)

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.ways[0].terms if self.ways else ()

    @cached_property
    def plain(self) -> Way | None:
        return next((way for way in self.ways[1:] if way.key == "json"), None)

    @cached_property
    def lines(self) -> list[tuple[str, Term, int | None]]:
        """Return the terms in the order in which they are known, each with the tokens in JSON."""
        return [
            (_spaced(term.name), term, None if self.plain is None else self.plain.after(term.name))
            for term in sorted(self.terms, key=lambda term: term.after)
        ]

    @property
    def flags(self) -> list[tuple[str, list[str]]]:
        """Return the raw text, cut where a term becomes known, with the names of the terms."""
        wire = self.shown.message.wire
        edges = sorted({0, len(wire), *(term.end for term in self.terms)})
        return [
            (visible(wire[low:high]), [_spaced(one.name) for one in self.terms if one.end == high])
            for low, high in pairwise(edges)
        ]

    @cached_property
    def columns(self) -> list[str]:
        return [name for name in ROUTES if self.ways and self.ways[0].after(name) is not None]

    @property
    def compared(self) -> list[tuple[Way, list[int | None]]]:
        """Return each format with the tokens after which a column is known."""
        return [(way, [way.after(name) for name in self.columns]) for way in self.ways]

    @cached_property
    def lens(self) -> Lens:
        return look(self.shown.message)

    @property
    def glance(self) -> Lens | None:
        """Return the injection check, if it is quick enough for every keystroke."""
        return self.lens if len(self.shown.message.wire) <= GLANCED else None

    @property
    def stretches(self) -> list[Stretch]:
        return lay(self.shown.message.wire[:WIRE_LENGTH], self.lens.findings)


def _around(
    wire: str, loss: Loss, names: AbstractSet[str]
) -> tuple[str, str, str, list[tuple[str, str, str]]]:
    changes = [
        (visible(_name(change.key, names)), _brief(change.before), _brief(change.after))
        for change in loss.changes
    ]
    start, end = loss.span
    before, after = wire[max(start - BESIDE, 0) : start], wire[end : end + BESIDE]
    return visible(before), visible(loss.text[:120]), visible(after), changes


def _name(key: str, names: AbstractSet[str]) -> str:
    """Return the name of a changed value in the raw text: ``g`` for ``slots.g``."""
    inner = key.partition(".")[2]
    return inner if inner in names and key not in names else key


def _brief(value: str | None) -> str:
    if value is None:
        return "missing"
    return visible(value if len(value) <= 120 else f"{value[:119]}…")


def _spaced(name: str) -> str:
    return "ID" if name == "id" else name.replace("_", " ")
