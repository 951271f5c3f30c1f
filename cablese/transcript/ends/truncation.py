"""Marks with which programs say that they print a part of a text only.

    REQ/TSK|g=42,t=1,@=auth_re...[truncated]           a mark in brackets
    REQ/TSK|g=42,t=1,@=auth_re... 34 more characters   how much is missing
    REQ/TSK|g=42,t=1,@=auth_re--More--                 a pager
    write(1, "REQ/TSK|g=42,t=1,@=auth_re"..., 64)      an ellipsis after the string
    'REQ/TSK|g=42,...@=auth_tokens'                    one in the middle of it
    REQ/TSK|g=42,t=1,@=caf�                            a character of which a part is left

A mark is not a part of a message, whose last value may have been longer. A mark before another
field is a part of a value that its sender shortened, and so may be an ellipsis alone.
"""

import re

from cablese.codec import Codec
from cablese.transcript.quoting import Quote

from .ending import outside_quotes

ELLIPSES = "…", "..."
HALF = "\N{REPLACEMENT CHARACTER}"
"""What is written for a part of a character: a cut after so many bytes leaves one."""
SHORTENED = re.compile(r"(?<!\S)\S*[|=:]\S*(?<![.…])(?:…|\.\.\.)\Z")
"""A last value that a program shortened: words may end so, and a value of one word does not."""
_DOTS = r"(?:…|\.\.\.)"
_WORD = r"\b(?:truncated|omitted|elided|clipped|shortened|snipped|snip|trimmed|cut[ ]off)\b"
_NUMBER = r"\d[\d,.]{0,11}"
_UNIT = r"(?:characters?|chars?|bytes?|tokens?|words?|lines?|[KM]?i?B)\b"
_COUNT = (
    rf"(?:\+[ ]?{_NUMBER}(?:[ ]?{_UNIT})?(?:[ ]more\b)?"
    rf"|{_NUMBER}[ ](?:{_UNIT}[ ])?more\b(?:[ ]{_UNIT})?)"
)
"""How much is missing. A number of bytes alone may be the size of what is printed."""
_MORE = rf"(?:(?:and[ ])?{_COUNT}|(?:(?:read|see|show|view)[ ])?more\b|{_NUMBER}[ ]?more\b)"
_IN = r"[^\[\](){}<>|=\r\n]{0,40}"
_TOLD = rf"[\[(<{{][ ]?{_DOTS}?[ ]?(?:{_IN}?{_WORD}{_IN}|{_MORE})[ ]?{_DOTS}?[ ]?[\])>}}]{_DOTS}?"
_START = re.compile(r"…|\.\.\.|--|\[|\(|<|\{")
"""What a mark begins with. Each alternative is a literal, which makes the search fast."""
_MARK = re.compile(
    rf"""(?:
      {_DOTS}[ ]?(?:{_TOLD}|{_MORE}|{_WORD}(?:[ ]{_NUMBER}[ ]{_UNIT})?{_DOTS}?)
    | (?:(?<=\s)|(?=.{_IN}?\btruncated\b)){_TOLD}
    | \[[ ]?{_DOTS}[ ]?\]
    | -{{2,3}}[ ]?\(?(?:more|{_WORD})(?:[ ]\d{{1,3}}%)?\)?[ ]?-{{2,3}}
      (?:[ ]?\(\d[^()\r\n]{{0,30}}\))?
    )(?=[\s"'`,;)\]}}>]|\Z)""",
    re.VERBOSE | re.IGNORECASE,
)
_HINTS = (
    "…", "...", "--", "runcat", "RUNCAT", "more", "More", "omit", "snip", "clip", "elid", "horten",
    "trim", "cut off", "+",
)  # fmt: skip
"""One of these is in every mark, and in few other lines."""
_MARKS = "….-[(<{"
"""What a mark begins with."""
_QUOTES = "\"'`”’»"
_AFTER_STRING = re.compile(
    rf"""["'`”’»]{{1,3}}[ ]?(?:<>[ ])?{_DOTS}(?=[,;)\]}}>"']|[ ]\d|\s*\Z|[ \t]*[\r\n])"""
)
"""An ellipsis after a string. In a sentence, words follow it."""
_BEFORE = tuple(f"{mark}{space}" for mark in ("truncated]", "[…]") for space in ("", " ", ": "))
"""What Wireshark writes before such a text."""
_SEPARATORS = "=:|,/"
_LONGEST = 120
"""Characters of a mark."""
_SHORTEST = 12
"""Characters of a string with an ellipsis in its middle."""


def find(codec: Codec, text: str, at: int, limit: int) -> int | None:
    """Return where the message at ``at`` ends because of a mark before ``limit``; None if it has
    none, or if another field follows it.
    """
    if _START.search(text, at + 1, limit) is None:
        return None
    wire = text[at:limit]
    if not _may_have(wire):
        return None
    marks = (start.start() for start in _START.finditer(wire, 1) if _is_mark(wire, start.start()))
    first = next(outside_quotes(wire, marks), None)
    if first is None or (codec.further is not None and codec.further.search(wire, first)):
        return None
    return at + len(wire[:first].rstrip())


def is_around(text: str, line: int, quote: Quote | None, at: int, stop: int) -> bool:
    """Return whether what is around the message from ``at`` to ``stop`` shows that it was longer.

    It is on the line that begins at ``line``, and the ``quote`` is open before it.
    """
    begin, sign = stop, text[stop : stop + 1]
    while sign in (" ", "\t") and begin < stop + 4:
        begin += 1
        sign = text[begin : begin + 1]
    if sign and sign in _MARKS:
        after = text[begin - 1 : begin + _LONGEST]
        if _may_have(after) and _MARK.match(after, 1) is not None:
            return True
    elif sign and sign in _QUOTES and _AFTER_STRING.match(text, begin) is not None:
        return True
    # After another message, such a mark belongs to that one.
    if at > line and text.endswith(_BEFORE, line, at) and text.find("|", line, at) < 0:
        return True
    return quote is not None and _has_middle(text, quote, at, stop)


def is_end(wire: str) -> bool:
    """Return whether a message ends with an ellipsis or a mark that may be a part of it, or with
    half a character.
    """
    if wire[-1].isalnum():
        return False
    if wire[-1] == HALF:
        return True
    if wire.endswith(ELLIPSES):
        return SHORTENED.search(wire) is not None
    starts = _START.finditer(wire, max(0, len(wire) - _LONGEST))
    marks = (_MARK.match(wire, start.start()) for start in starts)
    return any(mark is not None and mark.end() == len(wire) for mark in marks)


def _may_have(text: str) -> bool:
    return any(map(text.__contains__, _HINTS))


def _is_mark(wire: str, at: int) -> bool:
    return wire[at - 1] not in _SEPARATORS and _MARK.match(wire, at) is not None


def _has_middle(text: str, quote: Quote, at: int, stop: int) -> bool:
    """Return whether an ellipsis is in the middle of a string, where `reprlib`, pytest, and
    pydantic put it, and inside the message.
    """
    size = stop - quote.start
    if size < _SHORTEST or text[stop : stop + 1] != quote.close or quote.mark not in "\"'":
        return False
    for dots in ELLIPSES:
        middle = quote.start + (size - len(dots)) // 2
        if text.find(dots, max(at, middle - 1), min(stop, middle + len(dots) + 2)) >= 0:
            return True
    return False
