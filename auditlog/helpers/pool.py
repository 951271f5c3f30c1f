"""The helper processes of the serving process. Each has a thread here, which gives it one order
after another.

They start with the first large batch, which does not wait for them, and end after `IDLE` seconds
without an order. Nothing depends on a helper: when one dies, hangs, or cannot start, its order
fails with `Away`, and the caller makes the drafts itself. A new interpreter is started, never a
fork, because the serving process has threads.
"""

import atexit
import os
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from auditlog.helpers import frames
from auditlog.helpers.order import VERSIONS
from auditlog.helpers.process import FAILED

LIMIT = 20.0
"""Seconds for an order. A piece of 500 packets takes 0.1 s."""
START = 60.0
"""Seconds for a start."""
IDLE = 300.0
"""Seconds after which a helper without an order ends. It takes about 170 MB of memory."""
WAITING = 32
"""Orders that wait for a helper at most."""
AGAIN, SELDOM = 1.0, 60.0
"""Seconds until another helper is started after one that failed, at first and at most."""
MOST = 4
"""Helpers. They draft faster than one process can write."""
_ROOT = Path(__file__).resolve().parents[2]
_SECRETS = ("CABLESE_", "DATABASE_URL", "DJANGO_")
"""Variables of the environment that are not for helpers."""

Answer = Future[bytearray]


class Away(Exception):
    """The helper cannot carry out the order."""


class _Job:
    """An order, and the promise of its answer."""

    def __init__(self, order: bytes) -> None:
        self.order = order
        self.answer: Answer = Future()


class Pool:
    """At most `size` helpers."""

    def __init__(self, size: int, folder: Path) -> None:
        """`folder` has the vocabularies of the tokenizers."""
        self.size = size
        self._folder = folder
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        """None wakes a thread that has to end."""
        self._lock = threading.Lock()
        self._helpers: set[subprocess.Popen[bytes]] = set()
        self._threads = 0
        self._ready = 0
        self._failures = 0
        self._next_start = 0.0
        """On the monotonic clock."""
        self._closed = False

    def submit(self, order: bytes) -> Answer | None:
        """Return the promise of an answer, which may fail with `Away`; None without a helper."""
        with self._lock:
            self._start()
            if not self._ready or self._jobs.qsize() >= WAITING:
                return None
            job = _Job(order)
            self._jobs.put(job)
        return job.answer

    def close(self) -> None:
        """End the helpers. Orders that wait fail."""
        with self._lock:
            self._closed = True
            for helper in self._helpers:
                helper.kill()
                self._jobs.put(None)

    @property
    def processes(self) -> list[int]:
        """The IDs of the processes."""
        with self._lock:
            return [helper.pid for helper in self._helpers]

    @property
    def ready(self) -> int:
        """How many can take an order."""
        return self._ready

    def _start(self) -> None:
        if self._closed or time.monotonic() < self._next_start:
            return
        while self._threads < self.size:
            self._threads += 1
            threading.Thread(target=self._run, name="helper", daemon=True).start()

    def _run(self) -> None:
        """The life of one helper."""
        failed = True
        try:
            with _Helper(self._folder) as helper:
                with self._lock:
                    self._helpers.add(helper.process)
                try:
                    helper.greet()
                    failed = self._serve(helper)
                finally:
                    with self._lock:
                        self._helpers.discard(helper.process)
        except OSError:
            pass
        finally:
            self._leave(failed=failed)

    def _serve(self, helper: "_Helper") -> bool:
        """Give it orders. Return whether it failed."""
        with self._lock:
            self._ready += 1
        try:
            while not self._closed:
                try:
                    job = self._jobs.get(timeout=IDLE)
                except Empty:
                    return False
                if job is None:
                    continue
                if not helper.carry_out(job):
                    return True
                self._failures = 0
            return False
        finally:
            with self._lock:
                self._ready -= 1

    def _leave(self, *, failed: bool) -> None:
        with self._lock:
            self._threads -= 1
            if failed:
                pause = min(SELDOM, AGAIN * 2**self._failures)
                self._failures += 1
                self._next_start = max(self._next_start, time.monotonic() + pause)
            if not self._ready:
                # The last one that could take them is gone.
                with suppress(Empty):
                    while True:
                        if (job := self._jobs.get_nowait()) is not None:
                            job.answer.set_exception(Away())


class _Helper:
    """A process, and our end of its socket."""

    def __init__(self, folder: Path) -> None:
        self._end, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  (our own program)
                [sys.executable, "-m", "auditlog.helpers.process", str(folder)],
                cwd=_ROOT,
                env=_environment(),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end.close()
        self.process.kill()
        self.process.wait()

    def greet(self) -> None:
        """Wait until it is ready. Raises OSError."""
        self._end.settimeout(START)
        if frames.receive(self._end) != VERSIONS:
            raise OSError("The helper has other code.")
        self._end.settimeout(LIMIT)

    def carry_out(self, job: _Job) -> bool:
        """Settle a job. Return False when the helper must not get another."""
        try:
            frames.send(self._end, job.order)
            answer = frames.receive(self._end)
        except OSError:
            job.answer.set_exception(Away())
            return False
        if answer == FAILED:
            job.answer.set_exception(Away())
        else:
            job.answer.set_result(answer)
        return True


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(_SECRETS)}


_pool: Pool | None = None


def begin(folder: Path) -> None:
    """Use helpers in this process from now on. `folder` has the vocabularies of the tokenizers."""
    global _pool
    _pool = Pool(min(MOST, max(2, (os.cpu_count() or 1) - 1)), folder)
    atexit.register(_pool.close)


def current() -> Pool | None:
    """Return the helpers of this process; None if it uses none."""
    return _pool
