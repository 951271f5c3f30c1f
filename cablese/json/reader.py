"""The tolerant reading of JSON, past every fault.

A faulty text is read as what it says once its fixes are applied: a Python literal as that of JSON,
a missing comma as if it were there. Where no reading is certain, there is a bad node. Every step
moves on in the text and nothing is read twice, so that hostile texts cost no more than others.

A fix is safe where the text can be read in one way only: other quotes, Python literals, a comma
between members. A fix that closes a text invents its end, and the place of a missing bracket is
uncertain: those are suggestions. One such fault puts all others in doubt, because a quote may be in
the wrong place.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from cablese.message import Fix, Span
from cablese.text import quote, shorten

from .cursor import CLOSERS
from .scalars import LITERAL, NUMBER, WORD, ScalarReader, flat
from .tree import Document, Fault, Member, Node

DEPTH_LIMIT = 64
NODE_LIMIT = 20_000
BARE_KEY = re.compile(r"[A-Za-z_$][\w$.\-]*")
MARKS = re.compile(r"[,:](?:[ \t\r\n]*[,:])*")
OVERHANG = re.compile(r"[\s\]},;]+")
Mark = tuple[int, int, int, int, int]
"""Where a reading stands: its place, and how many nodes, faults, and strays it has."""


class Reader(ScalarReader):
    """Read one text tolerantly."""

    def read(self) -> Document:
        self._skip_prologue()
        root = None
        if self.ended:
            self._stray(Span(self.at, len(self.wire)))
        elif not self._at_end():
            root = self._value()
            self._skip()
            if not self._at_end():
                self._after()
        else:
            self._fault("syntax", Span(0, len(self.wire)), "Expected a JSON value.")
        document = Document(root, tuple(self.faults), tuple(self.strays))
        return (
            document
            if document.is_sure
            else replace(document, faults=tuple(map(_doubt, document.faults)))
        )

    def _skip_prologue(self) -> None:
        """Pass text before the first bracket when the text does not begin with a value."""
        self._skip()
        if self._at_end() or self.wire[self.at] in '{["' or LITERAL.match(self.wire, self.at):
            return
        if NUMBER.match(self.wire, self.at):
            return
        brackets = [
            at for at in (self.wire.find("{", self.at), self.wire.find("[", self.at)) if at >= 0
        ]
        if brackets:
            at = Span(self.at, min(brackets))
            blank = not self.wire[slice(*at)].strip("\ufeff\u200b\u2060").strip()
            before = "invisible characters" if blank else quote(self.wire[slice(*at)].rstrip())
            self._fault(
                "syntax",
                at,
                f"Unexpected {'' if blank else 'text '}{before} before the JSON value.",
                Fix(at, "", safe=True) if blank else None,
            )
            self._stray(at)

    def _after(self) -> None:
        at = Span(self.at, len(self.wire))
        overhang = OVERHANG.fullmatch(self.wire, self.at)
        remainder = quote(self.wire[self.at : self.at + 80].strip())
        self._fault(
            "syntax",
            at,
            f"Unexpected text {remainder} after the JSON value.",
            Fix(at, "") if overhang else None,
        )
        self._stray(at)

    # Values

    def _value(self) -> Node:
        """Return the value that begins here, and pass it."""
        if self.ended or self.nodes >= NODE_LIMIT:
            empty = Span(self.at, self.at)
            self._stop("too-many", f"More than {NODE_LIMIT:,} values. The rest was not decoded.")
            return Node("bad", "", empty, empty)
        self.nodes += 1
        start = self.at
        first = self.wire[start]
        if first == '"':
            node = self._string()
        elif first in "{[":
            if len(self.open) >= DEPTH_LIMIT:
                self._stop(
                    "too-deep",
                    f"The limit is {DEPTH_LIMIT} nested levels. The rest was not decoded.",
                )
                return Node("bad", "", Span(start, start), Span(start, start))
            self.open.append(first)
            self.at = self.last = start + 1
            node = self._object(start) if first == "{" else self._array(start)
            self.open.pop()
        else:
            node = self._scalar(start)
        self.last = self.at if not self.ended else self.last
        return node

    # Arrays and objects

    def _elements(self, bracket: str, start: int, expected: str) -> Iterator[Mark]:
        """Yield where each item or member begins, until the array or object ends."""
        comma: int | None = None
        parted = True
        while True:
            before = self.at if comma is None else comma
            mark = before, self.nodes, len(self.faults), len(self.strays), self.last
            self._skip()
            if self._ends(bracket, start, comma):
                return
            if self.wire[self.at] in ",:":
                self._marks(expected)
                parted = True
                continue
            if not parted and (bracket == "[" or self.wire[self.at] not in "{["):
                self._missing_comma()
            yield mark
            comma = self._comma()
            parted = comma is not None

    def _array(self, start: int) -> Node:
        items: list[Node] = []
        for mark in self._elements("[", start, "a value"):
            item = self._value() if self.key_ahead is None or self.key_ahead[0] != self.at else None
            if item is None or (items and self._is_key(item)):
                self._end_before_key(mark)
                break
            items.append(item)
        inner = Span(start + 1, self.at - self.closed)
        value = [item.value for item in items if not item.is_missing]
        return Node("array", value, Span(start, self.at), inner, (), tuple(items))

    def _is_key(self, item: Node) -> bool:
        """Return whether an item is a key of the object around: a ] is missing before it."""
        if (
            item.kind != "string"
            or self.wire[self.at : self.at + 1] in (",", "]")
            or self.ended
            or "{" not in self.open
        ):
            return False
        if not self.wire.startswith(":", self._past_blanks(self.at)):
            return False
        self.key_ahead = (item.span.start, item.value)
        return True

    def _end_before_key(self, mark: Mark) -> None:
        assert self.key_ahead is not None
        self.at, self.nodes, faults, strays, self.last = mark
        del self.faults[faults:], self.strays[strays:]
        self.closed = False
        end = Span(self.last, self.last)
        self._fault("syntax", end, f"Missing ] before {quote(self.key_ahead[1])}.", Fix(end, "]"))

    def _object(self, start: int) -> Node:
        members: list[Member] = []
        seen: dict[str, int] = {}
        for _ in self._elements("{", start, "a key"):
            end = self.last
            member = self._member()
            if member is not None:
                self._repeated(member, members, seen, end)
                members.append(member)
        inner = Span(start + 1, self.at - self.closed)
        value = {member.key: member.node.value for member in members if not member.node.is_missing}
        return Node("object", value, Span(start, self.at), inner, tuple(members))

    def _repeated(
        self, member: Member, members: list[Member], seen: dict[str, int], end: int
    ) -> None:
        if member.key in seen:
            same = members[seen[member.key]]
            alike = self.wire[slice(*same.node.span)] == self.wire[slice(*member.node.span)]
            message = f"Duplicate key {quote(member.key)}. The last value is used."
            same_twice = alike and not member.node.is_missing
            fix = Fix(Span(end, member.node.span.end), "", safe=True) if same_twice else None
            self._fault("repeated-key", member.key_span, message, fix)
        seen[member.key] = len(members)

    def _member(self) -> Member | None:
        key = self._key()
        if key is None:
            return None
        self.last = self.at
        self._skip()
        if not self._at_end() and self.wire[self.at] == ":":
            self.at += 1
            self.last = self.at
            self._skip()
            if not self._at_end() and self.wire[self.at] == ":":
                self._marks("a value", surplus=":")
                self._skip()
        elif not self._at_end() and self.wire[self.at] not in ",]}":
            gap = Span(self.last, self.last)
            self._fault(
                "syntax",
                gap,
                f"Missing : after the key {quote(key.value)}.",
                Fix(gap, ":", safe=True),
            )
        if self._at_end() or self.wire[self.at] in ",]}":
            empty = Span(self.at, self.at)
            if self._at_end():
                self._fault(
                    "syntax",
                    key.span,
                    f"Missing value: the text ends after the key {quote(key.value)}.",
                )
                self.ended = True
            else:
                self._fault("syntax", key.span, f"The key {quote(key.value)} has no value.")
            return Member(key.value, key.inner, Node("bad", "", empty, empty))
        return Member(key.value, key.inner, self._value())

    def _key(self) -> Node | None:
        first = self.wire[self.at]
        if first == '"':
            return self._string(key=True)
        if first in "'“”":
            quoted = self._other_quotes(self.at)
            if quoted:
                return quoted
        bare = BARE_KEY.match(self.wire, self.at)
        if bare:
            at = Span(*bare.span())
            self.at = at.end
            sure = self.wire.startswith(":", self._past_blanks(self.at))
            fix = Fix(at, f'"{bare[0]}"', safe=sure)
            self._fault("syntax", at, f"The key {quote(bare[0])} must be in double quotes.", fix)
            return flat("string", bare[0], at)
        start = self.at
        if first in "{[":
            self._keyless()
            return None
        word = WORD.match(self.wire, start)
        self.at = word.end() if word else start + 1
        text = quote(self.wire[start : self.at])
        self._fault(
            "syntax",
            Span(start, self.at),
            f"{text} is not a valid key. Keys must be in double quotes.",
        )
        self._stray(Span(start, self.at))
        self.last = self.at
        return None

    def _keyless(self) -> None:
        """Pass an object or array in place of a key: one stray with one fault."""
        start, faults, strays = self.at, len(self.faults), len(self.strays)
        self._value()
        del self.faults[faults:], self.strays[strays:]
        ended, self.ended = self.ended, False
        self._fault("syntax", Span(start, self.at), "Value without a key.")
        self.ended = self.ended or ended
        self._stray(Span(start, self.at))
        self.last = self.at

    def _comma(self) -> int | None:
        """Pass a comma after a value. Return its place."""
        if self.ended:
            return None
        self._skip()
        at = self.at
        if at >= self.size or self.wire[at] != ",":
            return None
        self.at = at + 1
        return at

    def _marks(self, expected: str, surplus: str = ",") -> None:
        """Pass commas and colons in place of a value or key. Only ``surplus`` ones have a fix."""
        run = MARKS.match(self.wire, self.at)
        assert run is not None
        at = Span(*run.span())
        self.at = at.end
        marks = "".join(run[0].split())
        # In an array a value may be missing there, and the others would move. At the end, the text
        # may be cut off.
        sure = self.open[-1:] == ["{"] and not self._at_end()
        fix = None if marks.strip(surplus) else Fix(at, "", safe=sure)
        self._fault("syntax", at, f"Expected {expected}, found {shorten(marks)}.", fix)

    def _missing_comma(self) -> None:
        gap = Span(self.last, self.last)
        # Two texts in a row may be one, as in Python, and two numbers too.
        sure = self.open[-1:] == ["{"] or (
            self.wire[self.at] in "{[" and self.wire[self.last - 1] in "}]"
        )
        self._fault(
            "syntax",
            gap,
            f"Missing comma before {quote(self.wire[self.at : self.at + 20])}.",
            Fix(gap, ",", safe=sure),
        )

    def _ends(self, bracket: str, start: int, comma: int | None) -> bool:
        """Return whether an array or object ends here, and pass its closer."""
        self.closed = False
        if self.ended or self.at >= self.size:
            if not self.ended:
                self._unclosed(start, fixable=True)
            if not self._at_end():
                self._stray(Span(self.at, len(self.wire)))
            return True
        closer = self.wire[self.at]
        if closer not in "]}":
            return False
        if comma is not None:
            self._fault(
                "syntax",
                Span(comma, comma + 1),
                "Trailing comma.",
                Fix(Span(comma, comma + 1), "", safe=True),
            )
        expected = CLOSERS[bracket]
        if closer != expected:
            if ("[" if closer == "]" else "{") in self.open:
                gap = Span(self.last, self.last)
                self._fault(
                    "syntax", gap, f"Missing {expected} before {closer}.", Fix(gap, expected)
                )
                return True
            at = Span(self.at, self.at + 1)
            self._fault("syntax", at, f"Expected {expected}, found {closer}.", Fix(at, expected))
        self.at += 1
        self.closed = True
        return True


def _doubt(fault: Fault) -> Fault:
    """Return a fault with its fix as a suggestion."""
    return replace(fault, fix=replace(fault.fix, safe=False)) if fault.fix else fault
