"""`append`: the only way into the log.

One call writes a whole batch, in one transaction and with one statement a table: leaves, packets,
seeds and search terms, or none of them. An event id makes a retry safe: the same bytes again are a
duplicate of the first, other bytes a conflict, which is recorded. The event id of a packet that was
erased is refused. The lock of the log's end makes that true for any number of writers.
"""

import json
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection
from django.db.backends.utils import CursorWrapper
from msgspec import Struct, structs

from auditlog.database import statistics, uid
from auditlog.erasure import events
from auditlog.log import bulk_insert, group_commit, leaf, log_end
from auditlog.log.commit.queue import After, Pending
from auditlog.log.draft import Draft
from auditlog.rollup import counting
from auditlog.rollup.tally import Group, Tally, pack
from auditlog.search import index

APPENDED, DUPLICATE, CONFLICT, ERASED = 201, 200, 409, 410


class Outcome(Struct, frozen=True, gc=False):
    """What became of a draft, as an HTTP status; of a duplicate, a conflict, and an erased packet,
    the packet that was there first.
    """

    status: int
    packet: str
    log: str
    leaf: int
    leaf_hash: str
    valid: bool
    diagnostics: str


class _First(NamedTuple):
    """The packet that has an event id, and what another of that id is compared with."""

    outcome: Outcome
    wire: bytes
    supplied: str
    sent_at: str | None
    content: bytes | None


_Event = tuple[int, int, str]
"""What an event id is unique in: log and source."""

_PLACED = ("leaf", "received", "uid")
"""The columns of a packet that are known with its place in the log, and its ID, which each database
spells in its own way. All others are its draft's.
"""
_ELSEWHERE = ("seed", "commit", "terms", "same", "log", "counted")
"""The fields of a draft that are stored in other tables."""
_DRAFTED = tuple(name for name in Draft.__struct_fields__ if name not in (*_PLACED, *_ELSEWHERE))
PACKET_COLUMNS = (*_PLACED, *_DRAFTED)
_get_drafted = attrgetter(*_DRAFTED)
_SEED = ("log_id", "leaf", "value")
_CONFLICT = ("log_id", "leaf", "uid", "wire", "facts", "received", "key_id", "user_id")
_FIND_EVENTS = """\
SELECT p.event_id, p.uid, g.slug, p.leaf, l.hash, p.valid, p.diagnostics,
    p.wire, p.supplied, p.sent_at, p.content
FROM auditlog_packet p JOIN auditlog_log g ON g.id = p.log_id
LEFT JOIN auditlog_leaf l ON l.log_id = p.log_id AND l."index" = p.leaf
WHERE p.log_id = %s AND p.source_id = %s AND p.event_id IN """


def append(drafts: Sequence[Draft], *, wait: bool = False) -> Sequence[Outcome]:
    """Write drafts and say what became of each, in order, once they are safe on disk.

    Inside a transaction of the caller they are part of that, and safe when it is. Raises
    Unavailable; with `wait` only when it has waited for long.
    """
    return submit(drafts, wait=wait).result()


def submit(
    drafts: Sequence[Draft], *, wait: bool = False, after: After[Outcome] | None = None
) -> Pending[Outcome]:
    """As `append`, without waiting for the disk. `after` writes beside the drafts, in their
    transaction.
    """
    return group_commit.submit(write, drafts, wait=wait, after=after)


def write(cursor: CursorWrapper, drafts: Sequence[Draft]) -> Sequence[Outcome]:
    """The handler of drafts: writes them inside the transaction of `cursor`."""
    ends = log_end.hold(cursor, {draft.log_id for draft in drafts})
    firsts = _find_events(cursor, drafts)
    outcomes, packets, seeds, entries, conflicts, tally = [], [], [], [], [], Tally()
    vendor = connection.vendor  # Looked up once: Django finds the thread's connection each time.
    for draft in drafts:
        event = (draft.log_id, draft.source_id, draft.event_id or "")
        first = None if draft.event_id is None else firsts.get(event)
        if first is not None:
            outcomes.append(_again(draft, first))
            if outcomes[-1].status == CONFLICT:
                conflicts.append(_conflict(draft, first))
            continue
        end = ends[draft.log_id]
        at, digest = end.add("packet", _format_leaf(draft, end.at(draft.received)))
        key = uid.to_column(draft.uid, vendor)
        packets.append((at, end.moment, key, *_get_drafted(draft)))
        seeds.append((draft.log_id, at, draft.seed))
        entries.append(index.Entry(draft.log_id, at, draft.protocol, draft.terms, draft.same))
        _count(tally, draft, end.text)
        outcome = _appended(draft, at, digest)
        outcomes.append(outcome)
        if draft.event_id is not None:
            firsts[event] = _First(
                outcome, draft.wire, draft.supplied, draft.sent_at, draft.content
            )
    if packets:
        log_end.store(cursor, ends.values())
        bulk_insert.insert(cursor, "auditlog_packet", PACKET_COLUMNS, packets)
        bulk_insert.insert(cursor, "auditlog_seed", _SEED, seeds)
        index.write(cursor, entries)
        counting.add(cursor, tally)
        if any(end.size - len(end.rows) < statistics.ENOUGH <= end.size for end in ends.values()):
            statistics.gather(cursor)
    if conflicts:
        bulk_insert.insert(cursor, "auditlog_conflict", _CONFLICT, conflicts)
    return outcomes


