"""The receipts of what a person stored, as a file: one per line, as `/audit/receipt` reads them.

They are made again from the log, so save them right after storing: a log that is changed later can
then no longer agree with them.
"""

from collections.abc import Iterator

import msgspec

from auditlog.models import Leaf, Log, Packet
from playground.audit.receipt_text import Receipt

_PIECE = 1_000
_encoder = msgspec.json.Encoder()


def write(log: Log, first: int, last: int, person_id: int) -> Iterator[bytes]:
    """Yield the receipts of the packets that a person stored, from leaf ``first`` to ``last``."""
    own = Packet.objects.filter(log=log, user_id=person_id, leaf__lte=last).order_by("leaf")
    while rows := list(own.filter(leaf__gte=first)[:_PIECE].values_list("leaf", "uid", "event_id")):
        first = rows[-1][0] + 1
        leaves = Leaf.objects.filter(log=log, index__in=[row[0] for row in rows])
        hashes = dict(leaves.values_list("index", "hash"))
        yield _encoder.encode_lines(
            [
                Receipt(uid, log.slug, leaf, bytes(hashes[leaf]).hex(), event_id)
                for leaf, uid, event_id in rows
                if leaf in hashes
            ]
        )
