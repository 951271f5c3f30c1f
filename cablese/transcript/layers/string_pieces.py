"""Strings that a program writes in pieces, which are joined again.

    {'wire': 'REQ/TSK|g=42,t=1,'          Python's pprint, and other strings in brackets
             '@=auth_refactor'}
    send("REQ/TSK|g=42,t=1,@=auth_" +     an operator, as in Java or JavaScript
         "refactor")

Without an operator a piece ends with a separator or a space. Otherwise both may be strings of their
own, as in an array of a shell.
"""

import re

from cablese.transcript import encoding
from cablese.transcript.encoding import Decoded

from . import joining

_MARKS = "\"'`"
_SIGN = re.compile(rf"\n[ \t]*+(?:\Z|[bfru]?(?:[{_MARKS}]|\Z))")
"""A line that may begin with a piece, or that may still: this is searched for much faster."""
_END = rf"(?P<mark>[{_MARKS}])[ \t]*+(?P<sign>\+[ \t]*+)?"
_JOINT = re.compile(rf"{_END}\r?\n[ \t]*+[bfru]?(?P=mark)")
_LAST = re.compile(rf"{_END}(?:\r|\r?\n[ \t]*+[bfru]?)\Z")
_PIECE = {
    mark: re.compile(rf"(?!{mark})(?:[^{mark}\\\r\n]++|\\.)*+(?={mark}(?![ \t]*:))")
    for mark in _MARKS
}
"""A piece, which is no key."""
_BEFORE = re.compile(r"(?:\A|[(\[{,=:+\s])[bfru]?\Z")
"""What is before the quote that opens a piece."""
_KEYED = re.compile(r"""["'][\w.@-]{1,40}["']:[ ]\Z""")
"""The key of a value in Python's dictionary."""
_PARTED = (",", "|", ";", " ")
"""What a piece ends with."""
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
    at = -1
    for joint in _JOINT.finditer(text):
        close, begin = joint.start(), joint.end()
        first = _read(text, close, is_sum=joint["sign"] is not None, is_next=close == at)
        piece = _PIECE[joint["mark"]].match(text, begin) if first else None
        if piece is not None and _goes_on(first, piece[0], is_next=close == at):
            found.append((close, begin, ""))
            at = piece.end()
        elif first and piece is None and not final and text.find("\n", begin) < 0:
            found.append((close, len(text), ""))
    last = None if final else _LAST.search(text, max(0, len(text) - _MAX_LINE))
    if last is not None:
        close, is_sum = last.start(), last["sign"] is not None
        if _read(text, close, is_sum=is_sum, is_next=close == at):
            found.append((close, len(text), ""))
    return encoding.replace(text, found) if found else None


def _goes_on(first: str, piece: str, *, is_next: bool) -> bool:
    if joining.has_message(piece):
        return False
    return is_next or (joining.may_begin(first) and joining.keeps_valid(first, first + piece))


def _read(text: str, close: int, *, is_sum: bool, is_next: bool) -> str:
    """Return the piece that ends at ``close``; empty if nothing goes on with it.

    With ``is_next`` it goes on itself with one before it.
    """
    begin = text.rfind("\n", 0, close) + 1
    line = text[max(begin, close - _MAX_LINE) : close]
    if not is_sum and not line.endswith(_PARTED):
        return ""
    opener = len(line)
    while (opener := line.rfind(text[close], 0, opener)) >= 0:
        if not (opener - len(line[:opener].rstrip("\\"))) % 2:
            break
    before, piece = line[: max(opener, 0)], line[opener + 1 :]
    if opener < 0 or _BEFORE.search(before) is None:
        return ""
    is_piece = is_sum or is_next or _is_open(before) or _KEYED.search(before) is not None
    is_alone = before[:1] in (" ", "\t") and len(before.strip()) < 2
    return piece if is_piece or is_alone else ""


def _is_open(before: str) -> bool:
    """Return whether a bracket is open at the end of ``before``."""
    return any(before.count(opener) > before.count(closer) for opener, closer in _BRACKETS)
