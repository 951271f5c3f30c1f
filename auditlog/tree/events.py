"""Leaves about the tree itself: which keys sign it, what a self-check found, and incidents.

They are found by `TreeLeaf`, and what they say is read from the leaves. Each is added while the end
of its log is held, whatever the clock shows: who signs must not depend on it.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from django.db import transaction
from django.db.backends.utils import CursorWrapper

from auditlog.continuity import clock
from auditlog.log import bulk_insert, group_commit, leaf, log_end
from auditlog.models import Leaf, TreeLeaf

OPERATOR = leaf.by_bytes(key=None, person=None, source="manage.py")
"""What `by` commits to: whoever runs commands on this machine."""
Format = Callable[[str, str, bytes], bytes]
"""Makes a leaf from the name of its log, its time, and the seed of its commitments."""


class Event(NamedTuple):
    """A leaf to add. With `first`, only if the log has none of its kind."""

    log_id: int
    kind: leaf.Kind
    format: Format
    first: bool = False


class Found(NamedTuple):
    """A leaf that was added: its index, and what it says."""

    leaf: int
    said: dict[str, Any]


def append(events: Sequence[Event]) -> Sequence[int | None]:
    """Add leaves in one transaction. Returns the index of each; None for one that was there."""
    return group_commit.submit(_write, events, wait=True).result()


def append_now(events: Sequence[Event]) -> Sequence[int | None]:
    """Add leaves on this thread, before there is a server."""
    with transaction.atomic():
        return append(events)


def read(log_id: int, kind: leaf.Kind) -> list[Found]:
    """Return the leaves of a kind, oldest first. One that somebody changed until it cannot be read
    says nothing, here; a self-check finds it.
    """
    places = TreeLeaf.objects.filter(log_id=log_id, kind=kind).values("leaf")
    rows = Leaf.objects.filter(log_id=log_id, index__in=places, kind=kind).order_by("index")
    return [
        Found(index, _decode(bytes(data))) for index, data in rows.values_list("index", "bytes")
    ]


def _decode(data: bytes) -> dict[str, Any]:
    try:
        said = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return said if isinstance(said, dict) else {}


def _write(cursor: CursorWrapper, events: Sequence[Event]) -> Sequence[int | None]:
    ends = log_end.hold(cursor, {event.log_id for event in events}, refuse=False)
    added: list[int | None] = []
    rows = []
    for event in events:
        if event.first and _has(cursor, event):
            added.append(None)
            continue
        end, seed = ends[event.log_id], os.urandom(32)
        data = event.format(end.slug, end.at(clock.read()), seed)
        index, _ = end.add(event.kind, data)
        rows.append((event.log_id, index, event.kind, seed if b'"commit":' in data else None))
        added.append(index)
    log_end.store(cursor, ends.values())
    bulk_insert.insert(cursor, "auditlog_treeleaf", ("log_id", "leaf", "kind", "seed"), rows)
    return added


def _has(cursor: CursorWrapper, event: Event) -> bool:
    cursor.execute(
        "SELECT 1 FROM auditlog_treeleaf WHERE log_id = %s AND kind = %s LIMIT 1",
        (event.log_id, event.kind),
    )
    return cursor.fetchone() is not None
