"""Requests that can be retried: an `Idempotency-Key` is honored for 24 hours.

A body is read as a stream and committed in pieces, so its hash is known only after most of it is
stored. So each commit also writes the number of items so far, the keyed hash of all of them, and
their results. The last commit writes that of the whole content, which seals the request. Whatever
kills the process, the state is that of a commit, and a retry continues from there: it reads its
items up to the stored number, compares the hash, answers these items from the rows, and stores the
others. A retry stores nothing before its beginning is verified. A sealed request is never written
again. Its response is made from the rows after the whole content is compared.

Of two attempts at the same time, one wins each piece: a commit counts only if the number of items
is still the one that the attempt has seen. The other is told to retry later. An attempt is running
while its last commit is newer than `LEASE`. A slower attempt loses only that protection.

Failures are not stored: a request is forgotten if none of its items was stored. A chunked body that
was cut off looks complete, so its request is never sealed, and a retry can continue where it ends.
"""

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from math import ceil
from typing import Any, NoReturn

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog import text
from auditlog.database.errands import Errand
from auditlog.database.unavailable import Unavailable
from auditlog.ingest.body import BadBody, Piece
from auditlog.ingest.item import Item, Refusal
from auditlog.ingest.receive import Pipeline, Receipt, Rejection, reject_rest
from auditlog.ingest.repeats import results
from auditlog.ingest.unread import Unread
from auditlog.log import bulk_insert, group_commit, uuid7
from auditlog.models import IdempotentRequest
from auditlog.sender import Sender

LIFE = timedelta(hours=24)
LEASE = timedelta(seconds=10)
"""How long after its last commit a request counts as running."""
EXPIRED = 5
"""Expired requests that each new one deletes, so that their number falls."""

