"""What is being typed at the caret of a query: the beginning of a key or a word, or of a value.

It follows the grammar of `query` without its errors, because what is being typed is not finished:

    act:re|                  a value of act
    -prio:1 NOT ac|          a key or a word
    tag:(auth OR "two w|     a value of tag, in quotes
    @au|                     a value of @
"""

import re
from dataclasses import dataclass
from typing import Literal

from cablese.message import Span

_BLANKS = re.compile(r"\s+")
_MINUS = re.compile(r"-(?=[^\s)])")
_BARE = re.compile(r'[^\s()"]+')
_KEY = re.compile(r'([^\s:()"@][^\s:()"]*):')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)("\*?|\\?\Z)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CLOSING = re.compile(r'((?:[^"\\]|\\.)*)"', re.DOTALL)


@dataclass(frozen=True)
class Typed:
    """The text at the caret. ``span`` is what a suggestion replaces; ``key`` is the key of a value,
    ``@`` for a tag.
    """

    kind: Literal["word", "value"]
    key: str
    text: str
    span: Span


def locate(query: str, caret: int) -> Typed | None:
    """Return what is being typed; None where nothing can be suggested, as after a closed quote or
    before an earlier word.
    """
    caret = max(0, min(caret, len(query)))
    reader = _Reader(query, caret)
    return reader.read()


class _Reader:
    """Walks over the query up to the caret. ``owners`` has the key of each open parenthesis."""

    def __init__(self, query: str, caret: int) -> None:
        self.query = query
        self.caret = caret
        self.at = 0
        self.owners: list[str] = []

    def read(self) -> Typed | None:
        while True:
            if found := _BLANKS.match(self.query, self.at, self.caret):
                self.at = found.end()
            if self.at == self.caret:
                return self._nothing_yet()
            sign = self.query[self.at]
            if sign == ")":
                self.owners = self.owners[:-1]
                self.at += 1
            elif sign == "(":
                self.owners.append(self._owner())
                self.at += 1
            elif _MINUS.match(self.query, self.at, self.caret + 1):
                self.at += 1
            elif (typed := self._item()) is not _CONTINUE:
                return typed

    def _owner(self) -> str:
        return self.owners[-1] if self.owners else ""

    def _nothing_yet(self) -> Typed | None:
        """Return what is typed after a space, a parenthesis or a sign. Nothing before a word."""
        if self.query[self.caret : self.caret + 1].strip(")"):
            return None
        owner = self._owner()
        span = Span(self.caret, self.caret)
        return Typed("value" if owner else "word", owner, "", span)

    def _item(self) -> "Typed | None":
        start, key = self.at, self._owner()
        if not key and self.query[start] == "@" and not self.query.startswith("@:", start):
            key = "@"
            self.at += 1
        elif not key and (found := _KEY.match(self.query, start)):
            if self.caret < found.end():
                return Typed("word", "", found[1], Span(start, found.end()))
            key = found[1]
            self.at = found.end()
        if self.at < len(self.query) and self.query[self.at] == "(" and self.at < self.caret:
            self.owners.append(key)
            self.at += 1
            return _CONTINUE
        return self._text(key)

    def _text(self, key: str) -> "Typed | None":
        """Read the text of a value or a word, which ends before the caret or reaches it."""
        start = self.at
        kind: Literal["word", "value"] = "value" if key else "word"
        if self.query.startswith('"', start) and start < self.caret:
            return self._quoted(kind, key)
        bare = _BARE.match(self.query, start)
        end = bare.end() if bare else start
        if start <= self.caret <= end:
            if start == self.caret < end or self.query[end : end + 1] in ('"', "("):
                return None
            text = self.query[start:end]
            if text == "-":  # What is excluded comes next.
                return Typed(kind, key, "", Span(end, end))
            return Typed(kind, key, text, Span(start, end))
        self.at = end
        return _CONTINUE

    def _quoted(self, kind: Literal["word", "value"], key: str) -> "Typed | None":
        start = self.at
        self.at += 1
        found = _QUOTED.match(self.query, start, self.caret)
        if found and found[2].startswith('"'):
            self.at = found.end()
            return None if self.at == self.caret else _CONTINUE
        if kind == "word":
            return None
        # The caret is in the quotes. What follows up to their end belongs to the value.
        closing = _CLOSING.match(self.query, self.caret)
        inside = closing[1] if closing else ""
        end = closing.end() if closing else self.caret
        text = _ESCAPED.sub(r"\1", self.query[start + 1 : self.caret] + inside)
        return Typed(kind, key, text, Span(start, end))


_CONTINUE = Typed("word", "", "", Span(-1, -1))
"""Nothing at the caret yet: the item ends before it."""
