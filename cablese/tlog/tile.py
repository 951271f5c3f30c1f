"""Tiles: 256 hashes of one level, which are stored and fetched together (C2SP tlog-tiles).

The tile n at level L holds the hashes of 256 perfect subtrees, each over ``256 ** L`` leaves. A
tile at the right edge holds fewer. Eight levels of the tree lie between two levels of tiles:

    tile/1/000        root of tile/0/000, root of tile/0/001, …
    tile/0/000        hash of leaf 0 … leaf 255
    tile/0/001.p/44   hash of leaf 256 … leaf 299
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cablese.tlog.merkle import SIZE, Read, hash_perfect

HEIGHT = 8
"""Levels of the tree from one level of tiles to the next."""
WIDTH = 1 << HEIGHT
"""Hashes of a full tile."""
_NUMBER = re.compile(r"(?:x[0-9]{3}/)*[0-9]{3}")
_WIDTH = re.compile(r"[1-9][0-9]{0,2}")
_LEVEL = re.compile(r"[0-9]|[1-5][0-9]|6[0-3]")
_LIMIT = 1 << 63


class BadTile(ValueError):
    """A path or content that is not a tile. The words say why."""


class Tile(NamedTuple):
    """A tile by its place. Entry bundles have the level -1, and the tile at level 0 as hashes."""

    level: int
    number: int
    width: int = WIDTH


ENTRIES = -1
Fetch = Callable[[Tile], bytes]
"""The bytes of a tile: its hashes, one after the other."""


def format_path(tile: Tile) -> str:
    """Return the path of a tile: ``tile/0/x001/x234/067.p/44``."""
    number = f"{tile.number % 1000:03d}"
    rest = tile.number // 1000
    while rest:
        number = f"x{rest % 1000:03d}/{number}"
        rest //= 1000
    level = "entries" if tile.level == ENTRIES else str(tile.level)
    part = "" if tile.width == WIDTH else f".p/{tile.width}"
    return f"tile/{level}/{number}{part}"


def parse_path(path: str) -> Tile:
    """Return the tile of a path. Raises BadTile unless it is spelled as `format_path` does."""
    head, _, rest = path.removeprefix("tile/").partition("/")
    number, part, width = rest.partition(".p/")
    if not path.startswith("tile/") or not (head == "entries" or _LEVEL.fullmatch(head)):
        raise BadTile("Expected tile/<level>/<number> or tile/entries/<number>.")
    if not _NUMBER.fullmatch(number) or number.startswith("x000"):
        raise BadTile("Expected a tile number such as 067 or x001/067.")
    if part and not (_WIDTH.fullmatch(width) and int(width) < WIDTH):
        raise BadTile("Expected a width from 1 to 255.")
    found = int(number.replace("x", "").replace("/", ""))
    if found >= _LIMIT >> HEIGHT:
        raise BadTile("The tile number is too large.")
    return Tile(ENTRIES if head == "entries" else int(head), found, int(width) if part else WIDTH)


def tiles_of(size: int) -> list[Tile]:
    """Return the partial tiles at the right edge of a tree, one at most for each level, lowest
    first.
    """
    edge = []
    level = 0
    while size:
        if size % WIDTH:
            edge.append(Tile(level, size // WIDTH, size % WIDTH))
        size //= WIDTH
        level += 1
    return edge


def find(level: int, index: int, size: int) -> tuple[Tile, int, int]:
    """Return the tile that has a perfect subtree, and the range of its hashes below that.

    The subtree is part of a tree over ``size`` leaves.
    """
    tile_level, above = divmod(level, HEIGHT)
    first = index << above
    number, at = divmod(first, WIDTH)
    width = min(WIDTH, (size >> tile_level * HEIGHT) - number * WIDTH)
    return Tile(tile_level, number, width), at, at + (1 << above)


def read_tiles(size: int, fetch: Fetch) -> Read:
    """Return how subtrees of a tree over ``size`` leaves are read from its tiles. Each tile is
    fetched once. Raises BadTile if one has the wrong length.
    """
    fetched: dict[Tile, bytes] = {}

    def read(level: int, index: int) -> bytes:
        tile, first, last = find(level, index, size)
        if tile not in fetched:
            fetched[tile] = _require_width(fetch(tile), tile)
        return hash_perfect(split(fetched[tile])[first:last])

    return read


def split(data: bytes) -> Sequence[bytes]:
    """Return the hashes of a tile."""
    return [data[at : at + SIZE] for at in range(0, len(data), SIZE)]


def join_entries(entries: Iterable[bytes]) -> bytes:
    """Return an entry bundle: leaves, each after its length in two bytes."""
    return b"".join(len(data).to_bytes(2, "big") + data for data in entries)


def split_entries(data: bytes, width: int) -> list[bytes]:
    """Return the leaves of an entry bundle. Raises BadTile unless it has exactly so many."""
    entries: list[bytes] = []
    at = 0
    while len(entries) < width:
        start = at + 2
        at = start + int.from_bytes(data[at:start], "big")
        if not start <= at <= len(data):
            raise BadTile(f"The bundle ends in entry {len(entries)}. Expected {width}.")
        entries.append(data[start:at])
    if at != len(data):
        raise BadTile(f"The bundle goes on after {width} entries.")
    return entries


def shorten(data: bytes, tile: Tile) -> bytes:
    """Return a partial tile or bundle, as the beginning of the full one. Raises BadTile."""
    if tile.level != ENTRIES:
        return data[: tile.width * SIZE]
    return join_entries(split_entries(data, WIDTH)[: tile.width])


def _require_width(data: bytes, tile: Tile) -> bytes:
    if len(data) != tile.width * SIZE:
        found = f"{len(data):,} bytes. Expected {tile.width * SIZE:,}."
        raise BadTile(f"{format_path(tile)} has {found}")
    return data
