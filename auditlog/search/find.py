"""Answers a query: packets newest first, page by page, and how many there are.

A page goes on below the `seq` where the one before it ended, so that it costs the same anywhere,
and packets that arrive meanwhile shift nothing. Count and clock are those of the first page and
travel in the cursor.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate

from django.core import signing
from django.db import connection
from django.db.models.functions import Length

from auditlog.database import damage
from auditlog.models import Log, Packet
from auditlog.search import keys
from auditlog.search.compile import Scope, compile_query
from auditlog.search.engine import where
from auditlog.search.expression import NEVER, Expression, Phrase, Stretch, all_of, any_of
from auditlog.search.index import MAX_KEYS
from auditlog.search.places import LogPlaces
from auditlog.search.query import Clause, Key, Many, Not, Tree, parse
from auditlog.search.terms import ATTRIBUTE, fold_key
from cablese import registry

COUNTED = 10_000
MAX_LIMIT = 1_000
DECODED = 200_000
"""Bytes of wires that are decoded for one page, as its ``size``: more would take seconds."""
_SALT = "auditlog.search.cursor"
_LOG = "SELECT * FROM auditlog_log WHERE slug = %s"


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
    next: str | None
    count: Count


@dataclass(frozen=True)
class _Place:
    """The content of a cursor: the next page starts below ``seq``."""

    seq: int
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
) -> Page:
    """One page of what a query finds in some logs: each by its slug, or as it was just read.

    Raises QueryError for a query that cannot be answered, CursorError, and UnknownLog. ``limit`` is
    at most MAX_LIMIT. With a ``size``, a page ends before its wires have more bytes, unless it has
    one packet.
    """
    limit = max(1, min(limit, MAX_LIMIT))
    found = _logs(logs)
    slugs = [log.slug for log in found]
    place = _read(cursor, slugs, text) if cursor else None
    expression = _expression(found, parse(text), place.now if place else now)
    universe = any_of([Phrase((f"log={slug}",)) for slug in slugs])
    if place is None:
        seqs = _seqs(expression, universe, COUNTED + 1)
        place = _Place(0, Count(min(len(seqs), COUNTED), exact=len(seqs) <= COUNTED), now)
        seqs = seqs[: limit + 1]
    else:
        seqs = _seqs(all_of([Stretch(None, place.seq), expression]), universe, limit + 1)
    shown = seqs[:limit] if size is None else _within(seqs[:limit], size)
    packets = damage.load(shown)
    following = (
        _write(_Place(shown[-1], place.count, place.now), slugs, text)
        if len(seqs) > len(shown)
        else None
    )
    return Page([packets[seq] for seq in shown if seq in packets], following, place.count)


def _within(seqs: list[int], size: int) -> list[int]:
    """Return the first of ``seqs``: as many as have ``size`` bytes together, and at least one."""
    sizes = dict(Packet.objects.filter(seq__in=seqs).values_list("seq", Length("wire")))
    totals = list(accumulate(sizes.get(seq, 0) for seq in seqs))
    return seqs[: max(1, bisect_right(totals, size))]


def _logs(given: Sequence[Log | str]) -> list[Log]:
    """Return each log once, in the order of their slugs. Raises UnknownLog."""
    found = {log.slug: log for log in given if isinstance(log, Log)}
    asked = {slug for slug in given if isinstance(slug, str)} - found.keys()
    # By hand, because Django takes longer to build this query than a rare word to be found.
    found |= {log.slug: log for slug in asked for log in Log.objects.raw(_LOG, [slug])}
    if missing := asked - found.keys():
        raise UnknownLog(f"Unknown log {', '.join(sorted(missing))}.")
    return [found[slug] for slug in sorted(found)]


def _expression(logs: list[Log], tree: Tree, now: datetime) -> Expression:
    slugs = [log.slug for log in logs] if _asks_wire(tree) else []
    seen, attributes, full = _seen(slugs)
    scope = Scope(
        registry.get_names(),
        seen,
        LogPlaces(logs),
        now,
        full=bool(full - {ATTRIBUTE}),
        attributes=attributes,
        attributes_full=ATTRIBUTE in full,
    )
    return compile_query(tree, scope)


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


def _seen(slugs: list[str]) -> tuple[dict[str, frozenset[str]], frozenset[str], frozenset[str]]:
    """The protocols of every key of a wire seen in these logs, the keys of attributes, and those
    that had more keys than are remembered.
    """
    seen: dict[str, set[str]] = {}
    attributes: set[str] = set()
    full: set[str] = set()
    for slug in slugs:
        with connection.cursor() as cursor:
            cursor.execute("SELECT protocol, key FROM auditlog_searchkey WHERE log = %s", [slug])
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


def _seqs(expression: Expression, universe: Expression, limit: int) -> list[int]:
    if NEVER in (expression, universe):
        return []
    condition = where(expression, universe, connection.vendor)
    with connection.cursor() as cursor:
        select = (
            "SELECT rowid FROM auditlog_search WHERE",
            condition.sql,
            "ORDER BY rowid DESC LIMIT %s",
        )
        cursor.execute(" ".join(select), [*condition.parameters, limit])
        return [seq for (seq,) in cursor.fetchall()]


def _digest(slugs: list[str], text: str) -> str:
    return hashlib.sha256("\0".join([*slugs, text]).encode(errors="surrogatepass")).hexdigest()[:16]


def _write(place: _Place, slugs: list[str], text: str) -> str:
    return signing.dumps(
        [
            place.seq,
            place.count.value,
            place.count.exact,
            place.now.timestamp(),
            _digest(slugs, text),
        ],
        salt=_SALT,
    )


def _read(cursor: str, slugs: list[str], text: str) -> _Place:
    try:
        seq, value, exact, now, digest = signing.loads(cursor, salt=_SALT)
    except signing.BadSignature:
        raise CursorError("Invalid cursor.") from None
    if digest != _digest(slugs, text):
        raise CursorError("This cursor belongs to a different query.")
    return _Place(seq, Count(value, exact), datetime.fromtimestamp(now, UTC))
