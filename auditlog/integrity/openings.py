"""What each commitment of a packet's leaf opens to, from the packet's columns.

The columns are those of a packet, except that ``source`` is the name of the source.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from auditlog.log import leaf
from auditlog.models import Packet

Columns = Mapping[str, Any]
COVERED: dict[str, tuple[str, ...]] = {
    "raw": ("wire",),
    "index": ("meaning", "supplied", "content", "sent_at"),
    "event": ("event_id",),
    "reading": (
        "valid",
        "diagnostics",
        "canonical",
        "tokens",
        "tokens_json",
        "tokenizer",
        "baseline_version",
        "codec_version",
        "protocol",
        "uid",
    ),
    "by": ("key_id", "user_id", "source"),
}
"""The columns that a commitment covers."""


def read_columns(packet: Packet) -> dict[str, Any]:
    """Return what the commitments to a packet cover. It comes with its source."""
    names = [name for names in COVERED.values() for name in names if name != "source"]
    columns = {name: getattr(packet, name) for name in names} | {"source": packet.source.name}
    return {
        name: bytes(value) if isinstance(value, memoryview) else value
        for name, value in columns.items()
    }


def format_leaf(packet: Packet, seed: bytes) -> bytes:
    """Return the leaf that a packet should have. It comes with its log and source."""
    columns = read_columns(packet)
    committed = leaf.commit_packet(
        seed,
        by=_by(columns),
        event=packet.event_id,
        index=_index(columns),
        raw=_raw(columns),
        reading=_reading(columns),
    )
    return leaf.format_packet(
        commit=committed,
        log=packet.log.slug,
        dialect=packet.dialect,
        received=leaf.format_time(packet.received),
        source=packet.source_id,
    )


def list_openings(packet: Packet) -> dict[str, bytes]:
    """Return the bytes of each commitment of a packet's leaf. It comes with its source.

    A column that cannot be encoded leaves out its commitment.
    """
    columns = read_columns(packet)
    opened: dict[str, bytes] = {}
    for field, read in _OPENINGS.items():
        with suppress(ValueError, TypeError, AttributeError):
            if (data := read(columns)) is not None:
                opened[field] = data
    return opened


class Commitments:
    """The commitments of a stored leaf, and the seed that opens them."""

    def __init__(self, committed: Mapping[str, Any], seed: bytes) -> None:
        self.committed = committed
        self._seed = seed

    def are_open(self, field: str, columns: Columns) -> bool:
        """Return whether the columns are what a field commits to."""
        return leaf.opens(self.committed, self._seed, field, _OPENINGS[field](columns))


def _raw(columns: Columns) -> bytes:
    return columns["wire"]  # type: ignore[no-any-return]


def _event(columns: Columns) -> bytes | None:
    event = columns["event_id"]
    return None if event is None else str(event).encode()


def _index(columns: Columns) -> bytes:
    return leaf.facts_bytes(**{name: columns[name] for name in COVERED["index"]})


def _reading(columns: Columns) -> bytes:
    values = {name: columns[name] for name in COVERED["reading"]}
    if columns["canonical"] is not None:
        values["canonical"] = columns["canonical"].decode()
    return leaf.reading_bytes(leaf.Reading(**values))


def _by(columns: Columns) -> bytes:
    return leaf.by_bytes(key=columns["key_id"], person=columns["user_id"], source=columns["source"])


_OPENINGS: dict[str, Callable[[Columns], bytes | None]] = {
    "raw": _raw,
    "index": _index,
    "event": _event,
    "reading": _reading,
    "by": _by,
}


def parse_leaf(data: bytes) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return what a packet's leaf says in clear, and its commitments; None if it is none."""
    try:
        clear = json.loads(data)
        return clear, dict(clear.pop("commit"))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
