"""Whether a client still waits for what this thread is doing.

Work that takes long asks now and then. `Unwanted` is no Exception, so that nothing on the way takes
it for a failure to answer or to log.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
_asked = threading.local()


class Unwanted(BaseException):
    """The client has gone."""


@contextmanager
def asking(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Have `check` ask this on this thread."""
    _asked.is_wanted = is_wanted
    try:
        yield
    finally:
        del _asked.is_wanted


def check() -> None:
    """Raise Unwanted when the client has gone. Outside of a request nothing is raised."""
    is_wanted = getattr(_asked, "is_wanted", None)
    if is_wanted is not None and not is_wanted():
        raise Unwanted


def each(values: Iterable[T]) -> Iterator[T]:
    """Yield the values, and ask before each."""
    for value in values:
        check()
        yield value
