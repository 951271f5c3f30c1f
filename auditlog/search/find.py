"""Answer a query: packets newest first, page by page, and how many there are.

In each log, a page continues below the leaf where the page before it ended, so that it costs the
same anywhere, and packets that arrive meanwhile shift nothing. The packets of several logs are
merged by (received, log, leaf). Count and clock are those of the first page and travel in the
cursor.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from heapq import merge
from itertools import accumulate, islice

from django.core import signing
from django.db import connection
from django.db.models.functions import Length

from auditlog.database import damage
from auditlog.models import Log, Packet
from auditlog.search import engine, keys
from auditlog.search.compile import Scope, compile_query
from auditlog.search.expression import Expression, Stretch, all_of, is_of_findings
from auditlog.search.index import MAX_KEYS
from auditlog.search.language import named_logs
from auditlog.search.places import LogPlaces
from auditlog.search.query import Clause, Key, Many, Not, Tree, parse
from auditlog.search.saved.pin import BadPin, Pin
from auditlog.search.table import LAST_LEAF
from auditlog.search.terms import ATTRIBUTE, fold_key
from cablese import registry

COUNTED = 10_000
MAX_LIMIT = 1_000
PATIENCE = 0.03
"""Seconds for which pages of results are counted. Nearly all counts take less."""
DECODED = 200_000
"""Bytes of wires that are decoded for one page, as its ``size``: more would take seconds."""
_SALT = "auditlog.search.cursor"


class CursorError(ValueError):
    """The cursor is invalid, or belongs to a different query."""


class UnknownLog(LookupError):
    """A log with this name does not exist."""


@dataclass(frozen=True)
class Count:
    """The number of packets; at least ``value`` if it is not exact."""

    value: int
    exact: bool


@dataclass(frozen=True)
class Page:
    """Packets, newest first, the cursor of the page after it if there is one, and the count of all
    pages.
    """

    rows: list[Packet]
    of_findings: bool
    """Whether findings decide what is found. Newer detectors make them again."""
    counting: Callable[[], Count]
    following: Callable[[Count], str] | None

    @cached_property
    def count(self) -> Count:
        """Wait until the packets are counted. Read it after the rows are drawn."""
        return self.counting()

    @cached_property
    def next(self) -> str | None:
        """Wait for the count as well, which the cursor contains."""
        return self.following(self.count) if self.following else None


@dataclass(frozen=True)
class _Place:
    """The content of a cursor: by the slug of each log, the leaf below which the next page
    continues.
    """

    below: Mapping[str, int]
    count: Count
    now: datetime


def find(
    logs: Sequence[Log | str],
    text: str,
    *,
    limit: int = 50,
    size: int | None = None,
    cursor: str | None = None,
    now: datetime,
    pin: Pin | None = None,
    patience: float | None = None,
) -> Page:
    """Return one page of what a query finds in some logs: each by its slug, or as it was just read.
    With a ``pin``, it is what the query found in its one log at that size.

    Raises QueryError for a query that cannot be answered, CursorError, UnknownLog, and BadPin.
    ``limit`` is at most MAX_LIMIT. With a ``size``, a page ends before its wires have more bytes,
    unless it has one packet. With ``patience``, the packets are counted for so many seconds at
    most; then there are at least so many.
    """
    limit = max(1, min(limit, MAX_LIMIT))
    found = _logs(logs)
    if pin is not None:
        now = _pinned(found, pin)
    slugs = [log.slug for log in found]
    asked = text if pin is None else f"{pin.size}\0{text}"
    place = _read(cursor, slugs, asked) if cursor else None
    expressions = _expressions(found, parse(text), place.now if place else now, pin)
    if place is None:
        leaves, counting = _begin(expressions, limit, patience)
    else:
        leaves, counting = _continue(expressions, place, limit)
        now = place.now
    keys = _merge(leaves, limit + 1)
    shown = keys[:limit] if size is None else _within(keys[:limit], size)
    packets = damage.load(shown)
    more = partial(_write, _below(found, shown, place), now, slugs, asked)
    rows = [packets[key] for key in shown if key in packets]
    of_findings = any(map(is_of_findings, expressions.values()))
    return Page(rows, of_findings, counting, more if len(keys) > len(shown) else None)


def _pinned(logs: Sequence[Log], pin: Pin) -> datetime:
    """Return the time of a pinned search. Raises BadPin."""
    if len(logs) != 1:
        raise BadPin(f"at applies to one log. This search has {len(logs)}.")
    return pin.received


def _begin(
    expressions: Mapping[Log, Expression], limit: int, patience: float | None
) -> tuple[dict[Log, list[int]], Callable[[], Count]]:
    """Return the leaves of the first page, one more, and what waits for the count."""
    found = {
        log: engine.find(log, expression, limit + 1, counted=COUNTED + 1, patience=patience)
        for log, expression in expressions.items()
    }

    def count() -> Count:
        totals = [one.total() for one in found.values()]
        number = sum(total.number for total in totals)
        is_all = all(total.is_all for total in totals)
        return Count(min(number, COUNTED), exact=is_all and number <= COUNTED)

    return {log: one.leaves for log, one in found.items()}, count


def _continue(
    expressions: Mapping[Log, Expression], place: _Place, limit: int
) -> tuple[dict[Log, list[int]], Callable[[], Count]]:
    """Return the leaves of a later page, one more to tell whether it is the last, and the count."""
    leaves = {
        log: _leaves(log, all_of([Stretch(None, place.below[log.slug]), expression]), limit + 1)
        for log, expression in expressions.items()
    }
    return leaves, lambda: place.count


def check(log: Log, text: str, *, now: datetime, pin: Pin | None = None) -> None:
    """Raises QueryError for a query that cannot be answered in a log."""
    _expressions([log], parse(text), pin.received if pin else now, pin)


def find_beside(
    packet: Packet, text: str, *, now: datetime, pin: Pin | None = None
) -> tuple[Packet | None, Packet | None]:
    """Return the next newer and the next older packet that a query finds in the log of a packet,
    which it need not find itself. Raises QueryError.
    """
    log = packet.log
    now = now if pin is None else pin.received
    ((_, expression),) = _expressions([log], parse(text), now, pin).items()
    above = all_of([Stretch(packet.leaf + 1, None), expression])
    below = all_of([Stretch(None, packet.leaf), expression])
    newer, older = _leaves(log, above, 1, oldest_first=True), _leaves(log, below, 1)
    found = damage.load([(log.pk, leaf) for leaf in (*newer, *older)])
    sides = [found.get((log.pk, leaves[0])) if leaves else None for leaves in (newer, older)]
    return sides[0], sides[1]


def find_leaves(log: Log, text: str, *, size: int, now: datetime, limit: int) -> list[int]:
    """Return the leaves of the newest packets that a query found when the log had ``size`` leaves,
    newest first. Review steps count only up to that size. Raises QueryError.
    """
    (expression,) = _expressions([log], parse(text), now, Pin(size, now)).values()
    return _leaves(log, expression, limit)


def find_following(
    log: Log, text: str, *, after: int, size: int, now: datetime, limit: int
) -> list[int]:
    """Return the leaves of the oldest packets after a leaf that a query found when the log had
    ``size`` leaves, oldest first. Raises QueryError.
    """
    (expression,) = _expressions([log], parse(text), now, Pin(size, now)).values()
    rest = all_of([Stretch(after + 1, None), expression])
    return _leaves(log, rest, limit, oldest_first=True)


def _merge(leaves: Mapping[Log, list[int]], limit: int) -> list[damage.Key]:
    """Return the newest of the leaves of several logs, which are newest first in each."""
    if len(leaves) == 1:
        ((log, only),) = leaves.items()
        return [(log.pk, leaf) for leaf in only[:limit]]
    streams = [_received(log, some[:limit]) for log, some in leaves.items()]
    merged = merge(*streams, reverse=True)
    return [(log_id, leaf) for _, log_id, leaf in islice(merged, limit)]


def _received(log: Log, leaves: list[int]) -> Iterator[tuple[datetime, int, int]]:
    """Yield each leaf with the time when its packet was received and its log's ID."""
    packets = Packet.objects.filter(log=log, leaf__in=leaves)
    times = dict(packets.values_list("leaf", "received"))
    return ((times[leaf], log.pk, leaf) for leaf in leaves if leaf in times)


