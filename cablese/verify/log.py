"""Verify a whole log, in a folder or at a URL: its checkpoint, every tile, and every leaf.

The tree is read from its signed root down, so that of two files that contradict each other, the
wrong one is named. Memory does not grow with the log.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cablese.amount import count, leaves
from cablese.tlog import merkle, tile
from cablese.tlog.checkpoint import Checkpoint, open_checkpoint
from cablese.tlog.merkle import SIZE
from cablese.tlog.note import BadNote, Verifier
from cablese.tlog.tile import ENTRIES, WIDTH, Tile
from cablese.tlog.tiled_tree import BadTree, TiledTree
from cablese.verify.key_history import KeyHistory
from cablese.verify.mirror import bundle
from cablese.verify.mirror.ahead import Ahead
from cablese.verify.mirror.folder import Folder
from cablese.verify.mirror.limits import TooLarge
from cablese.verify.mirror.source import CHECKPOINT, Source
from cablese.verify.progress import Progress
from cablese.verify.report import Report, Unusable


class Newest(NamedTuple):
    """The newest checkpoint of a log, and the note by which it was published."""

    checkpoint: Checkpoint
    note: str


def verify_log(
    source: Source,
    keys: Sequence[Verifier],
    report: Report,
    earlier: Sequence[Checkpoint] = (),
    progress: Progress | None = None,
) -> None:
    """Verify all of a log, and that it contains earlier checkpoints of it. Raises Unusable."""
    newest = open_newest(source, keys, report)
    if newest is None:
        return
    checkpoint, history = newest.checkpoint, KeyHistory()
    report.subject = f"log {checkpoint.origin}"
    with Ahead(source, _order(checkpoint.size)) as ahead:
        try:
            tree = TiledTree(checkpoint.size, checkpoint.root, ahead.get)
        except BadTree as error:
            report.fail(error.place, error.words)
            if error.place == "checkpoint":
                _name_edge(checkpoint.size, ahead, report)
            return
        _check_earlier(tree, [*earlier, *_kept(source, keys, report)], report)
        _check_leaves(tree, ahead, history, report, progress)
    history.check(newest.note, keys, report)
    report.facts.append(
        f"The log had {leaves(checkpoint.size)}. Root: {checkpoint.root.hex()}. "
        "Every leaf and tile is in the signed tree."
    )


def open_newest(source: Source, keys: Sequence[Verifier], report: Report) -> Newest | None:
    """Return the newest checkpoint of a log, or report why it is not right. Raises Unusable."""
    text = read_note(source, "checkpoint")
    if text is None:
        raise Unusable("No checkpoint found. Expected a log with a signed checkpoint.")
    try:
        return Newest(open_checkpoint(text, keys), text)
    except BadNote as error:
        report.fail("checkpoint", str(error))
        return None


def read_note(source: Source, path: str) -> str | None:
    """Return the text of a checkpoint; None if there is none. Raises Unusable."""
    try:
        data = source.get(path, CHECKPOINT)
    except TooLarge:
        raise Unusable(f"{path} is longer than {CHECKPOINT:,} bytes.") from None
    return None if data is None else data.decode(errors="replace")


def require_growth(size: int, older: Checkpoint) -> None:
    """Check that a log did not lose leaves. Raises BadTree."""
    if older.size > size:
        words = f"The log shrank: it had {leaves(older.size)}, and now has {size:,}."
        raise BadTree("checkpoint", words)


def check_contained(tree: TiledTree, older: Checkpoint) -> None:
    """Check that a log still has all that it had. Raises BadTree."""
    require_growth(tree.size, older)
    if tree.root(older.size) != older.root:
        words = f"The log forked: its first {older.size:,} leaves are not those it had before."
        raise BadTree("checkpoint", words)


def _kept(source: Source, keys: Sequence[Verifier], report: Report) -> Iterator[Checkpoint]:
    """Yield the checkpoints that a mirror kept."""
    for size in source.sizes() if isinstance(source, Folder) else ():
        path = f"checkpoints/{size}"
        try:
            yield open_checkpoint(read_note(source, path) or "", keys)
        except BadNote as error:
            report.fail(path, str(error))


def _check_earlier(tree: TiledTree, earlier: Sequence[Checkpoint], report: Report) -> None:
    for older in earlier:
        try:
            check_contained(tree, older)
        except BadTree as error:
            report.fail(error.place, error.words)
    if earlier:
        smallest = min(one.size for one in earlier)
        checkpoints = count(len(earlier), "earlier checkpoint")
        report.facts.append(f"It contains {checkpoints}, from {leaves(smallest)} on.")


def _order(size: int) -> Iterator[Tile]:
    """Yield the places in the order in which `_check_leaves` needs them, without upper tiles."""
    for number in range(bundle.count(size)):
        place = bundle.place_of(number, size)
        yield place
        if place.width == WIDTH:
            yield Tile(0, number)


def _check_leaves(
    tree: TiledTree, ahead: Ahead, history: KeyHistory, report: Report, progress: Progress | None
) -> None:
    above: set[str] = set()
    for number in range(bundle.count(tree.size)):
        place = bundle.place_of(number, tree.size)
        for check in (_check_bundle, _check_tile):
            try:
                check(tree, ahead, place, history)
            except BadTree as error:
                if error.place not in above:
                    report.fail(error.place, error.words)
                if not error.place.startswith(("tile/0/", "tile/entries/")):
                    above = {error.place}
        if progress is not None:
            progress(number * WIDTH + place.width, tree.size)


def _check_bundle(tree: TiledTree, ahead: Ahead, place: Tile, history: KeyHistory) -> None:
    data = ahead.get(place)
    bundle.check(tree, place, data)
    history.take(place.number * WIDTH, data or b"", place.width)


def _check_tile(tree: TiledTree, _: Ahead, place: Tile, _history: KeyHistory) -> None:
    tree.read(Tile(0, place.number, place.width))


def _name_edge(size: int, ahead: Ahead, report: Report) -> None:
    """Report which tile at the edge contradicts what is below it, after the root did not fit."""
    for place in tile.tiles_of(size):
        try:
            _check_edge(place, ahead.get(place) or b"", ahead)
        except BadTree as error:
            report.fail(error.place, error.words)


def _check_edge(place: Tile, data: bytes, ahead: Ahead) -> None:
    if place.level == 0:
        below = place._replace(level=ENTRIES)
        if bundle.hash_all(below, ahead.get(below)) != data:
            raise BadTree(tile.format_path(place), "It does not match the leaves.")
        return
    for at, signed in enumerate(tile.split(data)):
        below = Tile(place.level - 1, place.number * WIDTH + at)
        found = ahead.get(below) or b""
        if len(found) != WIDTH * SIZE or merkle.hash_perfect(tile.split(found)) != signed:
            words = f"Hash {at} does not match {tile.format_path(below)}."
            raise BadTree(tile.format_path(place), words)
