"""Pieces of SQL with their parameters, and what the tables beside the index say of packets."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from auditlog.search.engine.alternatives import Alternative
from auditlog.search.expression import (
    AllOf,
    AnyOf,
    Detected,
    Expression,
    Reviewed,
    Without,
    is_text,
)
from auditlog.search.table import LAST_LEAF

_COMMENTED = "commented"
_DECIDES = "{0}.state IN ('reviewed', 'flagged')"
_IN_EFFECT = (
    "NOT EXISTS (SELECT 1 FROM auditlog_review u WHERE u.log_id = {0}.log_id"
    " AND u.packet_leaf = {0}.packet_leaf AND u.undoes = {0}.leaf AND u.leaf < %s)"
)
_NOT_ERASED = (
    "NOT EXISTS (SELECT 1 FROM auditlog_erasure e WHERE e.log_id = {0}.log_id"
    " AND e.packet_leaf = {0}.packet_leaf)"
)
"""Whether a review step, named by its table alias, decides; whether it is not undone; and whether
its packet is not erased.
"""


class Total(NamedTuple):
    """How many packets were counted, and whether that is all of them, up to the limit."""

    number: int
    is_all: bool = True


class Found(NamedTuple):
    """Leaves in the order asked for, and what says how many there are, which it may wait for; both
    up to their limits.
    """

    leaves: list[int]
    total: Callable[[], Total]


class Bounds(NamedTuple):
    """The leaves from ``low`` up to ``high``, which is left out."""

    low: int
    high: int

    @property
    def size(self) -> int:
        return max(0, self.high - self.low)


class Condition(NamedTuple):
    """A piece of SQL, with ``%s`` for each of its parameters."""

    sql: str
    parameters: tuple[str | int, ...]


def join(joint: str, conditions: Iterable[Condition]) -> Condition:
    parts = list(conditions)
    return Condition(
        joint.join([each.sql for each in parts]),
        tuple([given for each in parts for given in each.parameters]),
    )


def combine(expression: Expression, ask: Callable[[Expression], Condition]) -> Condition:
    """Return a condition on rows. ``ask`` gives those of tokens, ranges, and tables."""
    if is_text(expression):
        return ask(expression)
    match expression:
        case Without(part):
            inner = combine(part, ask)
            return Condition(f"NOT ({inner.sql})", inner.parameters)
        case AllOf(parts) | AnyOf(parts):
            joint = " AND " if isinstance(expression, AllOf) else " OR "
            inner = join(joint, [combine(part, ask) for part in parts])
            return Condition(f"({inner.sql})", inner.parameters)
    return ask(expression)


def beside(log_id: int, expression: Reviewed | Detected, bounds: Bounds | None = None) -> Condition:
    """Return what follows SELECT for the leaves that another table names, within some bounds."""
    if isinstance(expression, Detected):
        return _findings(log_id, expression.detector, bounds)
    return _steps(log_id, expression.state, expression.before, bounds)


def among(
    verb: str, log_id: int, expression: Reviewed | Detected, bounds: Bounds | None = None
) -> Condition:
    """Return a condition on leaves: that another table names them (IN) or does not (NOT IN)."""
    named = beside(log_id, expression, bounds)
    return Condition(f"leaf {verb} (SELECT {named.sql})", named.parameters)


def named(log_id: int, way: Alternative, bounds: Bounds) -> Condition:
    """Return a SELECT of the leaves that tables beside the index name, and that alone answers: a
    packet with a review step or a finding has a row in the index.
    """
    first = beside(log_id, way.wanted[0], bounds)
    base = Condition(
        f"SELECT DISTINCT leaf FROM (SELECT {first.sql}) AS named WHERE 1 = 1",  # noqa: S608
        first.parameters,
    )
    others = [among("IN", log_id, one, bounds) for one in way.wanted[1:]]
    unwanted = [among("NOT IN", log_id, one, bounds) for one in way.unwanted]
    return join(" AND ", [base, *others, *unwanted])


def _steps(log_id: int, state: str | None, before: int | None, bounds: Bounds | None) -> Condition:
    """Packets whose newest decision is ``state``, or that have a comment. Steps that are undone, or
    not before a leaf, do not count, nor do those of erased packets.
    """
    end = LAST_LEAF if before is None else before
    steps = Condition(
        "r.packet_leaf AS leaf FROM auditlog_review r WHERE r.log_id = %s AND r.leaf < %s"
        f" AND {_IN_EFFECT.format('r')} AND {_NOT_ERASED.format('r')}",
        (log_id, end, end),
    )
    if bounds is not None:
        steps = join(" AND ", [steps, _within("r.packet_leaf", bounds)])
    if state == _COMMENTED:
        return join(" AND ", [steps, Condition("r.state = %s", (state,))])
    decided = join(" AND ", [steps, Condition(_DECIDES.format("r"), ())])
    if state is None:
        return decided
    newer = Condition(
        "NOT EXISTS (SELECT 1 FROM auditlog_review n WHERE n.log_id = r.log_id"  # noqa: S608
        " AND n.packet_leaf = r.packet_leaf AND n.leaf > r.leaf AND n.leaf < %s"
        f" AND {_DECIDES.format('n')} AND {_IN_EFFECT.format('n')})",
        (end, end),
    )
    return join(" AND ", [decided, Condition("r.state = %s", (state,)), newer])


def _findings(log_id: int, detector: str, bounds: Bounds | None) -> Condition:
    """Packets in which a detector found something."""
    found = Condition(
        "f.leaf AS leaf FROM auditlog_finding f WHERE f.log_id = %s AND f.detector = %s",
        (log_id, detector),
    )
    return found if bounds is None else join(" AND ", [found, _within("f.leaf", bounds)])


def _within(column: str, bounds: Bounds) -> Condition:
    return Condition(f"{column} >= %s AND {column} < %s", bounds)
