"""Packets with the same bytes, which may be replays (AACP section 16: a protocol without sequence
numbers cannot detect them).

The log gives every packet an index and a time. This module counts the packets that were received
more than once. On SQLite, the first 128 bits of the wire's SHA-256 are a token of the search index;
no two wires that share them can be found. PostgreSQL has an index of 64 bits and compares the wires
too. One query counts all packets of a page.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from django.db import connection

from auditlog import text
from auditlog.database import uid
from auditlog.models import Packet
from auditlog.search import table
from auditlog.search.language import paste
from auditlog.search.terms import same

COUNTED = 500
"""The limit of counted packets; a higher count is a minimum."""
Packets = TypeVar("Packets")
"""What names a packet: its leaf, or the ID of its log and its leaf."""
_Key = tuple[int | str | bytes, ...]
_COUNT = {
    "sqlite": """\
WITH asked (place, token) AS (VALUES {values}),
counted (place, token, number) AS MATERIALIZED (
    SELECT place, token, (SELECT COUNT(*) FROM (
        SELECT 1 FROM auditlog_search s WHERE s.terms MATCH asked.token LIMIT {most}
    ))
    FROM asked
)
SELECT place, number,
    (SELECT p.uid FROM auditlog_packet p
        JOIN (
            SELECT s.rowid AS number FROM auditlog_search s WHERE s.terms MATCH counted.token
            ORDER BY s.rowid LIMIT 1
        ) AS first ON p.log_id = first.number >> {bits} AND p.leaf = first.number & {last})
FROM counted WHERE number > 1""",
    "postgresql": """\
WITH asked (place, log_id, wire) AS (VALUES {values}),
counted (place, log_id, wire, number) AS MATERIALIZED (
    SELECT place, log_id, wire, (SELECT COUNT(*) FROM (
        SELECT 1 FROM auditlog_packet p
        WHERE p.log_id = asked.log_id AND {stored} = {given} AND p.wire = asked.wire LIMIT {most}
    ) AS found)
    FROM asked
)
SELECT place, number,
    (SELECT p.uid FROM auditlog_packet p
        WHERE p.log_id = asked.log_id AND {stored} = {given} AND p.wire = asked.wire
        ORDER BY p.leaf LIMIT 1)
FROM counted AS asked WHERE number > 1""",
}
"""Few packets are repeats, so the first of the same is looked up only for those."""


class Count(NamedTuple):
    """The number of packets of a log with the same bytes, a minimum if not exact, and the ID of the
    first.

    ``query`` finds these packets, and others with the same words. A wire without words has none.
    """

    number: int
    exact: bool
    first: str
    query: str | None = None


def count_all(packets: Iterable[Packet]) -> dict[tuple[int, int], Count]:
    """Return the counts for a page of packets by their log and leaf, without packets received
    once.
    """
    return _count({packet.pk: _key(packet.log_id, bytes(packet.wire)) for packet in packets})


def count_wires(log_id: int, wires: Mapping[int, bytes]) -> dict[int, Count]:
    """Return the counts of packets of a log by their leaves, as `count_all` does."""
    return _count({leaf: _key(log_id, wire) for leaf, wire in wires.items()})


def _count(keys: Mapping[Packets, _Key]) -> dict[Packets, Count]:
    if not keys:
        return {}
    distinct: list[_Key] = list(dict.fromkeys(keys.values()))
    row = f"({', '.join(['%s'] * (1 + len(distinct[0])))})"
    statement = _COUNT[connection.vendor].format(
        values=", ".join([row] * len(distinct)),
        most=COUNTED + 1,
        bits=table.LEAF_BITS,
        last=table.LAST_LEAF,
        stored=table.HASH.format(wire="p.wire"),
        given=table.HASH.format(wire="asked.wire"),
    )
    with connection.cursor() as cursor:
        cursor.execute(
            statement, [value for place, one in enumerate(distinct) for value in (place, *one)]
        )
        found = {
            distinct[place]: Count(min(number, COUNTED), number <= COUNTED, uid.to_text(first))
            for place, number, first in cursor.fetchall()
        }
    return {packet: found[key] for packet, key in keys.items() if key in found} if found else {}


def _key(log_id: int, wire: bytes) -> _Key:
    """Return the value in the database's index that packets of a log with the same bytes share."""
    if connection.vendor == "sqlite":
        return (f'"{same(log_id, wire)}"',)
    return log_id, wire


def count(packet: Packet) -> Count | None:
    """Count the packets of a log with the same bytes, and write the query that finds them; None
    for a packet that was received once.
    """
    found = count_all([packet]).get(packet.pk)
    if found is None:
        return None
    wire = text.whole(text.from_bytes(bytes(packet.wire)))
    return found._replace(query=paste.write_words(packet.protocol, wire))
