"""How a stored packet differs from its leaf, by name.

A leaf has at most five commitments for all columns of a packet, so a commitment that fails does not
say which of its columns was changed. Likely originals are tried: one that opens the commitment
proves what was changed. Without one, all columns that may have been changed are named.
"""

from typing import Any

from auditlog.integrity import originals
from auditlog.integrity.openings import (
    COVERED,
    Columns,
    Commitments,
    format_leaf,
    parse_leaf,
    read_columns,
)
from auditlog.log import leaf
from auditlog.models import Packet, Source

Difference = tuple[str, ...]
"""A name, or several of which at least one applies."""
SEED: Difference = ("seed", "everything that it salts")
UNREADABLE: Difference = ("the leaf, which cannot be decoded",)
FORM: Difference = ("form of the leaf",)
NAMES = {
    "log": "log",
    "proto": "protocol version",
    "recv": "receive time",
    "src": "source",
    "wire": "raw text",
    "meaning": "meaning",
    "supplied": "metadata",
    "content": "content",
    "sent_at": "sender’s time",
    "event_id": "event ID",
    "valid": "validity",
    "diagnostics": "diagnostics",
    "canonical": "canonical form",
    "tokens": "token count",
    "tokens_json": "token count of the JSON baseline",
    "tokenizer": "tokenizer",
    "baseline_version": "baseline version",
    "codec_version": "codec version",
    "protocol": "protocol",
    "uid": "packet ID",
    "key_id": "API key",
    "user_id": "person",
    "source": "source name",
}
"""What a leaf says in clear, and the columns that its commitments cover."""


def find(packet: Packet, *, seed: bytes, data: bytes) -> tuple[Difference, ...]:
    """Return how a packet differs from its leaf; nothing if it matches.

    The packet comes with its log and source, and all of it can be read, see
    `auditlog.database.damage`.
    """
    if format_leaf(packet, seed) == data:
        return ()
    parsed = parse_leaf(data)
    if parsed is None:
        return (UNREADABLE,)
    clear, committed = parsed
    found: list[Difference] = [
        (NAMES[name],) for name, value in _clear(packet).items() if clear.get(name) != value
    ]
    commitments = Commitments(committed, seed)
    columns = read_columns(packet)
    columns["source"] = _name_source(clear.get("src")) or columns["source"]
    failed = [field for field in COVERED if not commitments.are_open(field, columns)]
    if failed and set(committed) <= set(failed):
        found.append(SEED)
    else:
        again = {} if "raw" in failed else originals.read_again(columns, str(clear.get("proto")))
        found += [_narrow(field, columns, again, commitments) for field in failed]
    return tuple(found) or (FORM,)


def _clear(packet: Packet) -> dict[str, Any]:
    """Return what the leaf of a packet says in clear."""
    return {
        "log": packet.log.slug,
        "proto": packet.dialect,
        "recv": leaf.format_time(packet.received),
        "src": packet.source_id,
    }


def _name_source(source: Any) -> str | None:
    """Return the name of the source that a leaf says, so that another one differs in one place."""
    return Source.objects.filter(pk=source).values_list("name", flat=True).first()


def _narrow(field: str, columns: Columns, again: Columns, commitments: Commitments) -> Difference:
    """Return what was changed of the columns that a failed commitment covers.

    Columns that are what the wire reads as today were not changed, or to no harm.
    """
    tried = originals.list_originals(field, again)
    for original in tried:
        if commitments.are_open(field, {**columns, **original}):
            return tuple(NAMES[name] for name, value in original.items() if columns[name] != value)
    fine = {name for name, value in again.items() if columns[name] == value}
    if field == "by" and len(tried) < originals.TRIED:
        fine |= {"key_id", "user_id"}
    return tuple(NAMES[name] for name in COVERED[field] if name not in fine)
