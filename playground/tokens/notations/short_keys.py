"""JSON with short keys: each key is its shortest prefix that no other key has.

    {"act":"REQUEST","goal":42,"tag":"auth"}    {"a":"REQUEST","g":42,"t":"auth"}

The reader needs the legend, so all messages of one conversation share it. Only words are
shortened: any other key is data, and must not get into a prompt.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from msgspec import Struct

MOST = 100
"""Keys that a legend shortens."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,39}")


class Legend(Struct, frozen=True):
    """Short keys by their words."""

    keys: dict[str, str]

    def shorten(self, value: Any) -> Any:
        return _rename(value, self.keys)

    def lengthen(self, value: Any) -> Any:
        return _rename(value, {short: word for word, short in self.keys.items()})


def make(plains: Iterable[Any]) -> Legend:
    """Return the legend for some JSON values, in the order in which their keys appear."""
    found = dict.fromkeys(key for plain in plains for key in _keys(plain))
    words = [key for key in found if _WORD.fullmatch(key)][:MOST]
    taken = found.keys() - set(words)
    keys: dict[str, str] = {}
    for word in words:
        keys[word] = next(short for short in _shorts(word) if short not in taken)
        taken.add(keys[word])
    return Legend(keys)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def _shorts(word: str) -> Iterator[str]:
    """Yield the prefixes of a word, and then the word with a number."""
    yield from (word[:length] for length in range(1, len(word) + 1))
    yield from (f"{word}{number}" for number in count(2))


def _rename(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _rename(inner, names) for key, inner in value.items()}
    return [_rename(inner, names) for inner in value] if isinstance(value, list) else value
