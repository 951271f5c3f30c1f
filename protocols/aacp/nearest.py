"""Which known word was meant: one letter too few, too many, wrong, or two that changed places.

A table of words with one letter left out answers this without comparing each pair; a packet may hold a thousand
unknown keys. Where two known words are equally near, the answer is none.
"""

from collections.abc import Iterable, Iterator, Mapping

LONGEST = 24


class Nearest:
    """Knows ``words``, and in ``spelled`` other spellings of them, such as PROCESS for PROC."""

    def __init__(self, words: Iterable[str], spelled: Mapping[str, str]) -> None:
        self.spelled = spelled
        self.slips: dict[str, set[str]] = {}
        for word in words:
            shapes = (word, *_shorter(word)) if len(word) > 3 else (word,) if len(word) > 2 else ()
            for shape in shapes:
                self.slips.setdefault(shape, set()).add(word)

    def find(self, word: str) -> str | None:
        if word in self.spelled:
            return self.spelled[word]
        if not 3 <= len(word) <= LONGEST:
            return None
        found: set[str] = set()
        for shape in (word, *_shorter(word)):
            found |= self.slips.get(shape, set())
        return found.pop() if len(found) == 1 else None


def _shorter(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))
