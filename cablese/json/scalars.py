"""The tolerant reading of scalars: numbers, words, and quoted text."""

import json
import re
from math import inf, isfinite
from typing import Any

from cablese.codec import INTEGER_LIMIT, SURROGATE
from cablese.message import Fix, Span
from cablese.text import quote, shorten

from .cursor import CLOSERS, Cursor
from .tree import Kind, Node

DIGITS_LIMIT = 1_000
REPAIR_LIMIT = 10_000
BODY = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
LITERAL = re.compile(r"(true|false|null)(?![\w.+\-])")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.+\-])")
LOOSE_NUMBER = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
OTHER_QUOTES = re.compile(r"'((?:[^'\\\n]++|\\.)*+)'|[“”]([^“”\"'\\\n]*+)[“”]")
WORD = re.compile(r"[^\s,:\[\]{}\"“”]+")
MORE_WORDS = re.compile(r"(?:[ \t]++(?!//|/\*|#)[^\s,:\[\]{}\"“”]++)+")
SIMPLE_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
CONTROL = re.compile(r"[\x00-\x1f]+")
BAD_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}|(.))", re.DOTALL)
ESCAPED = {n: f"\\u{n:04x}" for n in range(32)} | {
    8: "\\b",
    12: "\\f",
    10: "\\n",
    13: "\\r",
    9: "\\t",
}
LOOSE_WORDS = {
    "True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null",
    "NULL": "null", "Null": "null", "undefined": "null",
}  # fmt: skip
LITERALS: dict[str, tuple[Kind, Any]] = {
    "true": ("true", True),
    "false": ("false", False),
    "null": ("null", None),
}


class ScalarReader(Cursor):
    """Read one value that is neither an array nor an object."""

    def _scalar(self, start: int) -> Node:
        match = LITERAL.match(self.wire, start)
        if match:
            self.at = match.end()
            return flat(*LITERALS[match[1]], Span(*match.span()))
        match = NUMBER.match(self.wire, start)
        if match:
            self.at = match.end()
            return self._number(match[0], Span(*match.span()), is_float=bool(match[1] or match[2]))
        return self._other_quotes(start) or self._word(start)

    def _number(self, digits: str, at: Span, *, is_float: bool) -> Node:
        if is_float:
            number = float(digits) if len(digits) <= DIGITS_LIMIT else inf
            if isfinite(number):
                return flat("number", number, at)
            self._fault("not-finite", at, f"The number {quote(digits)} is too large.")
        else:
            if len(digits) <= 17 and abs(int(digits)) <= INTEGER_LIMIT:
                return flat("number", int(digits), at)
            self._fault(
                "integer-range",
                at,
                f"The integer {quote(digits)} is too large. The limit is {INTEGER_LIMIT:,}.",
            )
        return flat("bad", digits, at)

    def _other_quotes(self, start: int) -> Node | None:
        match = OTHER_QUOTES.match(self.wire, start)
        if match is None:
            return None
        self.at = match.end()
        at = Span(*match.span())
        inner = Span(at.start + 1, at.end - 1)
        text = self.wire[slice(*inner)]
        plain = '"' not in text and "\\" not in text and CONTROL.search(text) is None
        fix = Fix(at, f'"{text}"', safe=True) if plain else None
        self._fault(
            "syntax", at, f'{quote(self.wire[slice(*at)])} must be in double quotes (").', fix
        )
        return Node("string", text, at, inner) if plain else Node("bad", text, at, inner)

    def _word(self, start: int) -> Node:
        """Return a Python literal, a number in another spelling, or text without quotes."""
        match = WORD.match(self.wire, start)
        end = match.end() if match else start + 1
        more = MORE_WORDS.match(self.wire, end)
        at = Span(start, more.end() if more else end)
        self.at = at.end
        text = self.wire[slice(*at)]
        if text in LOOSE_WORDS:
            literal = LOOSE_WORDS[text]
            fix = Fix(at, literal, safe=text != "undefined")
            self._fault("syntax", at, f"{text} is not a JSON value. Use {literal}.", fix)
            return flat(*LITERALS[literal], at)
        if NOT_FINITE.fullmatch(text):
            self._fault("not-finite", at, f"{text} is not a valid JSON number.")
            return flat("bad", text, at)
        number = LOOSE_NUMBER.fullmatch(text)
        if number and text.lstrip("+-.")[:1].isdigit():
            return self._loose_number(number, at)
        if SIMPLE_WORD.fullmatch(text):
            self._fault(
                "syntax", at, f"{quote(text)} must be in double quotes.", Fix(at, f'"{text}"')
            )
            return flat("string", text, at)
        self._fault(
            "syntax",
            at,
            f"{quote(text)} is not a valid JSON value. Strings must be in double quotes.",
        )
        return flat("bad", text, at)

    def _loose_number(self, match: re.Match[str], at: Span) -> Node:
        sign, integer, fraction, exponent = match.groups()
        is_float = bool(fraction or exponent)
        digits = (
            ("-" if sign == "-" else "")
            + (integer or "0")
            + (f".{fraction}" if fraction else "")
            + (exponent or "")
        )
        node = self._number(digits, at, is_float=is_float)
        if node.kind == "number":
            self._fault(
                "syntax",
                at,
                f"{quote(match[0])} is not a valid JSON number. Use {shorten(digits)}.",
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
        brackets = "".join(CLOSERS[bracket] for bracket in reversed(self.open))
        fix = Fix(Span(self.at, self.at), '"' + brackets) if clean and text.strip() else None
        self._fault(
            "syntax",
            Span(start, start + 1),
            "Unclosed string.",
            fix,
        )
        self.ended = True
        return Node("string" if clean else "bad", text, Span(start, self.at), inner)

    def _unescaped(self, text: str, inner: Span) -> str | None:
        """Return the text of a string's body; None if too much of it is wrong.

        One fault of each kind is reported.
        """
        if CONTROL.search(text):
            first = CONTROL.search(self.wire, *inner)
            assert first is not None
            # Text after a line break may be another one: the line was cut off.
            is_single_line = "\n" not in text and "\r" not in text
            self._fault(
                "syntax",
                Span(*first.span()),
                "Line breaks and control characters in strings must be escaped, such as \\n.",
                Fix(inner, text.translate(ESCAPED), safe=is_single_line),
            )
        bad = next((match for match in BAD_ESCAPE.finditer(text) if match[1] is not None), None)
        if bad:
            at = Span(inner.start + bad.start(), inner.start + bad.end())
            message = f"Invalid escape {quote(bad[0])}; write a backslash as \\\\."
            if text.count("\\") > REPAIR_LIMIT:
                self._fault("syntax", at, message)
                return None
            text = BAD_ESCAPE.sub(
                lambda match: match[0] if match[1] is None else f"\\\\{match[1]}", text
            )
            self._fault("syntax", at, message, Fix(inner, text))
        value = json.loads(f'"{text}"', strict=False) if "\\" in text else text
        assert isinstance(value, str)
        if "\\u" in text and SURROGATE.search(value) and SURROGATE.search(text) is None:
            self._fault(
                "surrogate",
                inner,
                "Unpaired surrogate: this is not valid Unicode text.",
            )
            value = SURROGATE.sub("\ufffd", value)
        return value


def flat(kind: Kind, value: Any, at: Span) -> Node:
    return Node(kind, value, at, at)
