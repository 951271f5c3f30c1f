"""Erase packets: one transaction deletes what is stored of them and adds a redaction leaf for each.

The row, its seed, terms, findings, and conflicts go, what was counted of it is subtracted, and the
notes of its review are emptied. The leaf stays, as do the steps of the review and their leaves, so
that every proof still holds. Without the seed, no commitment of the leaf can be guessed.

The locks are taken in the order in which the follower, the recount, and the writer take them.
"""

import os
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction

from auditlog import access, text
from auditlog.continuity import clock
from auditlog.database import damage
from auditlog.erasure import events, evidence, redaction, rows
from auditlog.erasure.tables import Erasure
from auditlog.log import leaf, log_end, notify
from auditlog.models import FindingPosition, Log, Packet, RollupPosition

REASON_LIMIT = 1_000
"""Characters of a reason."""
TOO_LONG = f"The reason is longer than the limit of {REASON_LIMIT:,} characters."
TOGETHER = 100
"""Packets of one transaction: a writer waits for one."""
COMMAND = "manage.py erase"
"""The source of an erasure by an operator."""


class BadErasure(ValueError):
    """An erasure that cannot be done; the words say why."""


class BadReason(BadErasure):
    """A reason that is missing or cannot be stored."""


class By(NamedTuple):
    """Who erases: a person, a key by its ID, or the operator of this machine."""

    source: str = COMMAND
    person: int | None = None
    key: str | None = None


class Order(NamedTuple):
    """What to erase, and why. Without a field, it is the whole packet."""

    by: By
    reason: str
    field: str = ""
    notes: bool = True
    """Whether the notes of the review are erased too."""


def by_person(who: AbstractBaseUser) -> By:
    return By(access.name_person(who), person=who.pk)


def check(order: Order) -> None:
    """Raises BadReason."""
    reason = order.reason
    if not reason.strip():
        raise BadReason("Enter a reason.")
    if len(reason) > REASON_LIMIT:
        raise BadReason(TOO_LONG)
    if "\0" in reason or text.whole(reason) != reason:
        raise BadReason("A reason must not contain NUL or unpaired surrogates.")


def erase(*, log: Log, leaves: Sequence[int], order: Order) -> list[Erasure]:
    """Erase packets of a log, at most `TOGETHER`, in one transaction. Packets that are erased
    already are left out, except that the redacted copy of one goes with the whole packet.

    Raises BadErasure, and clock.Behind.
    """
    check(order)
    assert len(leaves) <= TOGETHER, "a writer waits for this transaction"
    at = clock.read()
    with transaction.atomic(), connection.cursor() as cursor:
        # This order is that of the follower and of `recount.begin`.
        followed = FindingPosition.objects.select_for_update().get(pk=log.pk)
        end = log_end.hold(cursor, [log.pk])[log.pk]
        recounted = RollupPosition.objects.select_for_update().filter(pk=log.pk).first()
        packets = [*damage.load([(log.pk, place) for place in leaves]).values()]
        made = [_make(end, packet, order, at) for packet in sorted(packets, key=_place)]
        copies = _find_copies(log, leaves)
        if copies and order.field:
            raise BadErasure("Only a redacted copy is left. Erase the whole packet.")
        made += [_take_copy(end, copy, order, at) for copy in copies]
        if made:
            rows.delete(cursor, packets, counted=rows.Counted.of(followed, recounted))
            _empty_notes(made, order)
            log_end.store(cursor, [end])
            Erasure.objects.bulk_create(made)
    notify.mark()
    return made


def _place(packet: Packet) -> int:
    return packet.leaf


def _make(end: log_end.End, packet: Packet, order: Order, at: datetime) -> Erasure:
    """Return the erasure of a stored packet, whose leaf is added. Raises BadErasure."""
    copy = None
    if order.field:
        try:
            copy = redaction.redact(packet, order.field)
        except redaction.NoSuchField as missing:
            raise BadErasure(str(missing)) from None
    made = _add(end, order, at, packet.leaf, packet.uid, copy)
    if packet.event_id is not None:
        made.event = events.hash_event(packet.log_id, packet.source_id, packet.event_id)
    return made


def _find_copies(log: Log, leaves: Sequence[int]) -> list[Erasure]:
    found = Erasure.objects.filter(log=log, packet_leaf__in=leaves, redacted__isnull=False)
    return list(found.order_by("packet_leaf"))


def _take_copy(end: log_end.End, copy: Erasure, order: Order, at: datetime) -> Erasure:
    """Return the erasure of a redacted copy, which is deleted."""
    Erasure.objects.filter(pk=copy.pk).update(redacted=None)
    return _add(end, order, at, copy.packet_leaf, copy.uid, None)


def _add(
    end: log_end.End, order: Order, at: datetime, place: int, uid: str, copy: bytes | None
) -> Erasure:
    seed, by = os.urandom(32), order.by
    noted = rows.find_noted(end.log_id, [place]).order_by("leaf") if order.notes else ()
    data = leaf.format_redaction(
        seed,
        log=end.slug,
        received=end.at(at),
        leaf=place,
        by=leaf.by_bytes(key=by.key, person=by.person, source=by.source),
        reason=leaf.canonical(order.reason),
        field=leaf.canonical(order.field) if order.field else None,
        redacted=copy,
        steps=evidence.format_steps(noted),
    )
    index, _ = end.add("redaction", data)
    return Erasure(
        log_id=end.log_id,
        leaf=index,
        packet_leaf=place,
        uid=uid,
        at=end.received,
        who_id=by.person,
        key_id=by.key,
        source=by.source,
        reason=order.reason,
        field=order.field,
        notes=0,
        seed=seed,
        redacted=copy,
    )


def _empty_notes(made: Sequence[Erasure], order: Order) -> None:
    if order.notes:
        emptied = rows.empty_notes(made[0].log_id, [one.packet_leaf for one in made])
        for one in made:
            one.notes = emptied[one.packet_leaf]
