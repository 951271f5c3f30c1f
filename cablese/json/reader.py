"""The tolerant reading of JSON, past every fault.

Its promise: what is made of a faulty text is what the text says once the fault's fix is applied. So
a word of Python is read as the word of JSON, a missing comma as if it stood there, and where no
sure reading is left there is a bad node. Every step moves on in the text and nothing is read twice,
so that hostile texts cost no more than others.

A fix is safe where the text can be read in one way only: other quotes, words of Python, a comma
between members. What closes a text invents its end, and where a bracket is missing nobody knows:
those are suggestions. One such fault puts all others in doubt, for a quote may be where no text was
to begin.
"""

import json
import re
from math import inf, isfinite
from typing import Any

from msgspec.structs import replace

from cablese.codec import INTEGER_LIMIT, SURROGATE
from cablese.message import Fix, Span
from cablese.text import quote, shorten

from .tree import Document, Fault, FaultKind, Kind, Member, Node

DEPTH_LIMIT = 64
NODE_LIMIT = 20_000
FAULT_LIMIT = 1_000
DIGITS_LIMIT = 1_000
REPAIR_LIMIT = 10_000

SKIPPED = " \t\r\n/#"
BLANK = re.compile(r"[ \t\r\n]*")
BODY = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
LITERAL = re.compile(r"(true|false|null)(?![\w.+\-])")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.+\-])")
LOOSE_NUMBER = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
OTHER_QUOTES = re.compile(r"'((?:[^'\\\n]++|\\.)*+)'|[“”]([^“”\"'\\\n]*+)[“”]")
COMMENT = re.compile(r"//[^\n]*|#[^\n]*")
WORD = re.compile(r"[^\s,:\[\]{}\"“”]+")
MORE_WORDS = re.compile(r"(?:[ \t]++(?!//|/\*|#)[^\s,:\[\]{}\"“”]++)+")
SIMPLE_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
BARE_KEY = re.compile(r"[A-Za-z_$][\w$.\-]*")
MARKS = re.compile(r"[,:](?:[ \t\r\n]*[,:])*")
OVERHANG = re.compile(r"[\s\]},;]+")
CONTROL = re.compile(r"[\x00-\x1f]+")
BAD_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}|(.))", re.DOTALL)
ESCAPED = {n: f"\\u{n:04x}" for n in range(32)} | {
    8: "\\b",
    12: "\\f",
    10: "\\n",
    13: "\\r",
    9: "\\t",
}
LOOSE_WORDS: dict[str, tuple[Kind, str]] = {
    "True": ("true", "true"), "TRUE": ("true", "true"), "False": ("false", "false"), "FALSE": ("false", "false"),
    "None": ("null", "null"), "NULL": ("null", "null"), "Null": ("null", "null"), "undefined": ("null", "null"),
}  # fmt: skip
LITERALS: dict[str, Any] = {"true": True, "false": False, "null": None}
CLOSERS = {"{": "}", "[": "]"}


