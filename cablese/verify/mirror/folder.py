"""A copy of a log in a folder, laid out as the log serves it, so that any web server can serve it.

    checkpoint             the newest that was verified with everything below it
    checkpoints/812        each that was, by its size
    tile/0/000 …           tiles and entry bundles
    refused/…              checkpoints that contradict the copy: evidence against the log

A file is written under another name first, and the checkpoint last, so that a copy that was
interrupted is an older one that is right.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from cablese.verify.mirror.limits import TooLarge
from cablese.verify.report import Unusable

_LOCK = ".lock"


class Folder:
    """The files of a log below a folder. Raises Unusable if they cannot be read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, path: str, limit: int) -> bytes | None:
        """Return a file of at most so many bytes; None if there is none. Raises TooLarge."""
        try:
            with (self.path / path).open("rb") as file:
                data = file.read(limit + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unusable(f"{self.path / path} cannot be read: {error.strerror}.") from None
        if len(data) > limit:
            raise TooLarge
        return data

    def close(self) -> None:
        """Do nothing: no file is open between two calls."""

    def put(self, path: str, data: bytes) -> None:
        """Write a file, whole or not at all."""
        target = self.path / path
        part = target.with_name(f"{target.name}.new")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            part.replace(target)
        except OSError as error:
            raise Unusable(f"{target} cannot be written: {error.strerror}.") from None

    def has(self, path: str) -> bool:
        return (self.path / path).is_file()

    def names(self, path: str) -> list[str]:
        """Return the names in a folder."""
        folder = self.path / path
        return [one.name for one in folder.iterdir()] if folder.is_dir() else []

    def settle(self) -> None:
        """Wait until all that was written survives a loss of power."""
        getattr(os, "sync", int)()

    def remove(self, path: str) -> None:
        """Remove a file, and its folder if that is empty then."""
        target = self.path / path
        target.unlink(missing_ok=True)
        if target.parent.is_dir() and not any(target.parent.iterdir()):
            target.parent.rmdir()

    def sizes(self) -> list[int]:
        """Return the sizes of the checkpoints that are kept, smallest first."""
        names = self.names("checkpoints")
        return sorted(int(name) for name in names if name.isascii() and name.isdecimal())

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder, for one mirror at a time. Raises Unusable if another one has it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / _LOCK).open("a")
        except OSError as error:
            raise Unusable(f"{self.path} cannot be written: {error.strerror}.") from None
        with file:
            if not _lock(file):
                raise Unusable(f"Another cablese-mirror writes to {self.path}.")
            yield


def _lock(file: TextIO) -> bool:
    """Lock a file until it is closed. Return whether nobody else had it."""
    try:
        import fcntl
    except ImportError:  # Windows, where two mirrors write the same files anyway
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
