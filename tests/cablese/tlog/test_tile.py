"""Tiles: their paths, and trees that are read from them."""

import pytest

from cablese.tlog import merkle, tile
from cablese.tlog.tile import BadTile, Tile
from tests.cablese.tlog.reading import reader

HASHES = [merkle.hash_leaf(str(number).encode()) for number in range(256 * 3 + 44)]


@pytest.mark.parametrize(
    ("found", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(1, 67, 44), "tile/1/067.p/44"),
        (Tile(2, 1_234_067), "tile/2/x001/x234/067"),
        (Tile(0, 1_000, 1), "tile/0/x001/000.p/1"),
        (Tile(63, 999, 255), "tile/63/999.p/255"),
        (Tile(tile.ENTRIES, 5, 3), "tile/entries/005.p/3"),
    ],
)
def test_a_path_is_written_and_read(found: Tile, path: str) -> None:
    assert tile.format_path(found) == path
    assert tile.parse_path(path) == found


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/5", "tile/0/0005", "tile/0/x000/005", "tile/00/005", "tile/64/005", "tile/-1/005",
        "tile/0/x001", "tile/0/005.p/0", "tile/0/005.p/256", "tile/0/005.p/07", "tile/0/005.p/",
        "tile/0/001/005", "tile//005", "0/005", "tile/0/005/", "tile/0/٠٠٥", "tile/0/005\n",
        "tile/0/" + "x999/" * 7 + "999", "tile/data/000", "",
    ],
)  # fmt: skip
def test_any_other_path_is_refused(path: str) -> None:
    with pytest.raises(BadTile):
        tile.parse_path(path)


def fetch(asked: Tile) -> bytes:
    hashes = HASHES
    for _ in range(asked.level):
        whole = len(hashes) // tile.WIDTH
        hashes = [
            merkle.hash_perfect(hashes[at * tile.WIDTH : (at + 1) * tile.WIDTH])
            for at in range(whole)
        ]
    first = asked.number * tile.WIDTH
    return b"".join(hashes[first : first + asked.width])


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 511, 512, 513, 768, len(HASHES)])
def test_proofs_read_from_tiles_hold(size: int) -> None:
    read = tile.read_tiles(size, fetch)
    root = merkle.root(size, read)
    assert root == merkle.root(size, reader(HASHES))
    for index in {0, size // 2, size - 1}:
        merkle.verify_inclusion(
            HASHES[index], index, size, merkle.prove_inclusion(index, size, read), root
        )


def test_a_tile_of_the_wrong_length_is_refused() -> None:
    read = tile.read_tiles(300, lambda asked: fetch(asked)[:-1])
    with pytest.raises(BadTile, match=r"tile/0/001\.p/44 has 1,407 bytes\. Expected 1,408\."):
        read(0, 299)


def test_the_edge_of_a_tree_is_its_partial_tiles() -> None:
    assert tile.tiles_of(0) == []
    assert tile.tiles_of(256) == [Tile(1, 0, 1)]
    assert tile.tiles_of(300) == [Tile(0, 1, 44), Tile(1, 0, 1)]
    assert tile.tiles_of(65_536 + 3) == [Tile(0, 256, 3), Tile(2, 0, 1)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\0\1a\0\5b", "ends in entry 1. Expected 2."),
        (b"\0\1a\0", "ends in entry 1. Expected 2."),
        (b"\0\1a", "ends in entry 1. Expected 2."),
        (b"\0\1a\0\1bc", "goes on after 2 entries."),
    ],
)
def test_a_bundle_says_where_it_is_wrong(data: bytes, words: str) -> None:
    with pytest.raises(BadTile, match=words):
        tile.split_entries(data, 2)
