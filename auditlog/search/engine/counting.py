"""Count what a search finds on a connection of its own, while its page is read and drawn."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from django.db import connection

THREADS = 4
"""Searches that are counted at a time, each on a connection of its own."""


def begin(count: Callable[[], int]) -> Callable[[], int]:
    """Begin to count, and return what waits for the number.

    Inside a transaction, it is counted at once: another connection lacks what that has written.
    """
    if connection.in_atomic_block:
        number = count()
        return lambda: number
    return _threads().submit(_run, count).result


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="count")


def _run(count: Callable[[], int]) -> int:
    try:
        return count()
    finally:
        connection.close()
