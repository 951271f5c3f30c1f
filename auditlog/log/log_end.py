"""Append leaves inside a transaction: a writer locks the ends of its logs first.

On SQLite, the transaction is the only one that writes (BEGIN IMMEDIATE). On PostgreSQL, the locked
row of a log's end makes its writers wait for each other; writers of other logs go on. Ends are
locked in the order of their logs' IDs, so that transactions never deadlock.

The first leaf after a change of the machine's clock (see `clock`) is one that notes it. Nothing is
added to a log whose newest leaf is ahead of the clock by more than the limit, except for such a
note.
"""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.continuity import clock, high_water
from auditlog.database.unavailable import Unavailable
from auditlog.log import bulk_insert, group_commit, leaf
from auditlog.tree import growth

logger = logging.getLogger(__name__)

_NEVER = datetime.min.replace(tzinfo=UTC)

_LEAF = ("log_id", "index", "kind", "bytes", "hash")


class End:
    """The end of one log: the next index, and the time before which no new leaf may lie."""

    __slots__ = (
        "behind",
        "log_id",
        "moment",
        "now",
        "received",
        "rows",
        "size",
        "slug",
        "text",
        "unnoted",
    )

    def __init__(
        self,
        log_id: int,
        slug: str,
        size: int,
        received: datetime | None,
        *,
        behind: datetime | None = None,
        now: datetime | None = None,
    ) -> None:
        self.log_id = log_id
        self.slug = slug
        self.size = size
        self.behind = behind
        self.now = now or clock.read()
        self.rows: list[tuple[int, int, str, bytes, bytes]] = []
        self._turn(received or _NEVER)
        self.unnoted = self._change()
        """What the next leaf notes of the clock, before any other."""

    @property
    def ahead(self) -> timedelta:
        """How far the newest leaf is ahead of the machine's clock; negative when it is in
        the past.
        """
        return self.received - self.now

    def at(self, moment: datetime) -> str:
        """Move to `moment`, unless the log is later already, and give the time that the next leaf
        carries.

        `received`, `text` and `moment` are then that time, as it stands in leaves, and as the
        database takes it. A moment that is later than the clock, because it was set back meanwhile,
        counts as now. A change of the clock is noted first.
        """
        if self.unnoted is not None:
            self.note()
        if moment > self.received and self.now > self.received:
            self._turn(min(moment, self.now))
        return self.text

    def accept(self) -> int:
        """Begin a segment, whose times rise from now on, and give its first leaf."""
        newest = self.text
        self._turn(self.now)
        self.behind = self.unnoted = None
        index, _ = self.add("clock", self._note_clock("accepted", newest, None))
        return index

    def note(self) -> None:
        """Add the leaf that notes a change of the clock, if there was one."""
        if self.unnoted is None:
            return
        change, self.unnoted = self.unnoted, None
        newest, step = self.text, clock.step() if change == "forward" else None
        self.behind = self.now if change == "behind" else None
        self.at(self.now)
        self.add("clock", self._note_clock(change, newest, step.expected if step else None))
        transaction.on_commit(partial(logger.warning, "%s", self._words(change)), robust=True)

    def _note_clock(self, state: leaf.ClockState, newest: str, expected: datetime | None) -> bytes:
        return leaf.format_clock(
            log=self.slug,
            received=self.text,
            state=state,
            clock=leaf.format_time(self.now),
            newest=newest,
            expected=None if expected is None else leaf.format_time(expected),
        )

    def _change(self) -> leaf.ClockState | None:
        if not self.size:
            return None
        if self.behind is not None:
            return "right" if self.received <= self.now else None
        if self.ahead > clock.TOLERANCE:
            return "behind"
        # A leaf that is later than this was written after the step, and noted it.
        step = clock.step()
        return "forward" if step is not None and self.received <= step.expected else None

    def _words(self, change: leaf.ClockState) -> str:
        if change == "behind":
            refused = self.ahead > clock.limit()
            return (
                f"This machine's clock is {clock.long(self.ahead)} behind the newest leaf of the "
                f'log "{self.slug}". '
                f"{'The log accepts no packets.' if refused else 'New packets get its time.'}"
            )
        if change == "right":
            return f'This machine\'s clock is no longer behind the log "{self.slug}".'
        step = clock.step()
        forward = clock.long(step.shown - step.expected) if step else ""
        return (
            f"This machine's clock was set forward by {forward}. "
            f'The log "{self.slug}" continues with the new time.'
        )

    def _turn(self, moment: datetime) -> None:
        self.received = moment
        self.text = leaf.format_time(moment)
        self.moment = connection.ops.adapt_datetimefield_value(moment)

    def add(self, kind: leaf.Kind, data: bytes) -> tuple[int, bytes]:
        """Take `data` as the next leaf, and give its index and hash."""
        assert len(data) <= leaf.LIMIT, "a leaf holds no user text and stays small"
        index, digest = self.size, leaf.hash_leaf(data)
        self.rows.append((self.log_id, index, kind, data, digest))
        self.size = index + 1
        return index, digest


