"""A wire in color: runs of characters with the same field, hue, and diagnostics.

Wire, table, sentence, and tokens have the same hue for a field, and the same word that marks it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise

from msgspec import Struct

from cablese import detection, registry
from cablese.message import Field, Message, Span, tiles, worst_of
from playground.display.glyphs import visible, with_glyphs

HUES = 8
FIELDS = 300
DIAGNOSTICS = 200
ROW_LENGTH = 600


class Run(Struct, frozen=True, gc=False):
    """A part of the wire in one color. ``glyph`` is true for an invisible character.

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
    """Return the beginning of a wire in color, for a row."""
    fields = message.fields
    return list(cut_runs(message, fields, hues_of(message, fields), ROW_LENGTH))


def cut_runs(
    message: Message, fields: tuple[Field, ...], hues: dict[str, int], limit: int
) -> Iterator[Run]:
    """Yield the wire up to ``limit`` characters, cut where its color or underline changes."""
    wire = message.wire
    laid = tiles(wire, fields) if fields else ()
    marked = [
        (*visible_span(diagnostic.span, len(wire)), number, diagnostic.severity)
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
            _, until, number, level = waiting.pop()
            over[number] = until, level
        severity = notes = ""
        if over:
            over = {number: entry for number, entry in over.items() if entry[0] > start}
            severity = worst_of({severity for _, severity in over.values()})
            notes = " ".join(map(str, sorted(over)))
        mark, hue = mark_of(field), hues.get(root_of(field))
        kind = tile.kind if tile is not None else "bad"
        for text, glyph in with_glyphs(wire[start:end]):
            yield Run(text, kind, mark, hue, severity, glyph, notes)


def worst(message: Message) -> str:
    """Return the worst severity of a message, or an empty text."""
    if not message.diagnostics:  # True for most, and a list has hundreds.
        return ""
    return worst_of({diagnostic.severity for diagnostic in message.diagnostics})


def hues_of(message: Message, fields: tuple[Field, ...]) -> dict[str, int]:
    """Return a hue for each field name: by its place in the codec's table, so that all messages of
    a protocol agree.
    """
    places = _places_of(message.protocol)
    roots = dict.fromkeys(root_of(field.name) for field in fields if field.name)
    return {root: places.get(root, len(places) + at) % HUES for at, root in enumerate(roots)}


@cache
def _places_of(protocol: str) -> dict[str, int]:
    """Return the place of each field name in a codec's table."""
    if protocol == detection.UNKNOWN:
        return {}
    return {name: at for at, name in enumerate(registry.get(protocol).labels)}


def mark_of(name: str) -> str:
    """Return a field's name as one word, for attributes with several."""
    return name if not name or name.isidentifier() else "␠".join(visible(name).split())


def root_of(name: str) -> str:
    return name.split(".", 1)[0] if name else ""


def extent_of(field: Field) -> Span:
    """Return the span of a field from the start of its name to the end of its value."""
    name = field.name_span or field.span
    return Span(min(name.start, field.span.start), max(name.end, field.span.end))


class Extents:
    """Find which of ``fields`` touch a span, without comparing all of them."""

    def __init__(self, fields: Sequence[Field]) -> None:
        extents = [(extent_of(field), at, field) for at, field in enumerate(fields)]
        extents.sort(key=lambda entry: entry[:2])
        self._places = [(at, field) for _, at, field in extents]
        self._starts = [extent.start for extent, _, _ in extents]
        ends = (max(extent.end, extent.start + 1) for extent, _, _ in extents)
        self._ends = list(accumulate(ends, max))
        """The last end of each field and those before it."""

    def touching(self, span: Span) -> list[Field]:
        """Return the fields that touch ``span``, in their own order."""
        first = bisect_right(self._ends, span.start)
        last = bisect_left(self._starts, max(span.end, span.start + 1))
        touched = (place for place in self._places[first:last] if touches(place[1], span))
        return [field for _, field in sorted(touched, key=lambda place: place[0])]


def columns_of(span: Span) -> str:
    return str(span.start + 1) if span.end <= span.start + 1 else f"{span.start + 1}–{span.end}"


def touches(field: Field, span: Span) -> bool:
    start, end = extent_of(field)
    return start < max(span.end, span.start + 1) and span.start < max(end, start + 1)


def visible_span(span: Span, length: int) -> tuple[int, int]:
    """Return the span, or for an empty one the next character."""
    if span.end > span.start:
        return span
    return (
        (span.start, span.start + 1)
        if span.start < length
        else (max(span.start - 1, 0), span.start)
    )
