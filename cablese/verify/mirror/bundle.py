"""Entry bundles, compared with the signed tree."""

from cablese.tlog import merkle, tile
from cablese.tlog.tile import ENTRIES, WIDTH, BadTile, Tile
from cablese.tlog.tiled_tree import BadTree, TiledTree


def place_of(number: int, size: int) -> Tile:
    """Return the bundle with this number of a log with so many leaves."""
    return Tile(ENTRIES, number, min(WIDTH, size - number * WIDTH))


def count(size: int) -> int:
    """Return how many bundles a log has."""
    return -(-size // WIDTH)


def check(tree: TiledTree, place: Tile, data: bytes | None) -> bytes:
    """Return the hashes of the leaves in a bundle. Raises BadTree unless the tree has them."""
    hashes = hash_all(place, data)
    if place.width == WIDTH:
        parts = tile.split(hashes)
        is_right = merkle.hash_perfect(parts) == tree.hash_of(0, place.number)
    else:
        is_right = hashes == tree.read(Tile(0, place.number, place.width))
    if not is_right:
        raise BadTree(tile.format_path(place), _name_leaf(tree, place, hashes))
    return hashes


def hash_all(place: Tile, data: bytes | None) -> bytes:
    """Return the hashes of the leaves in a bundle, not compared. Raises BadTree."""
    if data is None:
        raise BadTree(tile.format_path(place), "It is missing.")
    try:
        entries = tile.split_entries(data, place.width)
    except BadTile as error:
        raise BadTree(tile.format_path(place), str(error)) from None
    return b"".join([merkle.hash_leaf(entry) for entry in entries])


def _name_leaf(tree: TiledTree, place: Tile, hashes: bytes) -> str:
    """Say which leaf is the first that is not in the tree."""
    signed = tree.read(Tile(0, place.number, place.width))
    pairs = zip(tile.split(signed), tile.split(hashes), strict=True)
    wrong = [at for at, (one, other) in enumerate(pairs) if one != other]
    first = place.number * WIDTH + wrong[0]
    more = f" {len(wrong) - 1} more in this bundle are not." if wrong[1:] else ""
    return f"Leaf {first} is not the one in the signed tree.{more}"