def _below(
    logs: Sequence[Log], shown: Sequence[damage.Key], place: _Place | None
) -> dict[str, int]:
    """Return where the next page continues in each log."""
    last = dict(shown)
    before = place.below if place else {}
    return {log.slug: last.get(log.pk, before.get(log.slug, LAST_LEAF)) for log in logs}


def _within(keys: list[damage.Key], size: int) -> list[damage.Key]:
    """Return the first of ``keys``: as many as have ``size`` bytes together, and at least one."""
    sizes: dict[damage.Key, int] = {}
    for log_id in {log_id for log_id, _ in keys}:
        leaves = [leaf for owner, leaf in keys if owner == log_id]
        packets = Packet.objects.filter(log_id=log_id, leaf__in=leaves)
        for leaf, length in packets.values_list("leaf", Length("wire")):
            sizes[log_id, leaf] = length
    totals = list(accumulate(sizes.get(key, 0) for key in keys))
    return keys[: max(1, bisect_right(totals, size))]


def _logs(given: Sequence[Log | str]) -> list[Log]:
    """Return each log once, in the order of their slugs. Raises UnknownLog."""
    found = {log.slug: log for log in given if isinstance(log, Log)}
    requested = {slug for slug in given if isinstance(slug, str)} - found.keys()
    if requested:
        logs = Log.objects.select_related("end").filter(slug__in=requested)
        found |= {log.slug: log for log in logs}
    if missing := requested - found.keys():
        raise UnknownLog(f"Unknown log {', '.join(sorted(missing))}.")
    return [found[slug] for slug in sorted(found)]


