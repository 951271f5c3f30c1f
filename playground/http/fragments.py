"""Answers that hold only what has changed.

A page is made of patches: elements with an id, which may hold others. Each has a stamp, a digest of
its markup in which the patches it holds count by their ids alone. The browser says which stamps are
on its page, and the answer is the outermost patches with another one, each to be put in by its id
(htmx's out-of-band swap). Nothing is remembered here between two requests.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

MOST = 2_000
"""Stamps that are believed; what a browser has beyond them is sent again."""
_BEGIN = re.compile(r"\s*<[a-z][a-z0-9]*")


@dataclass(frozen=True, slots=True)
class Patch:
    """``markup`` has a hole for each patch in ``held``; None when the browser has it, so it was
    never made.
    """

    name: str
    stamp: str
    markup: str | None
    held: tuple["Patch", ...]


class Patches:
    """The patches of one page or, when ``answering``, of an answer to a browser that has the stamps
    in ``have``.
    """

    def __init__(self, have: Iterable[str] = (), *, answering: bool = False) -> None:
        self._have = frozenset(have)
        self._answering = answering
        self._sparing = answering
        self._token = secrets.token_hex(16)
        self._hole = re.compile(f"<!{self._token} ([^>]*)>")
        self._open: list[list[Patch]] = []

    def draw(self, name: str, key: str | None, make: Callable[[], str]) -> str:
        """What a template shows of a patch. ``make`` gives its markup, one element, or nothing
        where there is none.

        ``key`` says all that the markup depends on; what the browser has is then not made. It is
        for patches that hold no others.
        """
        patch = self._make(name, key, make)
        if patch is None:
            return ""
        if self._open:
            self._open[-1].append(patch)
            return f"<!{self._token} {name}>"
        if not self._answering:
            return self._fill(patch)
        changed = tuple(self._changed(patch))
        if any(map(_lacks, changed)):
            return self._redraw(name, key, make)
        return "".join(self._fill(one, ' hx-swap-oob="true"') for one in changed)

    def _redraw(self, name: str, key: str | None, make: Callable[[], str]) -> str:
        """The same, with everything made: what has changed holds something that was left out."""
        self._sparing = False
        try:
            return self.draw(name, key, make)
        finally:
            self._sparing = True

    def _make(self, name: str, key: str | None, make: Callable[[], str]) -> Patch | None:
        if key is not None and self._sparing and (stamp := _digest(name, key)) in self._have:
            return Patch(name, stamp, None, ())
        self._open.append([])
        try:
            markup = make()
        finally:
            held = tuple(self._open.pop())
        if not markup.strip():
            return None
        content = key if key is not None else markup.replace(self._token, "") if held else markup
        return Patch(name, _digest(name, content), markup, held)

    def _changed(self, patch: Patch) -> Iterator[Patch]:
        if patch.stamp not in self._have:
            yield patch
            return
        for one in patch.held:
            yield from self._changed(one)

    def _fill(self, patch: Patch, said: str = "") -> str:
        assert patch.markup is not None
        markup = patch.markup
        if patch.held:
            held = {one.name: one for one in patch.held}
            markup = self._hole.sub(lambda hole: self._fill(held[hole[1]]), markup)
        return begin(patch.name, markup, f' data-stamp="{patch.stamp}"{said}')


def begin(name: str, markup: str, said: str = "") -> str:
    """The markup of one element with its id, and what else is said in its first tag."""
    tag = _BEGIN.match(markup)
    if tag is None:
        return markup
    return f'{markup[: tag.end()]} id="{name}"{said}{markup[tag.end() :]}'


def read(said: str) -> tuple[str, ...]:
    """The stamps that a browser sends, divided by blanks."""
    return tuple(said.split(" ", MOST)[:MOST])


def _lacks(patch: Patch) -> bool:
    return patch.markup is None or any(map(_lacks, patch.held))


def _digest(name: str, content: str) -> str:
    said = f"{name}\0{content}".encode(errors="surrogatepass")
    return hashlib.blake2b(said, digest_size=8).hexdigest()
