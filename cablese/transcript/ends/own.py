"""What closes at the end of a message and is opened in it, so that it belongs to the message.

    filter:name="a"; REQ/TSK|g=1     the quote does
    "REQ/TSK|g=1", "REQ/TSK|g=2"     these do not
    @=auth_ | REQ/TSK|g=1            the underscore does
    _REQ/TSK|g=1_ | REQ/TSK|g=2      it does not

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

MARKUP = frozenset("_*~+")
"""What a name may end with. Markdown writes all but the last around a text, and that one may be
between two messages.
"""
_FAR = 80
"""Characters before a message that are searched for markup that opens."""


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
    if closer in MARKUP:
        return _ends_name(text, start, at, closer)
    if closer not in ALIKE:
        return False
    before = text[start:at]
    if closer == "'" and POSSESSIVE.search(before):
        return True
    return APOSTROPHE.sub("", before).count(closer) % 2 == 1


def _ends_name(text: str, start: int, at: int, sign: str) -> bool:
    """Return whether a sign is between a word and none, and not of markup that opened before the
    message.
    """
    if not text[start:at].rstrip(sign)[-1:].isalnum():
        return False
    if text[at : at + _FAR].lstrip(sign)[:1].isalnum():
        return False
    line = text[max(0, start - _FAR) : start].rpartition("\n")[2]
    mark = re.escape(sign)
    return len(re.findall(rf"(?<![\w{mark}]){mark}+", line)) % 2 == 0
