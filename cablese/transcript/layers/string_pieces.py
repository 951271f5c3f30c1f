"""Strings that a program writes in pieces, which are joined again.

    {'wire': 'REQ/TSK|g=42,t=1,'          Python's pprint, and other strings in brackets
             '@=auth_refactor'}
    send("REQ/TSK|g=42,t=1" +             an operator, as in Java or JavaScript
         ",@=auth_refactor")

Without an operator the first piece is in a bracket that is open, or after a key: lines of quoted
text that follow each other are strings of their own.
"""

import re

from cablese.transcript import encoding
from cablese.transcript.encoding import Decoded

from . import joining

_MARKS = "\"'`"
_SIGN = re.compile(rf"\n[ \t]*+(?:\+|\Z|[bfru]?(?:[{_MARKS}]|\Z))")
"""A line that may begin with a piece, or that may still: this is searched for much faster."""
_JOINT = re.compile(
    rf"(?P<mark>[{_MARKS}])[ \t]*(?P<sign>\+?)[ \t]*\r?\n[ \t]*(?P<next>\+?)[ \t]*[bfru]?(?P=mark)"
)
_LAST = re.compile(
    rf"(?P<mark>[{_MARKS}])[ \t]*(?P<sign>\+?)[ \t]*(?:\r|\r?\n[ \t]*\+?[ \t]*[bfru]?)\Z"
)
_PIECE = {mark: re.compile(rf"(?:[^{mark}\\\r\n]++|\\.)*+(?={mark}(?![ \t]*:))") for mark in _MARKS}
"""A piece, which is no key."""
_BEFORE = re.compile(r"(?:\A|[(\[{,=:+\s])[bfru]?\Z")
"""What is before the quote that opens a piece."""
_KEYED = re.compile(r"""["'][\w.@-]{1,40}["']:[ ]\Z""")
"""The key of a value in Python's dictionary."""
_ASSIGNED = re.compile(rf" = [bfru]?[{_MARKS}][^\n]*\Z")
"""A statement of a program, which may go on with an operator."""
_LEADS = tuple("([{,+")
"""What the line before a piece on a line of its own ends with."""
_BRACKETS = ("(", ")"), ("[", "]"), ("{", "}")
_MAX_LINE = 2_000
"""Characters of a line that has the beginning of a string in pieces."""


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without what is between the pieces of a string; None if it has none.

    Another piece may follow unless the text is ``final``, so the line of the last one does not end.
    """
    if _SIGN.search(text) is None and not text.endswith("\r"):
        return None
    found: list[tuple[int, int, str]] = []
    joined, at = "", -1
    for joint in _JOINT.finditer(text):
        close, begin = joint.start(), joint.end()
        if close != at:
            joined = _first(text, close, is_sum=bool(joint["sign"] or joint["next"]))
        piece = _PIECE[joint["mark"]].match(text, begin) if joined else None
        if piece is not None and joining.goes_on(joined, piece[0]):
            found.append((close, begin, ""))
            joined += piece[0]
            at = piece.end()
        elif joined and piece is None and not final and text.find("\n", begin) < 0:
            found.append((close, len(text), ""))
    if not final and (growing := _growing(text, at)) is not None:
        found.append((growing, len(text), ""))
    return encoding.replace(text, found) if found else None


def _growing(text: str, at: int) -> int | None:
    """Return where the string of the last line ends if a piece may follow. Another one ends at
    ``at``.
    """
    last = _LAST.search(text, max(0, len(text) - _MAX_LINE))
    if last is None:
        return None
    close = last.start()
    is_sum = bool(last["sign"]) or _ASSIGNED.search(text, max(0, close - _MAX_LINE), close)
    return close if close == at or _first(text, close, is_sum=bool(is_sum)) else None


def _first(text: str, close: int, *, is_sum: bool) -> str:
    """Return the first piece of a string, which ends at ``close``; empty if it is a whole one."""
    begin = text.rfind("\n", 0, close) + 1
    line = text[max(begin, close - _MAX_LINE) : close]
    opener = len(line)
    while (opener := line.rfind(text[close], 0, opener)) >= 0:
        if not (len(line[:opener]) - len(line[:opener].rstrip("\\"))) % 2:
            break
    before = line[: max(opener, 0)]
    if opener < 0 or _BEFORE.search(before) is None:
        return ""
    if is_sum or _is_open(before) or _KEYED.search(before) is not None:
        return line[opener + 1 :]
    if len(before.strip()) > 1:
        return ""
    previous = text[max(0, begin - _MAX_LINE) : begin].rstrip()
    # What was before the first line of a text that arrives in parts is not known.
    is_led = previous.endswith(_LEADS) if previous else before[:1] in (" ", "\t")
    return line[opener + 1 :] if is_led else ""


def _is_open(before: str) -> bool:
    """Return whether a bracket is open at the end of ``before``."""
    return any(before.count(opener) > before.count(closer) for opener, closer in _BRACKETS)
