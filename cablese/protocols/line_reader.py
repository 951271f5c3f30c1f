"""What the readers of line protocols share: the fields of one message, and what they report.

A reader goes through its line part by part, past every error. It does not read on after a line
break.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from cablese.codec import FIELD_LIMIT, INTEGER_LIMIT, Reading
from cablese.message import Diagnostic, Field, Fix, Rule, Span
from cablese.text import quote, shorten, trim

LINE_BREAK = re.compile(r"[\r\n]")
DIGITS = re.compile(r"[0-9]+")


class LineReader:
    """Read one message between ``at`` and ``stop``. ``too_many`` is reported after 1,000 fields."""

    rules: ClassVar[Mapping[str, Rule]]
    single_line: ClassVar[str]
    """The report of a second line."""
    at = stop = 0

    def __init__(self, wire: str, too_many: Rule) -> None:
        self.wire = wire
        self.too_many = too_many
        self.fields: list[Field] = []
        self.diagnostics: list[Diagnostic] = []
        self.values: dict[str, Any] = {}

    def read(self) -> Reading:
        self.at, end = trim(self.wire, 0, len(self.wire))
        line_break = LINE_BREAK.search(self.wire, self.at, end)
        self.stop = line_break.start() if line_break else end
        self._read_line()
        if line_break:
            remainder = Span(line_break.start(), end)
            self._report("several-lines", remainder, self.single_line)
            self._unreadable(remainder)
        return Reading(self.values, tuple(self.diagnostics), lambda: tuple(self.fields))

    def _read_line(self) -> None:
        """Read from ``at`` to ``stop``, which is the end of the line."""

    def _report(self, code: str, at: Span, message: str, fix: Fix | None = None) -> None:
        # Made here, and not by `Rule.at`: a message with problems has many.
        rule = self.rules[code]
        diagnostic = Diagnostic(rule.code, rule.severity, at, message, rule.section, fix)
        self.diagnostics.append(diagnostic)

    def _report_rest(
        self, remainder: Span, has: str = "The message has", parts: str = "fields"
    ) -> None:
        """Report more parts than are read."""
        self.diagnostics.append(
            self.too_many.at(
                remainder, f"{has} more than {FIELD_LIMIT:,} {parts}. The rest was not read."
            )
        )
        self._unreadable(remainder)

    def _unreadable(self, at: Span) -> None:
        if at.start < at.end:
            self.fields.append(Field("", "unreadable", self.wire[slice(*at)], None, at))

    def _integer(
        self, text: str, at: Span, label: str, low: int, high: int, limits: str, code: str = ""
    ) -> int | str:
        """Return the integer that ``text`` is, or ``text`` itself, and report what is wrong.

        ``limits`` are the written ``low`` and ``high``; ``code`` begins the codes of the rules.
        """
        if not DIGITS.fullmatch(text):
            self._report(
                f"{code}not-an-integer",
                at,
                f"{label} must be an integer from {limits}, not {quote(text)}.",
            )
            return text
        plain = text.lstrip("0") or "0"
        if plain != text:
            self._report(
                "leading-zero",
                at,
                f"Remove the leading zeros from {quote(text)}.",
                Fix(at, plain, safe=True),
            )
        number = int(plain) if len(plain) <= 16 else INTEGER_LIMIT + 1
        if not low <= number <= high:
            self._report(
                f"{code}out-of-range", at, f"{label} must be from {limits}, not {shorten(text)}."
            )
        return number if number <= INTEGER_LIMIT else text
