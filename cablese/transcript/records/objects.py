"""Messages that are JSON objects, and records that carry messages.

    {"g": "FIND_HOTEL", "plan": []}             an object that a protocol claims
    {"level": "info", "msg": "REQ/TSK|g=42"}    a record
    10:00:01 bus {"g": "FIND",                  an object over lines with the same prefix
    10:00:02 bus  "plan": []}

The work is linear in the text: together, all values are searched no further than the budget.
"""

import re
from typing import NamedTuple

from cablese import detection, registry
from cablese.codec import JSON_LIMIT
from cablese.message import Span
from cablese.text import trim
from cablese.transcript import hint, quoting
from cablese.transcript.anchor import Anchors
from cablese.transcript.cut import Cut
from cablese.transcript.log_lines.lines import Lines, NextLine, Unfinished

from . import json_value
from .json_value import Value
from .nested import Nested

ENCODED = re.compile(
    r"""\{\s*(?:\\|""|&(?:quot|#34|#x22);)"""
    r"""|\{[^{}"']{0,9}&(?:quot|#34|#x22);"""
)
"""A brace of an object that is written inside a string or in HTML."""
LIST = re.compile(r"\[\s*[\"\[\d]")
SURE = 0.9
"""From here on an object is a message, although it may be a record that carries one."""


class Found(NamedTuple):
    """The messages of an object, where it ends, and whether it was understood as a whole."""

    cuts: list[Cut]
    end: int
    is_whole: bool


class Objects:
    """The JSON values in the text of ``lines``."""

    def __init__(self, lines: Lines, anchors: Anchors, nested: Nested) -> None:
        self.text = lines.text
        self.lines = lines
        self.anchors = anchors
        self.nested = nested
        self._budget = 4 * len(lines.text) + 1024
        self._apostrophe = self.text.find("'")
        """The first one of the current line, or of those that follow it; -1 if there is none."""

    def find(self, brace: int, start: int, end: int) -> Found:
        """Return the messages of the object at ``brace`` on the line from ``start`` to ``end``."""
        is_inside = brace > start
        quote = (
            self.lines.quote_at(brace) if is_inside and self._is_after_apostrophe(brace) else None
        )
        if ENCODED.match(self.text, brace, end) or (
            quote is not None and self._is_doubled(quote, end)
        ):
            cuts, stop = self.nested.in_quote(brace, start, end)
            if cuts:
                return Found(cuts, stop, is_whole=False)
        value = self.value(brace)
        stop = end if value is None else value.end
        if stop > end and (pieces := self.lines.without_prefix(brace, stop, end)):
            return Found(self.nested.in_lines(pieces), stop, is_whole=True)
        own = self.text[brace:stop]
        is_closed = value is not None and value.is_closed
        is_escaped = is_inside and "\\" in own and self.lines.quote_at(brace) is not None
        if is_escaped and not (is_closed and hint.is_clean(own)):
            cuts, quote_end = self.nested.in_quote(brace, start, end)
            if cuts:
                return Found(cuts, quote_end, is_whole=False)
        return self._message_or_record(own, Span(brace, stop), is_closed=is_closed)

    def in_list(self, start: int) -> tuple[list[Cut], int]:
        """Return the messages of a list of strings, and its end; objects in it are records."""
        if not self.nested.is_allowed or LIST.match(self.text, start) is None:
            return [], start
        value = self.value(start)
        if value is None or not value.is_closed:
            return [], start
        own = self.text[start : value.end]
        return self.nested.in_record(start, value.end, own) or [], value.end

    def value(self, start: int) -> Value | None:
        """Return the JSON value that begins at ``start``; None when the budget ends before it."""
        size = len(self.text)
        stop = min(size, start + JSON_LIMIT + 1, start + self._budget)
        prefix: str | None = None

        def find_next(at: int) -> NextLine | None:
            # On a long line the prefix is long, and few objects go on in the next line.
            nonlocal prefix
            if prefix is None:
                prefix = self.text[self.lines.start : start]
            return self.lines.after(at, prefix, skips_empty=True)

        value = json_value.find_end(
            self.text,
            start,
            stop,
            next_line=find_next,
            begins=self.anchors.is_certain,
        )
        if value is not None:
            self._budget -= value.end - start
            return value
        if not self.lines.final and stop == size:
            raise Unfinished
        self._budget -= stop - start
        return Value(trim(self.text, start, stop).end, is_closed=False) if stop == size else None

    def _message_or_record(self, own: str, span: Span, *, is_closed: bool) -> Found:
        guess = detection.best(own) if hint.has_key(own) else None
        if guess is not None and hint.quotes_message(own):
            return Found([], span.end, is_whole=False)
        message: list[Cut] = []
        if guess is not None and registry.get(guess.protocol).form == "json":
            message = [Cut(span, own, guess.protocol)]
            if guess.score >= SURE or not self.nested.is_allowed:
                return Found(message, span.end, is_whole=True)
        is_record = is_closed and self.nested.is_allowed
        carried = self.nested.in_record(*span, own) if is_record else None
        cuts = carried or message
        is_known = carried is not None or (is_closed and not hint.may_hold(own))
        return Found(cuts, span.end, is_whole=bool(cuts) or is_known)

    def _is_after_apostrophe(self, place: int) -> bool:
        if 0 <= self._apostrophe < self.lines.start:
            self._apostrophe = self.text.find("'", self.lines.start)
        return 0 <= self._apostrophe < place

    def _is_doubled(self, quote: quoting.Quote, end: int) -> bool:
        return quote.mark == "'" and (
            quoting.is_doubled(self.text, quote, end)
            or any(escape in self.text[quote.start : end] for escape in quoting.SHELL)
        )