def _appended(draft: Draft, at: int, digest: bytes) -> Outcome:
    return Outcome(APPENDED, draft.uid, draft.log, at, digest.hex(), draft.valid, draft.diagnostics)


def _format_leaf(draft: Draft, received: str) -> bytes:
    return leaf.format_packet(
        commit=draft.commit,
        log=draft.log,
        dialect=draft.dialect,
        received=received,
        source=draft.source_id,
    )


def _count(tally: Tally, draft: Draft, received: str) -> None:
    counters = pack(valid=draft.valid, tokens=draft.tokens, baseline=draft.tokens_json)
    group = Group(draft.log_id, received[:_DAY], draft.source_id)
    tally.add(group, draft.protocol, draft.counted, counters)


def _again(draft: Draft, first: _First) -> Outcome:
    """What becomes of a draft whose event id is known already."""
    if first.outcome.status == ERASED:
        return first.outcome
    same = (draft.wire, draft.supplied, draft.content) == (
        first.wire,
        first.supplied,
        first.content,
    )
    status = DUPLICATE if same and _is_same_time(draft, first) else CONFLICT
    return structs.replace(first.outcome, status=status)


_YEAR, _DAY, _DAY_AND_TIME = 4, 10, 19
"""Where in RFC 3339 the year ends, the day, and the time without its fraction and offset."""


def _is_same_time(draft: Draft, first: _First) -> bool:
    """Whether a time is the first one again, given that all other facts are.

    Syslog writes no year, so the year of such a time is that of the day on which it was received,
    and in another year the same zone may have another offset. It is the same time when the line
    writes it in the same way.
    """
    if draft.sent_at == first.sent_at:
        return True
    if draft.sent_at is None or first.sent_at is None:
        return False
    facts = json.loads(draft.supplied)
    if "sent_text" not in facts or "sent_at" not in facts.get("from_line", ()):
        return False
    return draft.sent_at[_YEAR:_DAY_AND_TIME] == first.sent_at[_YEAR:_DAY_AND_TIME]


def _conflict(draft: Draft, first: _First) -> tuple[Any, ...]:
    """Return a row with the columns of `_CONFLICT`."""
    received = connection.ops.adapt_datetimefield_value(draft.received)
    facts = leaf.facts_bytes(supplied=draft.supplied, sent_at=draft.sent_at, content=draft.content)
    key = uid.to_column(draft.uid, connection.vendor)
    sender = (draft.key_id, draft.user_id)
    return draft.log_id, first.outcome.leaf, key, draft.wire, facts, received, *sender


def _find_events(cursor: CursorWrapper, drafts: Iterable[Draft]) -> dict[_Event, _First]:
    """The packets that have one of the drafts' event ids already."""
    asked: dict[tuple[int, int], set[str]] = {}
    for draft in drafts:
        if draft.event_id is not None:
            asked.setdefault((draft.log_id, draft.source_id), set()).add(draft.event_id)
    found: dict[_Event, _First] = {}
    for (log_id, source_id), asked_for in asked.items():
        cursor.execute(
            f"{_FIND_EVENTS}({', '.join(['%s'] * len(asked_for))})", (log_id, source_id, *asked_for)
        )
        for (
            event,
            stored_uid,
            slug,
            at,
            digest,
            valid,
            diagnostics,
            wire,
            supplied,
            sent_at,
            content,
        ) in cursor.fetchall():
            outcome = Outcome(
                DUPLICATE,
                uid.to_text(stored_uid),
                slug,
                at,
                bytes(digest or b"").hex(),
                bool(valid),
                diagnostics,
            )
            beside = None if content is None else bytes(content)
            found[log_id, source_id, event] = _First(
                outcome, bytes(wire), supplied, sent_at, beside
            )
        found |= _find_erased(cursor, log_id, source_id, asked_for)
    return found


def _find_erased(
    cursor: CursorWrapper, log_id: int, source_id: int, asked: set[str]
) -> dict[_Event, _First]:
    """The erased packets that had these event ids, of which nothing else is known."""
    found = {}
    for event, (packet, at) in events.find(cursor, log_id, source_id, asked).items():
        outcome = Outcome(ERASED, packet, "", at, "", valid=False, diagnostics="[]")
        found[log_id, source_id, event] = _First(outcome, b"", "", None, None)
    return found
