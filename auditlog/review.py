"""Review: what a person thought of a packet, step by step. A step is never changed; the newest is
the state.

Each step is also a leaf of the packet's log, which commits to the person, the decision, and the
reason without revealing them.
"""

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Literal, NamedTuple, get_args

from django.contrib.auth.models import AbstractBaseUser
from django.db.backends.utils import CursorWrapper
from django.db.models import Q, QuerySet

from auditlog import access, text
from auditlog.continuity import clock
from auditlog.log import group_commit, leaf, log_end
from auditlog.models import LogEnd, Packet, Review

State = Literal["reviewed", "flagged"]
STATES: tuple[str, ...] = get_args(State)
NOTE_LIMIT = 10_000


class BadReview(ValueError):
    """A step that cannot be taken; the words say why."""


class _Step(NamedTuple):
    packet: Packet
    state: str
    note: str
    who: AbstractBaseUser
    at: datetime


def mark(*, packet: Packet, state: str, note: str, who: AbstractBaseUser) -> Review:
    """Append a review step and its leaf. Raises BadReview and clock.Behind."""
    if state not in STATES:
        raise BadReview(f'Unknown state "{state}". Expected {" or ".join(STATES)}.')
    if len(note) > NOTE_LIMIT:
        raise BadReview(f"The note is longer than the limit of {NOTE_LIMIT:,} characters.")
    if "\0" in note or text.whole(note) != note:
        raise BadReview("A note must not contain NUL or unpaired surrogates.")
    end = LogEnd.objects.get(pk=packet.log_id)
    log_end.check({packet.log_id: (packet.log.slug, end.received, end.behind)})
    step = _Step(packet, state, note, who, clock.read())
    return group_commit.submit(_write, [step], wait=True).result()[0]


def find_steps(packets: Iterable[Packet]) -> QuerySet[Review]:
    """Return the steps of packets, oldest first in each log."""
    leaves: dict[int, list[int]] = {}
    for packet in packets:
        leaves.setdefault(packet.log_id, []).append(packet.leaf)
    each = [Q(log_id=log_id, packet_leaf__in=some) for log_id, some in leaves.items()]
    steps = Review.objects.filter(reduce(or_, each)) if each else Review.objects.none()
    return steps.select_related("who").order_by("leaf")


def find_latest(packets: Iterable[Packet]) -> dict[tuple[int, int], Review]:
    """Return the newest step of each packet that has one, by the packet's log ID and leaf."""
    return {(step.log_id, step.packet_leaf): step for step in find_steps(packets)}


def as_json(step: Review) -> dict[str, Any]:
    return {
        "state": step.state,
        "note": step.note,
        "who": step.who.get_username(),
        "at": leaf.format_time(step.at),
        "leaf": step.leaf,
    }


def decision_bytes(*, packet: str, state: str, note: str) -> bytes:
    """Return what a review's leaf commits to as `decision`: the packet's ID, the state, and the
    note.
    """
    return leaf.canonical({"packet": packet, "state": state, "note": note})


def _write(cursor: CursorWrapper, steps: Sequence[_Step]) -> Sequence[Review]:
    ends = log_end.hold(cursor, {step.packet.log_id for step in steps})
    reviews = [_take(step, ends[step.packet.log_id]) for step in steps]
    log_end.store(cursor, ends.values())
    # After their leaves, which they refer to.
    return Review.objects.bulk_create(reviews)


def _take(step: _Step, end: log_end.End) -> Review:
    packet = step.packet
    seed = os.urandom(32)
    data = leaf.format_review(
        seed,
        log=end.slug,
        received=end.at(step.at),
        leaf=packet.leaf,
        by=leaf.by_bytes(key=None, person=step.who.pk, source=access.name_person(step.who)),
        decision=decision_bytes(packet=packet.uid, state=step.state, note=step.note),
    )
    at, _ = end.add("review", data)
    return Review(
        log_id=packet.log_id,
        leaf=at,
        packet_leaf=packet.leaf,
        state=step.state,
        note=step.note,
        who_id=step.who.pk,
        at=end.received,
        seed=seed,
    )
