"""Erasures against their redaction leaves."""

from typing import Any

from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.rows import moment
from auditlog.erasure.evidence import format_steps, list_openings
from auditlog.integrity.openings import parse_leaf
from auditlog.log import leaf
from auditlog.models import Review

_READ = """\
SELECT e.leaf, e.packet_leaf, {time}, e.who_id, e.key_id, e.source, e.reason, e.field, e.redacted,
    e.seed, (SELECT MAX(o.leaf) FROM auditlog_erasure o
             WHERE o.log_id = e.log_id AND o.packet_leaf = e.packet_leaf)
FROM auditlog_erasure e WHERE e.log_id = %s AND e.leaf >= %s AND e.leaf < %s ORDER BY e.leaf"""
_SEEDS = """\
SELECT e.seed, l.bytes FROM auditlog_erasure e
JOIN auditlog_leaf l ON l.log_id = e.log_id AND l."index" = e.leaf AND l.kind = 'redaction'
WHERE e.log_id = %s AND e.packet_leaf = %s"""
_PARTS = {"by": "who, key, or source", "reason": "reason", "field": "field", "redacted": "redacted"}


def check(
    facts: Facts, low: int, high: int, redactions: dict[int, dict[str, Any]], faults: Faults
) -> set[int]:
    """Compare the erasures of a range of leaves. Returns the leaves that have one."""
    statement = _READ.format(time=moment.SELECT[connection.vendor].format("e.at"))
    with connection.cursor() as cursor:
        cursor.execute(statement, (facts.log_id, low, high))
        rows = cursor.fetchall()
    for row in rows:
        if row[0] in redactions:
            _check(row, redactions[row[0]], faults)
    return {row[0] for row in rows}


def is_rest(log_id: int, packet: int) -> bool:
    """Return whether the steps of a packet whose notes were erased are what its redaction leaf
    commits to.
    """
    left = Review.objects.filter(log_id=log_id, packet_leaf=packet, seed=b"").order_by("leaf")
    steps = format_steps(left)
    with connection.cursor() as cursor:
        cursor.execute(_SEEDS, (log_id, packet))
        rows = cursor.fetchall()
    for seed, data in rows:
        parsed = parse_leaf(bytes(data))
        if parsed is not None and leaf.opens(parsed[1], bytes(seed), "steps", steps):
            return True
    return False


def _check(row: tuple[Any, ...], fields: dict[str, Any], faults: Faults) -> None:
    index, packet, at, who, key, source, reason, field, redacted, seed, last = row
    if fields["leaf"] != packet:
        faults.add("erasure", index, "packet_leaf", "The leaf names another packet.")
    if fields["recv"] != moment.spell(at):
        faults.add("erasure", index, "at", "The leaf has another time.")
    by = leaf.by_bytes(key=key, person=who, source=source)
    opened = list_openings(by=by, field=field, reason=reason, redacted=redacted)
    if redacted is None and last > index:
        del opened["redacted"]  # A later erasure took the copy.
    failed = [
        name for name, data in opened.items()
        if not leaf.opens(fields["commit"], bytes(seed), name, data)
    ]  # fmt: skip
    if {"by", "reason"} <= set(failed):
        faults.add("erasure", index, "seed", "No commitment of the leaf opens.")
        return
    for name in failed:
        faults.add("erasure", index, _PARTS[name], "It differs from the leaf.")