def hold(cursor: CursorWrapper, log_ids: Iterable[int], *, refuse: bool = True) -> dict[int, End]:
    """The ends of these logs, held until the transaction ends. Raises clock.Behind, unless told not
    to refuse.
    """
    ids = sorted(set(log_ids))
    if not ids:
        # PostgreSQL knows no IN of nothing, which a batch asks for when every item of it was
        # refused.
        return {}
    places = ", ".join(["%s"] * len(ids))
    lock = " FOR UPDATE OF e" if connection.vendor == "postgresql" else ""
    cursor.execute(
        "SELECT e.log_id, g.slug, e.size, e.received, e.behind"  # noqa: S608
        " FROM auditlog_logend e JOIN auditlog_log g ON g.id = e.log_id"
        f" WHERE e.log_id IN ({places}) ORDER BY e.log_id{lock}",
        ids,
    )
    now = clock.read()
    ends = {
        log_id: End(log_id, slug, size, moment(received), behind=moment(behind), now=now)
        for log_id, slug, size, received, behind in cursor.fetchall()
    }
    for end in ends.values():
        if refuse and end.ahead > clock.limit():
            raise clock.Behind(end.slug, end.ahead)
    return ends


def find(slugs: Collection[str]) -> dict[str, int]:
    """Return the IDs of these logs, as far as they exist. Raises clock.Behind, as `hold` would."""
    if not slugs:
        return {}
    with connection.cursor() as cursor:
        places = ", ".join(["%s"] * len(slugs))
        cursor.execute(
            "SELECT g.slug, g.id, e.received, e.behind"  # noqa: S608
            " FROM auditlog_log g JOIN auditlog_logend e ON e.log_id = g.id"
            f" WHERE g.slug IN ({places})",
            tuple(slugs),
        )
        found = cursor.fetchall()
    check(
        {log_id: (slug, moment(newest), moment(behind)) for slug, log_id, newest, behind in found}
    )
    return {slug: log_id for slug, log_id, _, _ in found}


def check(ends: Mapping[int, tuple[str, datetime | None, datetime | None]]) -> None:
    """Refuse early what `hold` would refuse, and see to it that it is noted. Raises clock.Behind.

    Logs by their id, each with its slug, the time of its newest leaf, and when it was noted that
    the clock is behind.
    """
    now = clock.read()
    for log_id, (slug, received, behind) in ends.items():
        if received is None or received - now <= clock.limit():
            continue
        if behind is None:
            with suppress(Unavailable):
                group_commit.submit(_note, [log_id])
        raise clock.Behind(slug, received - now)


def _note(cursor: CursorWrapper, log_ids: Sequence[int]) -> Sequence[None]:
    """The handler that notes a clock which is too far behind for anything else."""
    ends = hold(cursor, log_ids, refuse=False).values()
    for end in ends:
        end.note()
    store(cursor, ends)
    return [None] * len(log_ids)


def moment(stored: datetime | None) -> datetime | None:
    """A time as the driver gives it. SQLite keeps UTC and does not say so."""
    return stored and (stored if stored.tzinfo else stored.replace(tzinfo=UTC))


def store(cursor: CursorWrapper, ends: Iterable[End]) -> None:
    """Write the leaves that were added, the tiles that they fill, and where the logs now end."""
    for end in ends:
        if end.rows:
            high_water.marks().reserve(end.slug, end.size)
            bulk_insert.insert(cursor, "auditlog_leaf", _LEAF, end.rows)
            _, first, *_ = end.rows[0]
            growth.grow(cursor, end.log_id, first, [row[-1] for row in end.rows])
            behind = connection.ops.adapt_datetimefield_value(end.behind)
            cursor.execute(
                "UPDATE auditlog_logend SET size = %s, received = %s, behind = %s, head = %s"
                " WHERE log_id = %s",
                (end.size, end.moment, behind, end.rows[-1][-1], end.log_id),
            )
            transaction.on_commit(partial(high_water.marks().note, end.slug, end.size), robust=True)
