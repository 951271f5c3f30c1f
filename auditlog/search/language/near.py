"""What someone may have meant: the nearest of the keys or values that exist."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

_MOST = 1_000
_LONGER = 4
_LIKE = 0.6
"""How alike two names must be, from 0 to 1."""


def find_near(text: str, choices: Iterable[str]) -> str | None:
    """Return the choice that is most like a folded text; one that begins with it comes first."""
    known = list(islice((one for one in dict.fromkeys(choices) if _may_be(text, one)), _MOST))
    near = get_close_matches(text, known, 1, _LIKE)
    if near:
        return near[0]
    longer = [one for one in known if text and one.startswith(text)]
    return min(longer, key=len, default=None)


def _may_be(text: str, choice: str) -> bool:
    """Return whether a choice is worth a closer look, which takes long."""
    if not text or not choice:
        return False
    ends = text[0] == choice[0] or text[-1] == choice[-1]
    return choice.startswith(text) or (ends and abs(len(text) - len(choice)) <= _LONGER)
