"""Packets whose stored row cannot be read in full, so that they are shown as damaged and stop no
list.

What does not parse is replaced in memory by nothing, and `Packet.damage` names it. Nothing is
written back: the row is evidence. The wire is bytes and always readable.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from auditlog.database.uid import is_uid
from auditlog.models import Leaf, Log, Packet
from auditlog.text import from_json, is_utf8
from cablese import detection, registry

_UNREADABLE = (ValueError, TypeError, AttributeError)
"""What Django raises where a column holds no value of its kind."""
READABLE = {"sqlite": "CAST({} AS blob)", "postgresql": "{}"}
"""A column of text in SQL that reads many rows at once, damaged ones too: on SQLite they can have
values of any kind, and text that is not UTF-8 is an error.
"""
NEVER = datetime.min.replace(tzinfo=UTC)
"""The receive time of a packet if neither its row nor its leaf has one."""


Key = tuple[int, int]
"""A packet's log ID and leaf."""


def load(keys: Sequence[Key]) -> dict[Key, Packet]:
    """Return packets with their log and source, by their keys."""
    found: list[Packet] = []
    for log_id in dict.fromkeys(log_id for log_id, _ in keys):
        leaves = [leaf for owner, leaf in keys if owner == log_id]
        packets = Packet.objects.select_related("log", "source").filter(log_id=log_id)
        try:
            found += packets.filter(leaf__in=leaves)
        except _UNREADABLE:
            found += [one for leaf in leaves for one in _load_one(log_id, leaf)]
    return {packet.pk: note(packet) for packet in found}


def first(**conditions: Any) -> Packet | None:
    """Return the packet that fulfills the conditions, with its log and source."""
    key = Packet.objects.filter(**conditions).values_list("log_id", "leaf").first()
    return None if key is None else load([key]).get(key)


def by_uid(uid: str, *, log: str | None = None) -> Packet | None:
    """Return the packet with this ID in a log, or in any. The index is asked for each log."""
    if not is_uid(uid):
        return None
    logs = Log.objects.all() if log is None else Log.objects.filter(slug=log)
    return first(log__in=logs.values("pk"), uid=uid)


def _sentence(name: str) -> str:
    return f"The {name} cannot be read."


def _load_one(log_id: int, leaf: int) -> list[Packet]:
    packets = Packet.objects.select_related("log", "source").filter(log_id=log_id, leaf=leaf)
    try:
        return list(packets)
    except _UNREADABLE:
        found = list(packets.defer("received"))
    for packet in found:
        packet.received = NEVER
    return found


def _repair_time(packet: Packet) -> bool:
    # Django gives None for a text that is not a time, and raises for a time that cannot be.
    if packet.received is not None and packet.received != NEVER:
        return False
    packet.received = _received(packet)
    return True


def _received(packet: Packet) -> datetime:
    """Return the time in the packet's leaf; the earliest possible time without one."""
    data = (
        Leaf.objects.filter(log_id=packet.log_id, index=packet.leaf)
        .values_list("bytes", flat=True)
        .first()
    )
    try:
        return datetime.fromisoformat(json.loads(bytes(data or b""))["recv"])
    except (ValueError, TypeError, KeyError):
        return NEVER


def note(packet: Packet) -> Packet:
    """Blank the unreadable parts of a packet, and name them in its `damage`."""
    parts = ["receive time"] if _repair_time(packet) else []
    for part, column, is_readable, blank in _COLUMNS:
        value = getattr(packet, column)
        if value != blank and not is_readable(value):
            setattr(packet, column, blank)
            parts.append(part)
    if packet.protocol != detection.UNKNOWN and packet.protocol not in registry.get_names():
        packet.protocol = packet.dialect = detection.UNKNOWN
        parts.append("protocol")
    if parts:
        packet.damage = (*packet.damage, *dict.fromkeys(map(_sentence, parts)))
    return packet


def is_sound(*values: Any) -> bool:
    """Return whether all of these can be read: the columns of `_COLUMNS`, in their order."""
    for value, (_, _, is_readable, blank) in zip(values, _COLUMNS, strict=True):
        if value != blank and not is_readable(value):
            return False
    return True


def note_leaves(packets: Iterable[Packet], known: Iterable[tuple[int, int]]) -> None:
    """Add to the damage of packets without a leaf; `known` are the log and the index of those that
    are there.
    """
    there = set(known)
    for packet in packets:
        words = f"Leaf {packet.leaf} of the log is missing."
        if (packet.log_id, packet.leaf) not in there and words not in packet.damage:
            packet.damage = (*packet.damage, words)


class _Terms(Struct):
    tags: list[str] = []


class _Metadata(Struct):
    attributes: dict[str, Any] = {}
    tags: list[str] = []
    from_line: list[str] = []


class _Diagnostic(Struct):
    code: str


def _has(kind: Any) -> Callable[[str], bool]:
    """Return a function that tells whether a text is JSON of a kind. Other fields are skipped: the
    diagnostics of a packet can have five million characters.
    """
    decode = msgspec.json.Decoder(kind).decode

    def fits(text: str) -> bool:
        try:  # an export does this for every packet
            decode(text)
        except (msgspec.DecodeError, ValueError, TypeError, RecursionError):
            with suppress(msgspec.DecodeError, ValueError, TypeError, RecursionError):
                msgspec.convert(from_json(text), kind)
                return True
            return False
        return True

    return fits


def _is_time(text: str) -> bool:
    try:
        # A leap second is a time by RFC 3339, and not for Python.
        datetime.fromisoformat(text.upper().replace(":60", ":59"))
    except (ValueError, AttributeError):
        return False
    return True


_COLUMNS: tuple[tuple[str, str, Callable[[Any], bool], str | None], ...] = (
    ("terms", "meaning", _has(_Terms), "{}"),
    ("metadata", "supplied", _has(_Metadata), "{}"),
    ("metadata", "content", is_utf8, None),
    ("metadata", "sent_at", _is_time, None),
    ("diagnostics", "diagnostics", _has(list[_Diagnostic]), "[]"),
    ("canonical form", "canonical", is_utf8, None),
)
"""Each column with the part of a packet that it belongs to, whether it can be read, and what
replaces it otherwise.
"""
