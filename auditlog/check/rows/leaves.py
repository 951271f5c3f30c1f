"""The leaves of a log, a tile at a time: their hashes, forms, indexes, and times; and rows."""

from typing import Any, NamedTuple

from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.rows import events, packets
from auditlog.check.rows.form import TIME, BadLeaf, parse
from auditlog.tree.growth import UNKNOWN
from cablese.tlog.merkle import hash_leaf

_READ = """\
SELECT "index", kind, bytes, hash FROM auditlog_leaf
WHERE log_id = %s AND "index" >= %s AND "index" < %s ORDER BY "index\""""


class Range(NamedTuple):
    """Leaves that were checked: the hashes of their bytes, and the time of the last one."""

    hashes: list[bytes]
    newest: str


def check(facts: Facts, low: int, high: int, newest: str, faults: Faults) -> Range:
    """Check the leaves from `low` up to `high`, with their rows. `newest` is the time of the leaf
    before them.
    """
    stored = _read(facts.log_id, low, high)
    _check_indexes(low, high, stored, faults)
    hashes = [UNKNOWN] * (high - low)
    for index, (_, data, digest) in stored.items():
        hashes[index - low] = made = hash_leaf(data)
        if made != digest:
            faults.add("leaf", index, "bytes or hash", "The hash does not match the bytes.")
    leaves = {index: (kind, data) for index, (kind, data, _) in stored.items()}
    sound = packets.check(facts, low, high, leaves, faults)
    fields = _parse(facts, leaves, sound, faults)
    events.check(facts, low, high, _without_packets(fields, leaves), faults)
    return Range(hashes, _check_times(fields, leaves, newest, faults))


def read_time(facts: Facts, index: int) -> str:
    """Return the receive time of a leaf; nothing if it has none."""
    for kind, data, _ in _read(facts.log_id, index, index + 1).values():
        try:
            return str(parse(data, kind=kind, log=facts.slug)["recv"])
        except BadLeaf:
            break
    return ""


def find_next(log_id: int, low: int) -> int | None:
    """Return the first index from `low` that has a leaf."""
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT MIN("index") FROM auditlog_leaf WHERE log_id = %s AND "index" >= %s',
            (log_id, low),
        )
        found = cursor.fetchone()[0]
    return None if found is None else int(found)


def _read(log_id: int, low: int, high: int) -> dict[int, tuple[str, bytes, bytes]]:
    with connection.cursor() as cursor:
        cursor.execute(_READ, (log_id, low, high))
        rows = cursor.fetchall()
    return {index: (kind, _bytes(data), _bytes(digest)) for index, kind, data, digest in rows}


def _bytes(stored: Any) -> bytes:
    return stored.encode() if isinstance(stored, str) else bytes(stored)


def _check_indexes(low: int, high: int, stored: dict[int, Any], faults: Faults) -> None:
    if len(stored) == high - low:
        return
    for index in range(low, high):
        if index not in stored:
            faults.add("leaf", index, "row", "The leaf is missing.")


def _parse(
    facts: Facts, leaves: packets.Leaves, sound: set[int], faults: Faults
) -> dict[int, dict[str, Any]]:
    """Return the fields of leaves. Those of sound packets are as they should be; only their time is
    read.
    """
    found = {}
    for index, (kind, data) in leaves.items():
        if index in sound:
            at = data.rindex(_RECV) + len(_RECV)
            found[index] = {"kind": kind, "recv": data[at : at + TIME].decode()}
            continue
        try:
            found[index] = parse(data, kind=kind, log=facts.slug)
        except BadLeaf as error:
            faults.add("leaf", index, "kind or bytes", str(error))
    return found


_RECV = b'"recv":"'


def _without_packets(fields: events.Fields, leaves: packets.Leaves) -> events.Fields:
    return {index: one for index, one in fields.items() if leaves[index][0] != "packet"}


def _check_times(fields: events.Fields, leaves: packets.Leaves, newest: str, faults: Faults) -> str:
    """Return the time of the last leaf. Times rise but at the leaf that begins a segment."""
    for index in leaves:
        one = fields.get(index)
        if one is None:
            continue
        received = one["recv"]
        if received < newest and one.get("state") != "accepted":
            faults.add("leaf", index, "bytes", "It is earlier than that of the leaf before.")
        newest = received
    return newest
