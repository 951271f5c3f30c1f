"""Grow the tiles of a log in the transaction that adds its leaves.

Level 0 has a row only for each full tile, since the hashes of the leaves after that are with the
leaves. Each full tile adds one hash to the tile above it, which grows in its row:

    level 1    (1, 0): root of (0, 0), root of (0, 1)
    level 0    (0, 0): leaves 0 to 255   (0, 1): leaves 256 to 511   no row: leaves 512 to 599

So a log pays for its tree once in 256 leaves, with one row and one that grows.
"""

from collections.abc import Sequence

from django.db.backends.utils import CursorWrapper

from auditlog.log import bulk_insert
from cablese.tlog.merkle import SIZE, hash_perfect
from cablese.tlog.tile import WIDTH, split

COLUMNS = ("log_id", "level", "number", "hashes")
UNKNOWN = bytes(SIZE)
"""Stands for a hash that is missing, because somebody deleted its row. The root is then wrong,
which is found; to refuse new leaves would help nobody.
"""
_PIECE = 100 * WIDTH
"""Leaves that `build` reads at once."""


def grow(cursor: CursorWrapper, log_id: int, first: int, hashes: Sequence[bytes]) -> None:
    """Add the hashes of new leaves, the first of which has the index `first`."""
    if (first + len(hashes)) // WIDTH == first // WIDTH:
        return
    number, before = divmod(first, WIDTH)
    complete = [*read_leaves(cursor, log_id, number * WIDTH, first), *hashes] if before else hashes
    full = [complete[at : at + WIDTH] for at in range(0, len(complete) - WIDTH + 1, WIDTH)]
    rows = [(log_id, 0, number + at, b"".join(tile)) for at, tile in enumerate(full)]
    bulk_insert.insert(cursor, "auditlog_tile", COLUMNS, rows)
    _grow_above(cursor, log_id, 1, number, [hash_perfect(tile) for tile in full])


def _grow_above(
    cursor: CursorWrapper, log_id: int, level: int, first: int, hashes: Sequence[bytes]
) -> None:
    """Add hashes to a level above the leaves, where the tile at the edge has a row too."""
    number, before = divmod(first, WIDTH)
    stored = (read_tile(cursor, log_id, level, number) if before else None) or b""
    complete = [*split(stored.ljust(before * SIZE, UNKNOWN[:1])), *hashes]
    tiles = [complete[at : at + WIDTH] for at in range(0, len(complete), WIDTH)]
    rows = [(log_id, level, number + at, b"".join(tile)) for at, tile in enumerate(tiles)]
    if stored:
        _replace(cursor, rows.pop(0))
    bulk_insert.insert(cursor, "auditlog_tile", COLUMNS, rows)
    if roots := [hash_perfect(tile) for tile in tiles if len(tile) == WIDTH]:
        _grow_above(cursor, log_id, level + 1, number, roots)


def read_leaves(cursor: CursorWrapper, log_id: int, first: int, last: int) -> list[bytes]:
    """Return the hashes of leaves from `first` up to `last`, exclusive."""
    cursor.execute(
        'SELECT "index", hash FROM auditlog_leaf'
        ' WHERE log_id = %s AND "index" >= %s AND "index" < %s',
        (log_id, first, last),
    )
    hashes = [UNKNOWN] * (last - first)
    for index, digest in cursor.fetchall():
        hashes[index - first] = bytes(digest)
    return hashes


def build(cursor: CursorWrapper, log_id: int, size: int) -> None:
    """Make the tiles of a log that has none from its first `size` leaves."""
    for first in range(0, size, _PIECE):
        last = min(size, first + _PIECE)
        grow(cursor, log_id, first, read_leaves(cursor, log_id, first, last))


def read_tile(cursor: CursorWrapper, log_id: int, level: int, number: int) -> bytes | None:
    """Return the hashes in the row of a tile; None without a row."""
    cursor.execute(
        "SELECT hashes FROM auditlog_tile WHERE log_id = %s AND level = %s AND number = %s",
        (log_id, level, number),
    )
    row = cursor.fetchone()
    return bytes(row[0]) if row else None


def _replace(cursor: CursorWrapper, row: tuple[int, int, int, bytes]) -> None:
    *place, hashes = row
    cursor.execute(
        "UPDATE auditlog_tile SET hashes = %s WHERE log_id = %s AND level = %s AND number = %s",
        (hashes, *place),
    )
