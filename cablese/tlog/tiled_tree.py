"""A tree that is read from tiles of a stranger, each checked before it is used.

The partial tiles at the right edge give the root, which a checkpoint signed. A full tile must hash
to its place in the tile above, and so on up to the edge:

    root ── tile/1/000.p/3 ── tile/0/002 ── entry 700

At most one full tile of each level is in memory.
"""

from collections.abc import Callable

from cablese.tlog import merkle, tile
from cablese.tlog.merkle import SIZE
from cablese.tlog.tile import WIDTH, Tile, format_path, read_tiles, tiles_of

Fetch = Callable[[Tile], bytes | None]
"""The bytes of a tile; None if there is no such tile."""


class BadTree(ValueError):
    """A tile that is missing, or not of the signed tree, at a place. The words say which."""

    def __init__(self, place: str, words: str) -> None:
        super().__init__(f"{place}: {words}")
        self.place = place
        self.words = words


class TiledTree:
    """A tree of a known size and root. Raises BadTree if the edge does not give that root."""

    def __init__(self, size: int, root: bytes, fetch: Fetch) -> None:
        self.size = size
        self._fetch = fetch
        self._edge = {place.level: (place.number, self._get(place)) for place in tiles_of(size)}
        self._newest: dict[int, tuple[int, bytes]] = {}
        if merkle.root(size, read_tiles(size, self._read_edge)) != root:
            places = ", ".join(format_path(place) for place in tiles_of(size)) or "no tile"
            raise BadTree("checkpoint", f"The signed root does not match {places}.")

    def read(self, place: Tile) -> bytes:
        """Return the hashes of a tile of this tree, or the beginning of them if it is to be
        narrower. Raises BadTree.
        """
        number, data = self._edge.get(place.level, (-1, b""))
        if number != place.number:
            data = self._read_full(place.level, place.number)
        return data[: place.width * SIZE]

    def hash_of(self, level: int, number: int) -> bytes:
        """Return the hash that a full tile must have. Raises BadTree."""
        above = self.read(Tile(level + 1, number // WIDTH))
        at = number % WIDTH * SIZE
        return above[at : at + SIZE]

    def root(self, size: int) -> bytes:
        """Return the root over the first leaves of this tree. Raises BadTree."""
        return merkle.root(size, read_tiles(size, self.read))

    def _read_full(self, level: int, number: int) -> bytes:
        newest, data = self._newest.get(level, (-1, b""))
        if newest != number:
            data = self._get(Tile(level, number))
            if merkle.hash_perfect(tile.split(data)) != self.hash_of(level, number):
                place = Tile(level, number)
                raise BadTree(format_path(place), "It is not of the signed tree.")
            self._newest[level] = number, data
        return data

    def _read_edge(self, place: Tile) -> bytes:
        return self._edge[place.level][1]

    def _get(self, place: Tile) -> bytes:
        data = self._fetch(place)
        if data is None:
            raise BadTree(format_path(place), "It is missing.")
        if len(data) != place.width * SIZE:
            found = f"It has {len(data):,} bytes. Expected {place.width * SIZE:,}."
            raise BadTree(format_path(place), found)
        return data
