"""Review: what people thought of a packet, step by step. A step is never changed or deleted.

A decision is reviewed or flagged, and a comment decides nothing. A person can undo their own steps,
and that is a step of its own. The newest decision that is not undone is the state of the packet.

    leaf 7   ada     flagged    "who sent this?"
    leaf 9   grace   commented  "the planner did"
    leaf 12  ada     undone     undoes leaf 7: the packet has no decision again

Each step is also a leaf of the packet's log, which commits to the person, the decision, and the
reason without revealing them.
"""

import os
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import reduce
from itertools import groupby
from operator import or_
from typing import Any, Literal, NamedTuple, get_args

from django.contrib.auth.models import AbstractBaseUser
from django.db.backends.utils import CursorWrapper
from django.db.models import Q, QuerySet

from auditlog import access, text
from auditlog.continuity import clock
from auditlog.database import damage, spread
from auditlog.log import group_commit, leaf, log_end
from auditlog.models import Log, LogEnd, Packet, Review

Decision = Literal["reviewed", "flagged"]
DECISIONS: tuple[str, ...] = get_args(Decision)
COMMENT = "commented"
STATES = (*DECISIONS, COMMENT)
"""The steps that a person can take."""
UNDONE = "undone"
"""The step that undoes another one."""
NOTE_LIMIT = 10_000
LIMIT = 1_000
"""Packets that one decision may be for."""
_ERASED = "This packet was erased. Nothing was stored."
_TOGETHER = 5_000
"""Packets whose steps one query reads."""
_RECENT = 2 * LIMIT
"""Steps of a person that the last one is looked for in."""


class BadReview(ValueError):
    """A step that cannot be taken; the words say why."""


class TooMany(BadReview):
    """More packets than one decision may be for. Nothing was stored."""

    def __init__(self, number: int) -> None:
        super().__init__(f"The limit is {LIMIT:,} packets. You selected {number:,}.")


class Overtaken(BadReview):
    """Another person decided after the packet was shown. Nothing was stored."""

    def __init__(self, step: Review) -> None:
        did = "undid a decision on" if step.state == UNDONE else step.state
        super().__init__(
            f"{step.who.get_username()} {did} this packet after you opened it. Nothing was stored."
        )
        self.step = step


class Repeated(BadReview):
    """The same step again, as when a form is sent twice. Nothing was stored."""

    def __init__(self, step: Review) -> None:
        super().__init__(f"You already {did(step.state)} this packet. Nothing was stored again.")
        self.step = step


def did(state: str) -> str:
    """Return what a person did who took a step: `flagged` or `commented on` a packet."""
    return "commented on" if state == COMMENT else state


class Marked(NamedTuple):
    """The steps that were stored, the packets that another person decided meanwhile, and those that
    have this very step already.
    """

    steps: list[Review]
    overtaken: list[Overtaken]
    repeated: list[Repeated]


class _Step(NamedTuple):
    packet: Packet
    state: str
    note: str
    who: AbstractBaseUser
    at: datetime
    seen: int | None = None
    undoes: int | None = None


def mark(
    *, packet: Packet, state: str, note: str, who: AbstractBaseUser, seen: int | None = None
) -> Review:
    """Append a review step and its leaf. Raises BadReview and clock.Behind.

    ``seen`` is the size of the log when the packet was shown. Raises Overtaken for a decision if
    another person decided since then, and Repeated if this person took the same step.
    """
    marked = mark_all(packets=[packet], state=state, note=note, who=who, seen=seen)
    for refused in (*marked.overtaken, *marked.repeated):
        raise refused
    return marked.steps[0]


def mark_all(
    *,
    packets: Sequence[Packet],
    state: str,
    note: str,
    who: AbstractBaseUser,
    seen: int | None = None,
) -> Marked:
    """Append a step for each of the packets of one log, in one transaction, but for those that
    another person decided, or that got the same step from this one, since the log had ``seen``
    leaves. Raises BadReview and clock.Behind.
    """
    if state not in STATES:
        raise BadReview(f'Unknown state "{state}". Expected {", ".join(STATES)}.')
    if state == COMMENT and not note.strip():
        raise BadReview("A comment needs a note.")
    _check_note(note)
    if len(packets) > LIMIT:
        raise TooMany(len(packets))
    at = clock.read()
    results = _submit([_Step(packet, state, note, who, at, seen) for packet in packets])
    steps = [found for found in results if isinstance(found, Review)]
    overtaken = [found for found in results if isinstance(found, Overtaken)]
    repeated = [found for found in results if isinstance(found, Repeated)]
    if results and not (steps or overtaken or repeated):
        raise BadReview(_ERASED)
    return Marked(steps, overtaken, repeated)


