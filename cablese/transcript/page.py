"""Messages in a page of HTML, in an element that begins on an earlier line.

    <pre>
    FETCH|HR|return:HR-Agent|p:1|aacp:1.1|filter:age&lt;30
    </pre>

What such a message has as `&lt;` is `<`. `records.nested` reads elements of one line.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from . import encoding
from .cut import Cut

_ELEMENT = re.compile(
    r"<(/?)(pre|code|textarea|samp|table|tr|td|th|ul|ol|li|div|p|body|html)\b[^<>\r\n]{0,400}>",
    re.IGNORECASE,
)
_LONG = frozenset(("pre", "code", "textarea", "samp"))
"""Elements that hold many lines. Others are closed nearby, or need no end."""
_NEAR = 4_000
"""Characters from the beginning of another one to the message."""
_MAX_DEPTH = 32
_INDENT = 80
"""Characters of spaces around an element."""
_ENTITY = re.compile(r"&(?:quot|amp|lt|gt|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4});")


OPENED = "<pre>"
"""Says in the next piece of a file that such an element is open."""


class Page:
    """The elements of ``text`` that are open. With ``opened`` one is at its beginning."""

    def __init__(self, text: str, *, opened: bool) -> None:
        self.text = text
        self._elements = _ELEMENT.finditer(text)
        self._next = next(self._elements, None)
        self._open: list[tuple[str, int]] = [("pre", 0)] if opened else []

    def decode(self, cuts: Sequence[Cut]) -> list[Cut]:
        """Return the messages, in the order of the text, without entities."""
        return [self._decode(cut) if "&" in cut.wire else cut for cut in cuts]

    def is_open(self, at: int) -> bool:
        """Return whether an element that holds many lines is open at ``at``."""
        self._pass_to(at)
        return any(name in _LONG for name, _ in self._open)

    def _decode(self, cut: Cut) -> Cut:
        if cut.carrier is not None or not cut.verbatim or not _ENTITY.search(cut.wire):
            return cut
        begin = cut.span.start
        self._pass_to(begin)
        is_inside = any(name in _LONG or begin - at < _NEAR for name, at in self._open)
        return replace(cut, wire=encoding.read_entities(cut.wire).text) if is_inside else cut

    def _pass_to(self, at: int) -> None:
        while self._next is not None and self._next.start() < at:
            is_end, name = self._next[1] == "/", self._next[2].lower()
            if is_end:
                known = [place for place, one in enumerate(self._open) if one[0] == name]
                del self._open[known[-1] if known else len(self._open) :]
            elif len(self._open) < _MAX_DEPTH and self._is_apart(*self._next.span()):
                self._open.append((name, self._next.end()))
            self._next = next(self._elements, None)

    def _is_apart(self, start: int, end: int) -> bool:
        """Return whether an element begins or ends its line, or follows one: prose names some."""
        before = self.text[max(0, start - _INDENT) : start].rstrip(" \t")
        after = self.text[end : end + _INDENT].lstrip(" \t")
        return before[-1:] in ("", "\n", "\r", ">") or after[:1] in ("", "\n", "\r")
