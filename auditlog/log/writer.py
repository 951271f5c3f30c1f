"""`append`: the only way into the log.

One call writes a whole batch, in one transaction and with one statement a table: leaves, packets,
seeds and search terms, or none of them. An event id makes a retry safe: the same bytes again are a
duplicate of the first, other bytes a conflict, which is recorded. The event id of a packet that was
erased is refused. The lock of the log's end makes that true for any number of writers.
"""

import json
from collections.abc import Iterable, Sequence
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
from auditlog.rollup.tally import Tally, pack
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

    @classmethod
    def of(cls, draft: Draft, outcome: Outcome) -> "_First":
        return cls(outcome, draft.wire, draft.supplied, draft.sent_at, draft.content)


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


class _Placed:
    """The new packets of a batch, with their places in the log."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.leaves: list[int] = []
        self.received: list[Any] = []
        """The times of the leaves, as the database takes them."""
        self.tally = Tally()

    def add(self, draft: Draft, end: log_end.End) -> Outcome:
        """Place a packet at the end of its log."""
        received = end.at(draft.received)
        data = leaf.format_packet(
            commit=draft.commit,
            log=draft.log,
            dialect=draft.dialect,
            received=received,
            source=draft.source_id,
        )
        at, digest = end.add("packet", data)
        self.drafts.append(draft)
        self.leaves.append(at)
        self.received.append(end.moment)
        counters = pack(valid=draft.valid, tokens=draft.tokens, baseline=draft.tokens_json)
        group = (draft.log_id, received[:_DAY], draft.source_id)
        self.tally.add(group, draft.protocol, draft.counted, counters)
        return Outcome(
            APPENDED, draft.uid, draft.log, at, digest.hex(), draft.valid, draft.diagnostics
        )

    def store(self, cursor: CursorWrapper) -> None:
        """Write everything but the leaves."""
        drafts, leaves, vendor = self.drafts, self.leaves, cursor.db.vendor
        drafted = zip(*map(structs.astuple, drafts), strict=True)
        columns = dict[str, bulk_insert.Column](
            zip(Draft.__struct_fields__, drafted, strict=True),
            leaf=leaves,
            received=self.received,
            uid=[uid.to_column(draft.uid, vendor) for draft in drafts],
        )
        packets = {name: columns[name] for name in PACKET_COLUMNS}
        seeds = {"log_id": columns["log_id"], "leaf": leaves, "value": columns["seed"]}
        bulk_insert.insert_columns(cursor, "auditlog_packet", packets)
        bulk_insert.insert_columns(cursor, "auditlog_seed", seeds)
        entries = [
            index.Entry(draft.log_id, at, draft.protocol, draft.terms, draft.same)
            for draft, at in zip(drafts, leaves, strict=True)
        ]
        index.write(cursor, entries)
        counting.add(cursor, self.tally)


def write(cursor: CursorWrapper, drafts: Sequence[Draft]) -> Sequence[Outcome]:
    """The handler of drafts: writes them inside the transaction of `cursor`."""
    ends = log_end.hold(cursor, {draft.log_id for draft in drafts})
    firsts = _find_events(cursor, drafts)
    outcomes, conflicts = list[Outcome](), list[tuple[Any, ...]]()
    placed, here = _Placed(), dict[_Event, int]()
    for at, draft in enumerate(drafts):
        if draft.event_id is not None:
            event = (draft.log_id, draft.source_id, draft.event_id)
            first = firsts.get(event)
            if first is None and (before := here.setdefault(event, at)) != at:
                first = _First.of(drafts[before], outcomes[before])
            if first is not None:
                outcomes.append(_again(draft, first))
                if outcomes[-1].status == CONFLICT:
                    conflicts.append(_conflict(draft, first))
                continue
        outcomes.append(placed.add(draft, ends[draft.log_id]))
    if placed.drafts:
        log_end.store(cursor, ends.values())
        placed.store(cursor)
        if any(end.size - len(end.rows) < statistics.ENOUGH <= end.size for end in ends.values()):
            statistics.gather(cursor)
    if conflicts:
        bulk_insert.insert(cursor, "auditlog_conflict", _CONFLICT, conflicts)
    return outcomes


def find_conflicts(cursor: CursorWrapper, drafts: Sequence[Draft]) -> set[str]:
    """Return the event IDs of drafts that would be conflicts: stored packets have them, with other
    bytes.
    """
    firsts = _find_events(cursor, drafts)
    return {
        draft.event_id
        for draft in drafts
        if draft.event_id is not None
        and (first := firsts.get((draft.log_id, draft.source_id, draft.event_id))) is not None
        and _again(draft, first).status == CONFLICT
    }


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
