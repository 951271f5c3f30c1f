"""Composed text (Unicode's NFC), in time that grows with the text, and where its places lie in the text as given.

Python's `normalize` brings the marks on a letter into order by exchanging neighbours, which is quadratic: 40,000 marks
take seven seconds. A long run of marks is therefore put into order first; the result is canonically the same.
"""

import re
from functools import cache
from unicodedata import combining, is_normalized, normalize

_ORDERLY = 30
"""Marks in a run that are left to Python: the most that Unicode's stream-safe format allows (UAX #15, section 13)."""


def compose(text: str) -> str:
    """NFC of `text`."""
    return normalize("NFC", _long_runs().sub(_in_order, text))


def is_composed(text: str) -> bool:
    return text.isascii() or (not _long_runs().search(text) and is_normalized("NFC", text))


def composed_ends(text: str) -> dict[int, int]:
    """Places of `compose(text)` and where they lie in `text`, wherever both sides compose by themselves.

    Only at a character that is no mark can that be so, and so a run of marks is looked at once.
    """
    ends = {0: 0}
    parts: list[str] = []
    start = length = 0
    marks = _marks()
    for at, character in enumerate(text):
        if at == 0 or character in marks:
            continue
        run = text[start:at]
        part = compose(run)
        if compose(run + character) == part + compose(character):
            parts.append(part)
            start, length = at, length + len(part)
            ends[length] = at
    whole = compose(text)
    parts.append(compose(text[start:]))
    end = {len(whole): len(text)}
    return ends | end if "".join(parts) == whole else end


@cache
def _marks() -> frozenset[str]:
    """What stands on the character before it, with those few that are of class 0 and made of marks only (U+0F73)."""
    return frozenset(c for c in map(chr, range(0x300, 0x20000)) if all(map(combining, normalize("NFD", c))))


@cache
def _long_runs() -> re.Pattern[str]:
    return re.compile(f"[{''.join(sorted(_marks()))}]{{{_ORDERLY + 1},}}")


def _in_order(run: re.Match[str]) -> str:
    return "".join(sorted("".join([normalize("NFD", mark) for mark in run[0]]), key=combining))
