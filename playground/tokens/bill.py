"""Tokens by field.

A token counts for the field in which it starts; one that starts with a separator, for the field
that follows. After the last field, it counts for the rest. Nothing is split or rounded: the lines
and the rest add up to the count of the message.

    REQ/TSK|g=42    act: REQ    frame: / TS K (one starts with a separator)    g: | g = 42 (two)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from msgspec import Struct

from cablese import tokens
from cablese.message import Field, Message, tiles

LONGEST = 128 * 1024
"""Longest message, in characters: the bill is made at every keystroke."""


class Line(Struct, frozen=True):
    """Tokens of one field and everything in it; ``separators`` of them start with a separator.

    ``names`` are the fields of the line, as on the wire. A ``field`` without a name could not be
    decoded.
    """

    field: str
    names: tuple[str, ...]
    tokens: int
    separators: int


class Bill(Struct, frozen=True):
    """The lines in wire order; ``separators`` counts all tokens that start with one."""

    count: int
    exact: bool
    lines: tuple[Line, ...]
    rest: int
    separators: int


def make(message: Message, tokenizer: str) -> Bill | None:
    """Count by field; None if longer than ``LONGEST``. Raises UnknownTokenizer."""
    if len(message.wire) > LONGEST:
        return None
    fields = message.fields
    laid = tiles(message.wire, fields)
    edges = [tile.span.start for tile in laid]
    follows = _Following(fields)
    counts: dict[str, list[int]] = {}
    names: dict[str, dict[str, None]] = {}
    rest = 0
    for place in tokens.starts(message.wire, tokenizer):
        tile = laid[bisect_right(edges, place) - 1]
        owner = follows.find(place) if tile.field is None else tile.field
        if owner is None:
            rest += 1
            continue
        name = fields[owner].name
        line = counts.setdefault(get_root(name), [0, 0])
        line[0] += 1
        line[1] += tile.field is None
        names.setdefault(get_root(name), {})[name] = None
    lines = tuple(Line(root, tuple(names[root]), *numbers) for root, numbers in counts.items())
    return _close(lines, rest, exact=tokens.count(message.wire, tokenizer).exact)


def add(bills: Iterable[Bill]) -> Bill:
    """Add the bills of many messages."""
    counts: dict[str, list[int]] = {}
    names: dict[str, dict[str, None]] = {}
    rest, exact = 0, True
    for bill in bills:
        rest, exact = rest + bill.rest, exact and bill.exact
        for line in bill.lines:
            total = counts.setdefault(line.field, [0, 0])
            total[0] += line.tokens
            total[1] += line.separators
            names.setdefault(line.field, {}).update(dict.fromkeys(line.names))
    return _close(
        tuple(Line(root, tuple(names[root]), *counts[root]) for root in counts), rest, exact=exact
    )


def get_root(name: str) -> str:
    """Return the top-level field of ``name``: ``ctx`` for ``ctx.loc``."""
    return name.split(".", 1)[0]


class _Following:
    """Find the next field after a place, even an empty one: the ``=`` of ``@=`` belongs to it."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        begins = [
            (span.start, at)
            for at, field in enumerate(fields)
            for span in (field.name_span, field.span)
            if span
        ]
        self.begins = sorted(begins)

    def find(self, place: int) -> int | None:
        at = bisect_left(self.begins, (place, 0))
        return self.begins[at][1] if at < len(self.begins) else None


def _close(lines: tuple[Line, ...], rest: int, *, exact: bool) -> Bill:
    between = sum(line.separators for line in lines) + rest
    return Bill(sum(line.tokens for line in lines) + rest, exact, lines, rest, between)
