"""Unicode normalization (UAX #15) in linear time.

Python's `unicodedata.normalize` sorts the marks on a letter by exchanging neighbors, which is
quadratic: 100,000 marks take 13 seconds and hold the interpreter's lock. Here a long run of marks
is sorted first. The result is the same for every text. A test forbids calls of
`unicodedata.normalize` anywhere else.
"""

import re
import unicodedata
from functools import cache
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
_DECOMPOSED: dict[Form, Literal["NFD", "NFKD"]] = {
    "NFC": "NFD",
    "NFD": "NFD",
    "NFKC": "NFKD",
    "NFKD": "NFKD",
}
_ORDERLY = 30
"""Marks in a run that are left to Python: the most that the Stream-Safe Text Format allows (UAX
#15, section 13).
"""
_AFTER_MARKS = 0x20000
"""Planes from here on hold ideographs and private characters. A test looks for marks there."""


def normalize(form: Form, text: str) -> str:
    if text.isascii():
        return text
    if len(text) > _ORDERLY:
        by = _DECOMPOSED[form]
        text = _long_runs(by).sub(lambda run: _in_order(run[0], by), text)
    return unicodedata.normalize(form, text)


def is_nfc(text: str) -> bool:
    return text.isascii() or (
        not (len(text) > _ORDERLY and _long_runs("NFD").search(text))
        and unicodedata.is_normalized("NFC", text)
    )


@cache
def marks(decomposed: Literal["NFD", "NFKD"]) -> frozenset[str]:
    """Characters that decompose into marks only. Some are not marks themselves, such as U+0F73 and
    U+FF9E.
    """
    combining, decomposition = unicodedata.combining, unicodedata.decomposition
    every = map(chr, range(0x300, _AFTER_MARKS))
    some = [c for c in every if combining(c) or decomposition(c)]  # Half of the time.
    return frozenset(c for c in some if all(map(combining, unicodedata.normalize(decomposed, c))))


@cache
def _long_runs(decomposed: Literal["NFD", "NFKD"]) -> re.Pattern[str]:
    return re.compile(f"[{''.join(sorted(marks(decomposed)))}]{{{_ORDERLY + 1},}}")


def _in_order(run: str, decomposed: Literal["NFD", "NFKD"]) -> str:
    parts = [unicodedata.normalize(decomposed, mark) for mark in run]
    return "".join(sorted("".join(parts), key=unicodedata.combining))
