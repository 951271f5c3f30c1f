"""The drafts of a piece, made here or by a helper process.

A helper takes a large piece of items that are not read yet. Small ones cost less here, and few
large items would cost more memory than time. If the helper is away, or knows too little, the drafts
are made here.
"""

from collections.abc import Sequence

from msgspec import MsgspecError

from auditlog.continuity import clock
from auditlog.helpers import pool, spent
from auditlog.helpers.order import Order, read_made, write_order
from auditlog.ingest.body import Piece
from auditlog.ingest.item import Refusal
from auditlog.ingest.unread import Unread
from auditlog.log import draft, log_end
from auditlog.sender import Sender

LEAST = 100
"""Items of a piece for a helper."""
LARGEST = 4 * 1024 * 1024
"""Bytes of a piece for a helper."""
_ROOM = 100
_logs: dict[str, int] = {}
"""The IDs of logs that helpers are told."""

Made = Sequence[draft.Draft | Refusal]


class Drafting:
    """The drafts of a piece on their way."""

    def __init__(self, piece: Piece | Unread, *, sender: Sender, strict: bool) -> None:
        self._piece = piece
        self._sender = sender
        self._strict = strict
        self._logs = dict(_logs)
        self._answer = self._ask(piece) if isinstance(piece, Unread) else None

    @property
    def is_here(self) -> bool:
        """Whether `result` makes the drafts."""
        return self._answer is None

    @property
    def is_done(self) -> bool:
        """Whether `result` needs no time."""
        return self._answer is not None and self._answer.done()

    def result(self) -> Made:
        """Return what becomes of each item. Raises Unavailable."""
        made = self._collect()
        if made is None:
            piece = self._piece.read() if isinstance(self._piece, Unread) else self._piece
            made = make(piece, sender=self._sender, strict=self._strict)
        return made

    def _ask(self, unread: Unread) -> pool.Answer | None:
        helpers = pool.current()
        if helpers is None or len(unread) < LEAST:
            return None
        if sum(len(item) for item in unread.items if item is not None) > LARGEST:
            return None
        received = clock.read()
        return helpers.submit(
            write_order(Order(unread, self._sender, self._strict, received, self._logs))
        )

    def _collect(self) -> Made | None:
        """Return what the helper made, unless the logs are others than it was told."""
        if self._answer is None:
            return None
        try:
            made = read_made(self._answer.result())
        except (pool.Away, MsgspecError):
            return None
        spent.add(made.seconds)
        found = find_logs(made.logs)
        if any(slug not in self._logs or self._logs[slug] != found.get(slug) for slug in made.logs):
            return None
        return made.in_order()


def make(piece: Piece, *, sender: Sender, strict: bool, known: draft.Known | None = None) -> Made:
    """Make the drafts of a piece here. Raises Unavailable."""
    submission = draft.Submission(piece.items, sender, strict)
    received, logs = clock.read(), find_logs(submission.logs)
    return draft.make(submission, received=received, logs=logs, known=known)


def find_logs(slugs: Sequence[str] | set[str]) -> dict[str, int]:
    """Return the IDs of these logs, as `log_end.find` does, and tell helpers from now on."""
    found = log_end.find(slugs)
    if not found.items() <= _logs.items():
        if len(_logs) > _ROOM:
            _logs.clear()
        _logs.update(found)
    return found
