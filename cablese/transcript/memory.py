"""Functions that remember their last results while they are in use.

The workbench reads its whole text at every key press, and most of it did not change.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass
class _Cache:
    function: "_lru_cache_wrapper[Any]"
    asked: int = 0
    """How often it had been asked at the last call of `forget_unused`."""


_caches: list[_Cache] = []


def remember(most: int) -> "Callable[[Callable[..., T]], _lru_cache_wrapper[T]]":
    """Decorate a function so that its last ``most`` results are remembered."""

    def decorate(function: Callable[..., T]) -> "_lru_cache_wrapper[T]":
        remembering = lru_cache(most)(function)
        _caches.append(_Cache(remembering))
        return remembering

    return decorate


def forget_unused() -> None:
    """Forget the results of each function that was not asked since the last call."""
    for cache in _caches:
        info = cache.function.cache_info()
        asked = info.hits + info.misses
        if asked == cache.asked:
            cache.function.cache_clear()
            asked = 0
        cache.asked = asked
