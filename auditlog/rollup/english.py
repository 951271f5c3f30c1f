"""The English of new packets, counted after the commit with their findings.

To describe a packet costs more than to store it. So the follower does it, and adds what it counted
in the transaction that moves its position: each packet is counted once, also if the follower is
killed. Findings that are made again do not count it again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.backends.utils import CursorWrapper

from auditlog.rollup import counting, stored
from auditlog.rollup.tally import ENGLISH_COUNTERS, Tally, pack_english

_PAGE = 50
"""Packets that are read at a time, because they may be long."""


class Described(NamedTuple):
    """A packet without its wire, and the tokens of its English."""

    packet: stored.Stored
    english: int | None


def count(log_id: int, low: int, high: int) -> list[Described]:
    """Count the English of the packets with ``low <= leaf < high``."""
    found: list[Described] = []
    while low < high:
        page, low = stored.read(log_id, low, high, _PAGE)
        counts = stored.count_english(page)
        found += [
            Described(packet._replace(wire=None), english)
            for packet, english in zip(page, counts, strict=True)
        ]
    return found


def store(cursor: CursorWrapper, described: Sequence[Described]) -> None:
    """Add the English of packets that still exist."""
    if not described:
        return
    log_id = described[0].packet.group.log_id
    cursor.execute(
        "SELECT leaf FROM auditlog_packet WHERE log_id = %s AND leaf >= %s AND leaf <= %s",
        (log_id, described[0].packet.leaf, described[-1].packet.leaf),
    )
    existing = {leaf for (leaf,) in cursor.fetchall()}
    counting.add(cursor, tally([one for one in described if one.packet.leaf in existing]))


def tally(described: Sequence[Described]) -> Tally:
    """Return the sums of packets."""
    sums = Tally(ENGLISH_COUNTERS)
    for packet, english in described:
        counters = pack_english(packet.tokens, english)
        sums.add(packet.group, packet.protocol, packet.values, counters)
    return sums
