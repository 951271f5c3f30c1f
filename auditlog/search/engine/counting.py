"""Count what a search finds on a connection of its own, while its page is read and drawn."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import BoundedSemaphore, Thread
from typing import TypeVar

from django.db import connection

PLACES = 4
"""Connections that count beside a page at a time."""
_places = BoundedSemaphore(PLACES)
_Answer = TypeVar("_Answer")


def begin(count: Callable[[], _Answer]) -> Callable[[], _Answer]:
    """Begin to count, and return what waits for the answer.

    Inside a transaction, whose changes other connections do not see, it is counted at once. Without
    a free place, it is counted when the number is asked for.
    """
    if connection.in_atomic_block:
        number = count()
        return lambda: number
    if not _places.acquire(blocking=False):
        return count
    future: Future[_Answer] = Future()
    # A daemon, so that a server can stop while its database hangs.
    Thread(target=_run, args=(count, future, _places), name="count", daemon=True).start()
    return future.result


def _run(count: Callable[[], _Answer], future: Future[_Answer], places: BoundedSemaphore) -> None:
    try:
        future.set_result(count())
    except BaseException as error:  # noqa: BLE001 - raised where the number is read
        future.set_exception(error)
    finally:
        connection.close()
        places.release()
