"""What is served of a log's tree: nothing beyond its published checkpoint (C2SP tlog-tiles)."""

from auditlog.models import Leaf, Log
from auditlog.tree import checkpoints, hashes
from cablese.tlog.tile import ENTRIES, HEIGHT, WIDTH, Tile, join_entries


def read(log: Log, place: Tile) -> bytes | None:
    """Return a tile or an entry bundle; None unless the published checkpoint covers it."""
    newest = checkpoints.latest(log)
    level = max(place.level, 0)
    if newest is None or place.number * WIDTH + place.width > newest.size >> level * HEIGHT:
        return None
    return _read_entries(log, place) if place.level == ENTRIES else hashes.tile(log.pk, place)


def _read_entries(log: Log, place: Tile) -> bytes | None:
    """Return leaves, each after its length of two bytes; None if one is missing."""
    first = place.number * WIDTH
    leaves = Leaf.objects.filter(log=log, index__gte=first, index__lt=first + place.width)
    found = [bytes(data) for data in leaves.order_by("index").values_list("bytes", flat=True)]
    if len(found) != place.width:
        return None
    return join_entries(found)
