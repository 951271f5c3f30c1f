"""Which known word an unknown one was meant to be, and whether that is beyond doubt.

    the same but for case                      REQ for ``req``        safe
    the full word for a code                   REQ for ``REQUEST``    safe
    two neighboring letters swapped            REJ for ``RJE``        safe
    one letter extra, missing or wrong         INF for ``INFO``       a suggestion
    two known words are equally near           ``RE`` (REQ, REJ)      none

Short words need more: in a code of three letters one wrong letter makes another word (``ACK`` is
not ACC, ``TST`` is not TSK), and two letters of three fit too many. In an open vocabulary a word
that is not listed may be right as it is, so swapped letters are a suggestion there.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

Slip = Literal["swapped", "extra", "missing", "wrong"]
LEAST: dict[Slip, int] = {"swapped": 3, "extra": 3, "missing": 4, "wrong": 5}
"""How many letters the known word must have for a slip to speak for it."""
LONGEST = 24
"""Longer words are not compared: a hostile message could hold a thousand of them."""
REMEMBERED = 1_024
"""Words of each vocabulary whose guess is remembered: misspellings are repeated."""


class Guess(NamedTuple):
    """The known word. ``safe`` if no other word can be meant, ``exact`` if no letter differs."""

    word: str
    safe: bool
    exact: bool = False


class Spelling:
    """The ``words`` of a vocabulary, and in ``full`` the full words for some of them, such as
    REQUEST for REQ.
    """

    def __init__(
        self, words: Iterable[str], full: Mapping[str, str] | None = None, *, is_open: bool = False
    ) -> None:
        self._open = is_open
        self._exact = {word.lower(): word for word in words}
        """A word by its lower case; the full word of a code gives the code."""
        self._codes = set(self._exact)
        for word, code in (full or {}).items():
            self._exact.setdefault(word.lower(), code)
        self._shapes: dict[str, set[str]] = {}
        for word in self._exact:
            for shape in (word, *_shorter(word)):
                self._shapes.setdefault(shape, set()).add(word)
        self._guess = lru_cache(maxsize=REMEMBERED)(self._compare_all)

    def find(self, text: str) -> Guess | None:
        """Return the word that ``text`` is meant to be; None if no word, or more than one, is
        close.
        """
        if not text.isascii():  # letters from elsewhere look like ours, and some fold to them
            return None
        word = text.lower()
        if word in self._exact:
            return Guess(self._exact[word], safe=True, exact=True)
        return self._guess(word) if 3 <= len(word) <= LONGEST else None

    def _compare_all(self, word: str) -> Guess | None:
        """Return the one known word that is near ``word``, which is none of them."""
        meant: str | None = None
        sure = swapped = False
        for known in self._near(word):
            slip = _compare(word, known)
            if slip is None:
                continue
            if meant not in (None, self._exact[known]):
                return None
            meant = self._exact[known]
            sure = sure or len(known) >= LEAST[slip]
            swapped = swapped or (
                slip == "swapped" and len(known) >= LEAST[slip] and known in self._codes
            )
        return Guess(meant, safe=swapped and not self._open) if meant and sure else None

    def _near(self, word: str) -> set[str]:
        """Return known words that share a shape with ``word``, without comparing each one."""
        shapes = self._shapes
        near = set(shapes.get(word, ()))
        for shape in _shorter(word):
            if shape in shapes:
                near |= shapes[shape]
        return near


def question(guess: Guess | None) -> str:
    """Return the question that ends a diagnostic: ``Did you mean REQ?``, or nothing."""
    return f" Did you mean {guess.word}?" if guess else ""


def _shorter(word: str) -> list[str]:
    """Return ``word`` with each of its letters left out."""
    return [word[:at] + word[at + 1 :] for at in range(len(word))]


def _compare(text: str, word: str) -> Slip | None:
    """Return the single typo that turned ``text`` into ``word``; None if there are more."""
    if len(text) != len(word):
        slip: Slip = "extra" if len(text) > len(word) else "missing"
        longer, shorter = (text, word) if slip == "extra" else (word, text)
        at = next((at for at, letter in enumerate(shorter) if longer[at] != letter), len(shorter))
        return slip if longer[at + 1 :] == shorter[at:] else None
    differing = [at for at in range(len(word)) if text[at] != word[at]]
    if len(differing) == 1:
        return "wrong"
    first, last = differing[0], differing[-1]
    is_swapped = (
        len(differing) == 2
        and last == first + 1
        and text[first] == word[last]
        and text[last] == word[first]
    )
    return "swapped" if is_swapped else None
