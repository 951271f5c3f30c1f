"""Files that are imported again after they have grown, such as the log of a running program.

    Monday   app.log has 12,345 bytes         its messages are stored
    Tuesday  app.log has 20,000 bytes, and    messages in the first 12,345 bytes get the event IDs
             begins with Monday's             that they got on Monday, so they are duplicates

A complete import is recorded with the size of the file and a keyed hash of its content. Before the
next import, whoever has the file makes the digests of its beginnings of those sizes, and the
longest one that is recorded tells how the event IDs of its messages were made. They are unique to
a log and a source, so each person and log has records of its own.

Two files that begin alike are two files, unless one of them is the whole beginning of the other:
two runs of a program may begin with the same lines. So messages after the end of the earlier file
are named by the new one, and a file that has grown several times has several parts:

    Monday's file | what Tuesday's file added | what the file adds that is imported now
"""

import hmac
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Max

from auditlog.log import group_commit
from auditlog.models import ImportedFile, Log

LIMIT = 100
"""Sizes of earlier files that are compared, the newest first."""
_FILE, _SEAL = b"cablese/file/v1\0", b"cablese/import/v1\0"
_PARTS = """\
WITH RECURSIVE part (id, size, settled, file, earlier_id) AS (
    SELECT id, size, settled, file, earlier_id FROM auditlog_importedfile WHERE id = %s
    UNION ALL
    SELECT f.id, f.size, f.settled, f.file, f.earlier_id
    FROM auditlog_importedfile f JOIN part ON f.id = part.earlier_id
)
SELECT size, settled, file FROM part ORDER BY size"""
_INSERT = """\
INSERT INTO auditlog_importedfile
    (log_id, source_id, earlier_id, size, settled, seal, file, created)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""


class Part(NamedTuple):
    """A part of a file, up to the offset ``end``, whose messages an earlier import named."""

    end: int
    settled: int
    """Where the first message begins that was not complete for sure, because the file ended."""
    file: bytes
    """What the event IDs are made of."""


class Earlier(NamedTuple):
    """An earlier import of a file, or of its beginning."""

    id: int
    size: int
    at: datetime
    parts: Sequence[Part]
    """The parts of the file, in order."""


class WholeFile(NamedTuple):
    """A file that was imported completely, and the earlier one that it begins with."""

    log: str
    source_id: int
    size: int
    settled: int
    digest: bytes
    """That of `block_digest`."""
    file: bytes
    earlier: Earlier | None


def hide(file: str) -> bytes:
    """Return the keyed hash of what identifies a file. That may be a hash of its content, and a
    plain one would tell, of a message that was erased, whether a guess of it is right.
    """
    return hmac.digest(settings.SECRET_KEY.encode(), _FILE + file.encode(), "sha256")


def list_sizes(log: Log, source_id: int, *, most: int) -> list[int]:
    """Return the sizes of files that a source imported, those of at most so many bytes."""
    files = ImportedFile.objects.filter(log=log, source_id=source_id, size__lte=most)
    newest = files.values("size").annotate(newest=Max("id")).order_by("-newest")
    return [row["size"] for row in newest[:LIMIT]]


def find(log: Log, source_id: int, digests: Mapping[int, bytes]) -> Earlier | None:
    """Return the longest earlier file, given digests of the beginnings of a file by their sizes."""
    seals = [_seal(log.pk, source_id, *beginning) for beginning in digests.items()]
    files = ImportedFile.objects.filter(log=log, source_id=source_id, seal__in=seals)
    return _read(files.order_by("-size").first())


def get(log: Log, source_id: int, number: int) -> Earlier | None:
    """Return the earlier file with an ID, if the source imported it into the log."""
    return _read(ImportedFile.objects.filter(log=log, source_id=source_id, pk=number).first())


def record(file: WholeFile) -> None:
    """Record a file after all of its messages are stored, once. Raises Unavailable."""
    group_commit.submit(_write, [file], wait=True).result()


def _read(row: ImportedFile | None) -> Earlier | None:
    if row is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_PARTS, (row.pk,))
        parts = [Part(end, settled, bytes(file)) for end, settled, file in cursor.fetchall()]
    return Earlier(row.pk, row.size, row.created, parts)


def _write(cursor: CursorWrapper, files: Sequence[WholeFile]) -> list[None]:
    """Insert the files that are not recorded yet."""
    now = connection.ops.adapt_datetimefield_value(datetime.now(UTC))
    for one in files:
        log_id = Log.objects.values_list("pk", flat=True).get(slug=one.log)
        seal = _seal(log_id, one.source_id, one.size, one.digest)
        before = None if one.earlier is None else one.earlier.id
        row: tuple[Any, ...] = (log_id, one.source_id, before, one.size, one.settled, seal)
        cursor.execute(_INSERT, (*row, one.file, now))
    return [None] * len(files)


def _seal(log_id: int, source_id: int, size: int, digest: bytes) -> bytes:
    """Return the keyed hash of a file in a log, for the reason that `hide` has."""
    content = b"%d:%d:%d:%b" % (log_id, source_id, size, digest)
    return hmac.digest(settings.SECRET_KEY.encode(), _SEAL + content, "sha256")
