"""Rows of leaves that are not packets: reviews, segments, erasures, and those of the tree."""

from collections.abc import Iterable
from typing import Any

from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.rows import erasures, moment
from auditlog.database.uid import to_text
from auditlog.log import leaf
from auditlog.review import decision_bytes
from auditlog.tree.events import OPERATOR

Fields = dict[int, dict[str, Any]]
"""The fields of the leaves of a range that are not packets, by index."""
TREE = ("signing-key", "check", "incident")
_PLACES = "SELECT leaf FROM {} WHERE log_id = %s AND leaf >= %s AND leaf < %s"
_REVIEWS = """\
SELECT r.leaf, r.packet_leaf, {time}, r.state, r.note, r.undoes, r.who_id, r.seed,
    COALESCE(p.uid, (SELECT e.uid FROM auditlog_erasure e
        WHERE e.log_id = r.log_id AND e.packet_leaf = r.packet_leaf LIMIT 1))
FROM auditlog_review r
LEFT JOIN auditlog_packet p ON p.log_id = r.log_id AND p.leaf = r.packet_leaf
WHERE r.log_id = %s AND r.leaf >= %s AND r.leaf < %s ORDER BY r.leaf"""

_NOT_REST = "No redaction leaf commits to what is left of this step."


def check(facts: Facts, low: int, high: int, events: Fields, faults: Faults) -> None:
    """Compare the rows of a range of leaves that are not packets."""
    _check_reviews(facts, low, high, events, faults)
    redactions = {
        index: fields for index, fields in events.items() if fields["kind"] == "redaction"
    }
    erased = erasures.check(facts, low, high, redactions, faults)
    _check_places("erasure", erased, redactions, faults)
    segments = {
        index for index, fields in events.items()
        if fields["kind"] == "clock" and fields["state"] == "accepted"
    }  # fmt: skip
    _check_places("segment", _places("auditlog_segment", facts, low, high), segments, faults)
    tree = {index for index, fields in events.items() if fields["kind"] in TREE}
    _check_places("treeleaf", _places("auditlog_treeleaf", facts, low, high), tree, faults)
    _check_tree(facts, low, high, events, faults)


def _places(table: str, facts: Facts, low: int, high: int) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(_PLACES.format(table), (facts.log_id, low, high))
        return {index for (index,) in cursor.fetchall()}


def _check_places(row: str, there: set[int], expected: Iterable[int], faults: Faults) -> None:
    for index in sorted(there.difference(expected)):
        faults.add(row, index, "row", "No leaf of its kind is at this index.")
    for index in sorted(set(expected) - there):
        faults.add(row, index, "row", "The row of the leaf is missing.")


def _check_reviews(facts: Facts, low: int, high: int, events: Fields, faults: Faults) -> None:
    statement = _REVIEWS.format(time=moment.SELECT[connection.vendor].format("r.at"))
    with connection.cursor() as cursor:
        cursor.execute(statement, (facts.log_id, low, high))
        rows = cursor.fetchall()
    expected = {index for index, fields in events.items() if fields["kind"] == "review"}
    _check_places("review", {row[0] for row in rows}, expected, faults)
    for row in rows:
        if row[0] in expected:
            _check_review(facts, row, events[row[0]], faults)


def _check_review(facts: Facts, row: Any, fields: dict[str, Any], faults: Faults) -> None:
    index, packet, at, state, note, undoes, who, seed, uid = row
    if fields["leaf"] != packet:
        faults.add("review", index, "packet_leaf", "The leaf names another packet.")
        return
    if fields["recv"] != moment.spell(at):
        faults.add("review", index, "at", "The leaf has another time.")
    if not bytes(seed) and not note and facts.is_erased(packet):
        # The note was erased with the packet, and the seed of the step.
        if not erasures.is_rest(facts.log_id, packet):
            faults.add("review", index, "state, undoes, or who", _NOT_REST)
        return
    name = facts.people.get(who, "")
    by = leaf.by_bytes(key=None, person=who, source=name)
    committed, seed = fields["commit"], bytes(seed)
    opened = {"by": leaf.opens(committed, seed, "by", by)}
    if uid is not None:
        decision = decision_bytes(packet=to_text(uid), state=state, note=note, undoes=undoes)
        opened["decision"] = leaf.opens(committed, seed, "decision", decision)
    parts = {"by": "who", "decision": "state, note, or undoes"}
    if not any(opened.values()) and len(opened) == len(parts):
        faults.add("review", index, "seed", "No commitment of the leaf opens.")
        return
    for field, is_open in opened.items():
        if not is_open:
            faults.add("review", index, parts[field], "It differs from the leaf.")


def _check_tree(facts: Facts, low: int, high: int, events: Fields, faults: Faults) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT leaf, kind, seed FROM auditlog_treeleaf"
            " WHERE log_id = %s AND leaf >= %s AND leaf < %s",
            (facts.log_id, low, high),
        )
        rows = cursor.fetchall()
    for index, kind, seed in rows:
        fields = events.get(index)
        if fields is None or fields["kind"] not in TREE:
            continue
        if fields["kind"] != kind:
            faults.add("treeleaf", index, "kind", "The leaf is of another kind.")
        if (seed is None) != ("commit" not in fields):
            faults.add("treeleaf", index, "seed", "Only leaves with commitments have a seed.")
        elif seed is not None and not leaf.opens(fields["commit"], bytes(seed), "by", OPERATOR):
            faults.add("treeleaf", index, "seed", "No commitment of the leaf opens.")
