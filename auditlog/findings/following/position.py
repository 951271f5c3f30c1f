"""How far the findings of each log are made, and the step that moves on.

New packets come first. When a detector has a new version, or on request, the findings of all
earlier packets are made again, a piece at a time, and each piece replaces what there was. A piece
moves the position from where it began, or changes nothing: a step that was done twice, or by two
processes, is stored once.

On PostgreSQL, a process that makes a piece locks the row of its log meanwhile, and another one
skips that log. On SQLite there is one serving process.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import F, Q, QuerySet

from auditlog.database import damage, spread
from auditlog.findings.finding import StoredFinding
from auditlog.findings.versions import ENGLISH, name_versions
from auditlog.log import bulk_insert, group_commit
from auditlog.models import Finding, FindingPosition, Packet
from auditlog.rollup import english, recount
from cablese.message import Span

_COLUMNS = (
    "log_id", "leaf", "detector", "number", "version", "code", "part", "start", "end", "other",
)  # fmt: skip

_BEHIND = Q(leaf__lt=F("log__end__size")) | Q(again__isnull=False)


class Position(NamedTuple):
    """Where a log's findings end. ``again`` and ``until`` limit those to be made again."""

    log_id: int
    leaf: int
    again: int | None
    until: int | None


class Piece(NamedTuple):
    """The findings of the packets with ``low <= leaf < high``, as rows of their table."""

    log_id: int
    low: int
    high: int
    is_again: bool
    rows: Sequence[tuple[Any, ...]]
    described: Sequence[english.Described] = ()
    """The packets with the tokens of their English, unless they are made again."""


class Progress(NamedTuple):
    """How many leaves of a log have no findings yet, and of how many they are made again."""

    log: str
    behind: int
    again: int


def begin() -> None:
    """Have all findings made again where the detectors had another version, and all packets
    counted again where their English had.
    """
    versions = name_versions()
    counted = FindingPosition.objects.filter(leaf__gt=0).exclude(versions__endswith=ENGLISH)
    for log_id in counted.values_list("pk", flat=True):
        recount.begin(log_id)
    positions = FindingPosition.objects.exclude(versions=versions)
    rows = [(log_id, versions) for log_id in positions.values_list("pk", flat=True)]
    if rows:
        group_commit.submit(_restart, rows, wait=True).result()


def make_again() -> None:
    """Have the findings of every packet made again."""
    FindingPosition.objects.filter(leaf__gt=0).update(again=0, until=F("leaf"))


def find_work() -> list[int]:
    """Return the IDs of the logs that have something to do."""
    positions = FindingPosition.objects.filter(_BEHIND, versions=name_versions())
    return list(positions.order_by("pk").values_list("pk", flat=True))


def is_behind() -> bool:
    """Return whether findings have to be made."""
    outdated = Q(leaf__gt=0) & ~Q(versions=name_versions())
    return FindingPosition.objects.filter(_BEHIND | outdated).exists()


def is_complete(log_id: int) -> bool:
    """Return whether all packets of a log have findings of the newest detectors."""
    made = FindingPosition.objects.filter(pk=log_id, versions=name_versions()).exclude(_BEHIND)
    return made.exists()


def read_progress() -> list[Progress]:
    """Return how far each log is, by slug."""
    positions = FindingPosition.objects.order_by("log__slug").annotate(size=F("log__end__size"))
    return [
        Progress(slug, max(0, size - leaf), 0 if again is None else (until or 0) - again)
        for slug, size, leaf, again, until in positions.values_list(
            "log__slug", "size", "leaf", "again", "until"
        )
    ]


def find_stored(packets: Iterable[Packet]) -> dict[damage.Key, tuple[StoredFinding, ...]]:
    """Return the findings of packets by log ID and leaf. A packet whose findings are not made yet
    is left out.
    """
    leaves: dict[int, list[int]] = {}
    for packet in packets:
        leaves.setdefault(packet.log_id, []).append(packet.leaf)
    ends = FindingPosition.objects.filter(pk__in=leaves).values_list("pk", "leaf")
    found: dict[damage.Key, list[StoredFinding]] = {
        (log_id, leaf): [] for log_id, end in ends for leaf in leaves[log_id] if leaf < end
    }
    for log_id, some in leaves.items():
        rows = Finding.objects.filter(log_id=log_id, leaf__in=some)
        for leaf, finding in _read(rows):
            if (log_id, leaf) in found:
                found[log_id, leaf].append(finding)
    return {key: tuple(several) for key, several in found.items()}


