"""Event loops for tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in an event loop of its own thread: Playwright keeps a loop in the thread of the
    tests.
    """
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()
