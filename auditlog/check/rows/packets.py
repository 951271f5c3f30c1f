"""Packets against their leaves.

The leaf that a packet should have is made from its row, and the bytes are compared. Only where they
differ, `auditlog.integrity` finds out which columns were changed, which takes a thousand times as
long.
"""

from collections.abc import Mapping
from typing import Any

from django.db import DatabaseError, connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.rows import moment
from auditlog.database import damage
from auditlog.database.uid import to_text
from auditlog.integrity import differences
from auditlog.log import leaf

TOGETHER = 64
"""Packets that are read at a time, because they may be long."""
_READ = """\
SELECT p.leaf, s.value, {time}, p.source_id, p.dialect, p.wire, p.meaning, p.supplied, p.content,
    p.sent_at, p.event_id, p.valid, p.diagnostics, p.canonical, p.tokens, p.tokens_json,
    p.tokenizer, p.baseline_version, p.codec_version, p.protocol, p.uid, p.key_id, p.user_id
FROM auditlog_packet p LEFT JOIN auditlog_seed s ON s.log_id = p.log_id AND s.leaf = p.leaf
WHERE p.log_id = %s AND p.leaf >= %s AND p.leaf < %s ORDER BY p.leaf"""
_SEEDS = """\
SELECT s.leaf FROM auditlog_seed s WHERE s.log_id = %s AND s.leaf >= %s AND s.leaf < %s
AND NOT EXISTS (
    SELECT 1 FROM auditlog_packet p WHERE p.log_id = s.log_id AND p.leaf = s.leaf
) ORDER BY 1"""
Leaves = Mapping[int, tuple[str, bytes]]
"""The kind and the bytes of leaves, by index."""


def check(facts: Facts, low: int, high: int, leaves: Leaves, faults: Faults) -> set[int]:
    """Compare the packets of a range of leaves. Returns those whose leaves are as they should be,
    which therefore have the right form.
    """
    sound: set[int] = set()
    there: set[int] = set()
    for first in range(low, high, TOGETHER):
        _check_some(facts, first, min(high, first + TOGETHER), leaves, sound, there)
    for index in sorted(there - sound):
        _check_slowly(facts, index, leaves.get(index), faults)
    for index, (kind, _) in leaves.items():
        if kind == "packet" and index not in there and not facts.is_erased(index):
            faults.add("packet", index, "row", "The packet is missing, and no leaf says why.")
    with connection.cursor() as cursor:
        cursor.execute(_SEEDS, (facts.log_id, low, high))
        for (index,) in cursor.fetchall():
            faults.add("seed", index, "row", "No packet has this seed.")
    return sound


def _check_some(
    facts: Facts, low: int, high: int, leaves: Leaves, sound: set[int], there: set[int]
) -> None:
    """Note the packets of a range of leaves, and those that match."""
    statement = _READ.format(time=moment.SELECT[connection.vendor].format("p.received"))
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement, (facts.log_id, low, high))
            rows = cursor.fetchall()
    except (DatabaseError, ValueError, TypeError):  # a value that the driver cannot read
        there |= _list(facts.log_id, low, high)
        return
    for row in rows:
        index = row[0]
        there.add(index)
        kind, data = leaves.get(index, ("", b""))
        try:
            if kind == "packet" and _format(facts, row) == data:
                sound.add(index)
        except (TypeError, ValueError, AttributeError, KeyError):
            pass  # A column has a value of another kind, which is named slowly.


def _list(log_id: int, low: int, high: int) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT leaf FROM auditlog_packet WHERE log_id = %s AND leaf >= %s AND leaf < %s",
            (log_id, low, high),
        )
        return {index for (index,) in cursor.fetchall()}


def _format(facts: Facts, row: tuple[Any, ...]) -> bytes:
    """Return the leaf that a row should have."""
    (
        _, seed, received, source, dialect, wire, meaning, supplied, content, sent_at, event,
        valid, diagnostics, canonical, tokens, tokens_json, tokenizer, baseline, codec, protocol,
        uid, key, person,
    ) = row  # fmt: skip
    if content is not None:
        content = bytes(content)
    committed = leaf.commit_packet(
        bytes(seed),
        by=leaf.by_bytes(key=key, person=person, source=facts.sources[source]),
        event=event,
        index=leaf.facts_bytes(
            meaning=meaning, supplied=supplied, content=content, sent_at=sent_at
        ),
        raw=bytes(wire),
        reading=leaf.reading_bytes(
            leaf.Reading(
                baseline, codec, diagnostics, protocol, tokenizer, tokens, to_text(uid),
                _is_valid(valid), None if canonical is None else bytes(canonical).decode(),
                tokens_json,
            )
        ),
    )  # fmt: skip
    return leaf.format_packet(
        commit=committed,
        log=facts.slug,
        dialect=dialect,
        received=moment.spell(received),
        source=source,
    )


def _is_valid(stored: Any) -> bool:
    """Return a truth value. SQLite's driver takes everything but zero for true."""
    if stored in (True, False):
        return bool(stored)
    raise ValueError


def _check_slowly(
    facts: Facts, index: int, found: tuple[str, bytes] | None, faults: Faults
) -> None:
    """Name what differs of a packet that does not match its leaf, or only count it."""
    if faults.is_full:
        faults.add("packet", index, "row", "It differs from the leaf.")
        return
    if found is None:
        faults.add("packet", index, "row", "The packet has no leaf.")
        return
    kind, data = found
    if kind != "packet":
        faults.add("packet", index, "row", f"The leaf of the packet is of the kind {kind}.")
        return
    try:
        packet = damage.load([(facts.log_id, index)]).get((facts.log_id, index))
        seed = _read_seed(facts.log_id, index)
        if packet is None:
            _explain_absence(facts, index, faults)
        elif seed is None:
            faults.add("seed", index, "row", "The seed of the packet is missing.")
        else:
            _name(packet, seed, data, faults)
    except Exception:  # noqa: BLE001 - whatever a damaged row raises, the check goes on
        faults.add("packet", index, "row", "The packet cannot be read.")


def _explain_absence(facts: Facts, index: int, faults: Faults) -> None:
    """Say why the row of a packet cannot be loaded: it is gone since, or its source is unknown."""
    if index in _list(facts.log_id, index, index + 1):
        faults.add("packet", index, differences.NAMES["src"], "The source does not exist.")
        source = facts.find_missing_source(index)
        if source is not None:
            faults.add("source", source, "row", "Packets name this source, and it does not exist.")
    elif not facts.is_erased(index):
        faults.add("packet", index, "row", "The packet is missing, and no leaf says why.")


def _name(packet: Any, seed: bytes, data: bytes, faults: Faults) -> None:
    for names in differences.find(packet, seed=seed, data=data):
        row = "seed" if names == differences.SEED else "packet"
        faults.add(row, packet.leaf, " or ".join(names), "It differs from the leaf.")
    for sentence in packet.damage:
        faults.add("packet", packet.leaf, "row", sentence)


def _read_seed(log_id: int, index: int) -> bytes | None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT value FROM auditlog_seed WHERE log_id = %s AND leaf = %s", (log_id, index)
        )
        row = cursor.fetchone()
    return None if row is None else bytes(row[0])