def _expressions(
    logs: list[Log], tree: Tree, now: datetime, pin: Pin | None = None
) -> dict[Log, Expression]:
    """Return the expression of a query for each log: a time is at other leaves in each. With a
    ``pin``, it holds only of packets among so many leaves.
    """
    named_logs.check(tree, {log.slug for log in logs})
    seen, attributes, full = _seen(logs if _asks_wire(tree) else [])
    expressions = {
        log: compile_query(
            tree,
            Scope(
                registry.get_names(),
                seen,
                LogPlaces(log),
                now,
                full=bool(full - {ATTRIBUTE}),
                attributes=attributes,
                attributes_full=ATTRIBUTE in full,
                size=pin.size if pin else None,
            ),
        )
        for log in logs
    }
    if pin is None:
        return expressions
    within = Stretch(None, pin.size)
    return {log: all_of([within, expression]) for log, expression in expressions.items()}


def _asks_wire(tree: Tree) -> bool:
    """Return whether a key of the query can be a field of the wire."""
    match tree:
        case Clause(None):
            return False
        case Clause(Key(name)):
            term = keys.get_term(fold_key(name))
            return term is None or term.kind == "has"
        case Not(part):
            return _asks_wire(part)
        case Many(_, parts):
            return any(map(_asks_wire, parts))
    raise AssertionError(tree)


def _seen(logs: list[Log]) -> tuple[dict[str, frozenset[str]], frozenset[str], frozenset[str]]:
    """The protocols of every key of a wire seen in these logs, the keys of attributes, and those
    that had more keys than are remembered.
    """
    seen: dict[str, set[str]] = {}
    attributes: set[str] = set()
    full: set[str] = set()
    for log in logs:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT protocol, key FROM auditlog_searchkey WHERE log_id = %s", [log.pk]
            )
            numbers: dict[str, int] = {}
            for protocol, key in cursor.fetchall():
                if protocol == ATTRIBUTE:
                    attributes.add(key)
                else:
                    seen.setdefault(key, set()).add(protocol)
                numbers[protocol] = numbers.get(protocol, 0) + 1
            full |= {protocol for protocol, number in numbers.items() if number >= MAX_KEYS}
    return (
        {key: frozenset(protocols) for key, protocols in seen.items()},
        frozenset(attributes),
        frozenset(full),
    )


def _leaves(
    log: Log, expression: Expression, limit: int, *, oldest_first: bool = False
) -> list[int]:
    """Return the leaves of a log that an expression holds of, newest first by default."""
    return engine.find(log, expression, limit, oldest_first=oldest_first).leaves


def _digest(slugs: list[str], text: str) -> str:
    return hashlib.sha256("\0".join([*slugs, text]).encode(errors="surrogatepass")).hexdigest()[:16]


def _write(
    below: Mapping[str, int], now: datetime, slugs: list[str], text: str, count: Count
) -> str:
    return signing.dumps(
        [
            [below[slug] for slug in slugs],
            count.value,
            count.exact,
            now.timestamp(),
            _digest(slugs, text),
        ],
        salt=_SALT,
    )


def _read(cursor: str, slugs: list[str], text: str) -> _Place:
    try:
        below, value, exact, now, digest = signing.loads(cursor, salt=_SALT)
    except signing.BadSignature:
        raise CursorError("Invalid cursor.") from None
    if digest != _digest(slugs, text):
        raise CursorError("This cursor belongs to a different query.")
    place = dict(zip(slugs, below, strict=True))
    return _Place(place, Count(value, exact), datetime.fromtimestamp(now, UTC))
