"""What a helper process is asked to do, and what it answers: msgpack, read by the same code.

An order has items as they were sent. The helper reads them, which may name any log, so it is given
the IDs of the logs that the serving process knows. If items name another, the answer has only the
names.
"""

import time
from collections.abc import Sequence
from datetime import datetime

import msgspec

from auditlog import baseline
from auditlog.ingest.item import Refusal
from auditlog.ingest.unread import Unread
from auditlog.log import draft
from auditlog.log.draft import Draft, Submission
from auditlog.search import terms
from auditlog.sender import Sender
from auditlog.text import whole
from cablese import codec


class Order(msgspec.Struct, frozen=True, array_like=True):
    """Items to make drafts of."""

    unread: Unread
    sender: Sender
    strict: bool
    received: datetime
    logs: dict[str, int]
    """The IDs of logs."""


class Made(msgspec.Struct, frozen=True, array_like=True):
    """The drafts of an order, and the refusals with their places between them."""

    logs: list[str]
    """The logs that the items name. If one is not in the order, there is nothing else."""
    drafts: list[Draft]
    refusals: list[tuple[int, Refusal]]
    seconds: float
    """What it took of the processor."""

    def in_order(self) -> Sequence[Draft | Refusal]:
        """Return what became of each item."""
        if not self.refusals:
            return self.drafts
        made: list[Draft | Refusal] = [*self.drafts]
        for at, refusal in self.refusals:
            made.insert(at, refusal)
        return made


VERSIONS = repr((
    Draft.__struct_fields__,
    Order.__struct_fields__,
    Made.__struct_fields__,
    (baseline.VERSION, codec.VERSION, terms.VERSION, draft.TOKENIZER),
)).encode()  # fmt: skip
"""A helper says them first: it may have started after the code was replaced."""

write_order = msgspec.msgpack.Encoder().encode
read_made = msgspec.msgpack.Decoder(Made).decode
_read_order = msgspec.msgpack.Decoder(Order).decode
_write_made = msgspec.msgpack.Encoder().encode


def carry_out(written: bytes | bytearray) -> bytes:
    """Return the answer to an order."""
    began = time.process_time()
    order = _read_order(written)
    submission = Submission(order.unread.read().items, order.sender, order.strict)
    logs = submission.logs
    made = (
        draft.make(submission, received=order.received, logs=order.logs)
        if logs <= order.logs.keys()
        else []
    )
    drafts = [one for one in made if isinstance(one, Draft)]
    refusals = [
        (at, msgspec.structs.replace(one, detail=whole(one.detail)))
        for at, one in enumerate(made)
        if isinstance(one, Refusal)
    ]
    return _write_made(Made(sorted(logs), drafts, refusals, time.process_time() - began))
