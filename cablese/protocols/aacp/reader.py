"""Read a packet part by part, past every error.

    packet = task "|" dom "|" named-fields          section 4
    field  = key ":" value                          section 4.2; the value may contain colons

A line may break after a ``|``, as the draft prints its own examples. Each part is trimmed.
"""

import re

from cablese.codec import FIELD_LIMIT, Reading
from cablese.message import Field, Fix, Span
from cablese.protocols.aacp.checks import CODES, LABELS, LISTED, PRIVATE, Checks, Part
from cablese.protocols.line_reader import LINE_BREAK
from cablese.text import BLANKS, quote, shorten, trim

from .escape import unescape
from .tables import KEYS, POSITIONS

LOOSE = re.compile(" [|:]|[|:] ")
OTHER_BLANK = re.compile("[\t\r\n\v\f]")
OTHER_COLON = re.compile(r"([a-z_]+)([ \t]*=[ \t]*|[ \t]+)(?=[^ \t=])", re.IGNORECASE)


def is_named(raw: str) -> bool:
    """Return True for a part with one of the draft's keys: it is never a TASK or DOM."""
    key, colon, _ = raw.partition(":")
    key = key.strip(BLANKS).lower()
    return bool(colon) and (key in KEYS or key in POSITIONS)


class Reader(Checks):
    """Read ``wire``, which is not blank. ``too_many`` is reported after 1,000 fields."""

    def read(self) -> Reading:
        start, self.stop = trim(self.wire, 0, len(self.wire))
        self._check(is_whole=self._at_once(start) or self._each(start))
        return Reading(self.values, tuple(self.diagnostics), self._fields)

    def _fields(self) -> tuple[Field, ...]:
        return tuple(
            Field(
                key,
                LABELS.get(key) or _label(key),
                value,
                None if begin < 0 else Span(begin, stop),
                Span(start, end),
            )
            for key, value, begin, stop, start, end in self.parts
        )

    def _at_once(self, at: int) -> bool:
        """Read a packet with nothing to trim, the usual case. Return False when it must be read
        part by part.
        """
        packet = self.wire[at : self.stop]
        if self.bars >= FIELD_LIMIT or (not packet.isprintable() and OTHER_BLANK.search(packet)):
            return False
        if " " in packet and LOOSE.search(packet):
            return False
        values, parts = self.values, self.parts
        for index, raw in enumerate(packet.split("|")):
            end = at + len(raw)
            if index < len(POSITIONS):
                name = POSITIONS[index]
                if raw in CODES[name][0]:
                    values[name] = raw
                    parts.append((name, raw, -1, -1, at, end))
                else:
                    self._part(index, Span(at, end))
            else:
                key, colon, value = raw.partition(":")
                after = at + len(key)
                if value and key in KEYS and key not in values:
                    values[key] = value = unescape(value)
                    parts.append((key, value, at, after, after + 1, end))
                elif key and colon:
                    self._take((key, value, at, after, after + 1, end))
                else:
                    self._part(index, Span(at, end))
            at = end + 1
        return True

    def _each(self, at: int) -> bool:
        """Read part by part. Return False when the packet has too many parts."""
        index = 0
        is_line = LINE_BREAK.search(self.wire, at, self.stop) is None
        while True:
            if index == FIELD_LIMIT:
                self._report_rest(Span(at, self.stop), "The packet has")
                return False
            bar = self.wire.find("|", at, self.stop)
            part = trim(self.wire, at, self.stop if bar < 0 else bar)
            broken = None if is_line else LINE_BREAK.search(self.wire, *part)
            if broken:
                remainder, self.stop = Span(broken.start(), self.stop), broken.start()
                part = trim(self.wire, part.start, self.stop)
            self._part(index, part)
            if broken:
                self._next_line(remainder)
                return True
            if bar < 0:
                return True
            if (
                not is_line
                and part.start < part.end
                and LINE_BREAK.search(self.wire, part.end, bar)
            ):
                gap = Span(part.end, bar)
                self._report(
                    "several-lines",
                    gap,
                    "Unexpected line break before |. Expected it after.",
                    Fix(gap, "", safe=True),
                )
            at = bar + 1
            index += 1

    def _next_line(self, remainder: Span) -> None:
        self._report(
            "several-lines",
            remainder,
            "Unexpected line break. A packet can only continue on the next line after a |. Text "
            "after the line break was not read.",
        )
        self._unreadable(trim(self.wire, *remainder))

    def _part(self, index: int, part: Span) -> None:
        raw = self.wire[slice(*part)]
        if index < len(POSITIONS):
            self._position(POSITIONS[index], part, raw)
        elif raw:
            self._named(part, raw)
        else:
            self._empty_slot(part)

    def _position(self, name: str, part: Span, raw: str) -> None:
        if not raw or is_named(raw):
            self._missing_position(name, part, raw)
            return
        value = self.values[name] = unescape(raw)
        self.parts.append((name, value, -1, -1, *part))
        if value not in CODES[name][0]:
            self._check_code(name, part, value)

    def _missing_position(self, name: str, part: Span, raw: str) -> None:
        key, _, value = raw.partition(":")
        ordinal = "first" if name == "task" else "second"
        fix = None
        content = f"the named field {quote(raw)}" if raw else "empty"
        if raw:
            value = value.strip(BLANKS)
            if key.strip(BLANKS).lower() == name and value and not is_named(value):
                fix = Fix(Span(part.start, part.end - len(value)), "", safe=value in CODES[name][0])
        self._report(
            f"missing-{name}",
            part,
            f"Missing {name.upper()}: the {ordinal} field is {content}. Expected {LISTED[name]}.",
            fix,
        )
        if raw:
            self._named(part, raw)

    def _empty_slot(self, part: Span) -> None:
        bar = self.wire.rindex("|", 0, part.start)
        last = part.start >= self.stop
        at = Span(bar, self.stop if last else self.wire.index("|", part.start))
        # In a packet that is too long the fix would only expose one more part and its problems. At
        # the end, the | may be the start of a field that was cut off.
        fix = Fix(at, "", safe=not last) if self.bars < FIELD_LIMIT else None
        self._report(
            "empty-slot",
            at,
            "Unexpected | at the end. The packet may have been cut off here."
            if last
            else "Empty field. Omit unused fields.",
            fix,
        )

    def _named(self, part: Span, raw: str) -> None:
        colon = raw.find(":")
        if colon < 0:
            self._no_colon(part, raw)
            return
        name_span = trim(self.wire, part.start, part.start + colon)
        span = trim(self.wire, part.start + colon + 1, part.end)
        written = self.wire[slice(*name_span)]
        if not written:
            self._report(
                "field-without-name",
                part,
                f"Missing key before the colon in {quote(raw)}. Expected key:value.",
            )
            self._unreadable(part)
            return
        self._take((written, self.wire[slice(*span)], *name_span, *span))

    def _take(self, raw: Part) -> None:
        """Take a named part with its key and value as written."""
        written, value, begin, stop, start, end = raw
        key = written.lower()
        part = key, unescape(value), begin, stop, start, end
        self.parts.append(part)
        if key != written:
            at = Span(begin, stop)
            self._report(
                "key-case",
                at,
                f"Key {quote(written)} must be lowercase. It was read as {quote(key)}.",
                Fix(at, key, safe=True),
            )
        if key in POSITIONS:
            self._report(
                "named-position",
                Span(begin, stop),
                f"{key.upper()} is positional and must not be a named field. This field is "
                "ignored.",
            )
            return
        if key in self.values:
            self._report(
                "repeated-key",
                Span(begin, stop),
                f"Duplicate key {quote(key)}. The last value is used.",
            )
            del self.values[key]
        self.values[key] = part[1]
        self.named[key] = part
        if key not in KEYS:
            self.unknown.append(part)

    def _no_colon(self, part: Span, raw: str) -> None:
        other = OTHER_COLON.match(raw)
        fix = None  # never safe: this may be the rest of the previous value, with an unescaped |
        meant = ""
        if other and other[1].lower() in KEYS:
            meant = f" Did you mean {other[1]}:{shorten(raw[other.end() :])}?"
            fix = Fix(Span(part.start + other.start(2), part.start + other.end(2)), ":")
        self._report(
            "field-without-colon",
            part,
            f"Missing colon in {quote(raw)}. Expected key:value for every field after TASK and "
            f"DOM.{meant}",
            fix,
        )
        self._unreadable(part)

    def _unreadable(self, at: Span) -> None:
        if at.start < at.end:
            self.parts.append(("", self.wire[slice(*at)], -1, -1, *at))


def _label(key: str) -> str:
    if not key:
        return "unreadable"
    return "private field" if PRIVATE.fullmatch(key) else "unknown key"
