"""Count the packets of a log again, while the log is in use.

It begins with an empty rollup and notes where the log ends: the writer counts what comes after, and
the pieces what came before. A piece and the position after it are stored in one transaction, so
that a kill loses nothing and nothing is counted twice. The follower does the pieces of a running
server; `manage.py rollup` does them at once.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db import connection, transaction

from auditlog.models import FindingPosition, LogEnd, Packet, Rollup, RollupPosition
from auditlog.rollup import counting, english, stored
from auditlog.rollup.tally import Tally, pack

PIECE = 500
"""Packets in one transaction: a writer waits for one."""


class Progress(NamedTuple):
    """How many leaves of a log are counted, of how many."""

    log: str
    done: int
    total: int


def begin(log_id: int) -> None:
    """Have the packets of a log counted again, from the first."""
    with transaction.atomic():
        # In the order in which the follower and the writer lock them.
        followed = FindingPosition.objects.select_for_update().get(pk=log_id)
        end = LogEnd.objects.select_for_update().get(pk=log_id)
        places = {"leaf": 0, "until": end.size, "english": followed.leaf}
        # This waits for a `step` under way, so that what it adds is deleted too.
        RollupPosition.objects.update_or_create(log_id=log_id, defaults=places)
        Rollup.objects.filter(log_id=log_id).delete()
    counting.forget()


def find_work() -> list[int]:
    """Return the IDs of the logs whose packets are not all counted."""
    return list(RollupPosition.objects.order_by("pk").values_list("pk", flat=True))


def step(log_id: int) -> bool:
    """Count the next packets of a log. Returns False if there are none, or others counted them."""
    position = RollupPosition.objects.filter(pk=log_id).first()
    if position is None:
        return False
    packets, high = stored.read(log_id, position.leaf, position.until, PIECE)
    before = [packet for packet in packets if packet.leaf < position.english]
    described = [*map(english.Described, before, stored.count_english(before))]
    with transaction.atomic(), connection.cursor() as cursor:
        here = RollupPosition.objects.filter(
            pk=log_id, leaf=position.leaf, until=position.until, english=position.english
        )
        if not here.update(leaf=high):
            return False
        existing = _find_existing(log_id, packets)
        counting.add(cursor, tally_packets(one for one in packets if one.leaf in existing))
        english.store(cursor, described)
        RollupPosition.objects.filter(pk=log_id, leaf__gte=position.until).delete()
    return True


def _find_existing(log_id: int, packets: list[stored.Stored]) -> set[int]:
    """Return the leaves of packets that were not erased since they were read."""
    if not packets:
        return set()
    between = (packets[0].leaf, packets[-1].leaf)
    found = Packet.objects.filter(log_id=log_id, leaf__range=between)
    return set(found.values_list("leaf", flat=True))


def run() -> Iterator[Progress]:
    """Count what is not counted, piece by piece."""
    while positions := list(RollupPosition.objects.select_related("log").order_by("pk")):
        for position in positions:
            step(position.pk)
            now = RollupPosition.objects.filter(pk=position.pk).first()
            done = position.until if now is None else now.leaf
            yield Progress(position.log.slug, done, position.until)


def tally_packets(packets: Iterable[stored.Stored]) -> Tally:
    sums = Tally()
    for packet in packets:
        counters = pack(valid=packet.valid, tokens=packet.tokens, baseline=packet.tokens_json)
        sums.add(packet.group, packet.protocol, packet.values, counters)
    return sums
