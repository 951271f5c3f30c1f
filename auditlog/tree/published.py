"""Which checkpoints were published, beside the database: a row that somebody deletes is missed.

    signed/
      default.sizes   the size of each checkpoint of `default`, eight bytes each, oldest first

A size is added after its row is committed, and before the next checkpoint is signed. Only whoever
holds the right to sign the log writes here, see `memory.held`.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.conf import settings

from auditlog.continuity import durable_file
from auditlog.tree import memory

_BYTES = 8
_TOGETHER = 1_000


def last(slug: str) -> int:
    """Return the size that was added last; 0 before the first. Raises OSError."""
    place = _place(slug)
    number = _count(place)
    return next(_read(place, number - 1, number))[0] if number else 0


def read(slug: str) -> Iterator[list[int]]:
    """Yield all sizes, some at a time. Raises OSError."""
    place = _place(slug)
    if number := _count(place):
        yield from _read(place, 0, number)


def add(slug: str, sizes: Sequence[int]) -> None:
    """Add sizes, and wait for the disk. Raises OSError."""
    place = _place(slug)
    is_new = not place.exists()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        # After a power failure, a part of a size may be at the end.
        os.lseek(handle, _count(place) * _BYTES, os.SEEK_SET)
        os.write(handle, b"".join(size.to_bytes(_BYTES) for size in sizes))
        os.fsync(handle)
    finally:
        os.close(handle)
    if is_new:
        durable_file.sync(place.parent)


def forget(slug: str) -> None:
    """Begin again with what the table has, after an operator accepted an incident. Raises
    OSError.
    """
    _place(slug).unlink(missing_ok=True)


def _read(place: Path, low: int, high: int) -> Iterator[list[int]]:
    """Yield the sizes from the number `low` up to `high`."""
    with place.open("rb") as file:
        file.seek(low * _BYTES)
        while data := file.read(min(_TOGETHER, high - low) * _BYTES):
            sizes = [int.from_bytes(data[at : at + _BYTES]) for at in range(0, len(data), _BYTES)]
            low += len(sizes)
            yield sizes


def _count(place: Path) -> int:
    """Return how many sizes a file has; none of a file that is not there."""
    try:
        return place.stat().st_size // _BYTES
    except FileNotFoundError:
        return 0


def _place(slug: str) -> Path:
    return Path(settings.DATA) / memory.FOLDER / f"{slug}.sizes"
