"""Small requests, stored a group at a time: one look at the logs, one decoding, one transaction.

A thread takes what waits, makes the drafts of all of it, hands them to the committer, and waits for
the disk while the next group gathers. Two groups at a time would be smaller and cost more. For the
same reason, it waits a moment for those whom it has just answered, because most of them send again.
Senders take turns, so one with many requests delays another by one of them.

A request is not answered here if it cannot be read, would store nothing, or has a key that no
longer grants what it did. Nothing of it is stored, and the caller finds out why.
"""

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from django.db import connection
from django.db.backends.utils import CursorWrapper

from auditlog import access
from auditlog.continuity import clock
from auditlog.database.unavailable import Unavailable
from auditlog.ingest import receive
from auditlog.ingest.item import Refusal
from auditlog.log import draft, group_commit, log_end, writer
from auditlog.log.commit.queue import GROUP
from auditlog.sender import Sender

logger = logging.getLogger(__name__)

ITEM = 200
"""What an item weighs beside its bytes: about as much as decoding so many of them."""
GATHER, SHARE = 0.004, 0.25
"""Seconds to wait for senders that were just answered, at most, and as a share of what the last
group took.
"""
WEIGHT = 256 * 1024
"""What a group weighs at most, so that costly requests of one sender delay others little."""

Read = Callable[[], draft.Submission | None]
"""Reads what a request sent; None if it cannot be read as it stands."""
Results = list[receive.Receipt | receive.Rejection] | Unavailable | None
"""What became of the items, or why they may not be stored; None if the request is not answered
here.
"""
Answer = Callable[[Results, float], None]
"""Takes the results of a request, and the processor seconds that it took."""
Answers = list[Callable[[], None]]
Deliver = Callable[[Answers], None]
"""Calls all of these, on the thread that answers requests."""


class _Request(NamedTuple):
    size: int
    read: Read
    answer: Answer


class _Row(NamedTuple):
    draft: draft.Draft
    sender: Sender


class _Group:
    """Requests that are decoded and stored together."""

    def __init__(self) -> None:
        self.submissions: list[draft.Submission] = []
        self._items = 0
        self._weights: list[int] = []
        self._answers: list[Answer] = []

    @property
    def is_full(self) -> bool:
        return self._items >= GROUP or sum(self._weights) >= WEIGHT

    def add(self, submission: draft.Submission, request: _Request) -> None:
        self.submissions.append(submission)
        self._items += len(submission.items)
        self._weights.append(request.size + ITEM * len(submission.items))
        self._answers.append(request.answer)

    def store(self) -> Answers:
        """Store the items, and return the answers."""
        began = time.thread_time()
        results: Sequence[Results]
        try:
            results = store(self.submissions)
        except clock.Behind:
            # It is about one log. The requests to others must not be refused, or told of it.
            results = [None] * len(self.submissions)
        except Unavailable as error:
            results = [error] * len(self.submissions)
        except Exception:  # noqa: BLE001 - each request fails again on its own, and is logged
            connection.close()
            results = [None] * len(self.submissions)
        seconds = (time.thread_time() - began) / max(1, sum(self._weights))
        return [
            partial(answer, result, seconds * weight)
            for answer, weight, result in zip(self._answers, self._weights, results, strict=True)
        ]


class Together:
    """The requests that wait, by their sender's key, and the thread, which starts with the first
    of them.
    """

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._more = threading.Condition()
        self._waiting: OrderedDict[str, deque[_Request]] = OrderedDict()
        self._count = 0
        self._wanted = 1
        """Requests that have to wait before the thread is woken."""
        self._thread: threading.Thread | None = None

    def submit(self, sender: str, size: int, read: Read, answer: Answer) -> None:
        """Read and store a request of so many bytes on the thread, and deliver its answer."""
        with self._more:
            self._waiting.setdefault(sender, deque()).append(_Request(size, read, answer))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="together", daemon=True)
                self._thread.start()
            self._count += 1
            if self._count >= self._wanted:
                self._more.notify()

    def _run(self) -> None:
        answered, took = 0, 0.0
        while True:
            self._gather(answered, took)
            began = time.monotonic()
            group, unread = self._take()
            answers = unread + (group.store() if group.submissions else [])
            answered, took = len(answers), time.monotonic() - began
            self._deliver(answers)

    def _gather(self, answered: int, took: float) -> None:
        """Wait for a request, and then a moment for as many as the last group left and answered."""
        with self._more:
            likely = answered + self._count
            self._wait(1, None)
            self._wait(likely, min(GATHER, took * SHARE))

    def _wait(self, wanted: int, seconds: float | None) -> None:
        self._wanted = wanted
        self._more.wait_for(lambda: self._count >= wanted, seconds)

    def _take(self) -> tuple[_Group, Answers]:
        """Return what waits, until the group is full, and the answers to what cannot be read."""
        group, unread = _Group(), Answers()
        while self._waiting and not group.is_full:
            request = self._next()
            submission = _read(request)
            if submission is None:
                unread.append(partial(request.answer, None, 0.0))
            else:
                group.add(submission, request)
        return group, unread

    def _next(self) -> _Request:
        """Take a request of the sender whose turn it is."""
        with self._more:
            sender, queue = self._waiting.popitem(last=False)
            request = queue.popleft()
            self._count -= 1
            if queue:
                self._waiting[sender] = queue
            return request


def store(submissions: Sequence[draft.Submission]) -> list[Results]:
    """Store the items of several requests in one transaction, and return the results of each.

    Raises Unavailable, and whatever the transaction fails with; then nothing is stored.
    """
    slugs = {slug for submission in submissions for slug in submission.logs}
    received, logs = clock.read(), log_end.find(slugs)
    made = draft.make_group(submissions, received=received, logs=logs)
    rows = [
        _Row(one, submission.sender)
        for submission, drafts in zip(submissions, made, strict=True)
        for one in drafts
        if isinstance(one, draft.Draft)
    ]
    outcomes = iter(group_commit.submit(_write, rows).result() if rows else ())
    return [_join(drafts, outcomes) for drafts in made]


def _read(request: _Request) -> draft.Submission | None:
    try:
        return request.read()
    except Exception:
        logger.exception("A request could not be read")
        return None


def _join(
    made: Sequence[draft.Draft | Refusal], outcomes: Iterator[writer.Outcome | None]
) -> Results:
    """Return the results of a request from what became of its drafts; None if its key was refused
    or it has none.
    """
    drafts = sum(isinstance(one, draft.Draft) for one in made)
    written = [outcome for outcome in islice(outcomes, drafts) if outcome is not None]
    return receive.answer(made, written) if written else None


def _write(cursor: CursorWrapper, rows: Sequence[_Row]) -> Sequence[writer.Outcome | None]:
    """The handler of rows. It writes those whose keys still grant what they did."""
    granted = access.find_granted(cursor, {row.sender for row in rows})
    written = iter(writer.write(cursor, [row.draft for row in rows if row.sender in granted]))
    return [next(written) if row.sender in granted else None for row in rows]
