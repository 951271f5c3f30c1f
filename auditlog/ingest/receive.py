"""Items in, receipts out: what every way of sending to the log has in common.

A body is committed in pieces, and while one is on its way to the disk the next is decoded. A
receipt is made only when its piece is safe. When the body breaks off, what was committed stays, and
an event id makes sending it again safe.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

import msgspec
from django.db.backends.utils import CursorWrapper

from auditlog import text
from auditlog.continuity import clock
from auditlog.database.unavailable import AGAIN, Unavailable, Unknown
from auditlog.ingest.body import BadBody, Piece
from auditlog.ingest.item import Item
from auditlog.log import draft, log_end, writer
from auditlog.sender import Sender

AHEAD = 2
"""Pieces on their way to the disk while the next is decoded."""


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """The result of an item, as in the API: 201 stored, 200 already stored."""

    item: int
    event_id: str | None
    status: int
    packet: str
    log: str
    leaf: int
    leaf_hash: str
    valid: bool
    diagnostics: msgspec.Raw
    span: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET


class Error(msgspec.Struct, frozen=True, gc=False):
    """Why, in one sentence, and a JSON pointer into the item."""

    detail: str
    pointer: str


class Rejection(msgspec.Struct, frozen=True, gc=False):
    """An item that was not kept: 409, 413 or 422."""

    item: int
    event_id: str | None
    status: int
    error: Error
    span: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET


class Interrupted(Unavailable):
    """Some items of a request are stored, and the database could not store the others."""

    def __init__(
        self, error: Unavailable, results: Sequence[Receipt | Rejection], *, unknown: bool
    ) -> None:
        stored = sum(one.status in _STORED for one in results)
        others = "Others may have been stored" if unknown else "No other item was stored"
        count = f"{stored:,} item{' was' if stored == 1 else 's were'}"
        super().__init__(error.reason, f"{count} stored; see results. {others}. {AGAIN}")
        self.results = results
        """What became of the items that were answered."""


_STORED = (200, 201)
encode = msgspec.json.Encoder().encode
"""Receipts as JSON bytes."""


def receive(
    pieces: Iterable[Piece], *, sender: Sender, strict: bool = False
) -> list[Receipt | Rejection]:
    """Keep all items and answer each, in order; with `strict` invalid messages are refused.

    Raises BadBody for a body that cannot be read from its beginning, and Unavailable, both with
    nothing kept. When a later part cannot be read, a last rejection says so. When a later part
    cannot be stored, it raises Interrupted.
    """
    receipts: list[Receipt | Rejection] = []
    waiting: deque[Sent] = deque()
    rest: list[Rejection] = []
    number = 0
    try:
        try:
            for piece in pieces:
                waiting.append(Sent(piece, number, sender=sender, strict=strict))
                number += len(piece.items)
                if len(waiting) > AHEAD:
                    receipts += waiting.popleft().receipts()
        except BadBody as bad:
            if not number:
                raise
            rest = [reject_rest(number, bad)]
        while waiting:
            receipts += waiting.popleft().receipts()
    except Unavailable as error:
        unknown = isinstance(error, Unknown)
        for sent in waiting:
            try:
                receipts += sent.receipts()
            except Unavailable as another:
                unknown = unknown or isinstance(another, Unknown)
        if any(one.status in _STORED for one in receipts):
            raise Interrupted(error, receipts, unknown=unknown) from error
        raise
    return [*receipts, *rest]


def reject_rest(number: int, bad: BadBody) -> Rejection:
    """Return the rejection of everything from an item on, where a body cannot be read further."""
    error = Error(f"{bad} This and all later items were not stored.", "")
    return Rejection(number, None, bad.status, error)


def keep(
    items: Sequence[Item], *, sender: Sender, strict: bool = False, known: draft.Known | None = None
) -> list[Receipt | Rejection]:
    """As `receive`, for items at hand that belong into one commit. Messages that are `known` are
    not decoded again.
    """
    return Sent(Piece(list(items)), 0, sender=sender, strict=strict, known=known).receipts()


class Sent:
    """A piece that was handed to the writer."""

    def __init__(
        self,
        piece: Piece,
        number: int,
        *,
        sender: Sender,
        strict: bool,
        known: draft.Known | None = None,
        store: Callable[[CursorWrapper, Sequence[Receipt | Rejection]], None] | None = None,
    ) -> None:
        """`store` writes what the items are answered, in the transaction that keeps them."""
        self.number = number
        self.spans = piece.spans
        submission = draft.Submission(piece.items, sender, strict)
        received, logs = clock.read(), log_end.find(submission.logs)
        self.made = draft.make(submission, received=received, logs=logs, known=known)
        drafts = [one for one in self.made if isinstance(one, draft.Draft)]
        # The first piece may be refused for want of room; for later ones, after some are committed,
        # there is waiting.
        after = (
            None
            if store is None
            else lambda cursor, outcomes: store(cursor, self._answers(outcomes))
        )
        self.done = writer.submit(drafts, wait=number > 0, after=after)

    def receipts(self) -> list[Receipt | Rejection]:
        return self._answers(self.done.result())

    def _answers(self, written: Iterable[writer.Outcome]) -> list[Receipt | Rejection]:
        outcomes = iter(written)
        answers: list[Receipt | Rejection] = []
        for at, one in enumerate(self.made):
            span = self.spans[at] if self.spans else msgspec.UNSET
            if isinstance(one, draft.Draft):
                answers.append(_answer(self.number + at, one, next(outcomes), span))
            else:
                error = Error(text.whole(one.detail), one.pointer)
                answers.append(Rejection(self.number + at, one.event_id, one.status, error, span))
        return answers


def _answer(
    number: int,
    sent: draft.Draft,
    outcome: writer.Outcome,
    span: tuple[int, int] | msgspec.UnsetType,
) -> Receipt | Rejection:
    if outcome.status == writer.CONFLICT:
        return Rejection(
            number,
            sent.event_id,
            outcome.status,
            Error(
                f"event_id is already used by packet {outcome.packet}, which has different bytes. "
                "The conflict was recorded.",
                "/event_id",
            ),
            span,
        )
    return Receipt(
        number,
        sent.event_id,
        outcome.status,
        outcome.packet,
        outcome.log,
        outcome.leaf,
        outcome.leaf_hash,
        outcome.valid,
        msgspec.Raw(outcome.diagnostics.encode()),
        span,
    )
