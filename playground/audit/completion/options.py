"""Suggestions as the browser needs them: with places in UTF-16 units, and the text in parts."""

from collections.abc import Iterator
from dataclasses import dataclass

from auditlog.search.completion.suggestion import Problem, Suggestion, Suggestions
from cablese import amount
from playground.display.offsets import Places


@dataclass(frozen=True)
class Option:
    """A line of the list. ``begun`` is the part of its label that was typed already."""

    of: Suggestion
    before: str
    begun: str
    after: str
    count: str


@dataclass(frozen=True)
class Options:
    """The list of a query: what each option replaces, and a problem with its place."""

    start: int
    end: int
    options: list[Option]
    problem: Problem | None
    problem_start: int
    problem_end: int

    @property
    def summary(self) -> str:
        """Return what a screen reader announces."""
        number = len(self.options)
        return amount.count(number, "suggestion") if number else "No suggestions"

    @property
    def problem_text(self) -> str:
        """Return the message of the problem, and what to write instead."""
        if self.problem is None:
            return ""
        return " ".join(filter(None, (self.problem.message, self.problem.suggestion)))


def draw(query: str, found: Suggestions) -> Options:
    places = Places(query)
    spans = [found.span, found.problem.span if found.problem else (0, 0)]
    (start, end), (problem_start, problem_end) = places.units(spans)
    options = list(_draw_each(found))
    return Options(start, end, options, found.problem, problem_start, problem_end)


def _draw_each(found: Suggestions) -> Iterator[Option]:
    for one in found.items:
        at = one.label.lower().find(found.typed.lower()) if found.typed else -1
        start, end = (at, at + len(found.typed)) if at >= 0 else (0, 0)
        label = one.label
        yield Option(
            one, label[:start], label[start:end], label[end:], _count(one, exact=found.exact)
        )


def _count(one: Suggestion, *, exact: bool) -> str:
    if one.count is None:
        return ""
    return f"{one.count:,}" if exact else f"≈ {one.count:,}"