_STORED = (200, 201)
_PIECE = ("request_id", "item", "digest", "results")
_FIND_EXPIRED = """\
SELECT id FROM auditlog_idempotentrequest WHERE created <= %s AND key_id = %s AND value = %s
UNION SELECT id FROM (
    SELECT id FROM auditlog_idempotentrequest WHERE created <= %s ORDER BY created LIMIT %s
) AS oldest ORDER BY id"""
_INSERT = """\
INSERT INTO auditlog_idempotentrequest (id, key_id, value, request, body, items, created, touched)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
_ADVANCE = """\
UPDATE auditlog_idempotentrequest SET items = %s, body = %s, touched = %s
WHERE id = %s AND items = %s AND body IS NULL"""
_DELETE = (
    "DELETE FROM auditlog_idempotentpiece WHERE request_id = %s",
    "DELETE FROM auditlog_idempotentrequest WHERE id = %s",
)


_FORGET = "DELETE FROM auditlog_idempotentrequest WHERE id = %s AND items = %s AND body IS NULL"
_LET_GO = "UPDATE auditlog_idempotentrequest SET touched = NULL WHERE id = %s AND body IS NULL"
_SEAL = b"cablese/repeat/v1\0"
_OTHER_BODY = "This Idempotency-Key was used with another body. Use a new key for a new request."
_OTHER_REQUEST = (
    "This Idempotency-Key was used with another path, query, or Content-Type. "
    "Use a new key for a new request."
)


class Reused(ValueError):
    """The key belongs to another request."""


class Running(Exception):
    """A request with this key is running. `retry_after` is in seconds."""

    def __init__(self, retry_after: int = 1) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


class Unfinished(Unavailable):
    """Some items of the request are stored, and a retry continues from there."""

    def __init__(self, error: Unavailable, stored: int) -> None:
        words = f"The first {stored:,} items have results. Others may have been stored."
        again = (
            "Retry with the same Idempotency-Key: storing continues there and returns all receipts."
        )
        super().__init__(error.reason, f"{words} {again}")


class _Step(msgspec.Struct, frozen=True):
    """A piece to store, and the digest of all items of the request up to its end."""

    piece: Piece | Unread
    item: int
    """The number of its first item."""
    digest: bytes
    last: bool = False


class Attempt:
    """One attempt of a request with an `Idempotency-Key`."""

    def __init__(
        self, *, key_id: str, value: str, request: bytes, known: IdempotentRequest | None = None
    ) -> None:
        self._created = known.created if known else datetime.now(UTC)
        self._id = known.id if known else uuid7.new_ids(self._created, 1)[0]
        self._named = (key_id, value, request)
        self._sealed = bytes(known.body) if known and known.body is not None else None
        self._stored = known.items if known else 0
        """Items that were stored before this attempt."""
        pieces = list(known.pieces.filter(item__lt=known.items).order_by("item")) if known else []
        self._reached = bytes(pieces[-1].digest) if pieces else b""
        self._packed = [one.results for one in pieces]
        self._kept = results.kept(self._packed)
        self._content = sha256()
        self._items = sha256()
        self._seen = self._written = 0
        self._spans: list[tuple[int, int]] = []
        self.replayed = False
        """Whether all results come from the rows."""

    def tap(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the blocks of the content, and hash them."""
        for block in blocks:
            self._content.update(block)
            yield block

    def receive(
        self,
        pieces: Iterable[Piece | Unread],
        *,
        sender: Sender,
        strict: bool = False,
        framed: bool = True,
    ) -> list[Receipt | Rejection]:
        """Store the items that are not stored yet. Return all results. `tap` passes the content.

        A body that is not `framed` may have been cut off. Raises Reused, Running, and whatever
        `receive.receive` raises.
        """
        pipeline = Pipeline(sender=sender, strict=strict)
        rest: list[Rejection] = []
        whole = False
        try:
            try:
                for step in self._steps(pieces):
                    store = partial(self._store, step, framed=framed)
                    pipeline.add(step.piece, step.item, store)
            except BadBody as bad:
                if not self._seen or self._seen < self._stored:
                    raise  # No new item was read.
                rest = [reject_rest(self._seen, bad)]
            pipeline.finish()
            whole = not rest
        except (Reused, Running):
            whole = True  # What is running is not ours.
            raise
        except Unavailable as error:
            whole = True
            self._give_up(error, len(pipeline.answers))
        finally:
            if not whole and (self._stored or self._written):
                self._release()
        self.replayed = bool(self._stored) and not pipeline.answers
        return [*self._replay(), *pipeline.answers, *rest]

    def _give_up(self, error: Unavailable, fresh: int) -> NoReturn:
        group_commit.run(_RELEASE, self._id, (self._kept, self._written))
        if self._stored or fresh:
            raise Unfinished(error, self._stored + fresh) from error
        raise error

    def _steps(self, pieces: Iterable[Piece | Unread]) -> Iterator[_Step]:
        """Yield what must be stored. One piece is held back, so that the last is marked as such."""
        held: _Step | None = None
        try:
            for piece in pieces:
                fresh = self._pass(piece)
                if fresh is None:
                    continue
                if held is not None:
                    yield held
                held = _Step(fresh, self._seen - len(fresh.items), _seal(self._items))
        except BadBody:
            if held is not None:
                yield held
            raise
        self._check_end()
        if held is not None:
            yield msgspec.structs.replace(held, last=True)

    def _pass(self, piece: Piece | Unread) -> Piece | Unread | None:
        """Count and hash a piece, and return the part that is not stored yet. Raises Reused."""
        known = min(len(piece.items), max(0, self._stored - self._seen))
        for at, written in enumerate(_write(piece)):
            self._items.update(written)
            self._seen += 1
            reached = at + 1 == known and self._seen == self._stored and self._sealed is None
            if reached and _seal(self._items) != self._reached:
                raise Reused(_OTHER_BODY)
        if isinstance(piece, Piece) and piece.spans is not None:
            self._spans += piece.spans[:known]
        if known == len(piece.items) or self._sealed is not None:
            return None
        if isinstance(piece, Unread):
            return msgspec.structs.replace(piece, items=piece.items[known:])
        return Piece(piece.items[known:], piece.spans and piece.spans[known:])

    def _check_end(self) -> None:
        """Raises Reused if the body is another than before, or ends sooner."""
        if (
            self._seen < self._stored
            if self._sealed is None
            else _seal(self._content) != self._sealed
        ):
            raise Reused(_OTHER_BODY)

    def _replay(self) -> list[Receipt | Rejection]:
        """Return the results of the items that were stored before, from the rows."""
        answers = results.unpack(self._packed)
        for at, span in enumerate(self._spans[: len(answers)]):
            answers[at] = msgspec.structs.replace(answers[at], span=span)
        return answers

    def _store(
        self,
        step: _Step,
        cursor: CursorWrapper,
        answers: Sequence[Receipt | Rejection],
        *,
        framed: bool,
    ) -> None:
        """Write the results of a piece in the transaction that stores it. Raises Running if another
        attempt was faster.
        """
        self._kept = self._kept or any(one.status in _STORED for one in answers)
        if step.last and not self._kept:
            _forget(cursor, self._id, step.item)
            return
        items = self._written = step.item + len(answers)
        body = _seal(self._content) if step.last and framed else None
        touched = None if step.last else _moment(datetime.now(UTC))
        if step.item:
            cursor.execute(_ADVANCE, (items, body, touched, self._id, step.item))
        else:
            self._remove_expired(cursor)
            cursor.execute(
                _INSERT, (self._id, *self._named, body, items, _moment(self._created), touched)
            )
        if cursor.rowcount != 1:
            raise Running
        row = (self._id, step.item, step.digest, results.pack(answers))
        bulk_insert.insert(cursor, "auditlog_idempotentpiece", _PIECE, [row])

    def _remove_expired(self, cursor: CursorWrapper) -> None:
        before = _moment(datetime.now(UTC) - LIFE)
        key_id, value, _ = self._named
        cursor.execute(_FIND_EXPIRED, (before, key_id, value, before, EXPIRED))
        for (request_id,) in cursor.fetchall():
            _delete(cursor, request_id)

    def _release(self) -> None:
        """Allow the next attempt at once, and forget a request without stored items."""
        with transaction.atomic(), connection.cursor() as cursor:
            _let_go(cursor, {self._id: (self._kept, self._written)})


