"""How far each log went, kept in files apart from the database.

A leaf index is given once. A database that is replaced by an older copy of itself would give the
indexes of the lost leaves again, so each log has a file of one line:

    00000000000000010000 00000000000000000036 5a3e9c1e-0d5c-4d3b-9d7c-0a4f0c7f5f0e

The first number is a bound that no commit passes. It is on disk before the first leaf beyond the
one before it, and rises by `BLOCK`, so that few commits wait for it. The second is the size after
the newest commit, written without waiting for the disk: it survives a killed process but not a
power failure. The last word names the boot of the machine in which it was written; in the same boot
it is exact.
"""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from django.db import OperationalError

from auditlog.continuity.durable_file import sync

FOLDER = "leaves"
"""What the directory is called, next to everything else that is stored."""
BLOCK = 10_000
"""Leaf indexes that are reserved at once, and at most skipped after a power failure and a
restore.
"""
_LINE = "{:020} {:020} {:<36}\n"
_WIDTH = len(_LINE.format(0, 0, ""))
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class NotWritten(OperationalError):
    """A mark could not be written. It is named as SQLite names the same fault, by which `faults`
    knows it.
    """

    def __init__(self, slug: str, error: OSError | ValueError) -> None:
        super().__init__(f"the mark of the log {slug} cannot be written: {error}")
        self.sqlite_errorname = _FAULTS.get(getattr(error, "errno", None) or 0, "SQLITE_IOERR")


_FAULTS = {
    errno.ENOSPC: "SQLITE_FULL",
    errno.EDQUOT: "SQLITE_FULL",
    errno.EROFS: "SQLITE_READONLY",
    errno.EACCES: "SQLITE_READONLY",
    errno.EPERM: "SQLITE_READONLY",
}


class Unreadable(Exception):
    """A file that should contain a mark contains something else."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Every leaf index is below `bound`; `size` leaves were committed, or more when not `exact`."""

    bound: int
    size: int
    exact: bool

    @property
    def end(self) -> int:
        """Return the first index that was certainly never assigned."""
        return self.size if self.exact else self.bound


class Marks:
    """The marks in one directory. Any number of processes and threads may write them."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._boot = _boot()
        self._open: dict[str, tuple[int, int]] = {}
        """The file of each log that was written to here, and its bound as far as is known here."""
        self._lock = Lock()

    def reserve(self, slug: str, size: int) -> None:
        """Make sure that `size` is within the bound on disk. Raises NotWritten."""
        if self.folder is None or (slug in self._open and size <= self._open[slug][1]):
            return
        try:
            with self._lock:
                self._raise_bound(self.folder / slug, size)
        except (OSError, ValueError) as error:
            raise NotWritten(slug, error) from None

    def note(self, slug: str, size: int) -> None:
        """Remember a size that was committed. Never fails: the bound protects what cannot
        be noted.
        """
        with self._lock:
            if slug not in self._open:
                return
            file, _ = self._open[slug]
            with suppress(OSError, ValueError), _locked(file):
                mark = _parse(os.pread(file, _WIDTH, 0), self._boot)
                if size > mark.size or not mark.exact:
                    os.pwrite(
                        file, _LINE.format(mark.bound, max(size, mark.size), self._boot).encode(), 0
                    )

    def settle(self, slug: str, size: int) -> None:
        """Record that a log ends at exactly `size`, and wait for the disk."""
        if self.folder is not None:
            self.reserve(slug, size)
            self.note(slug, size)
            os.fsync(self._open[slug][0])

    def read(self) -> dict[str, Mark]:
        """Return the mark of each log. Raises Unreadable."""
        if self.folder is None or not self.folder.is_dir():
            return {}
        return {file.name: self._read(file) for file in sorted(self.folder.iterdir())}

    def forget(self) -> None:
        """Close the files, because the directory is moved aside."""
        with self._lock:
            for file, _ in self._open.values():
                os.close(file)
            self._open.clear()

    def _read(self, path: Path) -> Mark:
        try:
            with path.open("rb") as file, _locked(file.fileno()):
                return _parse(file.read(), self._boot)
        except ValueError:
            raise Unreadable(f"{path} does not hold the size of a log.") from None

    def _raise_bound(self, path: Path, size: int) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            bound = self._reserved(file, size, path.parent)
        except BaseException:
            os.close(file)
            raise
        before, self._open[path.name] = self._open.get(path.name), (file, bound)
        if before is not None:
            os.close(before[0])

    def _reserved(self, file: int, size: int, folder: Path) -> int:
        """Return the bound on disk, raised if necessary."""
        with _locked(file):
            mark = _parse(os.pread(file, _WIDTH, 0), self._boot)
            bound = mark.bound
            if bound < size or not bound:
                bound = size + BLOCK
                boot = self._boot if mark.exact else ""
                os.pwrite(file, _LINE.format(bound, mark.size, boot).encode(), 0)
            # In any case: an attempt before this one may have failed here.
            os.fsync(file)
            if not mark.bound:
                sync(folder)
        return bound


def _parse(line: bytes, boot: str) -> Mark:
    """Return the mark in a file, which is empty before its first line. Raises ValueError."""
    if not line:
        return Mark(0, 0, exact=True)
    words = line.decode("ascii").split()
    if len(line) != _WIDTH or len(words) not in (2, 3):
        raise ValueError(line)
    return Mark(int(words[0]), int(words[1]), exact=bool(boot) and words[2:] == [boot])


def _boot() -> str:
    try:
        return _BOOT.read_text().strip()[:36]
    except OSError:
        return ""


@contextmanager
def _locked(file: int) -> Iterator[None]:
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


_marks = Marks(None)


def configure(folder: Path) -> None:
    """Say where the marks are. Without it none are written."""
    global _marks
    _marks = Marks(folder)


def marks() -> Marks:
    return _marks
