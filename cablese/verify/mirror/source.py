"""Where a log is read: at a URL, or in a folder that a mirror wrote (C2SP tlog-tiles)."""

from pathlib import Path
from typing import Protocol

from cablese.tlog import tile
from cablese.tlog.merkle import SIZE
from cablese.tlog.tile import ENTRIES, WIDTH, BadTile, Tile
from cablese.tlog.tiled_tree import BadTree
from cablese.verify.mirror.folder import Folder
from cablese.verify.mirror.limits import TooLarge
from cablese.verify.mirror.remote import Remote

CHECKPOINT = 256 * 1024
"""Bytes of a checkpoint that are read."""
_ENTRY = 2 + 0xFFFF


class Source(Protocol):
    """Gives the files of a log by their paths. Raises Unusable if it cannot answer."""

    def get(self, path: str, limit: int) -> bytes | None:
        """Return at most this many bytes of a file; None if there is none. Raises TooLarge."""

    def close(self) -> None:
        """End the use of a source."""


def open_source(what: str) -> Source:
    """Return the log at a URL or in a folder. Raises Unusable."""
    if what.startswith(("http://", "https://")):
        return Remote(what)
    return Folder(Path(what))


def is_source(what: str) -> bool:
    """Return whether a word of a command is a log, and not a file."""
    return what.startswith(("http://", "https://")) or Path(what).is_dir()


def get_tile(source: Source, place: Tile) -> bytes | None:
    """Return a tile or a bundle. A log may delete a partial one when it has the full one.

    Raises BadTree if it is too large or malformed, and Unusable.
    """
    data = _get(source, place)
    if data is not None or place.width == WIDTH:
        return data
    full = _get(source, place._replace(width=WIDTH))
    try:
        return None if full is None else tile.shorten(full, place)
    except BadTile as error:
        raise BadTree(tile.format_path(place._replace(width=WIDTH)), str(error)) from None


def _get(source: Source, place: Tile) -> bytes | None:
    limit = place.width * (_ENTRY if place.level == ENTRIES else SIZE)
    path = tile.format_path(place)
    try:
        return source.get(path, limit)
    except TooLarge:
        raise BadTree(path, f"It has more than {limit:,} bytes.") from None
