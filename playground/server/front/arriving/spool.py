"""A body between the event loop, which receives it, and the thread that reads it.

The first 64 KiB stay in memory. The rest goes to an unnamed file in the data directory, which
disappears when it is closed, whatever happens to the process. A thread can read while more arrives.
"""

import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from auditlog.ingest.body import CutOff

HEAD = 64 * 1024
"""Bytes that stay in memory, and bytes per write to the file."""
CUT = "The body ended early, or its chunks cannot be read."
BLINK = 0.05
"""Seconds that a reader waits before it releases its place."""


class Spool:
    """Bytes that one thread writes and another reads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._head = bytearray()
        self._tail = bytearray()
        self._file: int | None = None
        self._written = 0
        self._ended = self._cut = False
        self._writing = self._closed = False
        self._at = 0
        self._more = threading.Condition()
        self.size = 0
        """Bytes received so far."""
        self.aside: Callable[[], None] = lambda: None
        """Called before a reader waits longer."""
        self.back: Callable[[], None] = lambda: None
        """Called when it continues."""
        self.check: Callable[[], None] = lambda: None
        """Called before each read. An exception ends the reading."""

    def feed(self, data: bytes) -> bool:
        """Add received bytes. Return whether there are enough to call `flush`."""
        self.size += len(data)
        room = HEAD - len(self._head)
        if room:
            with self._more:
                self._head += data[:room]
                self._more.notify_all()
            data = data[room:]
        self._tail += data
        return len(self._tail) >= HEAD

    def flush(self) -> None:
        """Write the bytes that do not stay in memory. Raises OSError if the disk is full."""
        with self._more:
            self._more.wait_for(lambda: not self._writing)
            if self._closed or not self._tail:
                return
            self._writing = True
        try:
            self._write()
        finally:
            with self._more:
                self._writing = False
                self._more.notify_all()
                if self._closed:
                    self._drop()

    def _write(self) -> None:
        if self._file is None:
            self._file = _nameless(self._folder)
        done = 0
        with memoryview(self._tail) as view:
            while done < len(view):
                done += os.pwrite(self._file, view[done:], self._written + done)
        self._tail.clear()
        with self._more:
            self._written += done

    def end(self, *, cut: bool = False) -> None:
        """Mark the end of what arrives, or of what arrived before a `cut`. Call `flush` first."""
        with self._more:
            self._ended, self._cut = True, self._cut or cut
            self._more.notify_all()

    @property
    def pending(self) -> int:
        """Bytes that `flush` would write."""
        return len(self._tail)

    def read(self, size: int = -1) -> bytes:
        """Wait for the next `size` bytes and return them; fewer only at the end of the body.

        Raises CutOff after the last byte of a body that was cut.
        """
        self.check()
        self._wait(self._at + size if size >= 0 else None)
        with self._more:
            ready = len(self._head) + self._written - self._at
        data = self._take(ready if size < 0 else min(size, ready))
        self._at += len(data)
        if not data and size:
            # The body may have been given up while this waited.
            self.check()
            if self._cut:
                raise CutOff(CUT)
        return data

    @property
    def head(self) -> bytes:
        """What stays in memory: all of a small body that has arrived."""
        return bytes(self._head)

    def readline(self, _size: int = -1) -> bytes:
        """Exist for Django's interface. Nothing here calls it."""
        raise NotImplementedError("A body is read in blocks")

    def close(self) -> None:
        """Close the file, or let `flush` close it if a thread is writing.

        The descriptor of a closed file can soon be that of another file, perhaps the database.
        """
        with self._more:
            self._closed = True
            if not self._writing:
                self._drop()

    def _drop(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _wait(self, until: int | None) -> None:
        def come() -> bool:
            ready = len(self._head) + self._written
            return self._ended or (until is not None and ready >= until)

        with self._more:
            if self._more.wait_for(come, BLINK):
                return
        self.aside()
        try:
            with self._more:
                self._more.wait_for(come)
        finally:
            self.back()

    def _take(self, size: int) -> bytes:
        data = bytes(self._head[self._at : self._at + size])
        rest, at = size - len(data), self._at + len(data) - len(self._head)
        while rest and self._file is not None:
            piece = os.pread(self._file, rest, at)
            if not piece:
                break
            data, rest, at = data + piece, rest - len(piece), at + len(piece)
        return data


def _nameless(folder: Path) -> int:
    number, name = tempfile.mkstemp(prefix="body-", dir=folder)
    Path(name).unlink()
    return number
