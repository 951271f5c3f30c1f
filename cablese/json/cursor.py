"""The place in a tolerant reading of JSON, and the faults found so far."""

import re

from cablese.message import Fix, Span
from cablese.text import quote

from .tree import Fault, FaultKind, Node

FAULT_LIMIT = 1_000

SKIPPED = " \t\r\n/#"
BLANK = re.compile(r"[ \t\r\n]*")
COMMENT = re.compile(r"//[^\n]*|#[^\n]*")
CLOSERS = {"{": "}", "[": "]"}


class Cursor:
    """The text, the place in it, and what was found."""

    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.size = len(wire)
        self.at = 0
        self.nodes = 0
        self.open: list[str] = []
        self.last = 0
        """Where the last key, value, or bracket ended: missing closers and commas belong there."""
        self.closed = False
        """True when the array or object that ended last had its closer."""
        self.key_ahead: tuple[int, str] | None = None
        """Where an array met a key that must be a member of the object around it."""
        self.ended = False
        """True when the end of the text was reported, or reading has stopped."""
        self.uncommented = False
        self.faults: list[Fault] = []
        self.strays: list[Node] = []

    # Around and between values

    def _at_end(self) -> bool:
        return self.at >= self.size

    def _past_blanks(self, at: int) -> int:
        blank = BLANK.match(self.wire, at)
        assert blank is not None
        return blank.end()

    def _skip(self) -> None:
        """Pass spaces and comments."""
        if self.at < self.size and self.wire[self.at] not in SKIPPED:
            return
        while True:
            self.at = self._past_blanks(self.at)
            if (
                self._at_end()
                or self.ended
                or self.wire[self.at] not in "/#"
                or not self._comment()
            ):
                return

    def _comment(self) -> bool:
        end = -1
        if self.wire.startswith("/*", self.at):
            end = -1 if self.uncommented else self.wire.find("*/", self.at + 2) + 2
            self.uncommented = end < 2
        else:
            line = COMMENT.match(self.wire, self.at)
            end = line.end() if line else -1
        if end < 2:
            return False
        at = Span(self.at, end)
        alone = self.nodes == 0 and end == self.size  # without it there would be no text
        self._fault(
            "syntax", at, "Comments are not allowed in JSON.", None if alone else Fix(at, " ")
        )
        self._stray(at)
        return True

    def _stray(self, at: Span) -> None:
        if at.start < at.end:
            self.strays.append(Node("bad", self.wire[slice(*at)], at, at))
        self.at = at.end

    def _fault(self, kind: FaultKind, at: Span, message: str, fix: Fix | None = None) -> None:
        if self.ended and kind != "repeated-key":
            return
        self.faults.append(Fault(kind, at, message, fix))
        if len(self.faults) >= FAULT_LIMIT and not self.ended:
            self.ended = True
            self.faults.append(
                Fault(
                    "too-many",
                    Span(at.end, len(self.wire)),
                    f"More than {FAULT_LIMIT:,} errors. The rest was not decoded.",
                )
            )

    def _stop(self, kind: FaultKind, message: str) -> None:
        """Stop reading: the rest is one stray."""
        at = Span(self.at, len(self.wire))
        self._fault(kind, at, message)
        self.ended = True
        self._stray(at)

    def _unclosed(self, start: int, *, fixable: bool) -> None:
        """Report once that the text ends too early. The closers belong after the last value."""
        brackets = "".join(CLOSERS[bracket] for bracket in reversed(self.open))
        fix = None
        if fixable:
            comma = self._past_blanks(self.last)
            end = comma + 1 if self.wire.startswith(",", comma) else self.last
            fix = Fix(Span(self.last, end), brackets)
        self._fault(
            "syntax",
            Span(start, start + 1),
            f"Unclosed {quote(self.wire[start])}. Expected {brackets} at the end.",
            fix,
        )
        self.ended = True