def undo(
    *, steps: Sequence[Review], who: AbstractBaseUser, seen: int | None = None
) -> list[Review]:
    """Append a step for each step of one person, which undoes it, and return the new ones. Steps
    that are undone already, whose packet was erased, or whose packet another person decided since
    the log had ``seen`` leaves, are left out. Raises BadReview if that leaves none, and for another
    person's step, and clock.Behind.
    """
    if any(step.who_id != who.pk or step.state == UNDONE for step in steps):
        raise BadReview("You can undo only your own reviews, flags, and comments.")
    packets = damage.load([(step.log_id, step.packet_leaf) for step in steps])
    at = clock.read()
    results = _submit(
        [
            _Step(packets[step.log_id, step.packet_leaf], UNDONE, "", who, at, seen, step.leaf)
            for step in steps
            if (step.log_id, step.packet_leaf) in packets
        ]
    )
    undone = [found for found in results if isinstance(found, Review)]
    refused = [found for found in results if isinstance(found, BadReview)]
    if not undone:
        raise refused[0] if refused else BadReview(_ERASED)
    return undone


def find_steps(packets: Iterable[Packet | damage.Key]) -> QuerySet[Review]:
    """Return the steps of packets, oldest first in each log."""
    leaves: dict[int, list[int]] = {}
    for packet in packets:
        log_id, at = packet.pk if isinstance(packet, Packet) else packet
        leaves.setdefault(log_id, []).append(at)
    each = [Q(log_id=log_id, packet_leaf__in=some) for log_id, some in leaves.items()]
    steps = Review.objects.filter(reduce(or_, each)) if each else Review.objects.none()
    return steps.select_related("who").order_by("leaf")


def find_steps_of(log: Log, leaves: Sequence[int]) -> QuerySet[Review]:
    """Return the steps of a log's packets with leaves in order, oldest first; perhaps with those of
    packets between them.
    """
    steps = Review.objects.filter(log=log, **spread.lookup("packet_leaf", leaves))
    return steps.select_related("who").order_by("leaf")


def list_effective(steps: Iterable[Review]) -> list[Review]:
    """Return the decisions and comments that are not undone, of all steps of some packets."""
    steps = list(steps)
    undone = {(step.log_id, step.undoes) for step in steps}
    return [step for step in steps if step.state != UNDONE and step.pk not in undone]


def find_decisions(effective: Iterable[Review]) -> dict[damage.Key, Review]:
    """Return the newest decision of each packet that has one."""
    return {(step.log_id, step.packet_leaf): step for step in effective if step.state in DECISIONS}


def find_comments(effective: Iterable[Review]) -> dict[damage.Key, list[Review]]:
    """Return the comments on each packet that has any, oldest first."""
    found: dict[damage.Key, list[Review]] = {}
    for step in effective:
        if step.state == COMMENT:
            found.setdefault((step.log_id, step.packet_leaf), []).append(step)
    return found


def find_states(log: Log, leaves: Sequence[int]) -> dict[int, str]:
    """Return the newest decision of each of these packets, by its leaf, or "commented" for one that
    has only comments. Notes are not read.
    """
    states: dict[int, str] = {}
    for at in range(0, len(leaves), _TOGETHER):
        steps = Review.objects.filter(log=log, packet_leaf__in=leaves[at : at + _TOGETHER])
        rows = list(steps.order_by("leaf").values_list("packet_leaf", "leaf", "state", "undoes"))
        undone = {undoes for *_, undoes in rows}
        for packet, step, state, _ in rows:
            if state in DECISIONS and step not in undone:
                states[packet] = state
            elif state == COMMENT and step not in undone:
                states.setdefault(packet, state)
    return states


def find_last(
    *, log: Log, who: AbstractBaseUser, since: int, leaves: Collection[int]
) -> list[Review]:
    """Return the steps that a person took last and can undo, newest first: all that are left of a
    bulk decision, taken at any time, or a single one on some packets. A single one counts only with
    a leaf of at least ``since``, so that older ones are not undone one key after the other.
    """
    own = Review.objects.filter(log=log, who_id=who.pk).order_by("-leaf")[:_RECENT]
    undone: set[int | None] = set()
    for (_, state, _), same in groupby(own.iterator(), lambda one: (one.at, one.state, one.note)):
        steps = list(same)
        if state == UNDONE:  # newer than the step that it undoes, so it comes first
            undone.update(step.undoes for step in steps)
            continue
        if len(steps) == 1 and not (steps[0].leaf >= since and steps[0].packet_leaf in leaves):
            continue
        standing = _find_standing([step for step in steps if step.leaf not in undone])
        if standing:
            return standing
    return []