class Reader:
    """One tolerant reading: the place in the wire, and what was found so far."""

    def __init__(self, wire: str, *, fold: bool) -> None:
        self.wire = wire
        self.size = len(wire)
        self.fold = fold
        self.at = 0
        self.nodes = 0
        self.open: list[str] = []
        self.last = 0
        """Where the last key, value or bracket ended: closers and commas that are missing belong
        there.
        """
        self.closed = False
        """True when the array or object that ended last had its closer."""
        self.key_ahead: tuple[int, str] | None = None
        """Where an array met a key that must be a member of the object around it."""
        self.ended = False
        """Nothing more is read and no fault told: the end of the text was reported, or reading has
        stopped.
        """
        self.uncommented = False
        self.faults: list[Fault] = []
        self.strays: list[Node] = []

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
            self._fault("syntax", Span(0, len(self.wire)), "There is no JSON value.")
        document = Document(root, tuple(self.faults), tuple(self.strays))
        return (
            document
            if document.is_sure
            else replace(document, faults=tuple(map(_doubt, document.faults)))
        )

    # What stands around and between values

    def _at_end(self) -> bool:
        return self.at >= self.size

    def _skip(self) -> None:
        """Pass blanks and comments."""
        if self.at < self.size and self.wire[self.at] not in SKIPPED:
            return
        while True:
            blank = BLANK.match(self.wire, self.at)
            assert blank is not None
            self.at = blank.end()
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
        self._fault("syntax", at, "JSON has no comments.", None if alone else Fix(at, " "))
        self._stray(at)
        return True

    def _skip_prologue(self) -> None:
        """Pass what stands before the first bracket when the text does not begin with a value."""
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
            before = "What cannot be seen" if blank else quote(self.wire[slice(*at)].rstrip())
            words = f"{before} stands before the JSON value."
            self._fault("syntax", at, words, Fix(at, "", safe=True) if blank else None)
            self._stray(at)

    def _after(self) -> None:
        at = Span(self.at, len(self.wire))
        overhang = OVERHANG.fullmatch(self.wire, self.at)
        words = f"{quote(self.wire[self.at : self.at + 80].strip())} stands after the JSON value, which has ended."
        self._fault("syntax", at, words, Fix(at, "") if overhang else None)
        self._stray(at)

    def _stray(self, at: Span) -> None:
        if at.start < at.end:
            self.strays.append(Node("bad", self.wire[slice(*at)], at, at))
        self.at = at.end

    def _fault(self, kind: FaultKind, at: Span, words: str, fix: Fix | None = None) -> None:
        if self.ended and kind != "repeated-key":
            return
        self.faults.append(Fault(kind, at, words, fix))
        if len(self.faults) >= FAULT_LIMIT and not self.ended:
            self.ended = True
            self.faults.append(
                Fault(
                    "too-many",
                    Span(at.end, len(self.wire)),
                    f"After {FAULT_LIMIT:,} faults the rest was not read.",
                )
            )

    def _stop(self, kind: FaultKind, words: str) -> None:
        """Read no further: what is left is one stray."""
        at = Span(self.at, len(self.wire))
        self._fault(kind, at, words)
        self.ended = True
        self._stray(at)

    def _unclosed(self, start: int, *, fixable: bool) -> None:
        """Tell once that the text ends too early. The closers come where the last value, not a
        comment, ended.
        """
        brackets = "".join(CLOSERS[one] for one in reversed(self.open))
        fix = None
        if fixable:
            comma = BLANK.match(self.wire, self.last)
            assert comma is not None
            end = comma.end() + 1 if self.wire.startswith(",", comma.end()) else self.last
            fix = Fix(Span(self.last, end), brackets)
        words = (
            f"The text ends before {quote(self.wire[start])} is closed; {brackets} was expected."
        )
        self._fault("syntax", Span(start, start + 1), words, fix)
        self.ended = True

    # Values

    def _value(self) -> Node:
        """The value that begins here, whatever it is; ``at`` moves behind it."""
        if self.ended or self.nodes >= NODE_LIMIT:
            empty = Span(self.at, self.at)
            self._stop("too-many", f"After {NODE_LIMIT:,} values the rest was not read.")
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
                    f"At most {DEPTH_LIMIT} levels may be nested; the rest was not read.",
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

    def _scalar(self, start: int) -> Node:
        found = LITERAL.match(self.wire, start)
        if found:
            self.at = found.end()
            return _flat(_literal(found[1]), LITERALS[found[1]], Span(*found.span()))
        found = NUMBER.match(self.wire, start)
        if found:
            self.at = found.end()
            return self._number(found[0], Span(*found.span()), is_float=bool(found[1] or found[2]))
        quoted = self._other_quotes(start)
        return quoted or self._word(start)

    def _number(self, digits: str, at: Span, *, is_float: bool) -> Node:
        if is_float:
            number = float(digits) if len(digits) <= DIGITS_LIMIT else inf
            if isfinite(number):
                return _flat("number", number, at)
            self._fault("not-finite", at, f"{quote(digits)} is too large for a number.")
        else:
            if len(digits) <= 17 and abs(int(digits)) <= INTEGER_LIMIT:
                return _flat("number", int(digits), at)
            self._fault(
                "integer-range",
                at,
                f"{quote(digits)} is out of range: integers go up to {INTEGER_LIMIT:,}.",
            )
        return _flat("bad", digits, at)

    def _other_quotes(self, start: int) -> Node | None:
        found = OTHER_QUOTES.match(self.wire, start)
        if found is None:
            return None
        self.at = found.end()
        at = Span(*found.span())
        inner = Span(at.start + 1, at.end - 1)
        text = self.wire[slice(*inner)]
        plain = '"' not in text and "\\" not in text and CONTROL.search(text) is None
        fix = Fix(at, f'"{text}"', safe=True) if plain else None
        self._fault(
            "syntax", at, f'{quote(self.wire[slice(*at)])} must stand in double quotes (").', fix
        )
        return Node("string", text, at, inner) if plain else Node("bad", text, at, inner)

    def _word(self, start: int) -> Node:
        """Anything else: words of Python, numbers in other spellings, text without quotes."""
        found = WORD.match(self.wire, start)
        end = found.end() if found else start + 1
        more = MORE_WORDS.match(self.wire, end)
        at = Span(start, more.end() if more else end)
        self.at = at.end
        text = self.wire[slice(*at)]
        if text in LOOSE_WORDS:
            kind, literal = LOOSE_WORDS[text]
            fix = Fix(at, literal, safe=text != "undefined")
            self._fault("syntax", at, f"{text} is written {literal} in JSON.", fix)
            return _flat(kind, LITERALS[literal], at)
        if NOT_FINITE.fullmatch(text):
            self._fault("not-finite", at, f"{text} is no JSON number.")
            return _flat("bad", text, at)
        number = LOOSE_NUMBER.fullmatch(text)
        if number and text.lstrip("+-.")[:1].isdigit():
            return self._loose_number(number, at)
        if SIMPLE_WORD.fullmatch(text):
            self._fault(
                "syntax", at, f"{quote(text)} has no quotes around it.", Fix(at, f'"{text}"')
            )
            return _flat("string", text, at)
        self._fault("syntax", at, f"{quote(text)} is no JSON value; text stands in double quotes.")
        return _flat("bad", text, at)

    def _loose_number(self, found: re.Match[str], at: Span) -> Node:
        sign, whole, part, power = found.groups()
        is_float = bool(part or power)
        digits = (
            ("-" if sign == "-" else "")
            + (whole or "0")
            + (f".{part}" if part else "")
            + (power or "")
        )
        node = self._number(digits, at, is_float=is_float)
        if node.kind == "number":
            self._fault(
                "syntax",
                at,
                f"{quote(found[0])} is written {shorten(digits)} in JSON.",
                Fix(at, digits),
            )
        return node

    # Strings

    def _string(self, *, key: bool = False) -> Node:
        start = self.at
        body = BODY.match(self.wire, start + 1)
        assert body is not None
        inner = Span(start + 1, body.end())
        text = body[0]
        if body.end() < len(self.wire) and self.wire[body.end()] == '"':
            self.at = body.end() + 1
            value = (
                text
                if "\\" not in text and CONTROL.search(text) is None
                else self._unescaped(text, inner)
            )
            if value is None:
                return Node("bad", text, Span(start, self.at), inner)
            return Node("string", value, Span(start, self.at), inner)
        # No quote is left in the text, so everything belongs to this string.
        inner = Span(start + 1, len(self.wire))
        text = self.wire[slice(*inner)]
        self.at = len(self.wire)
        clean = (
            not key
            and "\\" not in text
            and CONTROL.search(text) is None
            and text.rstrip()[-1:] not in ("]", "}", ",")
        )
        brackets = "".join(CLOSERS[one] for one in reversed(self.open))
        fix = Fix(Span(self.at, self.at), '"' + brackets) if clean and text.strip() else None
        self._fault(
            "syntax",
            Span(start, start + 1),
            "The text ends before this quoted text is closed.",
            fix,
        )
        self.ended = True
        return Node("string" if clean else "bad", text, Span(start, self.at), inner)

    def _unescaped(self, text: str, inner: Span) -> str | None:
        """The text that a string's body stands for; None when too much of it is wrong. One fault a
        kind is told.
        """
        if CONTROL.search(text):
            first = CONTROL.search(self.wire, *inner)
            assert first is not None
            words = "A line break or control character in quoted text is written as an escape, such as \\n."
            # Behind a line break, the text may be another one: the line was cut off.
            whole = "\n" not in text and "\r" not in text
            self._fault(
                "syntax",
                Span(*first.span()),
                words,
                Fix(inner, text.translate(ESCAPED), safe=whole),
            )
        bad = next((hit for hit in BAD_ESCAPE.finditer(text) if hit[1] is not None), None)
        if bad:
            at = Span(inner.start + bad.start(), inner.start + bad.end())
            words = f"{quote(bad[0])} is no escape of JSON; a backslash itself is written \\\\."
            if text.count("\\") > REPAIR_LIMIT:
                self._fault("syntax", at, words)
                return None
            text = BAD_ESCAPE.sub(lambda hit: hit[0] if hit[1] is None else f"\\\\{hit[1]}", text)
            self._fault("syntax", at, words, Fix(inner, text))
        value = json.loads(f'"{text}"', strict=False) if "\\" in text else text
        assert isinstance(value, str)
        if "\\u" in text and SURROGATE.search(value) and SURROGATE.search(text) is None:
            self._fault(
                "surrogate",
                inner,
                "An escape writes half of a surrogate pair, which cannot be stored.",
            )
            value = SURROGATE.sub("\ufffd", value)
        return value

    # Arrays and objects

    def _array(self, start: int) -> Node:
        items: list[Node] = []
        comma: int | None = None
        parted = True
        while True:
            mark = (
                self.at if comma is None else comma,
                self.nodes,
                len(self.faults),
                len(self.strays),
                self.last,
            )
            self._skip()
            if self._ends("[", start, comma):
                break
            if self.wire[self.at] in ",:":
                self._marks("A value")
                parted = True
                continue
            if not parted:
                self._missing_comma()
            item = self._value() if self.key_ahead is None or self.key_ahead[0] != self.at else None
            if item is None or (items and self._is_key(item)):
                self._end_before_key(mark)
                break
            items.append(item)
            comma = self._comma()
            parted = comma is not None
        inner = Span(start + 1, self.at - self.closed)
        value = [one.value for one in items if not one.is_missing]
        return Node("array", value, Span(start, self.at), inner, (), tuple(items))

    def _is_key(self, item: Node) -> bool:
        """True when what was read as an item is a key of the object around: a ] is missing before
        it.
        """
        if (
            item.kind != "string"
            or self.wire[self.at : self.at + 1] in (",", "]")
            or self.ended
            or "{" not in self.open
        ):
            return False
        blank = BLANK.match(self.wire, self.at)
        assert blank is not None
        if not self.wire.startswith(":", blank.end()):
            return False
        self.key_ahead = (item.span.start, item.value)
        return True

    def _end_before_key(self, mark: tuple[int, int, int, int, int]) -> None:
        assert self.key_ahead is not None
        self.at, self.nodes, faults, strays, self.last = mark
        del self.faults[faults:], self.strays[strays:]
        self.closed = False
        here = Span(self.last, self.last)
        self._fault(
            "syntax", here, f"A ] is missing before {quote(self.key_ahead[1])}.", Fix(here, "]")
        )

    def _object(self, start: int) -> Node:
        members: list[Member] = []
        seen: dict[str, int] = {}
        comma: int | None = None
        parted = True
        while True:
            self._skip()
            if self._ends("{", start, comma):
                break
            if self.wire[self.at] in ",:":
                self._marks("A key")
                parted = True
                continue
            if not parted and self.wire[self.at] not in "{[":
                self._missing_comma()
            end = self.last
            member = self._member()
            if member is not None:
                self._repeated(member, members, seen, end)
                members.append(member)
            comma = self._comma()
            parted = comma is not None
        inner = Span(start + 1, self.at - self.closed)
        value = {one.key: one.node.value for one in members if not one.node.is_missing}
        return Node("object", value, Span(start, self.at), inner, tuple(members))

    def _repeated(
        self, member: Member, members: list[Member], seen: dict[str, int], end: int
    ) -> None:
        key = member.key.lower() if self.fold else member.key
        if key in seen:
            same = members[seen[key]]
            alike = (
                self.wire[slice(*same.node.span)] == self.wire[slice(*member.node.span)]
                and same.key == member.key
            )
            words = f"The key {quote(member.key)} stands more than once; the last one counts."
            if same.key != member.key:
                words = f"The keys {quote(same.key)} and {quote(member.key)} differ only in case."
            same_twice = alike and not member.node.is_missing
            fix = Fix(Span(end, member.node.span.end), "", safe=True) if same_twice else None
            self._fault("repeated-key", member.key_span, words, fix)
        seen[key] = len(members)

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
                self._marks("A value", surplus=":")
                self._skip()
        elif not self._at_end() and self.wire[self.at] not in ",]}":
            here = Span(self.last, self.last)
            self._fault(
                "syntax",
                here,
                f"A : is missing after the key {quote(key.value)}.",
                Fix(here, ":", safe=True),
            )
        if self._at_end() or self.wire[self.at] in ",]}":
            empty = Span(self.at, self.at)
            if self._at_end():
                self._unclosed_key(key)
            else:
                self._fault("syntax", key.span, f"The key {quote(key.value)} has no value.")
            return Member(key.value, key.inner, Node("bad", "", empty, empty))
        return Member(key.value, key.inner, self._value())

    def _unclosed_key(self, key: Node) -> None:
        self._fault("syntax", key.span, f"The text ends after the key {quote(key.value)}.")
        self.ended = True

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
            followed = BLANK.match(self.wire, self.at)
            sure = followed is not None and self.wire.startswith(":", followed.end())
            fix = Fix(at, f'"{bare[0]}"', safe=sure)
            self._fault("syntax", at, f"The key {quote(bare[0])} has no quotes around it.", fix)
            return _flat("string", bare[0], at)
        start = self.at
        if first in "{[":
            self._keyless()
            return None
        word = WORD.match(self.wire, start)
        self.at = word.end() if word else start + 1
        words = f"{quote(self.wire[start : self.at])} is no key; a key stands in double quotes."
        self._fault("syntax", Span(start, self.at), words)
        self._stray(Span(start, self.at))
        self.last = self.at
        return None

    def _keyless(self) -> None:
        """Pass an object or array where a key belongs: one stray with one fault, whatever
        is in it.
        """
        start, faults, strays = self.at, len(self.faults), len(self.strays)
        self._value()
        del self.faults[faults:], self.strays[strays:]
        ended, self.ended = self.ended, False
        self._fault("syntax", Span(start, self.at), "A value stands here without a key.")
        self.ended = self.ended or ended
        self._stray(Span(start, self.at))
        self.last = self.at

    def _comma(self) -> int | None:
        """Pass a comma behind a value; where it stood."""
        if self.ended:
            return None
        self._skip()
        if self._at_end() or self.wire[self.at] != ",":
            return None
        self.at += 1
        return self.at - 1

    def _marks(self, expected: str, surplus: str = ",") -> None:
        """Pass commas and colons where a value or key belongs; they may go when all of them are
        ``surplus``.
        """
        run = MARKS.match(self.wire, self.at)
        assert run is not None
        at = Span(*run.span())
        self.at = at.end
        marks = "".join(run[0].split())
        # In an array a value may be missing there, and the others would move. At the end, the text
        # may be cut off.
        sure = self.open[-1:] == ["{"] and not self._at_end()
        fix = None if marks.strip(surplus) else Fix(at, "", safe=sure)
        self._fault("syntax", at, f"{expected} was expected, found {shorten(marks)}.", fix)

    def _missing_comma(self) -> None:
        here = Span(self.last, self.last)
        # Two texts in a row may be one, as in Python, and two numbers too.
        sure = self.open[-1:] == ["{"] or (
            self.wire[self.at] in "{[" and self.wire[self.last - 1] in "}]"
        )
        words = f"A comma is missing before {quote(self.wire[self.at : self.at + 20])}."
        self._fault("syntax", here, words, Fix(here, ",", safe=sure))

    def _ends(self, bracket: str, start: int, comma: int | None) -> bool:
        """True at the end of an array or object; its closer, or another one that must be meant for
        it, is passed.
        """
        self.closed = False
        if self._at_end() or self.ended:
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
                "A comma stands behind the last value.",
                Fix(Span(comma, comma + 1), "", safe=True),
            )
        expected = CLOSERS[bracket]
        if closer != expected:
            if ("[" if closer == "]" else "{") in self.open:
                here = Span(self.last, self.last)
                self._fault(
                    "syntax", here, f"A {expected} is missing before {closer}.", Fix(here, expected)
                )
                return True
            at = Span(self.at, self.at + 1)
            self._fault(
                "syntax", at, f"{expected} was expected, found {closer}.", Fix(at, expected)
            )
        self.at += 1
        self.closed = True
        return True


def _doubt(fault: Fault) -> Fault:
    """The fault with its fix as a suggestion."""
    if fault.fix is None or not fault.fix.safe:
        return fault
    return replace(fault, fix=replace(fault.fix, safe=False))


def _flat(kind: Kind, value: Any, at: Span) -> Node:
    return Node(kind, value, at, at)


def _literal(word: str) -> Kind:
    return "true" if word == "true" else "false" if word == "false" else "null"
