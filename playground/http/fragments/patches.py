"""Responses that contain only what has changed.

A page consists of patches: elements with an ID, which may contain other patches. Each has a stamp,
a digest of its markup in which nested patches count only by their IDs. The browser sends the stamps
on its page, and the response has the outermost patches with a new stamp, each swapped in by its ID
(`static/base/patches.js`). Nothing is stored here between two requests.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

MOST = 2_000
"""The limit of stamps per request; patches beyond it are sent again."""
_BEGIN = re.compile(r"\s*<[a-z][a-z0-9]*")


@dataclass(frozen=True, slots=True)
class Patch:
    """``markup`` has a hole for each patch in ``nested``; None if it was skipped because the
    browser has it.
    """

    name: str
    stamp: str
    markup: str | None
    nested: tuple["Patch", ...]


class Patches:
    """The patches of a page or, if ``answering``, of a response to a browser with the stamps
    ``have``.
    """

    def __init__(self, have: Iterable[str] = (), *, answering: bool = False) -> None:
        self._have = set(have)
        self._answering = answering
        self._sparing = answering
        self._token = f"<!{secrets.token_hex(16)} "
        self._open: list[list[Patch]] = []
        self._sent: dict[str, Patch] = {}

    def draw(self, name: str, key: str | None, make: Callable[[], str]) -> str:
        """Return the output of a patch. ``make`` returns its markup: one element, or nothing.

        ``key`` is everything that the markup depends on, so a patch that the browser has is not
        made. Only a patch that contains no others can have a key.

        A response can begin with some of its patches: what was drawn on its own is neither made nor
        sent again as a part of another patch.
        """
        patch = self._make(name, key, make)
        if patch is None:
            return ""
        if self._open:
            self._open[-1].append(patch)
            return f"{self._token}{name}>"
        if not self._answering:
            return self._fill(patch)
        changed = list(self._changed(patch))
        self._sent[name] = patch
        self._have.update(stamp for one in changed for stamp in _stamps(one))
        return "".join(_parsable(self._fill(one)) for one in changed)

    def _make(self, name: str, key: str | None, make: Callable[[], str]) -> Patch | None:
        if (sent := self._sent.get(name)) and (self._sparing or not _lacks(sent)):
            return sent
        if key is not None and self._sparing and (stamp := _digest(name, key)) in self._have:
            return Patch(name, stamp, None, ())
        self._open.append([])
        try:
            markup = make()
        finally:
            nested = tuple(self._open.pop())
        if not markup.strip():
            return None
        content = key if key is not None else markup.replace(self._token, "") if nested else markup
        stamp = _digest(name, content)
        if self._sparing and stamp not in self._have and any(map(_lacks, nested)):
            return self._make_whole(name, key, make)
        return Patch(name, stamp, markup, nested)

    def _make_whole(self, name: str, key: str | None, make: Callable[[], str]) -> Patch | None:
        """Make a changed patch again with nothing skipped, because it contains a skipped one."""
        self._sparing = False
        try:
            return self._make(name, key, make)
        finally:
            self._sparing = True

    def _changed(self, patch: Patch) -> Iterator[Patch]:
        if patch.stamp not in self._have:
            yield patch
            return
        for inner in patch.nested:
            yield from self._changed(inner)

    def _fill(self, patch: Patch) -> str:
        assert patch.markup is not None
        markup, *holes = patch.markup.split(self._token)
        nested = {inner.name: inner for inner in patch.nested}
        for hole in holes:
            name, _, after = hole.partition(">")
            markup += self._fill(nested[name]) + after
        return begin(patch.name, markup, f' data-stamp="{patch.stamp}"')


def begin(name: str, markup: str, attributes: str = "") -> str:
    """Return the markup of an element with its ID and ``attributes`` added to its first tag."""
    tag = _BEGIN.match(markup)
    if tag is None:
        return markup
    return f'{markup[: tag.end()]} id="{name}"{attributes}{markup[tag.end() :]}'


def _parsable(markup: str) -> str:
    """Return markup that a parser keeps outside of a table: it drops the tags of a row alone."""
    return f"<template>{markup}</template>" if markup.startswith("<tr ") else markup


def read_stamps(stamps: str) -> tuple[str, ...]:
    """Return the stamps that a browser sends, separated by spaces."""
    return tuple(stamps.split(" ", MOST)[:MOST])


def _lacks(patch: Patch) -> bool:
    return patch.markup is None or any(map(_lacks, patch.nested))


def _stamps(patch: Patch) -> Iterator[str]:
    yield patch.stamp
    for inner in patch.nested:
        yield from _stamps(inner)


def _digest(name: str, content: str) -> str:
    hashed = f"{name}\0{content}".encode(errors="surrogatepass")
    return hashlib.blake2b(hashed, digest_size=8).hexdigest()
