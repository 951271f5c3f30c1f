"""What was erased of a packet, for pages and the API."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.db.models import QuerySet

from auditlog import text
from auditlog.database.uid import is_uid
from auditlog.erasure.tables import Erasure
from auditlog.log import leaf
from auditlog.models import Leaf, Log


class ErasureRecord(msgspec.Struct, frozen=True):
    """What was erased, when, by whom, and why.

    ``leaf`` is the index of the redaction leaf. ``field`` is null if the whole packet was erased.
    ``notes`` is the number of review notes erased with it. ``purged`` is when the database files no
    longer had the content, or null; backups have it until they are deleted.
    """

    leaf: int
    at: str
    by: str
    reason: str
    field: str | None
    notes: int
    purged: str | None


class ErasedPacket(msgspec.Struct, frozen=True):
    """A packet whose content was erased. Its leaf is still in the log.

    ``redacted`` is null, or what is left of the packet if a field was erased. Nothing proves that
    it was a part of the packet; the redaction leaf only proves that it was not changed since.
    """

    id: str
    log: str
    leaf: int
    leaf_hash: str | None
    received: str | None
    erased: tuple[ErasureRecord, ...]
    redacted: dict[str, Any] | None


class NotErased(LookupError):
    """No packet with this ID was erased."""


def find(uid: str, *, log: str | None = None) -> list[Erasure]:
    """Return the erasures of a packet in a log, or in any, oldest first. Raises NotErased."""
    found: QuerySet[Erasure] = Erasure.objects.none()
    if is_uid(uid):
        logs = Log.objects.all() if log is None else Log.objects.filter(slug=log)
        found = Erasure.objects.filter(log__in=logs.values("pk"), uid=uid)
    erasures = list(found.select_related("log").order_by("leaf"))
    if not erasures:
        raise NotErased(uid)
    return erasures


def find_of(log_id: int, packet_leaf: int) -> list[Erasure]:
    """Return the erasures of the packet at a leaf, oldest first."""
    found = Erasure.objects.filter(log_id=log_id, packet_leaf=packet_leaf)
    return list(found.select_related("log").order_by("leaf"))


def count(log: Log, low: int, high: int, *, since: int = 0) -> int:
    """Return how many packets of a log with ``low <= leaf < high`` were erased, by a redaction
    leaf from ``since`` on.
    """
    found = Erasure.objects.filter(
        log=log, packet_leaf__gte=low, packet_leaf__lt=high, leaf__gte=since
    )
    return found.values("packet_leaf").distinct().count()


def is_recorded(log_id: int, packet_leaf: int) -> bool:
    """Return whether a redaction leaf says that the packet at a leaf was erased. Without one, it
    was removed in another way.
    """
    places = Erasure.objects.filter(log_id=log_id, packet_leaf=packet_leaf).values("leaf")
    stored = Leaf.objects.filter(log_id=log_id, index__in=places, kind="redaction")
    return any(
        leaf.hash_leaf(bytes(one.bytes)) == bytes(one.hash)
        and _read_redacted(bytes(one.bytes)) == packet_leaf
        for one in stored
    )


def read(erasures: Sequence[Erasure]) -> ErasedPacket:
    """Return what is known of one packet from all its erasures."""
    first = erasures[0]
    stored = Leaf.objects.filter(log_id=first.log_id, index=first.packet_leaf).first()
    copy = next((one.redacted for one in erasures if one.redacted is not None), None)
    return ErasedPacket(
        id=first.uid,
        log=first.log.slug,
        leaf=first.packet_leaf,
        leaf_hash=None if stored is None else bytes(stored.hash).hex(),
        received=None if stored is None else _read_time(bytes(stored.bytes)),
        erased=tuple(map(_read, erasures)),
        redacted=None if copy is None else text.from_json(bytes(copy)),
    )


def _read(one: Erasure) -> ErasureRecord:
    return ErasureRecord(
        leaf=one.leaf,
        at=leaf.format_time(one.at),
        by=one.source,
        reason=one.reason,
        field=one.field or None,
        notes=one.notes,
        purged=None if one.purged is None else leaf.format_time(one.purged),
    )


def _read_redacted(data: bytes) -> int | None:
    """Return the leaf that a redaction leaf names."""
    try:
        said = text.from_json(data)
        return int(said["leaf"]) if said["kind"] == "redaction" else None
    except (ValueError, TypeError, KeyError):
        return None


def _read_time(data: bytes) -> str | None:
    try:
        return str(text.from_json(data)["recv"])
    except (ValueError, TypeError, KeyError):
        return None
