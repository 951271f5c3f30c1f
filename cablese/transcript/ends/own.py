"""What closes at the end of a message and is opened in it, so that it belongs to the message.

    filter:name="a"; REQ/TSK|g=1     the quote does
    "REQ/TSK|g=1", "REQ/TSK|g=2"     these do not

A quote that closes as it opens is open after an odd number of them.
"""

import re

from cablese.transcript import quoting

TURNED = "\u2069\u202c"
"""What ends a run of text in another direction."""
TURNS = re.compile("[\u202a\u202b\u202d\u202e\u2066-\u2068]")
"""What begins one."""
CLOSER = re.compile(r"&[^&;]{2,5};|.", re.DOTALL)
PAIRED = {**quoting.OPENERS, **quoting.CLOSERS, "&gt;": "&lt;"}
"""What closes, by what opens it."""
ALIKE = frozenset(('"', "'", "`", "&quot;", "&apos;", "&#34;", "&#39;", "&#x22;", "&#x27;"))
"""Quotes that close as they open."""
APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
POSSESSIVE = re.compile(r"\s\w+s\Z")
"""It is before the apostrophe in "the dogs'", where other words are before it."""


def past_own(text: str, start: int, at: int, end: int) -> int:
    """Return the place after what closes at ``at`` and is open in the message from ``start`` on."""
    while (closer := CLOSER.match(text, at, end)) and _is_own(text, start, at, closer[0]):
        at = closer.end()
    return at


def _is_own(text: str, start: int, at: int, closer: str) -> bool:
    if closer in PAIRED:
        return text.count(PAIRED[closer], start, at) > text.count(closer, start, at)
    if closer in TURNED:
        return TURNS.search(text, start, at) is not None
    if closer not in ALIKE:
        return False
    before = text[start:at]
    if closer == "'" and POSSESSIVE.search(before):
        return True
    return APOSTROPHE.sub("", before).count(closer) % 2 == 1
