"""What an expression holds of, as SELECTs for PostgreSQL that read the index in different ways."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from auditlog.models import Log
from auditlog.search.engine import choices, lexemes, windows
from auditlog.search.engine.alternatives import Alternative
from auditlog.search.engine.condition import Bounds, Condition, among, beside, combine, join, named
from auditlog.search.expression import (
    ALWAYS,
    AllOf,
    AnyOf,
    Detected,
    Expression,
    Phrase,
    Reviewed,
    Stretch,
    all_of,
    is_text,
    phrases,
)
from auditlog.search.table import LAST_LEAF
from auditlog.search.terms import SIGN

Ask = Callable[[Expression, Bounds], Condition]
_SELECT = "SELECT leaf FROM auditlog_search WHERE "
_MATCHES = "terms @@ %s::tsquery"
_MANY = 4
_NOWHERE = Condition("SELECT leaf FROM auditlog_search WHERE false", ())


class Hits:
    """The packets of a log that one of several alternatives holds of. ``alone`` says that there is
    no other log.
    """

    def __init__(self, log: Log, ways: Sequence[Alternative], *, alone: bool) -> None:
        self.log = log
        self.ways = ways
        self.alone = alone
        self.looks = sum(_count_looks(way.text) for way in ways)
        self.has_prefix = any(phrase.prefix for way in ways for phrase in phrases(way.text))

    @property
    def tokens(self) -> list[Phrase]:
        """The tokens of choices that have many."""
        return [phrase for way in self.ways for phrase in choices.list_tokens(way.text)]

    def narrow(self, common: Collection[Phrase]) -> "Hits":
        """Return only the hits with the ``common`` ones of these tokens."""
        ways = [way._replace(text=choices.narrow(way.text, common)) for way in self.ways]
        return Hits(self.log, ways, alone=self.alone)

    def walked(self, bounds: Bounds) -> Condition:
        """Ask every row, in order."""
        return self._union(bounds, self._walked)

    def in_blocks(self, bounds: Bounds) -> Condition:
        """Ask GIN for the blocks of the bounds only."""
        return self._union(bounds, self._in_blocks)

    def anywhere(self, bounds: Bounds) -> Condition:
        """Ask GIN for all logs and leaves. Best for what is rare."""
        return self._union(bounds, self._anywhere)

    def led(self, bounds: Bounds) -> Condition:
        """Look at the rows that another table names. Best if those are few, and the text common."""
        return self._union(bounds, self._walked, lead=True)

    def said(self, bounds: Bounds) -> Condition:
        """Ask every row for the text of the first alternative only."""
        text = self._walked(self.ways[0].text, bounds)
        return Condition(_SELECT + text.sql, text.parameters)

    @property
    def leader(self) -> Reviewed | Detected | None:
        """What every hit must be named by, if there is such a table and also something to ask the
        rows for.
        """
        if len(self.ways) != 1 or self.ways[0].is_named:
            return None
        return next(iter(self.ways[0].wanted), None)

    def _union(self, bounds: Bounds, ask: Ask, *, lead: bool = False) -> Condition:
        asked = [self._select(way, bounds, ask, lead=lead) for way in self.ways]
        found = [one for one in asked if one is not None]
        if len(found) < 2:
            return found[0] if found else _NOWHERE
        return join(" UNION ", [Condition(f"({one.sql})", one.parameters) for one in found])

    def _select(
        self, way: Alternative, window: Bounds, ask: Ask, *, lead: bool
    ) -> Condition | None:
        """Return a SELECT of the leaves of a window that an alternative holds of."""
        high = window.high if way.high is None else min(way.high, window.high)
        bounds = Bounds(max(way.low, window.low), high)
        if not bounds.size:
            return None
        if way.is_named:
            return named(self.log.pk, way, bounds)
        text = self._walked(ALWAYS, bounds) if way.text == ALWAYS else ask(way.text, bounds)
        return join(
            " AND ",
            [
                Condition(_SELECT + text.sql, text.parameters),
                *(self._name(one, bounds, lead=lead) for one in way.wanted),
                *(among("NOT IN", self.log.pk, one, bounds) for one in way.unwanted),
                *(combine(one, lambda part: self._ask(part, bounds)) for one in way.rest),
            ],
        )

    def _name(self, one: Reviewed | Detected, bounds: Bounds, *, lead: bool) -> Condition:
        if not lead:
            return among("IN", self.log.pk, one, bounds)
        # An array is looked up in the order of the key, which reads each page once.
        leaves = beside(self.log.pk, one, bounds)
        return Condition(f"leaf = ANY (ARRAY(SELECT {leaves.sql}))", leaves.parameters)

    def _walked(self, text: Expression, bounds: Bounds) -> Condition:
        key = Condition("log_id = %s AND leaf >= %s AND leaf < %s", (self.log.pk, *bounds))
        return key if text == ALWAYS else join(" AND ", [key, _holds(text)])

    def _in_blocks(self, text: Expression, bounds: Bounds) -> Condition:
        asked, read = _divide(text)
        if not asked:
            return self._walked(text, bounds)
        names = [lexemes.name_block(self.log.pk, *one) for one in windows.cover(bounds)]
        blocks = AnyOf(tuple(Phrase((name,)) for name in names))
        # A query of their own: in one with the rest, GIN would go through all leaves of the blocks,
        # as those are often rarer than the words.
        return self._matched([AllOf((blocks,)), AllOf(tuple(asked))], read, bounds)

    def _anywhere(self, text: Expression, bounds: Bounds) -> Condition:
        asked, read = _divide(text)
        if not asked:
            return self._walked(text, bounds)
        if not (any(map(_is_positive, asked)) and self.alone):
            # GIN needs something to look for, and must not find much that is of other logs.
            asked.insert(0, Phrase((f"{SIGN}log={self.log.slug}",)))
        return self._matched(_separate(all_of(asked)), read, bounds)

    def _matched(
        self, asked: Iterable[Expression], read: Iterable[Expression], bounds: Bounds
    ) -> Condition:
        # Added to nothing, a number can only be compared with: GIN is what is left to search by.
        return join(
            " AND ",
            [
                *map(_matches, asked),
                Condition(
                    "log_id + 0 = %s AND leaf + 0 >= %s AND leaf + 0 < %s", (self.log.pk, *bounds)
                ),
                *map(_holds, read),
            ],
        )

    def _ask(self, expression: Expression, bounds: Bounds) -> Condition:
        """Return a condition on single rows, for what could not be taken apart."""
        if is_text(expression):
            return _holds(expression)
        match expression:
            case Stretch(low, high):
                end = LAST_LEAF if high is None else min(high, LAST_LEAF)
                return Condition("(leaf + 0 >= %s AND leaf + 0 < %s)", (low or 0, end))
            case Reviewed() | Detected():
                return among("IN", self.log.pk, expression, bounds)
        raise AssertionError(expression)


@lru_cache(maxsize=32)  # a search asks for its text again and again
def _holds(text: Expression) -> Condition:
    """Return a condition that no index answers, unlike the operator ``@@``."""
    return Condition("ts_match_vq(terms, %s::tsquery)", (lexemes.render(choices.group(text)),))


def _matches(text: Expression) -> Condition:
    """Return a condition that GIN answers."""
    if isinstance(text, AnyOf) and len(text.parts) > 1:
        some = join(" OR ", [Condition(_MATCHES, (lexemes.render(part),)) for part in text.parts])
        return Condition(f"({some.sql})", some.parameters)
    return Condition(_MATCHES, (lexemes.render(text),))


def _divide(text: Expression) -> tuple[list[Expression], list[Expression]]:
    """Return parts that must all hold: those to ask GIN, and those to read from the rows.

    That a packet has none of many tokens is read: GIN would look for each of them in every packet.
    Of a phrase, GIN is asked only for the pairs, if there are several: its words are in many more
    packets.
    """
    asked: list[Expression] = []
    read: list[Expression] = []
    for part in text.parts if isinstance(text, AllOf) else (text,):
        if pairs := _list_pairs(part):
            asked += pairs
            read.append(part)
        elif not _is_positive(part) and _count_looks(part) > _MANY:
            read.append(part)
        else:
            asked.append(part)
    return asked, read


def _list_pairs(part: Expression) -> list[Phrase]:
    """Return the pairs of a phrase in which all words are in pairs, and that has several."""
    if not isinstance(part, Phrase) or part.prefix or len(part.tokens) < 3:
        return []
    names = lexemes.name_pairs(" ".join(part.tokens))
    return [Phrase((name,)) for name in names] if len(names) == len(part.tokens) - 1 else []


@lru_cache(maxsize=32)
def _count_looks(text: Expression) -> float:
    return choices.count_looks(choices.group(text))


def _separate(text: Expression) -> list[Expression]:
    """Return parts that must all hold, each to be asked on its own.

    GIN looks at each word of a query for every hit of any. So a range of numbers, which is many
    prefixes, and a choice beside other words are asked as queries whose hits PostgreSQL puts
    together.
    """
    parts = text.parts if isinstance(text, AllOf) else (text,)
    some = [part for part in parts if isinstance(part, AnyOf)]
    others = [part for part in parts if part not in some]
    if not others and len(some) == 1 and len(some[0].parts) <= _MANY:
        return [AllOf((text,))]
    return [AllOf(tuple(others)), *some] if others else list(some)


def _is_positive(expression: Expression) -> bool:
    """Return whether each of its packets has a token that it names."""
    match expression:
        case Phrase():
            return True
        case AllOf(parts):
            return any(map(_is_positive, parts))
        case AnyOf(parts):
            return bool(parts) and all(map(_is_positive, parts))
    return False
