"""What was signed last, beside the database: a database that is replaced cannot change it.

    signed/
      default         the note of the newest checkpoint that was signed
      default.lock    held by whoever signs
      default.sizes   the checkpoints that were published, see `published`

The note is on disk before anybody sees it, so that no checkpoint is ever published that a later one
was not compared with.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from auditlog.continuity import durable_file

FOLDER = "signed"


def read(slug: str) -> str | None:
    """Return the note that was signed last; None before the first. Raises OSError."""
    try:
        return (_folder() / slug).read_text()
    except FileNotFoundError:
        return None


def write(slug: str, note: str) -> None:
    """Remember a note, and wait for the disk. Raises OSError."""
    durable_file.write(_folder() / slug, note.encode())


def forget(slug: str) -> None:
    """Remove what is remembered. Raises OSError."""
    (_folder() / slug).unlink(missing_ok=True)


@contextmanager
def held(slug: str, *, wait: bool) -> Iterator[bool]:
    """Hold the right to sign a log, among all processes and threads; False if another one has it.
    Raises OSError.
    """
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(folder / f"{slug}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _lock(handle, wait=wait)
    finally:
        os.close(handle)


def _folder() -> Path:
    return Path(settings.DATA) / FOLDER


def _lock(handle: int, *, wait: bool) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
