"""Merge the parts of the full-text index of SQLite.

Each commit adds a part, and every search looks into all parts: with the 36 of a million packets, a
third of the time of a page was for that. The writer merges only parts of which there are many,
because it keeps senders waiting; the process that makes findings merges the others while no packets
come.
"""

from itertools import chain, repeat

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog.erasure import write_ahead
from auditlog.search.table import PARTS

FEW = 6
"""Parts that are left as they are."""
STEP = 200
"""Pages that one step writes. A writer waits for it, about 10 ms."""
_PAGES = 500
"""Pages that one step of `purge` writes."""
_MERGED = 2
"""Changes of the database by a step that merged something (SQLite, FTS5, section 6.8)."""
_DELETED = 1 << 53
"""The first page number of the lists of deleted rows in the tables of FTS5."""
_MERGE = "INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('merge', %s)"
_LEAST = "INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('usermerge', %s)"
_COUNT = """\
WITH RECURSIVE parts (segment) AS (
    SELECT min(segid) FROM auditlog_search_idx
    UNION ALL
    SELECT (SELECT min(segid) FROM auditlog_search_idx WHERE segid > segment)
    FROM parts WHERE segment IS NOT NULL
)
SELECT count(segment) FROM parts"""


def keep_up(cursor: CursorWrapper, packets: int) -> None:
    """Merge as much as so many new packets add."""
    cursor.execute(_MERGE, (count_pages(packets),))


def count_pages(packets: int) -> int:
    """Return how many pages of FTS5 are merged after so many new packets.

    This keeps up with what they add to all levels. FTS5 itself would merge hundreds of pages in
    every twentieth commit of a few packets, for which all of them wait.
    """
    return 8 + packets // 2


def is_due() -> bool:
    """Return whether there are so many parts that `step` merges some."""
    if connection.vendor != "sqlite":
        return False
    with connection.cursor() as cursor:
        return count_parts(cursor) > FEW


def step() -> bool:
    """Merge for a moment in a transaction of its own, if that is due. Return whether it was."""
    if not is_due():
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        # FTS5 merges parts of the same size from this number on. Nobody else gets to see it.
        cursor.execute(_LEAST, (2,))
        cursor.execute(_MERGE, (STEP,))
        cursor.execute(_LEAST, (PARTS,))
    return True


def count_parts(cursor: CursorWrapper) -> int:
    """Count the parts of the index, with a look-up for each."""
    cursor.execute(_COUNT)
    return int(cursor.fetchone()[0])


def purge(cursor: CursorWrapper) -> bool:
    """Rewrite the index without erased terms. Slow, and not possible in a transaction.

    Returns False if files still have some.

    FTS5 notes which rows are deleted, and drops their terms when it merges the part of the index
    that has them. Here it merges all parts, in steps between which others can write. A merge that
    was on its way has copied terms of rows that were deleted since, so it is done again as long as
    deleted rows are noted. With ``PRAGMA secure_delete``, the old pages are overwritten. The
    write-ahead log contains them until it is truncated. PostgreSQL keeps the bytes until it uses
    their space again.
    """
    if cursor.db.vendor == "sqlite":
        while _merge_all(cursor) and _has_deleted(cursor):
            pass
        is_clean = not _has_deleted(cursor)
        return write_ahead.truncate(cursor) and is_clean
    cursor.execute("VACUUM auditlog_search")
    return False


def _merge_all(cursor: CursorWrapper) -> bool:
    """Merge all parts into one. Return whether there was anything to merge."""
    # A negative number begins to merge everything, a positive one continues.
    for number, pages in enumerate(chain([-_PAGES], repeat(_PAGES))):
        before = _changes(cursor)
        cursor.execute(_MERGE, (pages,))
        if _changes(cursor) - before < _MERGED:
            return number > 0
    raise AssertionError("it never ends")


def _has_deleted(cursor: CursorWrapper) -> bool:
    """Return whether a part has terms of rows that are deleted."""
    cursor.execute("SELECT EXISTS (SELECT 1 FROM auditlog_search_data WHERE id >= %s)", (_DELETED,))
    return bool(cursor.fetchone()[0])


def _changes(cursor: CursorWrapper) -> int:
    cursor.execute("SELECT total_changes()")
    return int(cursor.fetchone()[0])
