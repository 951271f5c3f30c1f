"""A wire in color: stretches that agree in field, hue and diagnostics.

Wire, table, sentence and tokens agree on a field's hue and on the word that marks it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from cablese import detection, registry
from cablese.message import Field, Message, Span, tiles, worst_of
from playground.display.glyphs import visible, with_glyphs

HUES = 8
FIELDS = 300
DIAGNOSTICS = 200
ROW_LENGTH = 600


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of wire in one color. ``glyph`` stands for a character that cannot be seen.

    ``notes`` are the numbers, from 1, of the diagnostics that mark it.
    """

    text: str
    kind: str
    field: str = ""
    hue: int | None = None
    severity: str = ""
    glyph: bool = False
    notes: str = ""


def brief_runs(message: Message) -> list[Run]:
    """The beginning of a wire in color, for a row."""
    fields = message.fields
    return list(cut_runs(message, fields, hues_of(message, fields), ROW_LENGTH))


def cut_runs(
    message: Message, fields: tuple[Field, ...], hues: dict[str, int], limit: int
) -> Iterator[Run]:
    """The wire up to ``limit`` characters, cut wherever its color or its underline changes."""
    wire = message.wire
    laid = tiles(wire, fields) if fields else ()
    marked = [
        (*seen_at(diagnostic.span, len(wire)), number, diagnostic.severity)
        for number, diagnostic in enumerate(message.diagnostics[:DIAGNOSTICS], 1)
    ]
    edges = {0, min(len(wire), limit)}
    edges.update(at for start, end, _, _ in marked for at in (start, end) if at < limit)
    edges.update(tile.span.start for tile in laid if tile.span.start < limit)
    tile_starts = [tile.span.start for tile in laid]
    waiting = sorted(marked, reverse=True)
    over: dict[int, tuple[int, str]] = {}
    for start, end in pairwise(sorted(edges)):
        tile = laid[bisect_right(tile_starts, start) - 1] if laid else None
        field = fields[tile.field].name if tile is not None and tile.field is not None else ""
        while waiting and waiting[-1][0] <= start:
            _, until, number, found = waiting.pop()
            over[number] = until, found
        severity = notes = ""
        if over:
            over = {number: found for number, found in over.items() if found[0] > start}
            severity = worst_of({severity for _, severity in over.values()})
            notes = " ".join(map(str, sorted(over)))
        mark, hue = mark_of(field), hues.get(root_of(field))
        kind = tile.kind if tile is not None else "bad"
        for text, glyph in with_glyphs(wire[start:end]):
            yield Run(text, kind, mark, hue, severity, glyph, notes)


def worst(message: Message) -> str:
    """Return the worst severity of a message, or an empty text."""
    if not message.diagnostics:  # as most, and a list asks for hundreds
        return ""
    return worst_of({one.severity for one in message.diagnostics})


def hues_of(message: Message, fields: tuple[Field, ...]) -> dict[str, int]:
    """A hue for each field name: by its place in the codec's table, so that all messages of a
    protocol agree.
    """
    known = (
        list(registry.get(message.protocol).labels) if message.protocol != detection.UNKNOWN else []
    )
    places = {name: at for at, name in enumerate(known)}
    roots = dict.fromkeys(root_of(field.name) for field in fields if field.name)
    return {root: places.get(root, len(places) + at) % HUES for at, root in enumerate(roots)}


def mark_of(name: str) -> str:
    """A field's name as one word, for attributes that list several."""
    return name if name.isidentifier() else "␠".join(visible(name).split())


def root_of(name: str) -> str:
    return name.split(".", 1)[0] if name else ""


def extent_of(field: Field) -> Span:
    """A field from the beginning of its name to the end of its value."""
    name = field.name_span or field.span
    return Span(min(name.start, field.span.start), max(name.end, field.span.end))


class Extents:
    """Which of ``fields`` touch a span, without looking at all of them for every span."""

    def __init__(self, fields: Sequence[Field]) -> None:
        found = [(extent_of(field), at, field) for at, field in enumerate(fields)]
        found.sort(key=lambda one: one[:2])
        self._places = [(at, field) for _, at, field in found]
        self._starts = [extent.start for extent, _, _ in found]
        ends = (max(extent.end, extent.start + 1) for extent, _, _ in found)
        self._ends = list(accumulate(ends, max))
        """How far each field, or one before it, reaches."""

    def touching(self, span: Span) -> list[Field]:
        """The fields that touch ``span``, in their own order."""
        first = bisect_right(self._ends, span.start)
        last = bisect_left(self._starts, max(span.end, span.start + 1))
        near = (place for place in self._places[first:last] if touches(place[1], span))
        return [field for _, field in sorted(near, key=lambda place: place[0])]


def columns_of(span: Span) -> str:
    return str(span.start + 1) if span.end <= span.start + 1 else f"{span.start + 1}–{span.end}"


def touches(field: Field, span: Span) -> bool:
    start, end = extent_of(field)
    return start < max(span.end, span.start + 1) and span.start < max(end, start + 1)


def seen_at(span: Span, length: int) -> tuple[int, int]:
    """A span that has no width is shown on the character beside it."""
    if span.end > span.start:
        return span
    return (
        (span.start, span.start + 1)
        if span.start < length
        else (max(span.start - 1, 0), span.start)
    )
