"""Packets with the very same bytes (AACP section 16: a protocol without sequence numbers cannot tell a replay).

The log gives every packet a sequence and a time; here it says which of them came more than once. Found by the words of
the wire, then compared byte by byte, so that no index of wires is needed.
"""

import re
from datetime import datetime
from typing import NamedTuple

from auditlog import text
from auditlog.models import Packet
from auditlog.search.find import find
from auditlog.search.query import QueryError
from auditlog.search.terms import fold, runs

LOOKED_AT = 500
PHRASE = 1_000
"""Characters of a wire that are searched for; what is compared are all of its bytes."""
_LAST_WORD = re.compile(r"[\w.-]*\Z")


class Repeats(NamedTuple):
    """How many packets have these bytes, the one asked about included; at least so many when not exact.

    ``query`` finds them in the log, and perhaps others that hold the same words.
    """

    number: int
    exact: bool
    query: str


def count(packet: Packet, *, now: datetime) -> Repeats | None:
    """The packets of the same log with the same bytes; None when there is no other."""
    wire = bytes(packet.wire)
    query = _query(packet.protocol, text.whole(text.from_bytes(wire)))
    if query is None:
        return None
    try:
        page = find([packet.log.slug], query, limit=LOOKED_AT, now=now)
    except QueryError:
        return None
    same = [one for one in page.rows if bytes(one.wire) == wire]
    if len(same) < 2:
        return None
    return Repeats(len(same), page.next is None, query)


def _query(protocol: str, wire: str) -> str | None:
    """The wire's words as a phrase; None when it has none."""
    begin = " ".join(wire[:PHRASE].split())
    if len(wire) > PHRASE:  # a word that is cut is another word
        begin = _LAST_WORD.sub("", begin)
    if not runs(fold(begin)):
        return None
    quoted = begin.replace("\\", "\\\\").replace('"', '\\"')
    return f'proto:{protocol} "{quoted}"'
