"""The threads that run Django. The event loop gives them work and is notified at its end.

A thread starts if all others are busy, and stays. `lanes` limits how much runs at a time, so there
are never more threads than places there, plus one for each streamed response.
"""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue

from auditlog.helpers import spent
from playground.server import gc_policy
from playground.server.frame_room import call_with_room

logger = logging.getLogger(__name__)


LATER = 0.005
"""Seconds after which the loop is notified if no request waits for it."""
LONG = 0.02
"""Seconds after which the loop stops polling for the end of work, which then wakes the loop."""

Work = tuple[Callable[[], None], Callable[[float], None], Callable[[], bool], float]


class Pool:
    """Threads of one event loop. Everything but `tell` is called on the loop's own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._work: SimpleQueue[Work] = SimpleQueue()
        self._told: deque[Callable[[], None]] = deque()
        self._waking = self._listening = False
        self._threads = 0
        self._busy = 0
        self._begun = 0.0
        self.streams = 0
        """Threads that send a streamed response, and mostly wait."""

    def run(
        self, work: Callable[[], None], done: Callable[[float], None], urgent: Callable[[], bool]
    ) -> None:
        """Call `work` on a thread, then `done` on the loop with the processor seconds it took,
        those of helper processes included.

        If `urgent` returns true, a request waits for its end. Otherwise, the loop is notified a
        little later, because waking it costs the thread its turn, and many ends share one wake-up.
        """
        self._busy += 1
        if self._busy > self._threads:
            self._threads += 1
            threading.Thread(
                target=partial(call_with_room, self._serve),
                name=f"django-{self._threads}",
                daemon=True,
            ).start()
        self._begun = time.monotonic()
        self._work.put((work, done, urgent, self._begun))
        if not self._listening:
            self._listening = True
            self._loop.call_later(LATER, self._look)

    def tell(self, what: Callable[[], None], *, soon: bool) -> None:
        """Call `what` on the loop, from any thread; within a few milliseconds unless `soon`.

        After the loop is closed, nobody is left to tell.
        """
        self._told.append(what)
        if soon and not self._waking:
            self._waking = True
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._listen)

    def _look(self) -> None:
        self._listen()
        # Poll for longer than `LONG`, so that no end is missed.
        self._listening = self._busy > 0 and time.monotonic() - self._begun < LONG + 2 * LATER
        if self._listening:
            self._loop.call_later(LATER, self._look)

    def _listen(self) -> None:
        # Clear the flag first, so that later calls wake the loop again.
        self._waking = False
        while self._told:
            self._told.popleft()()

    def _serve(self) -> None:
        while True:
            work, done, urgent, begun = self._work.get()
            began = time.thread_time()
            try:
                work()
            except Exception:
                logger.exception("A request failed outside of Django")
            soon = time.monotonic() - begun > LONG or urgent()
            is_alone = self._busy - self.streams <= 1
            self._end(done, time.thread_time() - began + spent.take(), soon=soon)
            del work, done, urgent
            if is_alone and self._work.empty():
                gc_policy.collect_idle()

    def _end(self, done: Callable[[float], None], seconds: float, *, soon: bool) -> None:
        def settle() -> None:
            self._busy -= 1
            done(seconds)

        self.tell(settle, soon=soon)
