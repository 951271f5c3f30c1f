"""Items in, receipts out: what every way of sending to the log has in common.

A body is committed in pieces, in order. While one is on its way to the disk, the next ones are
decoded, large ones by helper processes. A receipt is made only when its piece is safe. When the
body breaks off, what was committed stays, and an event id makes sending it again safe.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import msgspec
from django.db.backends.utils import CursorWrapper

from auditlog import text
from auditlog.database.unavailable import AGAIN, Unavailable, Unknown
from auditlog.helpers import drafting, pool
from auditlog.helpers.drafting import Drafting
from auditlog.ingest.body import BadBody, Piece
from auditlog.ingest.item import Item, Refusal
from auditlog.ingest.unread import Unread
from auditlog.log import draft, writer
from auditlog.sender import Sender
from cablese import amount

AHEAD = 2
"""Pieces on their way to the disk while the next is decoded."""
Spans = Sequence[tuple[int, int]]


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
    """An item that was not kept: 409, 410, 413 or 422."""

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
        count = amount.count(stored, "item was", "items were")
        super().__init__(error.reason, f"{count} stored; see results. {others}. {AGAIN}")
        self.results = results
        """What became of the items that were answered."""


_STORED = (200, 201)
encode = msgspec.json.Encoder().encode
"""Receipts as JSON bytes."""


def receive(
    pieces: Iterable[Piece | Unread], *, sender: Sender, strict: bool = False
) -> list[Receipt | Rejection]:
    """Keep all items and answer each, in order; with `strict` invalid messages are refused.

    Raises BadBody for a body that cannot be read from its beginning, and Unavailable, both with
    nothing kept. When a later part cannot be read, a last rejection says so. When a later part
    cannot be stored, it raises Interrupted.
    """
    pipeline = Pipeline(sender=sender, strict=strict)
    rest: list[Rejection] = []
    number = 0
    try:
        try:
            for piece in pieces:
                pipeline.add(piece, number)
                number += len(piece.items)
        except BadBody as bad:
            if not number:
                raise
            rest = [reject_rest(number, bad)]
        pipeline.finish()
    except Unavailable as error:
        unknown = pipeline.give_up() or isinstance(error, Unknown)
        if any(one.status in _STORED for one in pipeline.answers):
            raise Interrupted(error, pipeline.answers, unknown=unknown) from error
        raise
    return [*pipeline.answers, *rest]


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
    made = drafting.make(Piece(list(items)), sender=sender, strict=strict, known=known)
    return Sent(made, 0).receipts()


Store = Callable[[CursorWrapper, "Sequence[Receipt | Rejection]"], None]
"""Writes what the items of a piece are answered, in the transaction that keeps them."""


class Pipeline:
    """Pieces of a request: drafts are made of some while earlier ones are on their way to the disk.

    They are handed to the writer in order. `add` and `finish` raise Unavailable.
    """

    def __init__(self, *, sender: Sender, strict: bool) -> None:
        self.answers: list[Receipt | Rejection] = []
        """The results of the pieces that are safe."""
        self._sender = sender
        self._strict = strict
        helpers = pool.current()
        self._ahead = helpers.size if helpers is not None else 0
        """Pieces of which drafts are made while the next is read."""
        self._drafting: deque[tuple[Drafting, Callable[[drafting.Made], Sent]]] = deque()
        self._waiting: deque[Sent] = deque()

    def add(self, piece: Piece | Unread, number: int, store: Store | None = None) -> None:
        """Take a piece, whose first item has this number."""
        spans = piece.spans if isinstance(piece, Piece) else None
        one = Drafting(piece, sender=self._sender, strict=self._strict)
        self._drafting.append((one, partial(Sent, number=number, spans=spans, store=store)))
        self._hand_over(0 if one.is_here else self._ahead)
        self._settle(AHEAD)

    def finish(self) -> None:
        """Wait for all pieces."""
        self._hand_over(0)
        self._settle(0)

    def give_up(self) -> bool:
        """Take the results of what is on its way to the disk after a failure. Return whether more
        may be stored.
        """
        unknown = False
        for sent in self._waiting:
            try:
                self.answers += sent.receipts()
            except Unavailable as error:
                unknown = unknown or isinstance(error, Unknown)
        return unknown

    def _hand_over(self, ahead: int) -> None:
        """Hand pieces to the writer that are drafted, or too many."""
        while self._drafting and (len(self._drafting) > ahead or self._drafting[0][0].is_done):
            one, send = self._drafting.popleft()
            self._waiting.append(send(one.result()))

    def _settle(self, ahead: int) -> None:
        while len(self._waiting) > ahead:
            self.answers += self._waiting.popleft().receipts()


class Sent:
    """The drafts of a piece that were handed to the writer."""

    def __init__(
        self,
        made: drafting.Made,
        number: int,
        *,
        spans: Spans | None = None,
        store: Store | None = None,
    ) -> None:
        self._made = made
        self._number = number
        self._spans = spans
        drafts = [one for one in made if isinstance(one, draft.Draft)]
        # The first piece may be refused for want of room; for later ones, after some are committed,
        # there is waiting.
        after = (
            None
            if store is None
            else lambda cursor, outcomes: store(cursor, self._answers(outcomes))
        )
        self._done = writer.submit(drafts, wait=number > 0, after=after)

    def receipts(self) -> list[Receipt | Rejection]:
        return self._answers(self._done.result())

    def _answers(self, written: Iterable[writer.Outcome]) -> list[Receipt | Rejection]:
        return answer(self._made, written, number=self._number, spans=self._spans)


def answer(
    made: Sequence[draft.Draft | Refusal],
    written: Iterable[writer.Outcome],
    *,
    number: int = 0,
    spans: Spans | None = None,
) -> list[Receipt | Rejection]:
    """Return the result of each item; `written` are those of the drafts. The first item has this
    number.
    """
    outcomes = iter(written)
    answers: list[Receipt | Rejection] = []
    for at, one in enumerate(made):
        span = spans[at] if spans else msgspec.UNSET
        if isinstance(one, draft.Draft):
            answers.append(_answer(number + at, one, next(outcomes), span))
        else:
            error = Error(text.whole(one.detail), one.pointer)
            answers.append(Rejection(number + at, one.event_id, one.status, error, span))
    return answers


def _answer(
    number: int,
    sent: draft.Draft,
    outcome: writer.Outcome,
    span: tuple[int, int] | msgspec.UnsetType,
) -> Receipt | Rejection:
    if outcome.status == writer.ERASED:
        words = (
            f"event_id belongs to packet {outcome.packet}, which was erased. Nothing was stored."
        )
        return Rejection(number, sent.event_id, outcome.status, Error(words, "/event_id"), span)
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
