"""A tree that is read from tiles: every wrong tile is named, and every right one read."""

import random

import pytest

from cablese.tlog import merkle, tile
from cablese.tlog.tile import Tile
from cablese.tlog.tiled_tree import BadTree, TiledTree
from tests.cablese.tlog.reading import reader

HASHES = [merkle.hash_leaf(str(number).encode()) for number in range(70_000)]
Tiles = dict[Tile, bytes]
read = reader(HASHES)


def make_tiles(size: int) -> Tiles:
    """All tiles of a tree, made level by level from the definition."""
    tiles: Tiles = {}
    hashes, level = HASHES[:size], 0
    while hashes:
        full = []
        for number in range(0, len(hashes), 256):
            part = hashes[number : number + 256]
            tiles[Tile(level, number // 256, len(part))] = b"".join(part)
            if len(part) == 256:
                full.append(merkle.hash_perfect(part))
        hashes, level = full, level + 1
    return tiles


TILES = make_tiles(70_000)
ROOT = merkle.root(70_000, read)


@pytest.mark.parametrize("size", [0, 1, 2, 255, 256, 257, 512, 65_535, 65_536, 65_537])
def test_the_tiles_of_any_size_are_read(size: int) -> None:
    tiles = make_tiles(size)
    tree = TiledTree(size, merkle.root(size, read), tiles.get)
    for place, data in tiles.items():
        assert tree.read(place) == data
    for older in {0, size // 3, max(size - 1, 0), size}:
        assert tree.root(older) == merkle.root(older, read)


def test_each_changed_tile_is_named() -> None:
    for place in random.Random(1).sample(sorted(TILES), 60):
        data = bytearray(TILES[place])
        data[random.Random(str(place)).randrange(len(data))] ^= 1
        check_that_it_is_named(place, bytes(data))
        check_that_it_is_named(place, None)
        check_that_it_is_named(place, TILES[place][:-1])


def check_that_it_is_named(changed: Tile, data: bytes | None) -> None:
    def fetch(place: Tile) -> bytes | None:
        return data if place == changed else TILES.get(place)

    with pytest.raises(BadTree) as raised:
        TiledTree(70_000, ROOT, fetch).read(changed)
    assert tile.format_path(changed) in str(raised.value)


def test_the_root_must_be_that_of_the_edge() -> None:
    with pytest.raises(BadTree, match="checkpoint: The signed root does not match tile/0/273"):
        TiledTree(70_000, HASHES[0], TILES.get)
    with pytest.raises(BadTree, match="no tile"):
        TiledTree(0, HASHES[0], TILES.get)


def test_tiles_are_fetched_once_when_they_are_read_in_order() -> None:
    fetched = []

    def fetch(place: Tile) -> bytes | None:
        fetched.append(place)
        return TILES.get(place)

    tree = TiledTree(70_000, ROOT, fetch)
    for place in sorted(TILES):
        if place.level == 0:
            tree.read(place)
    assert sorted(fetched) == sorted(TILES)


@pytest.mark.parametrize("width", [0, 1, 2, 256])
def test_a_bundle_is_written_and_read(width: int) -> None:
    entries = [bytes(number * 7) for number in range(width)]
    data = tile.join_entries(entries)
    assert tile.split_entries(data, width) == entries
    for bad in (data + b"\0", data[:-1]) if data else (b"\0",):
        with pytest.raises(tile.BadTile):
            tile.split_entries(bad, width)
    with pytest.raises(tile.BadTile):
        tile.split_entries(data, width + 1)


def test_a_partial_bundle_is_the_beginning_of_the_full_one() -> None:
    entries = [str(number).encode() for number in range(256)]
    place = Tile(tile.ENTRIES, 4, 3)
    assert tile.shorten(tile.join_entries(entries), place) == tile.join_entries(entries[:3])
    assert tile.shorten(TILES[Tile(0, 4)], Tile(0, 4, 3)) == b"".join(HASHES[1024:1027])
