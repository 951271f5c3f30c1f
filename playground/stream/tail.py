"""The end of a log in a live view: new packets by leaf index, as soon as they are committed."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.db import connection
from django.db.models import Count, Sum

from auditlog.findings.following import position
from auditlog.log import notify
from auditlog.log import packet as packets
from auditlog.models import Log, LogEnd, Packet
from auditlog.search.find import DECODED, Page, find
from auditlog.search.query import parse
from playground.audit.marks import WAITING, list_findings
from playground.stream.feeds import SHOWN, Batch, Line
from playground.stream.summary import draw, sketch

BACKLOG = 100
"""Packets that a view starts with."""
POLL = 1.0
"""Seconds after which the database is queried without a notification: another process may have
written.
"""


class Tail:
    """The packets of a log that match a query. Raises QueryError for an invalid one, also from
    `read`.
    """

    ended = False

    def __init__(self, log: Log, query: str = "") -> None:
        parse(query)
        self.log = log
        self.query = query
        self._notified = notify.count()

    def read(self, after: int | None) -> Batch:
        self._notified = notify.count()
        last = self._size() - 1
        if after is None:
            page = self._find(0, last, BACKLOG)
            return self._batch(page, since=-1, to=last, arrived=(0, 0), skipped=0)
        if last <= after:
            return Batch(after, after, [], 0, 0, 0, 0)
        page = self._find(after + 1, last, SHOWN)
        arrived = Packet.objects.filter(log=self.log, leaf__gt=after, leaf__lte=last).aggregate(
            n=Count("pk"), k=Sum("tokens")
        )
        return self._batch(
            page,
            since=after,
            to=last,
            arrived=(arrived["n"], arrived["k"] or 0),
            skipped=page.count.value - len(page.rows),
        )

    def wait(self, after: int, seconds: float) -> bool:
        """Wait for new packets, without a database connection."""
        connection.close()
        self._notified = notify.wait(self._notified, min(seconds, POLL))
        return self._size() - 1 > after

    def _size(self) -> int:
        return LogEnd.objects.values_list("size", flat=True).get(pk=self.log.pk)

    def _find(self, low: int, high: int, limit: int) -> Page:
        leaves = f"leaf:{low}..{max(low, high)}"
        query = f"({self.query}) {leaves}" if self.query.strip() else leaves
        return find([self.log.slug], query, limit=limit, now=datetime.now(UTC))

    def _batch(
        self, page: Page, *, since: int, to: int, arrived: tuple[int, int], skipped: int
    ) -> Batch:
        lines: list[Line] = [*_rows(page.rows)][::-1]
        hidden = max(0, arrived[0] - page.count.value)
        return Batch(since, max(to, since), lines, skipped, hidden, *arrived)


def _rows(stored: Sequence[Packet]) -> Iterator[Line]:
    findings = position.find_stored(stored)
    left = DECODED
    for packet in stored:
        left -= len(packet.wire)
        about: dict[str, Any] = {
            "number": packet.leaf,
            "at": packet.received.timestamp(),
            "count": packet.tokens,
            "marks": list_findings(msgspec.to_builtins(findings[packet.pk]))
            if packet.pk in findings
            else [WAITING],
        }
        if left >= 0:
            yield draw(packets.read(packet), **about)
        else:
            yield sketch(
                packets.wire(packet), packet.diagnostics, protocol=packet.protocol, **about
            )
