"""Tiles against the hashes of leaves, and against the tiles below them."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from cablese.tlog.merkle import SIZE, hash_perfect
from cablese.tlog.tile import HEIGHT, WIDTH, Tile, format_path, split

_READ = "SELECT hashes FROM auditlog_tile WHERE log_id = %s AND level = %s AND number = %s"


def check(facts: Facts, number: int, hashes: Sequence[bytes], faults: Faults) -> bytes:
    """Compare a full tile of leaves with their hashes, and its root with the tile above it.
    Returns that root.
    """
    found = hash_perfect(hashes)
    _compare(facts, Tile(0, number), hashes, faults)
    above, at = divmod(number, WIDTH)
    stored = _read(facts.log_id, 1, above)
    if stored is not None and split(stored)[at : at + 1] != [found]:
        place = format_path(Tile(1, above))
        faults.add("tile", place, f"hash {at}", "It does not match the tile below.")
    return found


def check_above(facts: Facts, size: int, faults: Faults) -> None:
    """Check the tiles above those of the leaves, of a log that had `size` leaves at least."""
    level = 1
    while size >> HEIGHT * level:
        _check_level(facts, level, size >> HEIGHT * level, faults)
        level += 1
    _check_places(facts, faults)


def _check_level(facts: Facts, level: int, width: int, faults: Faults) -> None:
    """Check tiles whose hashes are of full tiles below; those of level 1 were compared before."""
    for number in range(-(-width // WIDTH)):
        expected = min(WIDTH, width - number * WIDTH)
        stored = _read(facts.log_id, level, number)
        place = format_path(Tile(level, number))
        if stored is None:
            faults.add("tile", place, "row", "The tile is missing.")
            continue
        if len(stored) < expected * SIZE or len(stored) % SIZE:
            faults.add("tile", place, "hashes", "The tile has too few hashes.")
        if level > 1:
            _compare_roots(facts, Tile(level, number), split(stored)[:expected], faults)


def _compare_roots(facts: Facts, tile: Tile, hashes: Sequence[bytes], faults: Faults) -> None:
    for at, digest in enumerate(hashes):
        below = _read(facts.log_id, tile.level - 1, tile.number * WIDTH + at)
        if below is None or len(below) != WIDTH * SIZE or hash_perfect(split(below)) != digest:
            faults.add("tile", format_path(tile), f"hash {at}", "It does not match the tile below.")


def _check_places(facts: Facts, faults: Faults) -> None:
    """Find tiles that no leaves are for, and tiles that are too long."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT level, MIN(number), MAX(number), COUNT(*) FROM auditlog_tile"
            " WHERE log_id = %s GROUP BY level",
            (facts.log_id,),
        )
        levels = cursor.fetchall()
    size = facts.read_size()
    for level, low, high, _ in levels:
        if not 0 <= level < _LEVELS:
            faults.add("tile", _name(level, low), "level", "The log has no leaves here.")
            continue
        width = size >> HEIGHT * level
        last = (width - 1) // WIDTH if level else width // WIDTH - 1
        for number in {low, high}:
            if not 0 <= number <= last:
                faults.add("tile", _name(level, number), "number", "The log has no leaves here.")
        if level and (stored := _read(facts.log_id, level, last)) is not None:
            _check_edge(Tile(level, last), stored, width - last * WIDTH, faults)


_LEVELS = 64 // HEIGHT


def _name(level: int, number: int) -> str:
    """Return the place of a tile that cannot be."""
    return format_path(Tile(level, number)) if number >= 0 else f"tile/{level}/{number}"


def _check_edge(tile: Tile, stored: bytes, most: int, faults: Faults) -> None:
    if len(stored) > most * SIZE:
        faults.add("tile", format_path(tile), "hashes", "The tile has too many hashes.")


def _compare(facts: Facts, tile: Tile, hashes: Sequence[bytes], faults: Faults) -> None:
    stored, place = _read(facts.log_id, tile.level, tile.number), format_path(tile)
    if stored is None:
        faults.add("tile", place, "row", "The tile is missing.")
    elif len(stored) != WIDTH * SIZE:
        faults.add("tile", place, "hashes", f"The tile has {len(stored):,} bytes.")
    elif stored != b"".join(hashes):
        pairs = enumerate(zip(split(stored), hashes, strict=True))
        at = next(at for at, (one, other) in pairs if one != other)
        leaf = tile.number * WIDTH + at
        faults.add("tile", place, f"hash {at}", f"It does not match leaf {leaf}.")


def _read(log_id: int, level: int, number: int) -> bytes | None:
    with connection.cursor() as cursor:
        cursor.execute(_READ, (log_id, level, number))
        row = cursor.fetchone()
    return None if row is None else _bytes(row[0])


def _bytes(stored: Any) -> bytes:
    return stored.encode() if isinstance(stored, str) else bytes(stored)
