"""Large answers on their way to clients that may read slowly, or never.

Whatever a client leaves unread stays in memory. So a large answer is sent piece by piece, each
within a time, all of it at a least rate, and all such answers together have only so much room: when
it is full, the one that has been on its way for longest is given up for the newcomer. An answer
without its end is cut off by the server. Only the event loop uses this.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

LARGE = 256 * 1024
"""Bytes of an answer that is not sent at once."""
ROOM = 256 * 1024**2
"""Bytes of all large answers on their way."""
PIECE = 64 * 1024
TAKEN = 20.0
"""Seconds in which a client must take a piece."""
RATE = 64 * 1024
"""Bytes a second that a client must take, after `TAKEN`."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Outbox:
    def __init__(self, *, room: int = ROOM, taken: float = TAKEN, rate: int = RATE) -> None:
        self._room = room
        self._taken = taken
        self._rate = rate
        self._under_way: dict[asyncio.Task[None], int] = {}

    @property
    def size(self) -> int:
        """Bytes of the answers that are on their way."""
        return sum(self._under_way.values())

    def begin(self, head: dict[str, Any], content: bytes, send: Send) -> asyncio.Task[None]:
        """Begin to send an answer. The task is canceled when the answer is given up."""
        while self._under_way and self.size + len(content) > self._room:
            oldest = next(iter(self._under_way))
            del self._under_way[oldest]
            oldest.cancel()
        task = asyncio.create_task(self._deliver(head, content, send))
        self._under_way[task] = len(content)
        task.add_done_callback(lambda done: self._under_way.pop(done, None))
        return task

    async def _deliver(self, head: dict[str, Any], content: bytes, send: Send) -> None:
        """Send all of it. Raises TimeoutError when the client reads too slowly."""
        async with asyncio.timeout(self._taken + len(content) / self._rate):
            await send(head)
            for at in range(0, len(content), PIECE):
                data, more = content[at : at + PIECE], at + PIECE < len(content)
                async with asyncio.timeout(self._taken):
                    await send({"type": "http.response.body", "body": data, "more_body": more})
