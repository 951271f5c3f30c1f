"""Large responses to clients that may read slowly, or never.

What a client has not read stays in memory. So a large response is sent in pieces, each within a
time limit and all of them at a minimum rate, and all such responses together have a size limit.
Over that limit, the oldest is given up for the newest. The server cuts off a response that is given
up. Only the event loop uses this.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

LARGE = 256 * 1024
"""Bytes above which a response is sent in pieces."""
ROOM = 256 * 1024**2
"""The limit in bytes of all large responses together."""
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

    def begin(self, head: dict[str, Any] | None, content: bytes, send: Send) -> asyncio.Task[None]:
        """Start sending a response, or the rest of one if ``head`` is None. The task is canceled if
        the response is given up.
        """
        while self._under_way and self.size + len(content) > self._room:
            oldest = next(iter(self._under_way))
            del self._under_way[oldest]
            oldest.cancel()
        task = asyncio.create_task(self._deliver(head, content, send))
        self._under_way[task] = len(content)
        task.add_done_callback(lambda done: self._under_way.pop(done, None))
        return task

    async def _deliver(self, head: dict[str, Any] | None, content: bytes, send: Send) -> None:
        """Send the response. Raises TimeoutError if the client reads too slowly."""
        async with asyncio.timeout(self._taken + len(content) / self._rate):
            if head is not None:
                await send(head)
            for at in range(0, len(content), PIECE):
                data, more = content[at : at + PIECE], at + PIECE < len(content)
                async with asyncio.timeout(self._taken):
                    await send({"type": "http.response.body", "body": data, "more_body": more})
