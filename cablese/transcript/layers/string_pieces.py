"""Strings that a program writes in pieces, which are joined again.

    {'wire': 'REQ/TSK|g=42,t=1,'          Python's pprint, and other strings in brackets
             '@=auth_refactor'}
    send("REQ/TSK|g=42,t=1,@=auth_" +     an operator, as in Java or JavaScript
         "refactor")

Without an operator a piece ends with a separator or a space. Otherwise both may be strings of their
own, as in an array of a shell.
"""

import re
from typing import NamedTuple

from cablese.transcript import encoding
from cablese.transcript.encoding import Decoded

from . import joining

_MARKS = "\"'`"
_SIGN = re.compile(rf"\n[ \t]*+(?:\Z|[bfru]?(?:[{_MARKS}]|\Z))")
"""A line that may begin with a piece, or that may still: this is searched for much faster."""
_END = rf"(?P<mark>[{_MARKS}])[ \t]*+(?P<sign>\+[ \t]*+)?"
_JOINT = re.compile(rf"{_END}\r?\n(?P<indent>[ \t]*+[bfru]?)(?P=mark)")
_LAST = re.compile(rf"{_END}(?:\r|\r?\n[ \t]*+[bfru]?)\Z")
_NEXT = {
    mark: re.compile(
        rf"(?:[^{mark}\\\r\n]++|\\.)*+"
        rf"(?={mark}[ \t]*(?:[,;)\]}}]|\+?[ \t]*(?:\r?\n|\r?\Z)))"
    )
    for mark in _MARKS
}
"""A piece, and what may be after it: no key is one, and no part of an expression."""
_BEFORE = re.compile(r"(?:\A|[(\[{,=:+\s])[bfru]?\Z")
"""What is before the quote that opens a piece."""
_KEYED = re.compile(r"""["'][\w.@-]{1,40}["']:[ ]\Z""")
"""The key of a value in Python's dictionary."""
_PARTED = (",", "|", ";", " ")
"""What a piece ends with."""
_BRACKETS = ("(", ")"), ("[", "]"), ("{", "}")
_MAX_HELD = 8_000
"""Characters of a string that is held back while more pieces may come."""
_MAX_LINE = 2_000
"""Characters of a line that has the beginning of a string in pieces."""


class _Piece(NamedTuple):
    """A piece, the column of its quote, and whether an operator follows."""

    text: str
    column: int
    is_sum: bool

    def may_precede(self, indent: str) -> bool:
        """Return whether another one may follow with this before its quote.

        After a space, both are in one column, as pprint writes them.
        """
        if self.is_sum:
            return True
        is_in_column = not self.text.endswith(" ") or len(indent) == self.column
        return indent[:1] in (" ", "\t") and is_in_column


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without what is between the pieces of a string; None if it has none.

    Another piece may follow unless the text is ``final``, so the line of the last one does not end.
    """
    if _SIGN.search(text) is None and not text.endswith("\r"):
        return None
    found: list[tuple[int, int, str]] = []
    at = chain = -1
    for joint in _JOINT.finditer(text):
        close, begin = joint.start(), joint.end()
        first = _read(text, close, is_sum=joint["sign"] is not None, is_next=close == at)
        if first is None or not first.may_precede(joint["indent"]):
            continue
        chain = chain if close == at else close
        piece = _NEXT[joint["mark"]].match(text, begin)
        if piece is not None and _goes_on(first.text, piece[0], is_next=close == at):
            found.append((close, begin, ""))
            at = piece.end()
        elif piece is None and not final and text.find("\n", begin) < 0:
            found += [(close, len(text), "")] if len(text) - chain <= _MAX_HELD else []
    last = None if final else _LAST.search(text, max(0, len(text) - _MAX_LINE))
    if last is not None:
        is_next = last.start() == at
        first = _read(text, last.start(), is_sum=last["sign"] is not None, is_next=is_next)
        if first is not None and (not is_next or len(text) - chain <= _MAX_HELD):
            found.append((last.start(), len(text), ""))
    return encoding.replace(text, found) if found else None


def _goes_on(first: str, piece: str, *, is_next: bool) -> bool:
    if joining.has_message(piece):
        return False
    return is_next or (joining.may_begin(first) and joining.keeps_valid(first, first + piece))


def _read(text: str, close: int, *, is_sum: bool, is_next: bool) -> _Piece | None:
    """Return the piece that ends at ``close``; None if it is a whole string.

    With ``is_next`` it goes on itself with one before it.
    """
    begin = text.rfind("\n", 0, close) + 1
    line = text[max(begin, close - _MAX_LINE) : close]
    if not is_sum and not line.endswith(_PARTED):
        return None
    opener = len(line)
    while (opener := line.rfind(text[close], 0, opener)) >= 0:
        if not (opener - len(line[:opener].rstrip("\\"))) % 2:
            break
    before = line[: max(opener, 0)]
    if opener < 0 or _BEFORE.search(before) is None:
        return None
    is_piece = is_sum or is_next or _is_open(before) or _KEYED.search(before) is not None
    is_alone = before[:1] in (" ", "\t") and len(before.strip()) < 2
    return _Piece(line[opener + 1 :], opener, is_sum) if is_piece or is_alone else None


def _is_open(before: str) -> bool:
    """Return whether a bracket is open at the end of ``before``."""
    return any(before.count(opener) > before.count(closer) for opener, closer in _BRACKETS)
