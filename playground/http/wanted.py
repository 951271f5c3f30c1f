"""Stop work on this thread if its client no longer waits for it.

Work that takes long checks now and then. `Unwanted` is not an Exception, so that no handler answers
or logs it as a failure.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
_thread = threading.local()


class Unwanted(BaseException):
    """The client has disconnected."""


@contextmanager
def asking(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Make `check` use this function on this thread."""
    _thread.is_wanted = is_wanted
    try:
        yield
    finally:
        del _thread.is_wanted


def check() -> None:
    """Raise Unwanted if the client has disconnected. Outside of a request, do nothing."""
    is_wanted = getattr(_thread, "is_wanted", None)
    if is_wanted is not None and not is_wanted():
        raise Unwanted


def while_wanted(values: Iterable[T]) -> Iterator[T]:
    """Yield the values, with a check before each."""
    for value in values:
        check()
        yield value
