"""Change the text of a query by one click: add or remove a field, or choose a range of time.

What was typed stays as it was typed. Each cut is read again and must mean what was intended; where
it would not, the query is written again from its syntax tree.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from auditlog.findings.finding import DETECTORS
from auditlog.search import terms
from auditlog.search.compile import MAX_WORDS
from auditlog.search.facets import times, write
from auditlog.search.query import (
    MAX_LENGTH,
    Clause,
    Key,
    Many,
    Not,
    QueryError,
    Text,
    Tree,
    find_clauses,
    parse,
)

_AND = re.compile(r'\s*AND(?![^\s()"])')
_LAST_AND = re.compile(r"\s+AND\s*\Z")
_SAMPLE = "x"
Condition = tuple[str, str, bool]
"""The key of a condition, its value, and whether it is excluded."""


class QueryText:
    """A query that can be parsed, and what becomes of it. Raises QueryError otherwise.

    Each change returns the new text, or None if that would be longer than a query may be.
    """

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self._tree = parse(self.text)
        self._every = list(_conditions(self._tree))
        self._known = {(key, fold(value), no) for key, value, no in self._values()}

    @cached_property
    def base(self) -> str | None:
        """What a further condition is appended to; None if no more fit."""
        if not self._every:
            return ""
        expected = write.shape(Many("and", (self._tree, parse(_SAMPLE))))
        for base in (f"{self.text} ", f"({self.text}) "):
            if _means(f"{base}{_SAMPLE}", expected):
                return base
        return None

    def has(self, key: str, value: str, *, excluded: bool = False) -> bool:
        """Return whether every packet that is found must have, or not have, a value."""
        return (key, fold(value), excluded) in self._known

    def chosen(self, key: str) -> list[tuple[str, bool]]:
        """Return the values that the query asks for under a key; whether each is excluded."""
        values = {fold(value): (value, no) for name, value, no in self._values() if name == key}
        return list(values.values())

    def add(self, key: str, value: str) -> str | None:
        return self.append(write.name(key, value)) if _fits(value) else None

    def exclude(self, key: str, value: str) -> str | None:
        """As `add`, for packets without the value. Finds no packets if it is also asked for, so
        that condition goes.
        """
        condition = f"-{write.name(key, value)}"
        if not _fits(value):
            return None
        if not self.has(key, value):
            return self.append(condition)
        rest = self.remove(key, value)
        return None if rest is None else QueryText(rest).append(condition)

    def remove(self, key: str, value: str) -> str | None:
        """Return the query without the conditions for, or against, a value."""
        wanted = (key, fold(value))

        def is_meant(tree: Tree) -> bool:
            found = _read(tree)
            return found is not None and (found[0], fold(found[1])) == wanted

        return self._without(is_meant)

    def without_time(self) -> str | None:
        """Return the query for all times."""
        return self._without(_is_time)

    @property
    def has_time(self) -> bool:
        return any(map(_is_time, self._every))

    @property
    def times(self) -> list[Clause]:
        """Return the conditions on the receive time."""
        return [one for one in self._every if isinstance(one, Clause) and _is_time(one)]

    def _values(self) -> Iterator[Condition]:
        for tree in self._every:
            found = _read(tree)
            if found is not None:
                yield found

    def append(self, condition: str) -> str | None:
        """Return the query with a further condition, as the language writes it."""
        if self.base is None or len(self.base) + len(condition) > MAX_LENGTH:
            return None
        return self.base + condition

    def _without(self, is_meant: Callable[[Tree], bool]) -> str | None:
        rest = [tree for tree in self._every if not is_meant(tree)]
        if len(rest) == len(self._every):
            return self.text
        parts = _cut(self.text, self._tree)
        kept = "".join([text for text, part in parts if not is_meant(part)])
        kept = _LAST_AND.sub("", kept).strip()
        remaining = Many("and", tuple(rest))
        if _means(kept, write.shape(remaining)):
            return kept
        written = write.text(remaining)
        return written if len(written) <= MAX_LENGTH else None


def fold(value: str) -> str:
    """Return what values have in common that the index does not tell apart."""
    return terms.term("", value)


def _fits(value: str) -> bool:
    return len(value.split()) <= MAX_WORDS


def _means(text: str, expected: write.Shape) -> bool:
    try:
        return write.shape(parse(text)) == expected
    except QueryError:
        return False


def _conditions(tree: Tree) -> Iterator[Tree]:
    """Yield what must hold of every packet that is found."""
    if isinstance(tree, Many) and tree.mode == "and":
        for part in tree.parts:
            yield from _conditions(part)
    else:
        yield tree


def _read(tree: Tree) -> Condition | None:
    """Return a condition on one whole value; None for any other."""
    match tree:
        case Clause(Key() as key, Text(text, prefix=False)):
            return _name_key(key, text), text, False
        case Not(Clause(Key() as key, Text(text, prefix=False))):
            return _name_key(key, text), text, True
    return None


def _name_key(key: Key, value: str) -> str:
    """Return the key of the facet that a value is in: ``is:flow`` asks for a finding."""
    name = write.name_key(key)
    return "finding" if name == "is" and terms.fold(value) in DETECTORS else name


def _is_time(tree: Tree) -> bool:
    return (
        isinstance(tree, Clause) and tree.key is not None and write.name_key(tree.key) in times.KEYS
    )


def _cut(text: str, tree: Tree) -> list[tuple[str, Tree]]:
    """Cut a query into the texts of its parts, each with what is around it.

    Between the clauses of two parts are the closing parentheses of the first, an AND, and what the
    second begins with.
    """
    parts: Sequence[Tree] = tree.parts if isinstance(tree, Many) and tree.mode == "and" else (tree,)
    starts = [0]
    for before, after in pairwise(parts):
        end = find_clauses(before)[-1].span.end
        gap = text[end : find_clauses(after)[0].span.start]
        start = end + gap.rfind(")") + 1
        joint = _AND.match(text, start)
        starts.append(joint.end() if joint else start)
    ends = [*starts[1:], len(text)]
    return [(text[start:end], part) for start, end, part in zip(starts, ends, parts, strict=True)]
