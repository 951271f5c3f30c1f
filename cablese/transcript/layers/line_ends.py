"""Line ends that are written out, which are part of no message.

    REQ/TSK|g=42,t=1\\nACC/TSK|g=42,t=1     a logger writes a text of two lines as one
    REQ/TSK|g=42,t=1,@=auth_refactor^M     cat -v shows a carriage return
    T|17|Q|obj=test_scope ⏎                a page shows the end of a line

One is a line end where the line ends too, or where a message begins after it. Between quotes it
belongs to a string. Separators of Unicode and the NUL of a string in C are treated alike. The
escape %0A is none: values are written with it.
"""

import re
from collections.abc import Iterator

from cablese.text import BLANKS
from cablese.transcript import encoding, hint
from cablese.transcript.anchor import Anchors
from cablese.transcript.encoding import Decoded

SEPARATORS = "\0\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What separates lines or texts in Unicode, and in C."""
SHOWN = "\u23ce\u21b5\u240a\u240d\u2424\u00b6"
"""Signs that a page shows for the end of a line."""
WRITTEN = (
    r"\\\\{0,3}(?:[nrt]|u000[adAD]|x0[adAD]|01[25]|0(?!\d))"
    r"|\\(?=[ \t]*(?:[\r\n]|\Z))|#01[25]"
    r"|&\#(?:1[03]|[xX]0?[adAD]);|\^[JM@]\$?|<0x0[AD]>"
)
MARK = rf"(?:{WRITTEN}|{'|'.join(SEPARATORS + SHOWN)})"
"""A search for alternatives is several times as fast if each begins with a character."""
MARKS = re.compile(rf"{MARK}(?:[ \t]*{MARK})*+")
LAST = re.compile(rf"{MARKS.pattern}[ \t]*\Z")
MAX_LAST = 200
"""Characters at the end of a line that are searched for marks."""
SIGNS = ("\\", "#01", "&#", "^", "<0x0", *filter(str.isascii, SEPARATORS))
"""Each mark in ASCII begins with one of these."""
WIDE = tuple(char for char in SEPARATORS + SHOWN if not char.isascii())
QUOTE = re.compile(r"[\"'`]")
MAX_LEAD = 80
"""Characters between a mark and the message after it: a time, and a name."""
MAX_TRIES = 40
"""Marks on a line that nothing begins after."""


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` with real line ends, and without those that are written before one; None if
    it has none that are written. Only with ``final`` is the end of the text the end of a line.
    """
    if not _may_have(text):
        return None
    found = list(_find(text, final=final))
    return encoding.replace(text, found) if found else None


def _may_have(text: str) -> bool:
    if any(sign in text for sign in SIGNS):
        return True
    return not text.isascii() and any(sign in text for sign in WIDE)


def _find(text: str, *, final: bool) -> Iterator[tuple[int, int, str]]:
    """Yield where the marks are that are line ends, and what replaces each."""
    at = feed = 0
    while (mark := MARKS.search(text, at)) is not None:
        start = max(text.rfind("\n", at, mark.start()), text.rfind("\r", at, mark.start())) + 1
        start = max(start, at)
        if feed < mark.end():  # where lines end otherwise, do not look again for each of them
            feed = text.find("\n", mark.end())
            feed = len(text) if feed < 0 else feed
        carriage = text.find("\r", mark.end(), feed)
        end = feed if carriage < 0 else carriage
        if end == len(text) and not final:
            return
        for one in _between(text, start, mark.start(), end):
            yield *one.span(), "\n"
            start = one.end()
        last = LAST.search(text, max(start, end - MAX_LAST), end)
        if last is not None and _is_end(text, start, last):
            yield *last.span(), ""
        at = end


def _between(text: str, start: int, first: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the marks of a line, the first one at ``first``, that a message begins after."""
    quote = QUOTE.search(text, start, end)
    limit = end if quote is None else quote.start()
    marks = list(MARKS.finditer(text, first, limit))
    nexts = [one.start() for one in marks[1:]] + [end]
    tries = 0
    for mark, following in zip(marks, nexts, strict=False):
        if _begins_message(text[mark.end() : following]):
            yield mark
        elif (tries := tries + 1) == MAX_TRIES:
            return


def _is_end(text: str, start: int, mark: re.Match[str]) -> bool:
    """Return whether a mark at the end of a line is in no string that is cut off there, and none of
    the escapes that a value has.
    """
    if text.count('"', start, mark.start()) % 2:
        return False
    return "\\" not in mark[0] or text.find("\\", start, mark.start()) < 0


def _begins_message(rest: str) -> bool:
    """Return whether a message begins ``rest``, perhaps after a time and a name."""
    begin = rest.lstrip(BLANKS)
    if begin[:1] in ("{", "["):
        return hint.may_hold(begin)
    anchor = Anchors(begin).find(0, len(begin)) if hint.may_hold(begin) else None
    return anchor is not None and anchor.at <= MAX_LEAD and "|" not in begin[: anchor.at]