def _find_standing(steps: Sequence[Review]) -> list[Review]:
    """Return the comments, and the decisions that are still the newest of their packet, of some
    steps on packets that still exist.
    """
    keys = {(step.log_id, step.packet_leaf) for step in steps}
    effective = list_effective(find_steps(keys).defer("note", "seed"))
    newest = {step.pk for step in find_decisions(effective).values()}
    stored = _find_stored(keys)
    return [
        step
        for step in steps
        if (step.log_id, step.packet_leaf) in stored
        and (step.state == COMMENT or step.pk in newest)
    ]


def as_json(step: Review) -> dict[str, Any]:
    return {
        "state": step.state,
        "note": step.note,
        "who": step.who.get_username(),
        "at": leaf.format_time(step.at),
        "leaf": step.leaf,
        **({} if step.undoes is None else {"undoes": step.undoes}),
    }


def decision_bytes(*, packet: str, state: str, note: str, undoes: int | None = None) -> bytes:
    """Return what a review's leaf commits to as `decision`: the packet's ID, the state, the note,
    and the leaf of the step that it undoes.
    """
    decision = {"packet": packet, "state": state, "note": note}
    return leaf.canonical(decision if undoes is None else {**decision, "undoes": undoes})


def _check_note(note: str) -> None:
    if len(note) > NOTE_LIMIT:
        raise BadReview(f"The note is longer than the limit of {NOTE_LIMIT:,} characters.")
    if "\0" in note or text.whole(note) != note:
        raise BadReview("A note must not contain NUL or unpaired surrogates.")


def _submit(steps: Sequence[_Step]) -> Sequence[Review | BadReview]:
    logs = {step.packet.log_id: step.packet.log.slug for step in steps}
    ends = LogEnd.objects.in_bulk(list(logs))
    log_end.check({pk: (slug, ends[pk].received, ends[pk].behind) for pk, slug in logs.items()})
    return group_commit.submit(_write, steps, wait=True).result()


def _write(cursor: CursorWrapper, steps: Sequence[_Step]) -> Sequence[Review | BadReview]:
    ends = log_end.hold(cursor, {step.packet.log_id for step in steps})
    # Read while the ends are held, so that nobody else decides in between.
    known = _known(step.packet for step in steps)
    stored = _find_stored({step.packet.pk for step in steps})
    results: list[Review | BadReview] = []
    for step in steps:
        before = known.setdefault(step.packet.pk, [])
        refused = _refusal(step, before) if step.packet.pk in stored else BadReview(_ERASED)
        result = refused or _take(step, ends[step.packet.log_id])
        if isinstance(result, Review):
            before.append(result)
        results.append(result)
    log_end.store(cursor, ends.values())
    # After their leaves, which they refer to.
    Review.objects.bulk_create(result for result in results if isinstance(result, Review))
    return results


def _find_stored(keys: Iterable[damage.Key]) -> set[damage.Key]:
    """Return the keys of the packets that still exist."""
    leaves: dict[int, set[int]] = {}
    for log_id, at in keys:
        leaves.setdefault(log_id, set()).add(at)
    return {
        (log_id, leaf)
        for log_id, some in leaves.items()
        for leaf in Packet.objects.filter(log_id=log_id, leaf__in=some).values_list(
            "leaf", flat=True
        )
    }


def _known(packets: Iterable[Packet]) -> dict[damage.Key, list[Review]]:
    known: dict[damage.Key, list[Review]] = {}
    for step in find_steps({packet.pk for packet in packets}):
        known.setdefault((step.log_id, step.packet_leaf), []).append(step)
    return known


def _refusal(step: _Step, before: Collection[Review]) -> BadReview | None:
    if step.undoes is not None and any(other.undoes == step.undoes for other in before):
        return BadReview("This is already undone.")
    if step.seen is None:
        return None
    since = [other for other in before if other.leaf >= step.seen]
    effective, key = list_effective(since), step.packet.pk
    decision = find_decisions(effective).get(key)
    for other in (*find_comments(effective).get(key, ()), *([decision] if decision else ())):
        if (other.who_id, other.state, other.note) == (step.who.pk, step.state, step.note):
            return Repeated(other)
    # A comment decides nothing, nor does to undo one.
    comments = {other.leaf for other in before if other.state == COMMENT}
    if step.state == COMMENT or step.undoes in comments:
        return None
    decided = [one for one in since if one.leaf not in comments and one.undoes not in comments]
    others = [one for one in decided if one.who_id != step.who.pk]
    return Overtaken(others[-1]) if others else None


def _take(step: _Step, end: log_end.End) -> Review:
    packet = step.packet
    seed = os.urandom(32)
    decision = decision_bytes(
        packet=packet.uid, state=step.state, note=step.note, undoes=step.undoes
    )
    data = leaf.format_review(
        seed,
        log=end.slug,
        received=end.at(step.at),
        leaf=packet.leaf,
        by=leaf.by_bytes(key=None, person=step.who.pk, source=access.name_person(step.who)),
        decision=decision,
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
        undoes=step.undoes,
    )
