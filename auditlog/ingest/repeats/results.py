"""What became of a request's items, in a few words that can be stored and made into the same
receipts again.

Consecutive items whose leaves are consecutive in one log are one run, so a piece of 500 new packets
is one entry:

    [["run", 201, "default", 812000, 500], ["refused", 422, "a-17", "Unknown log \\"x\\".", "/log"]]

A run names leaves only: the rest of a receipt is read from the rows. Refusals are stored whole,
because they depend on what the body does not say, such as which logs there were.
"""

from collections.abc import Iterable, Sequence

import msgspec
from django.db import connection

from auditlog import text
from auditlog.database import uid
from auditlog.ingest.receive import Error, Receipt, Rejection

ERASED = 410
_AT_ONCE = 5_000
"""Leaves in one query. SQLite takes 32,766 parameters."""
_FIND = """\
SELECT p.leaf, p.uid, p.event_id, l.hash, p.valid, p.diagnostics
FROM auditlog_packet p JOIN auditlog_log g ON g.id = p.log_id
JOIN auditlog_leaf l ON l.log_id = p.log_id AND l."index" = p.leaf
WHERE g.slug = %s AND p.leaf IN """

_Packet = tuple[str, str | None, str, bool, str]
"""Id, event id, leaf hash, validity, and diagnostics."""


class _Run(msgspec.Struct, array_like=True, tag="run", frozen=True):
    status: int
    log: str
    leaf: int
    items: int


class _Refused(msgspec.Struct, array_like=True, tag="refused", frozen=True):
    status: int
    event_id: str | None
    detail: str
    pointer: str


_decode = msgspec.json.Decoder(list[_Run | _Refused]).decode


def pack(answers: Iterable[Receipt | Rejection]) -> str:
    """Return the answers of consecutive items as JSON."""
    entries: list[_Run | _Refused] = []
    for one in answers:
        if isinstance(one, Rejection):
            entries.append(_Refused(one.status, one.event_id, one.error.detail, one.error.pointer))
            continue
        run = entries[-1] if entries else None
        if isinstance(run, _Run) and (run.status, run.log, run.leaf + run.items) == (
            one.status,
            one.log,
            one.leaf,
        ):
            entries[-1] = _Run(run.status, run.log, run.leaf, run.items + 1)
        else:
            entries.append(_Run(one.status, one.log, one.leaf, 1))
    return text.to_json(entries)


def kept(packed: Iterable[str]) -> bool:
    """Whether any item was stored, now or before."""
    return any(isinstance(entry, _Run) for one in packed for entry in _decode(one))


def unpack(packed: Sequence[str]) -> list[Receipt | Rejection]:
    """Return the answers of all items, in order. Where a packet was erased since, it says so
    instead.
    """
    entries = [entry for one in packed for entry in _decode(one)]
    packets = _find([entry for entry in entries if isinstance(entry, _Run)])
    answers: list[Receipt | Rejection] = []
    for entry in entries:
        if isinstance(entry, _Refused):
            error = Error(entry.detail, entry.pointer)
            answers.append(Rejection(len(answers), entry.event_id, entry.status, error))
            continue
        for leaf in range(entry.leaf, entry.leaf + entry.items):
            answers.append(_answer(len(answers), entry, leaf, packets.get((entry.log, leaf))))
    return answers


def _answer(item: int, run: _Run, leaf: int, found: _Packet | None) -> Receipt | Rejection:
    if found is None:
        return Rejection(
            item,
            None,
            ERASED,
            Error(
                f'This packet was stored as leaf {leaf} of the log "{run.log}" '
                "and has been erased.",
                "",
            ),
        )
    packet, event_id, digest, valid, diagnostics = found
    return Receipt(
        item,
        event_id,
        run.status,
        packet,
        run.log,
        leaf,
        digest,
        valid,
        msgspec.Raw(diagnostics.encode()),
    )


def _find(runs: Iterable[_Run]) -> dict[tuple[str, int], _Packet]:
    wanted: dict[str, set[int]] = {}
    for run in runs:
        wanted.setdefault(run.log, set()).update(range(run.leaf, run.leaf + run.items))
    found: dict[tuple[str, int], _Packet] = {}
    with connection.cursor() as cursor:
        for log, leaves in wanted.items():
            asked = sorted(leaves)
            for at in range(0, len(asked), _AT_ONCE):
                some = asked[at : at + _AT_ONCE]
                cursor.execute(f"{_FIND}({', '.join(['%s'] * len(some))})", (log, *some))
                for leaf, stored, event_id, digest, valid, diagnostics in cursor.fetchall():
                    packet = (
                        uid.to_text(stored),
                        event_id,
                        bytes(digest).hex(),
                        bool(valid),
                        diagnostics,
                    )
                    found[log, leaf] = packet
    return found
