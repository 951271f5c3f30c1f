"""Delete packets with everything that the tables have of them.

What was counted of a packet is made again from its row, as long as it is there, and subtracted.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec
from django.db.backends.utils import CursorWrapper
from django.db.models import Q, QuerySet

from auditlog import text
from auditlog.log import reindex
from auditlog.models import (
    Conflict,
    Finding,
    FindingPosition,
    IdempotentPiece,
    Packet,
    Review,
    RollupPosition,
    Seed,
)
from auditlog.rollup import counting, english, stored
from auditlog.rollup.tally import Group, Tally, pack
from auditlog.search import index
from auditlog.search.completion import counts

_EMPTY_ROWS = """\
DELETE FROM auditlog_rollup WHERE log_id = %s AND source IN (0, %s)
AND dimension IN ('all', 'source', 'protocol', 'act', 'from', 'to')
AND ((period = 'd' AND start = %s) OR (period = 'm' AND start = %s))
AND packets <= 0 AND english_read <= 0"""


class Counted(NamedTuple):
    """Which packets of a log the statistics have, by their leaves. The rows that say so are locked.

    ``low`` and ``until`` are what a recount has still to do, and the English of packets before
    ``english`` belongs to it.
    """

    followed: int
    low: int = 0
    until: int = 0
    english: int = 0

    @classmethod
    def of(cls, position: FindingPosition, recounted: RollupPosition | None) -> "Counted":
        if recounted is None:
            return cls(position.leaf)
        return cls(position.leaf, recounted.leaf, recounted.until, recounted.english)

    def has(self, leaf: int) -> bool:
        return not self.low <= leaf < self.until

    def has_english(self, leaf: int) -> bool:
        return leaf < self.low if leaf < self.english else leaf < self.followed


def delete(cursor: CursorWrapper, packets: Sequence[Packet], *, counted: Counted) -> None:
    """Delete packets of one log, in the transaction of `cursor`. They come with log and source."""
    if not packets:
        return
    log_id, keys = packets[0].log_id, [packet.pk for packet in packets]
    leaves = [packet.leaf for packet in packets]
    _subtract(cursor, log_id, leaves, counted)
    known = [one for one in packets if one.terms_version >= reindex.FIRST_COUNTED]
    counts.subtract(cursor, [(*one.pk, reindex.terms_of(one).tokens) for one in known])
    index.erase(cursor, keys)
    _scrub_results(log_id, packets)
    for table in (Finding, Conflict, Seed, Packet):
        table.objects.filter(log_id=log_id, leaf__in=leaves).delete()


def empty_notes(log_id: int, leaves: Collection[int]) -> Counter[int]:
    """Empty the notes of the review of packets, and return their number by the packet's leaf.

    The seed of such a step goes too: without it, the note cannot be guessed from the step's leaf.
    """
    steps = find_noted(log_id, leaves)
    found = Counter(steps.values_list("packet_leaf", flat=True))
    steps.update(note="", seed=b"")
    return found


def find_noted(log_id: int, leaves: Collection[int]) -> QuerySet[Review]:
    """Return the steps of the review of packets that have a note."""
    return Review.objects.filter(~Q(note=""), log_id=log_id, packet_leaf__in=leaves)


def _subtract(cursor: CursorWrapper, log_id: int, leaves: Iterable[int], counted: Counted) -> None:
    tally, described, groups = Tally(), list[stored.Stored](), set[Group]()
    for leaf in leaves:
        packets, _ = stored.read(log_id, leaf, leaf + 1, 2)
        for packet in packets:
            groups.add(packet.group)
            if counted.has(leaf):
                sums = pack(valid=packet.valid, tokens=packet.tokens, baseline=packet.tokens_json)
                tally.add(packet.group, packet.protocol, packet.values, sums)
            if counted.has_english(leaf):
                described.append(packet)
    counting.subtract(cursor, tally)
    sentences = map(english.Described, described, stored.count_english(described))
    counting.subtract(cursor, english.tally(list(sentences)))
    _drop_empty(cursor, groups)


def _drop_empty(cursor: CursorWrapper, groups: Iterable[Group]) -> None:
    """Delete rows in which nothing is left: their values may be names."""
    for log_id, day, source in sorted(groups):
        cursor.execute(_EMPTY_ROWS, (log_id, source, day, f"{day[:7]}-01"))
    counting.forget()


def _scrub_results(log_id: int, packets: Iterable[Packet]) -> None:
    """Remove event IDs from the results of requests that can be repeated. They name no other part
    of a packet.

    An event ID belongs to one source in one log. A result does not name its log, so those of a key
    for every log lose the ID, too.
    """
    events: dict[int, set[str]] = {}
    for packet in packets:
        if packet.event_id is not None:
            events.setdefault(packet.source_id, set()).add(packet.event_id)
    if not events:
        return
    # From the sources to their keys, requests, and pieces, each by an index.
    pieces = IdempotentPiece.objects.filter(
        Q(request__key__log=None) | Q(request__key__log=log_id),
        request__key__source__in=events,
        results__contains='"refused"',
    ).select_related("request__key")
    for piece in pieces:
        entries = msgspec.json.decode(piece.results)
        known = events[piece.request.key.source_id]
        kept = [_without_event(entry, known) for entry in entries]
        if kept != entries:
            found = IdempotentPiece.objects.filter(request_id=piece.request_id, item=piece.item)
            found.update(results=text.to_json(kept))


def _without_event(entry: list[object], events: Collection[str]) -> list[object]:
    tag, status, event, *rest = entry
    return [tag, status, None, *rest] if tag == "refused" and event in events else entry
