"""What someone may have meant: the nearest of the keys or values that exist."""

from collections.abc import Iterable
from difflib import get_close_matches

_LIKE = 0.6
"""How alike two names must be, from 0 to 1."""


def find_near(text: str, choices: Iterable[str]) -> str | None:
    """Return the choice that is most like a folded text; one that begins with it comes first."""
    known = list(dict.fromkeys(choices))
    near = get_close_matches(text, known, 1, _LIKE)
    if near:
        return near[0]
    longer = [one for one in known if text and one.startswith(text)]
    return min(longer, key=len, default=None)
