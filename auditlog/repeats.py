"""Packets with the very same bytes (AACP section 16: a protocol without sequence numbers cannot tell a replay).

The log gives every packet a sequence and a time; here it says which of them came more than once. Each packet has the
beginning of its wire's SHA-256, and an index of it: a page of packets is counted in one query that reads the index,
however often they came. 128 bits of it are too many for anybody to find two wires that share them.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from django.db import connection

from auditlog import text
from auditlog.models import Packet
from auditlog.search.terms import fold, runs

COUNTED = 500
"""So many repeats are counted; more are "at least"."""
PHRASE = 1_000
"""Characters of a wire that are searched for; what is compared are all of its bytes."""
DIGEST = 16
_LAST_WORD = re.compile(r"[\w.-]*\Z")
_COUNT = """\
WITH asked (log_id, digest) AS (VALUES {values})
SELECT log_id, digest,
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM auditlog_packet p WHERE p.log_id = asked.log_id AND p.digest = asked.digest LIMIT {most}
    ) AS found),
    (SELECT p.uid FROM auditlog_packet p WHERE p.log_id = asked.log_id AND p.digest = asked.digest
        ORDER BY p.leaf LIMIT 1)
FROM asked"""


class Count(NamedTuple):
    """How many packets of one log have the same bytes, at least so many when not exact; and the id of the first."""

    number: int
    exact: bool
    first: str


class Repeats(NamedTuple):
    """A count, and the ``query`` that finds these packets in the log, and perhaps others that hold the same words.

    There is no query for a wire without words.
    """

    number: int
    exact: bool
    first: str
    query: str | None


def digest(wire: bytes) -> bytes:
    """What packets with the same bytes share."""
    return sha256(wire).digest()[:DIGEST]


def count_all(packets: Iterable[Packet]) -> dict[int, Count]:
    """The repeats among a page of packets, by their `seq`; one that came once is left out."""
    asked = {packet.seq: (packet.log_id, bytes(packet.digest)) for packet in packets if packet.digest is not None}
    if not asked:
        return {}
    places = sorted(set(asked.values()))
    statement = _COUNT.format(values=", ".join(["(%s, %s)"] * len(places)), most=COUNTED + 1)
    with connection.cursor() as cursor:
        cursor.execute(statement, [value for place in places for value in place])
        found = {
            (log_id, bytes(shared)): Count(min(number, COUNTED), number <= COUNTED, first)
            for log_id, shared, number, first in cursor.fetchall()
            if number > 1
        }
    return {seq: found[place] for seq, place in asked.items() if place in found}


def count(packet: Packet) -> Repeats | None:
    """The packets of the same log with the same bytes; None when there is no other."""
    found = count_all([packet]).get(packet.seq)
    return found and Repeats(*found, _query(packet.protocol, text.whole(text.from_bytes(bytes(packet.wire)))))


def _query(protocol: str, wire: str) -> str | None:
    """The wire's words as a phrase; None when it has none."""
    begin = " ".join(wire[:PHRASE].split())
    if len(wire) > PHRASE:  # a word that is cut is another word
        begin = _LAST_WORD.sub("", begin)
    if not runs(fold(begin)):
        return None
    quoted = begin.replace("\\", "\\\\").replace('"', '\\"')
    return f'proto:{protocol} "{quoted}"'
