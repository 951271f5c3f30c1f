"""The bill by field: which part of a message its tokens pay for.

A token is charged to the field in which it begins; one that begins in a separator, to the field
that follows. What begins in a separator behind the last field is the rest. Nothing is shared out or
rounded: the lines and the rest add up to the count of the message.

    REQ/TSK|g=42    act: REQ    frame: / TS K (one of them begins in a separator)    g: | g = 42 (two do)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from msgspec import Struct

from cablese import tokens
from cablese.message import Field, Message, tiles

LONGEST = 128 * 1024
"""Characters of a message that gets a bill: it is made anew at every keystroke."""


class Line(Struct, frozen=True):
    """What one field costs, with everything inside it. ``separators`` of its ``tokens`` begin in a
    separator.

    ``names`` are the fields that the line stands for, as the wire has them; a ``field`` without a
    name could not be read.
    """

    field: str
    names: tuple[str, ...]
    tokens: int
    separators: int


class Bill(Struct, frozen=True):
    """The lines in the order of the wire. ``separators`` counts every token that begins in one, the
    rest among them.
    """

    count: int
    exact: bool
    lines: tuple[Line, ...]
    rest: int
    separators: int


def make(message: Message, tokenizer: str) -> Bill | None:
    """The bill of a message; None when it is longer than ``LONGEST``. Raises UnknownTokenizer."""
    if len(message.wire) > LONGEST:
        return None
    fields = message.fields
    laid = tiles(message.wire, fields)
    edges = [tile.span.start for tile in laid]
    follows = _Following(fields)
    spent: dict[str, list[int]] = {}
    names: dict[str, dict[str, None]] = {}
    rest = 0
    for place in tokens.starts(message.wire, tokenizer):
        tile = laid[bisect_right(edges, place) - 1]
        owner = follows.find(place) if tile.field is None else tile.field
        if owner is None:
            rest += 1
            continue
        name = fields[owner].name
        line = spent.setdefault(get_root(name), [0, 0])
        line[0] += 1
        line[1] += tile.field is None
        names.setdefault(get_root(name), {})[name] = None
    lines = tuple(Line(root, tuple(names[root]), *numbers) for root, numbers in spent.items())
    return _close(lines, rest, exact=tokens.count(message.wire, tokenizer).exact)


def add(bills: Iterable[Bill]) -> Bill:
    """One bill for many messages: what a field costs in all of them together."""
    spent: dict[str, list[int]] = {}
    names: dict[str, dict[str, None]] = {}
    rest, exact = 0, True
    for one in bills:
        rest, exact = rest + one.rest, exact and one.exact
        for line in one.lines:
            total = spent.setdefault(line.field, [0, 0])
            total[0] += line.tokens
            total[1] += line.separators
            names.setdefault(line.field, {}).update(dict.fromkeys(line.names))
    return _close(
        tuple(Line(root, tuple(names[root]), *spent[root]) for root in spent), rest, exact=exact
    )


def get_root(name: str) -> str:
    """The field of a message that ``name`` lies in: ``ctx`` of ``ctx.loc``."""
    return name.split(".", 1)[0]


class _Following:
    """Which field follows a place. One without any characters counts too: the ``=`` of ``@=`` is
    its own.
    """

    def __init__(self, fields: tuple[Field, ...]) -> None:
        begins = [
            (span.start, at)
            for at, one in enumerate(fields)
            for span in (one.name_span, one.span)
            if span
        ]
        self.begins = sorted(begins)

    def find(self, place: int) -> int | None:
        at = bisect_left(self.begins, (place, 0))
        return self.begins[at][1] if at < len(self.begins) else None


def _close(lines: tuple[Line, ...], rest: int, *, exact: bool) -> Bill:
    between = sum(line.separators for line in lines) + rest
    return Bill(sum(line.tokens for line in lines) + rest, exact, lines, rest, between)
