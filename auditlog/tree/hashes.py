"""Read the tree of a log: the hashes of its subtrees, its root, and its tiles."""

from django.db import connection

from auditlog.tree.growth import UNKNOWN, read_leaves, read_tile
from cablese.tlog import merkle
from cablese.tlog.merkle import SIZE
from cablese.tlog.tile import WIDTH, BadTile, Tile, format_path, read_tiles


def reader(log_id: int, size: int) -> merkle.Read:
    """Return how subtrees of the tree over the first `size` leaves are read. It raises
    BadTile where a tile is missing.
    """

    def fetch(place: Tile) -> bytes:
        found = tile(log_id, place)
        if found is None:
            raise BadTile(f"{format_path(place)} is missing.")
        return found

    return read_tiles(size, fetch)


def root(log_id: int, size: int) -> bytes:
    """Return the root of the tree over the first `size` leaves. Raises BadTile."""
    return merkle.root(size, reader(log_id, size))


def tile(log_id: int, place: Tile) -> bytes | None:
    """Return the hashes of a tile; None unless the log has all of them."""
    with connection.cursor() as cursor:
        found = read_tile(cursor, log_id, place.level, place.number)
        if found is None and place.level == 0 and place.width < WIDTH:
            first = place.number * WIDTH
            hashes = read_leaves(cursor, log_id, first, first + place.width)
            found = b"" if UNKNOWN in hashes else b"".join(hashes)
    size = place.width * SIZE
    return found[:size] if found is not None and len(found) >= size else None
