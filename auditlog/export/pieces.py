"""The packets that a query finds, oldest first, in pieces that fit in memory.

The log's size at the start is the end: packets that arrive later are not in it. Whoever lost the
rest of an export asks for what follows its last leaf, with the same size and the same time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from auditlog.database import spread
from auditlog.models import Log
from auditlog.search import find
from cablese import amount

LEAVES = 20_000
"""Leaves that are found at once."""
PACKETS = 1_000
"""Packets of a piece at most."""
BYTES = 4 * 1024 * 1024
"""Bytes of a piece at most, unless it has one packet."""
_SIZES = """\
SELECT leaf, octet_length(wire) + octet_length(diagnostics) + octet_length(meaning)
    + octet_length(supplied) + COALESCE(octet_length(canonical), 0)
    + COALESCE(octet_length(content), 0)
FROM auditlog_packet WHERE log_id = %s AND leaf """


class BadPlace(ValueError):
    """An export cannot continue there. ``name`` is the wrong one of the numbers that were given."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True)
class Extent:
    """What an export contains: what a query finds of a log after a leaf and below a size.

    ``now`` is the time from which the query counts.
    """

    log: Log
    query: str
    after: int
    size: int
    now: datetime

    def find_last(self) -> int | None:
        """Return the last leaf that the query finds; None for nothing. Raises QueryError."""
        found = find.find_leaves(self.log, self.query, size=self.size, now=self.now, limit=1)
        return found[0] if found and found[0] > self.after else None

    def leaves(self) -> Iterator[list[int]]:
        """Yield the leaves that the query finds, many at a time. Raises QueryError."""
        after = self.after
        while leaves := find.find_following(
            self.log, self.query, after=after, size=self.size, now=self.now, limit=LEAVES
        ):
            yield leaves
            after = leaves[-1]


def begin(
    log: Log, query: str, *, now: datetime, after: int | None = None, size: int | None = None
) -> Extent:
    """Return the extent of an export: all of the log as it is, or the rest of an earlier export.

    Raises BadPlace for a size or a leaf that the log does not have yet: the rest of the export of
    another log would look as if it were empty.
    """
    end = log.end.size
    if size is not None and size > end:
        raise BadPlace("at", f"The log has {amount.leaves(end)}, not {size:,}.")
    held = end if size is None else size
    if after is not None and after >= held:
        words = f"its size is {held:,}, and leaf indexes start at 0"
        raise BadPlace("after", f"Leaf {after:,} is not in the log: {words}.")
    return Extent(log, query, -1 if after is None else after, held, now)


def cut(log: Log, leaves: Sequence[int]) -> Iterator[list[int]]:
    """Yield leaves in pieces whose packets fit in memory."""
    for at in range(0, len(leaves), PACKETS):
        yield from _by_size(log, leaves[at : at + PACKETS])


def measure(log: Log, leaves: Sequence[int]) -> dict[int, int]:
    """Return the bytes of packets by their leaves; perhaps with those of packets between them."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZES + spread.among(leaves), (log.pk,))
        return dict(cursor.fetchall())


def _by_size(log: Log, leaves: Sequence[int]) -> Iterator[list[int]]:
    sizes = measure(log, leaves)
    piece: list[int] = []
    room = BYTES
    for leaf in leaves:
        size = sizes.get(leaf, 0)
        if piece and size > room:
            yield piece
            piece, room = [], BYTES
        piece.append(leaf)
        room -= size
    yield piece