def find_between(log_id: int, leaves: Collection[int]) -> dict[int, tuple[StoredFinding, ...]]:
    """Return the findings of a log's packets, by leaf, as `find_stored` does."""
    end = FindingPosition.objects.filter(pk=log_id).values_list("leaf", flat=True).first() or 0
    found = {leaf: list[StoredFinding]() for leaf in leaves if leaf < end}
    rows = Finding.objects.filter(log_id=log_id, **spread.lookup("leaf", sorted(leaves)))
    for leaf, finding in _read(rows):
        if leaf in found:
            found[leaf].append(finding)
    return {leaf: tuple(several) for leaf, several in found.items()}


def _read(rows: QuerySet[Finding]) -> Iterator[tuple[int, StoredFinding]]:
    """Yield each finding with its leaf. Models would take longer."""
    columns = "leaf", "detector", "version", "code", "part", "start", "end", "other"
    ordered = rows.order_by("leaf", "detector", "number").values_list(*columns)
    for leaf, detector, version, code, part, start, end, other in ordered:
        span = None if start is None or end is None else Span(start, end)
        yield leaf, StoredFinding(detector, version, code, part or None, span, other)


@contextmanager
def held(log_id: int) -> Iterator[Position | None]:
    """Hold the position of a log while a piece of it is made; None if another process has it."""
    with transaction.atomic() if connection.vendor == "postgresql" else nullcontext():
        rows = FindingPosition.objects.select_for_update(skip_locked=True)
        found = rows.filter(pk=log_id, versions=name_versions())
        row = found.values_list("leaf", "again", "until").first()
        yield None if row is None else Position(log_id, *row)


def store(piece: Piece) -> bool:
    """Store a piece and move on. Returns False if that was done meanwhile."""
    return group_commit.submit(_store, [piece], wait=True).result()[0]


def _restart(cursor: CursorWrapper, rows: Sequence[tuple[int, str]]) -> Sequence[None]:
    for log_id, versions in rows:
        cursor.execute(
            "UPDATE auditlog_findingposition SET versions = %s,"
            " again = CASE WHEN leaf > 0 THEN 0 END, until = CASE WHEN leaf > 0 THEN leaf END"
            " WHERE log_id = %s",
            (versions, log_id),
        )
    return [None] * len(rows)


def _store(cursor: CursorWrapper, pieces: Sequence[Piece]) -> Sequence[bool]:
    return [_store_one(cursor, piece) for piece in pieces]


def _store_one(cursor: CursorWrapper, piece: Piece) -> bool:
    column = "again" if piece.is_again else "leaf"
    cursor.execute(
        f"UPDATE auditlog_findingposition SET {column} = %s"  # noqa: S608
        f" WHERE log_id = %s AND {column} = %s AND versions = %s",
        (piece.high, piece.log_id, piece.low, name_versions()),
    )
    if cursor.rowcount == 0:
        return False
    cursor.execute(
        "UPDATE auditlog_findingposition SET again = NULL, until = NULL"
        " WHERE log_id = %s AND again >= until",
        (piece.log_id,),
    )
    cursor.execute(
        "DELETE FROM auditlog_finding WHERE log_id = %s AND leaf >= %s AND leaf < %s",
        (piece.log_id, piece.low, piece.high),
    )
    rows = _without_erased(cursor, piece)
    if rows:
        bulk_insert.insert(cursor, "auditlog_finding", _COLUMNS, rows)
    english.store(cursor, piece.described)
    return True


def _without_erased(cursor: CursorWrapper, piece: Piece) -> list[tuple[Any, ...]]:
    """Return the rows whose packets still exist."""
    leaves = {row[1] for row in piece.rows}
    if not leaves:
        return []
    places = ", ".join(["%s"] * len(leaves))
    cursor.execute(
        f"SELECT leaf FROM auditlog_packet WHERE log_id = %s AND leaf IN ({places})",  # noqa: S608
        (piece.log_id, *leaves),
    )
    existing = {leaf for (leaf,) in cursor.fetchall()}
    return [row for row in piece.rows if row[1] in existing]
