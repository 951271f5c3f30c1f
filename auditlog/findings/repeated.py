"""The detector `repeated`: a packet whose bytes the log had before, which may be a replay.

The index of equal packets is asked once for many packets, see `auditlog.log.replays`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

from auditlog.findings.finding import Found
from auditlog.search import table, terms

CODE = "same-bytes"
_FIRST = {
    "sqlite": """\
WITH asked (leaf, token) AS (VALUES {values})
SELECT leaf, (
    SELECT s.rowid & {last} FROM auditlog_search s
    WHERE s.terms MATCH asked.token ORDER BY s.rowid LIMIT 1
) FROM asked""",
    "postgresql": """\
SELECT asked.leaf, (
    SELECT p.leaf FROM auditlog_packet p
    WHERE p.log_id = asked.log_id AND {stored} = {given} AND p.wire = asked.wire
    ORDER BY p.leaf LIMIT 1
) FROM auditlog_packet asked WHERE asked.log_id = %s AND asked.leaf IN ({places})""",
}

_READ = "SELECT CAST(wire AS blob) FROM auditlog_packet WHERE log_id = %s AND leaf = %s"
"""On SQLite, where a damaged row may have text."""


class Wire(NamedTuple):
    """A packet by its leaf, with all its bytes; None for those that are read one at a time."""

    leaf: int
    bytes: bytes | None


def find(log_id: int, wires: Sequence[Wire]) -> dict[int, list[Found]]:
    """Return the findings of packets of one log that are not the first with their bytes, by leaf.

    ``other`` of a finding is the first one's leaf.
    """
    if not wires:
        return {}
    statement = _FIRST[connection.vendor]
    if connection.vendor == "sqlite":
        statement = statement.format(
            values=", ".join(["(%s, %s)"] * len(wires)), last=table.LAST_LEAF
        )
        asked = [value for wire in wires for value in (wire.leaf, _token(log_id, wire))]
    else:
        statement = statement.format(
            stored=table.HASH.format(wire="p.wire"),
            given=table.HASH.format(wire="asked.wire"),
            places=", ".join(["%s"] * len(wires)),
        )
        asked = [log_id, *(wire.leaf for wire in wires)]
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        return {
            leaf: [Found(CODE, other=first)]
            for leaf, first in cursor.fetchall()
            if first is not None and first < leaf
        }


def _token(log_id: int, wire: Wire) -> str:
    return f'"{terms.same(log_id, _read(log_id, wire) if wire.bytes is None else wire.bytes)}"'


def _read(log_id: int, wire: Wire) -> bytes:
    """Return all bytes of a packet; none of one that was erased meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, (log_id, wire.leaf))
        found = cursor.fetchone()
    return b"" if found is None else bytes(found[0])
