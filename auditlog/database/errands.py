"""Small writes that can wait and may be lost: when a key was last used, how often a rule has
answered.

They are merged by what they are about until the committer has nothing else to do. So a request that
only reads never waits for a writer, and a thousand reads with one key cost one row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.db.backends.utils import CursorWrapper

MOST = 10_000
"""Errands that wait at most; more are dropped."""


@dataclass(frozen=True, slots=True, eq=False)
class Errand:
    """How to write values by what they are about, and how two values about the same thing become
    one.
    """

    write: Callable[[CursorWrapper, Mapping[Any, Any]], None]
    merge: Callable[[Any, Any], Any]


class Errands:
    """Those that wait, for many threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._waiting: dict[Errand, dict[Any, Any]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, errand: Errand, about: Any, value: Any) -> bool:
        """Whether it is the first that waits."""
        with self._lock:
            values = self._waiting.setdefault(errand, {})
            if about in values:
                values[about] = errand.merge(values[about], value)
                return False
            if self._count >= self._most:
                return False
            values[about] = value
            self._count += 1
            return self._count == 1

    def take(self) -> dict[Errand, dict[Any, Any]]:
        """All that wait; from now on they are the caller's."""
        with self._lock:
            taken, self._waiting, self._count = self._waiting, {}, 0
        return taken

    def put_back(self, taken: Mapping[Errand, Mapping[Any, Any]]) -> None:
        for errand, values in taken.items():
            for about, value in values.items():
                self.add(errand, about, value)