def begin(*, key_id: str, value: str, request: bytes) -> Attempt:
    """Begin or continue a request. `request` is the digest of everything relevant but the body.

    Raises Reused and Running.
    """
    now = datetime.now(UTC)
    known = IdempotentRequest.objects.filter(
        key_id=key_id, value=value, created__gt=now - LIFE
    ).first()
    if known is not None:
        if bytes(known.request) != request:
            raise Reused(_OTHER_REQUEST)
        left = known.touched + LEASE - now if known.touched else timedelta()
        if left > timedelta():
            raise Running(ceil(left.total_seconds()))
    return Attempt(key_id=key_id, value=value, request=request, known=known)


def _write(piece: Piece | Unread) -> Iterator[bytes]:
    """Yield bytes that are unique to each item of a piece."""
    if isinstance(piece, Unread):
        for sent in piece.items:
            yield b"-" if sent is None else b"%d:%b" % (len(sent), sent)
    elif piece.spans is None:
        yield from map(_written, piece.items)
    else:
        yield from map(_cut, piece.items, piece.spans)


def _written(item: Item | Refusal) -> bytes:
    """Return an item as bytes that are unique to it. Text may contain bytes that are not UTF-8."""
    try:
        return msgspec.json.encode(item)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(item)).encode("ascii")


def _cut(item: Item | Refusal, span: tuple[int, int]) -> bytes:
    """Return a message of a text as bytes, without the metadata of its line, which may depend on
    the current time.
    """
    wire = text.to_bytes(item.wire) if isinstance(item, Item) else b""
    return b"%d-%d:%b" % (*span, wire)


def _seal(content: Any) -> bytes:
    """Return the keyed hash of what was read. A plain one would tell, of a packet that was erased,
    whether it was what somebody guesses.
    """
    key = settings.SECRET_KEY.encode()
    return hmac.digest(key, _SEAL + content.digest(), "sha256")


def _moment(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def _let_go(cursor: CursorWrapper, tries: Mapping[str, tuple[bool, int]]) -> None:
    """Allow the next attempt of each request at once, and forget requests without stored items."""
    for request_id, (kept, written) in tries.items():
        if kept:
            cursor.execute(_LET_GO, (request_id,))
        else:
            _forget(cursor, request_id, written)


_RELEASE = Errand(_let_go, max)
"""The same, later, while the database accepts no writes. If it is lost, the next attempt begins
after the lease.
"""


def _forget(cursor: CursorWrapper, request_id: str, items: int) -> None:
    """Delete the request, unless another attempt has stored more of it."""
    cursor.execute(_FORGET, (request_id, items))
    if cursor.rowcount == 1:
        _delete(cursor, request_id)


def _delete(cursor: CursorWrapper, request_id: str) -> None:
    for statement in _DELETE:
        cursor.execute(statement, (request_id,))
