"""The exact bytes that are hashed into a log, and the commitments in them (docs/design/audit.md).

A leaf is a small RFC 8785 object without any user's text:

    {"commit":{"by":"Wq…=","index":"5e…=","raw":"9a…=","reading":"Zk…="},"kind":"packet",
     "log":"default","proto":"nslip/1","recv":"2026-11-20T10:00:01.000250Z","src":7,"v":2}

What people and agents wrote enters it only as salted commitments, so that a packet and its seed can
be erased while the leaf and every proof over it still hold. Each kind of leaf is made by one
function. Pure: no clock, setting, or database.
"""

from auditlog.log.leaf.canonical import canonical, canonical_json, format_time
from auditlog.log.leaf.event_leaf import (
    format_access,
    format_admin,
    format_api_key,
    format_check,
    format_clock,
    format_gap,
    format_hold,
    format_incident,
    format_redaction,
    format_review,
    format_signing_key,
)
from auditlog.log.leaf.opening import Reading, by_bytes, facts_bytes, reading_bytes
from auditlog.log.leaf.packet_leaf import format_packet
from auditlog.log.leaf.shape import LIMIT, VERSION, ClockState, Kind
from cablese.tlog.commitment import commit, commit_packet, opens, salt, spell
from cablese.tlog.merkle import hash_leaf

__all__ = [
    "LIMIT",
    "VERSION",
    "ClockState",
    "Kind",
    "Reading",
    "by_bytes",
    "canonical",
    "canonical_json",
    "commit",
    "commit_packet",
    "facts_bytes",
    "format_access",
    "format_admin",
    "format_api_key",
    "format_check",
    "format_clock",
    "format_gap",
    "format_hold",
    "format_incident",
    "format_packet",
    "format_redaction",
    "format_review",
    "format_signing_key",
    "format_time",
    "hash_leaf",
    "opens",
    "reading_bytes",
    "salt",
    "spell",
]
