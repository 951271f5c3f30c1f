"""Packets of a piece as records, with what they say in words.

One query reads the rows, another three what belongs to them: findings, review, and repeats. JSON
columns are checked and then copied as they are stored. A packet that is not as it should be, such
as one with damaged columns, is read by `auditlog.log.packet`, which makes the same of it, slower.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from django.db import connection

from auditlog import review, text
from auditlog.database import damage, spread, uid
from auditlog.export.repeats import UNKNOWN, Repeats
from auditlog.findings.finding import StoredFinding
from auditlog.findings.following import position
from auditlog.log import leaf as leaves_of
from auditlog.log import packet as packets
from auditlog.log import replays
from auditlog.log.packet import PacketRecord, Repeated, Spent
from auditlog.models import Log, Review
from cablese import detection, registry
from cablese.codec import Codec

_ROWS = """\
SELECT p.leaf, {uid}, {received}, p.tokens, p.tokens_json, p.valid, p.sent_at, p.protocol,
    p.dialect, p.wire, p.canonical, p.diagnostics, p.meaning, p.supplied, p.content, p.event_id,
    p.tokenizer, s.name, l.hash
FROM auditlog_packet p JOIN auditlog_source s ON s.id = p.source_id
LEFT JOIN auditlog_leaf l ON l.log_id = p.log_id AND l."index" = p.leaf
WHERE p.log_id = %s AND p.leaf {which} ORDER BY p.leaf"""
_COLUMNS = {
    "sqlite": {"uid": "p.uid", "received": "CAST(p.received AS text)"},
    "postgresql": {
        "uid": "CAST(p.uid AS text)",
        "received": """to_char(p.received AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
    },
}
"""A time that cannot be read would stop the whole query of SQLite. PostgreSQL writes the text of a
UUID and of a time sooner than psycopg makes objects of them.
"""
_WRITTEN = 27
"""Characters of a time as PostgreSQL writes it here."""
_SIXTEEN = 16
"""Bytes of a UUID."""
Row = tuple[Any, ...]


class Record(PacketRecord, frozen=True, kw_only=True):
    """A packet as in the API, and its English description."""

    sentence: str


class Beside(NamedTuple):
    """What belongs to the packets of a piece, by their leaves."""

    decisions: Mapping[int, Review]
    comments: Mapping[int, Sequence[Review]]
    repeats: Mapping[int, replays.Count]
    findings: Mapping[int, tuple[StoredFinding, ...]]


class _Doubt(Exception):
    """A row is not as it should be."""


_DOUBTS = (
    _Doubt, ValueError, TypeError, AttributeError, RecursionError, registry.UnknownProtocol,
    registry.UnknownDialect,
)  # fmt: skip


def read(
    log: Log, leaves: Sequence[int], known: Repeats = UNKNOWN
) -> Iterator[Record | dict[str, Any]]:
    """Yield the records of packets in the order of their leaves; an erased one has none."""
    rows = _select(log, leaves)
    beside = _beside(log, {row[0]: bytes(row[9]) for row in rows}, known)
    for row in rows:
        try:
            record = _record(log.slug, row, beside)
        except _DOUBTS:
            yield from _slowly(log, row[0])
        else:
            yield record


def _slowly(log: Log, leaf: int) -> Iterator[dict[str, Any]]:
    return packets.exported([*damage.load([(log.pk, leaf)]).values()])


def _select(log: Log, leaves: Sequence[int]) -> list[Row]:
    with connection.cursor() as cursor:
        statement = _ROWS.format(which=spread.among(leaves), **_COLUMNS[connection.vendor])
        cursor.execute(statement, [log.pk])
        rows: list[Row] = cursor.fetchall()
    if len(rows) == len(leaves):
        return rows
    wanted = set(leaves)
    return [row for row in rows if row[0] in wanted]


def _beside(log: Log, wires: Mapping[int, bytes], known: Repeats) -> Beside:
    if not wires:
        return Beside({}, {}, {}, {})
    effective = review.list_effective(review.find_steps_of(log, sorted(wires)))
    findings = position.find_between(log.pk, wires.keys())
    asked = {
        leaf: wire for leaf, wire in wires.items() if known.may_have(leaf, findings.get(leaf, ()))
    }
    return Beside(
        {leaf: step for (_, leaf), step in review.find_decisions(effective).items()},
        {leaf: steps for (_, leaf), steps in review.find_comments(effective).items()},
        replays.count_wires(log.pk, asked),
        findings,
    )


def _record(slug: str, row: Row, beside: Beside) -> Record:
    """Return the record of a row. Raises one of `_DOUBTS`."""
    (
        leaf, packet, received, tokens, tokens_json, valid, sent_at, protocol, dialect, raw,
        canonical, diagnostics, meaning, supplied, content, event_id, tokenizer, source, digest,
    ) = row  # fmt: skip
    if digest is None or not damage.is_sound(
        meaning, supplied, content, sent_at, diagnostics, canonical
    ):
        raise _Doubt
    wire = bytes(raw).decode()
    latest, repeated = beside.decisions.get(leaf), beside.repeats.get(leaf)
    return Record(
        id=_uid(packet), log=slug, leaf=leaf, leaf_hash=bytes(digest).hex(),
        received=_time(received), sent_at=sent_at, event_id=event_id, source=source,
        protocol=protocol, version=dialect, wire=wire, valid=bool(valid),
        canonical=None if canonical is None else bytes(canonical).decode() or wire,
        meaning=_raw(meaning), supplied=_supplied(supplied, content),
        diagnostics=_raw(diagnostics), tokens=Spent(tokenizer, tokens, tokens_json),
        review=None if latest is None else review.as_json(latest),
        comments=tuple(map(review.as_json, beside.comments.get(leaf, ()))),
        repeats=None if repeated is None else Repeated(*repeated[:3]),
        findings=beside.findings.get(leaf), damaged=(), sentence=_describe(protocol, dialect, wire),
    )  # fmt: skip


def _describe(protocol: str, dialect: str, wire: str) -> str:
    """Return what a wire says in English."""
    if protocol == detection.UNKNOWN:
        return ""
    codec = _codec(protocol, dialect)
    sentence = codec.sentence(codec.decode(wire, dialect=dialect))
    return sentence if sentence.isascii() else str(text.whole(sentence))


@lru_cache(maxsize=64)
def _codec(protocol: str, dialect: str) -> Codec:
    registry.check_dialect(protocol, dialect)
    return registry.get(protocol)


def _raw(stored: str) -> Any:
    """Return stored JSON, to be written as it is."""
    return msgspec.Raw(stored.encode())


def _supplied(stored: str, content: Any) -> Any:
    if content is None:
        return _raw(stored)
    return text.from_json(stored) | {"content": bytes(content).decode()}


def _uid(stored: Any) -> str:
    if isinstance(stored, str):
        return stored
    if isinstance(stored, bytes) and len(stored) == _SIXTEEN:
        digits = stored.hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    return uid.to_text(stored)


def _time(stored: str) -> str:
    """Return a time as PostgreSQL or SQLite gives it, in the form of a leaf."""
    if connection.vendor == "postgresql":
        if len(stored) != _WRITTEN:  # such as that of the year 10000
            raise _Doubt
        return stored
    return leaves_of.format_time(datetime.fromisoformat(stored))
