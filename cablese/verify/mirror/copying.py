"""Copy a log into a folder, each file verified before it is written, and go on where it stopped.

A new checkpoint must contain the one of the copy. Its tree is read from the root down, so a bundle
is right when its leaves hash to their place, whether it comes from the log or from an earlier,
interrupted run. The tiles of the leaves are made of the bundles.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from cablese.amount import leaves
from cablese.tlog import tile
from cablese.tlog.checkpoint import Checkpoint, open_checkpoint
from cablese.tlog.note import BadNote, Verifier
from cablese.tlog.tile import ENTRIES, HEIGHT, WIDTH, Tile, format_path
from cablese.tlog.tiled_tree import BadTree, TiledTree
from cablese.verify import log
from cablese.verify.mirror import bundle
from cablese.verify.mirror.ahead import Ahead
from cablese.verify.mirror.folder import Folder
from cablese.verify.mirror.source import Source, get_tile
from cablese.verify.progress import Progress
from cablese.verify.report import Report, Unusable

REFUSED = 100
"""Refused checkpoints that are kept."""
_NONE = Checkpoint("", 0, b"")


def mirror(
    source: Source,
    folder: Folder,
    keys: Sequence[Verifier],
    report: Report,
    progress: Progress | None = None,
) -> None:
    """Bring a copy up to the newest checkpoint of a log. Raises Unusable.

    If the report has failures then, the copy is as it was, as far as `checkpoint` says.
    """
    with folder.locked():
        old = _read_old(folder, keys)
        newest = log.open_newest(source, keys, report)
        if newest is None:
            return
        new, text = newest
        report.subject = f"log {new.origin}"
        if old.size and old.origin != new.origin:
            raise Unusable(f"{folder.path} has a copy of {old.origin}, not of {new.origin}.")
        try:
            _follow(source, folder, old, new, progress)
        except BadTree as error:
            report.fail(error.place, error.words + _keep_refused(folder, text, error))
            return
        _publish(folder, old, new, text)
        report.facts.append(_say(old, new, folder))


def _read_old(folder: Folder, keys: Sequence[Verifier]) -> Checkpoint:
    """Return the checkpoint up to which the copy is complete. Raises Unusable."""
    text = log.read_note(folder, "checkpoint")
    if text is None:
        return _NONE
    try:
        return open_checkpoint(text, keys)
    except BadNote as error:
        raise Unusable(
            f"The copy in {folder.path} has a checkpoint that another key signed. {error}"
        ) from None


def _follow(
    source: Source, folder: Folder, old: Checkpoint, new: Checkpoint, progress: Progress | None
) -> None:
    """Copy what is new. Raises BadTree at the first that is not right."""
    log.require_growth(new.size, old)
    with Ahead(source, _order(folder, old.size, new.size)) as ahead:
        tree = TiledTree(new.size, new.root, ahead.get)
        if old.size:
            log.check_contained(tree, old)
        for number in range(old.size // WIDTH, bundle.count(new.size)):
            place = bundle.place_of(number, new.size)
            _copy_bundle(tree, folder, ahead, place)
            if progress is not None:
                progress(number * WIDTH + place.width, new.size)
        for place in _list_upper(old.size, new.size):
            folder.put(format_path(place), tree.read(place))


def _order(folder: Folder, old: int, new: int) -> Iterator[Tile]:
    """Yield the bundles that the folder does not have, in their order."""
    for number in range(old // WIDTH, bundle.count(new)):
        place = bundle.place_of(number, new)
        if not folder.has(format_path(place)):
            yield place


def _copy_bundle(tree: TiledTree, folder: Folder, ahead: Ahead, place: Tile) -> None:
    try:
        hashes = bundle.check(tree, place, get_tile(folder, place))
    except BadTree:
        data = ahead.get(place)
        hashes = bundle.check(tree, place, data)
        folder.put(format_path(place), data or b"")
    folder.put(format_path(place._replace(level=0)), hashes)


def _list_upper(old: int, new: int) -> Iterator[Tile]:
    """Yield the tiles above the leaves' that are new, or wider, in the larger tree."""
    level = 1
    while hashes := new >> HEIGHT * level:
        for number in range((old >> HEIGHT * level) // WIDTH, -(-hashes // WIDTH)):
            yield Tile(level, number, min(WIDTH, hashes - number * WIDTH))
        level += 1


def _publish(folder: Folder, old: Checkpoint, new: Checkpoint, text: str) -> None:
    """Write the checkpoint, after all that it covers, and remove what it replaces."""
    folder.settle()
    folder.put(f"checkpoints/{new.size}", text.encode())
    folder.put("checkpoint", text.encode())
    edge = [*_list_edge(new.size)]
    for place in _list_edge(old.size):
        if place not in edge:
            folder.remove(format_path(place))


def _list_edge(size: int) -> Iterator[Tile]:
    for place in tile.tiles_of(size):
        yield place
        if place.level == 0:
            yield place._replace(level=ENTRIES)


def _keep_refused(folder: Folder, text: str, error: BadTree) -> str:
    """Keep a checkpoint that is not of the copy's log, as evidence, and say where."""
    if error.place != "checkpoint" or len(folder.names("refused")) >= REFUSED:
        return ""
    path = f"refused/{sha256(text.encode()).hexdigest()[:16]}"
    folder.put(path, text.encode())
    return f" Its signed checkpoint is in {folder.path / path}."


def _say(old: Checkpoint, new: Checkpoint, folder: Folder) -> str:
    copied = new.size - old.size
    return f"{folder.path} has {leaves(new.size)}, {copied:,} of them new. Root: {new.root.hex()}."
