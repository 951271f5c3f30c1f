"""Segments of a log: within each, receive times rise; from one to the next they can fall.

A log whose newest leaf is in the future is useless until then. When a person confirms that the
machine's clock is right, a `clock` leaf begins a segment, and the log takes the machine's time
from there on. Places in a log keep their order; only what looks for a time looks in each segment.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from django.db import connection, transaction

from auditlog.continuity import clock
from auditlog.log import log_end
from auditlog.models import Log, Segment


class Accepted(NamedTuple):
    """A log, the first leaf of its new segment, and how far the one before is ahead."""

    log: str
    leaf: int
    ahead: timedelta


def accept(slugs: Collection[str] | None = None) -> list[Accepted]:
    """Start a segment in each of these logs, or in all, whose newest leaf is in the future."""
    logs = Log.objects.all() if slugs is None else Log.objects.filter(slug__in=slugs)
    accepted = []
    with transaction.atomic(), connection.cursor() as cursor:
        ends = log_end.hold(cursor, logs.values_list("pk", flat=True), refuse=False)
        for end in ends.values():
            ahead = end.ahead
            if end.size and ahead > clock.TOLERANCE:
                accepted.append(Accepted(end.slug, end.accept(), ahead))
                Segment.objects.create(log_id=end.log_id, leaf=accepted[-1].leaf)
        log_end.store(cursor, ends.values())
    return accepted


def bounds(log: Log) -> list[tuple[int, int]]:
    """Return the leaves of each segment, from its first up to the first of the next."""
    with connection.cursor() as cursor:  # Every search for a time asks this; the ORM takes longer.
        cursor.execute(
            "SELECT leaf FROM auditlog_segment WHERE log_id = %s ORDER BY leaf", [log.pk]
        )
        firsts = [leaf for (leaf,) in cursor.fetchall()]
    return list(zip([0, *firsts], [*firsts, log.end.size], strict=True))
