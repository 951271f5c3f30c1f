"""Leaves in the place of lost ones, so that an index that was acknowledged never names another
packet.

A log that is restored from a backup lacks what came after it. Each lost index gets a leaf of the
kind `gap`, which says which indexes were lost together.
"""

from datetime import UTC, datetime

from django.db import connection, transaction

from auditlog.log import leaf, log_end, logs
from auditlog.models import Log

_PIECE = 10_000
"""Leaves in one commit."""


def fill(slug: str, end: int) -> int:
    """Append gap leaves until the log has `end` leaves, and return how many. A log that was lost is
    created again.
    """
    log = Log.objects.filter(slug=slug).first() or logs.create(slug=slug)
    first = log.end.size
    for until in (*range(first + _PIECE, end, _PIECE), end):
        with transaction.atomic(), connection.cursor() as cursor:
            tail = log_end.hold(cursor, [log.pk], refuse=False)[log.pk]
            tail.unnoted = (
                None  # a lost index names nothing but a gap; the next leaf notes the clock
            )
            data = leaf.format_gap(
                log=slug, received=tail.at(datetime.now(UTC)), first=first, last=end - 1
            )
            for _ in range(tail.size, until):
                tail.add("gap", data)
            log_end.store(cursor, [tail])
    return max(0, end - first)
