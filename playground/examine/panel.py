"""The Checks panel of a message, and the snippets to copy."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import pairwise
from typing import Any

from django import forms

from auditlog.findings.injection import Finding, Lens, check
from auditlog.findings.signs import Severity
from playground.display.glyphs import visible
from playground.display.message import WIRE_LENGTH, FullMessage
from playground.examine.corruption import UNITS, Loss, Unit, corrupt
from playground.examine.routability import ROUTES, measure
from playground.examine.snippets import LONGEST, Snippet, write

COPY = "copy"
SECTIONS = ("corruption", "routability", "lens")
GLANCED = 4_000
"""Characters of a message that is checked at every keystroke."""
SILENT = 60
"""Silent losses that are listed."""
CONTEXT = 12
"""Characters shown before and after a lost part."""


class ExamineForm(forms.Form):
    """The open sections, and what the corruption test drops."""

    examine = forms.MultipleChoiceField(
        choices=[(name, name) for name in (*SECTIONS, COPY)], required=False
    )
    unit = forms.ChoiceField(choices=[(unit, unit) for unit in UNITS], required=False)


class Examination:
    """The panel of one message. Each part is computed when a template draws it."""

    def __init__(self, shown: FullMessage, data: Mapping[str, Any] | None, base: str) -> None:
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

    @property
    def corruption(self) -> dict[str, Any] | None:
        """Return the corruption test; None without a protocol. ``noticed`` are the diagnostics that
        detect losses, the most frequent first.
        """
        result = corrupt(self.shown.message, self.unit, self.shown.tokenizer)
        if result is None:
            return None
        wire, names = self.shown.message.wire, {field.name for field in self.shown.fields}
        silent = [loss for loss in result.losses if loss.outcome == "silent"]
        codes = Counter(code for loss in result.losses for code in loss.codes)
        return {
            "result": result,
            "tallies": [tally for tally in (result.tally, *result.baselines) if tally.tested],
            "marked": _mark(wire, result.losses),
            "silent": [_around(wire, loss, names) for loss in silent[:SILENT]],
            "noticed": sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))[:8],
        }

    @property
    def routability(self) -> dict[str, Any]:
        """Return when each term is known: ``lines`` in that order, each with the tokens in JSON;
        ``flags`` along the raw text; ``compared`` for some terms in each format.
        """
        wire, result = self.shown.message.wire, measure(self.shown.message, self.shown.tokenizer)
        if result.message is None:
            return {"result": result}
        plain = next((way for way in result.others if way.key == "json"), None)
        terms, after = result.message.terms, result.message.after
        columns = [name for name in ROUTES if after(name) is not None]
        edges = sorted({0, len(wire), *(term.end for term in terms)})
        return {
            "result": result,
            "plain": plain,
            "lines": [
                (_spaced(term.name), term, plain and plain.after(term.name))
                for term in sorted(terms, key=lambda term: term.after)
            ],
            "flags": [
                (
                    visible(wire[low:high]),
                    [_spaced(term.name) for term in terms if term.end == high],
                )
                for low, high in pairwise(edges)
            ],
            "columns": columns,
            "compared": [
                (way, [way.after(name) for name in columns])
                for way in (result.message, *result.others)
            ],
        }

    @cached_property
    def lens(self) -> Lens:
        return check(self.shown.message)

    @property
    def glance(self) -> Lens | None:
        """Return the injection check, if it is quick enough for every keystroke."""
        return self.lens if len(self.shown.message.wire) <= GLANCED else None

    @property
    def annotated(self) -> Iterator[tuple[str, str]]:
        return annotate(self.shown.message.wire[:WIRE_LENGTH], self.lens.findings)


def _mark(wire: str, losses: Sequence[Loss]) -> Iterator[tuple[str, str]]:
    """Yield the raw text in parts, each with the outcome of dropping it."""
    at = 0
    for loss in losses:
        if loss.span.start < at:
            continue
        yield visible(wire[at : loss.span.start]), ""
        yield visible(loss.text), loss.outcome
        at = loss.span.end
    yield visible(wire[at : at + WIRE_LENGTH]), ""


def _around(
    wire: str, loss: Loss, names: AbstractSet[str]
) -> tuple[str, str, str, list[tuple[str, str, str]]]:
    changes = [
        (visible(_name(change.key, names)), _brief(change.before), _brief(change.after))
        for change in loss.changes
    ]
    start, end = loss.span
    before, after = wire[max(start - CONTEXT, 0) : start], wire[end : end + CONTEXT]
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


def annotate(wire: str, findings: tuple[Finding, ...]) -> Iterator[tuple[str, str]]:
    """Yield the wire, cut where findings begin and end, each part with its severity. A value marked
    because of its escapes is ``around``.
    """
    edges = sorted(
        {0, len(wire), *(at for finding in findings for at in finding.span if at <= len(wire))}
    )
    for start, end in pairwise(edges):
        over = [finding for finding in findings if finding.span.start <= start < finding.span.end]
        exact = {
            finding.severity
            for finding in over
            if wire[slice(*finding.span)].startswith(finding.shown)
        }
        yield wire[start:end], _strongest(exact) if exact else "around" if over else ""


def _strongest(severities: set[Severity]) -> Severity:
    return "warning" if "warning" in severities else "info"
