"""One attempt to commit what several requests want to write, and how it failed."""

from collections.abc import Sequence
from typing import Any, Literal

from django.db import IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.database import database_file, faults
from auditlog.database.unavailable import Stuck, Unknown
from auditlog.log.commit import tuning
from auditlog.log.commit.queue import Handler, Work


class Failed(Exception):
    """An attempt to commit that failed: at which stage, with what, and whether its connection was
    fresh.
    """

    def __init__(
        self, stage: Literal["begin", "write", "commit"], error: BaseException, *, fresh: bool
    ) -> None:
        super().__init__(stage)
        self.stage = stage
        self.error = error
        self.fault = faults.find(error)
        self._fresh = fresh

    @property
    def is_lock(self) -> bool:
        return self.stage != "commit" and self.fault is not None and self.fault.kind == "locked"

    @property
    def is_stale(self) -> bool:
        """True when an old connection was lost before anything was committed: a new one may do."""
        lost = self.fault is not None and self.fault.kind == "unreachable"
        return lost and self.stage != "commit" and not self._fresh

    def answer(self) -> BaseException:
        """What a request is told whose rows were part of it."""
        if self.fault is None:
            # A violated constraint undoes a commit. After anything else it may have happened.
            is_undone = self.stage != "commit" or isinstance(self.error, IntegrityError)
            return self.error if is_undone else Unknown(_unknown(self.error))
        is_undone = self.stage != "commit" or self.fault.is_undone
        return Stuck(self.fault) if is_undone else Unknown(self.fault)


def _unknown(error: BaseException) -> faults.Fault:
    return faults.Fault("failing", faults.describe(error))


def commit(group: list[Work]) -> list[tuple[Work, Sequence[Any]]]:
    """Write the works for which somebody still waits, with their results. Without works, find out
    whether the database accepts writes. Raises Failed.
    """
    fresh = connection.connection is None
    stage: Literal["begin", "write", "commit"] = "begin"
    try:
        database_file.require_sound()
        tuning.tune()
        with transaction.atomic():
            stage = "write"
            claimed = [work for work in group if work.claim()]
            results = _write(claimed) if group else _probe()
            stage = "commit"
        database_file.require_written()
        return list(zip(claimed, results, strict=True))
    except BaseException as error:
        connection.close()
        raise Failed(stage, error, fresh=fresh) from error


def hurry(cursor: CursorWrapper) -> None:
    """Let this transaction wait for locks in short steps. On SQLite there is one lock only, and it
    has that already.
    """
    if connection.vendor == "postgresql":
        cursor.execute(f"SET LOCAL lock_timeout = {int(tuning.STEP * 1000)}")


def _probe() -> list[Sequence[Any]]:
    """Wait for what an insert needs. On SQLite, the transaction has begun with it. On PostgreSQL, a
    transaction that writes nothing waits for nobody.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            hurry(cursor)
            cursor.execute(
                "LOCK TABLE auditlog_source, auditlog_log, auditlog_leaf, auditlog_packet"
                " IN ROW EXCLUSIVE MODE"
            )
    return []


def _write(group: list[Work]) -> list[Sequence[Any]]:
    """Call each handler once, for all of its rows in the group."""
    by_handler: dict[Handler[Any, Any], list[Work]] = {}
    for work in group:
        by_handler.setdefault(work.handler, []).append(work)
    results: dict[int, Sequence[Any]] = {}
    with connection.cursor() as cursor:
        hurry(cursor)
        for handler, works in by_handler.items():
            written = handler(cursor, [row for work in works for row in work.rows])
            at = 0
            for work in works:
                results[id(work)] = written[at : at + len(work.rows)]
                at += len(work.rows)
        for work in group:
            if work.after is not None:
                work.after(cursor, results[id(work)])
    return [results[id(work)] for work in group]
