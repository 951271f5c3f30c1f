"""Read nSLIP part by part, past every error.

    message = act "/" frame "|" [slot *("," slot)]        "Message Structure"
    slot    = name "=" value                              the value may contain further "="

A missing separator is assumed where a slot begins, and an extra ``|`` is read as a comma. So one
mistake gives one diagnostic, and the slots after it are still read.
"""

import re
from collections import Counter
from typing import Any

from cablese.codec import FIELD_LIMIT
from cablese.message import Field, Fix, Rule, Span
from cablese.protocols.line_reader import DIGITS, LineReader
from cablese.spelling import Guess, Spelling
from cablese.text import BLANKS, capitalize_first, either, quote, trim

from .escape import unescape
from .rules import RULES
from .vocabulary import ACTS, FRAMES, INTEGERS, LABELS, SLOTS, STATUSES

BLANK = re.compile(f"[{BLANKS}]+")
CODES_END = re.compile(f"[{BLANKS},=]")
# Where the slots begin without a |: after spaces or commas, at a short name and =.
SLOTS_BEGIN = re.compile(rf"[{BLANKS},]*(?=(?:[a-z]{{1,2}}|[@!])=)")
KNOWN_SLOT = re.compile(rf"[{BLANKS}]*(?:{'|'.join(map(re.escape, SLOTS))})=")
BARS = re.compile(r"\|+")
SPLIT = re.compile(r",|\|+")
CODES = re.compile(rf"(?:{'|'.join(ACTS)})/(?:{'|'.join(FRAMES)})\Z")
MAX_CODES = max(map(len, ACTS)) + 1 + max(map(len, FRAMES))
"""Characters of an act and a frame."""
SPELLINGS = {
    "act": Spelling(ACTS, {word: code for code, word in ACTS.items()}),
    "frame": Spelling(FRAMES, {word: code for code, word in FRAMES.items()}),
}
SLOT_SPELLING = Spelling(SLOTS, {word: slot for slot, word in SLOTS.items()}, is_open=True)
LIMITS = {
    name: (capitalize_first(LABELS[name]), low, high, f"{low} to {high:,}")
    for name, (low, high) in INTEGERS.items()
}
"""How reports call an integer slot, its limits, and how they are written."""
EVIDENCE = {"!": "REJ", "sc": "EVL"}
"""Slots that belong to one act: a guess at another act would contradict them."""
SPEAKING = re.compile(rf"[|,{BLANKS}]({'|'.join(EVIDENCE)})[{BLANKS}]*=")


class Reader(LineReader):
    """Hold everything found so far in one message."""

    rules = RULES
    single_line = "An nSLIP message must be a single line. Text after the line break was not read."

    def __init__(self, wire: str, too_many: Rule) -> None:
        super().__init__(wire, too_many)
        self.slots: dict[str, Any] = {}
        self.unknown: list[Field] = []
        self.content_end = 0
        """Where the message ends, without trailing commas."""
        self.last = ""
        """The name of the previous slot, to decide what a | after it belongs to."""

    def _read_line(self) -> None:
        start, stop = self.at, self.stop
        self.content_end = start + len(self.wire[start:stop].rstrip(f",{BLANKS}"))
        act, frame, slots_at = self._head(start, stop, self.wire.find("|", start, stop))
        if slots_at is not None:
            self._slots(slots_at, stop)
        self._unknown_slots()
        if act == "REJ" and "!" not in self.slots:
            self._report(
                "reject-without-reason",
                self.fields[0].span,
                "A REJ should give a reason, such as ,!=scope_too_large",
            )
        values = {
            "act": act,
            "act_name": ACTS.get(act),
            "frame": frame,
            "frame_name": FRAMES.get(frame or ""),
        }
        given = {key: value for key, value in values.items() if value is not None}
        self.values = {**given, "slots": self.slots}

    def _head(self, start: int, stop: int, bar: int) -> tuple[str, str | None, int | None]:
        """Return the act, the frame, and where the slots begin (None without slots)."""
        end = stop if bar < 0 else bar
        gap = CODES_END.search(self.wire, start, end) if bar < 0 else None
        codes_end = gap.start() if gap else end
        slash = self.wire.find("/", start, codes_end)
        if slash >= 0:
            act = self._code("act", start, slash, ACTS)
            frame: str | None = self._code("frame", slash + 1, codes_end, FRAMES)
        else:
            act, frame = self._joined(start, codes_end)
        if bar >= 0:
            return act, frame, bar + 1
        return (
            act,
            frame,
            self._missing_bar(start, codes_end, end, sure=act in ACTS and frame in FRAMES),
        )

    def _joined(self, start: int, end: int) -> tuple[str, str | None]:
        """Return the act and the frame without the / between them: ``REQTSK``."""
        text = self.wire[start:end]
        cut = next(
            (start + n for n in range(1, len(text[:9])) if text[:n] in ACTS and text[n:] in FRAMES),
            None,
        )
        fix = Fix(Span(cut, cut), "/", safe=True) if cut else None
        self._report(
            "missing-slash",
            Span(start, end),
            f"Missing / between the act and the frame in {quote(text)}.",
            fix,
        )
        act = self._code("act", start, cut or end, ACTS)
        return act, self._code("frame", cut, end, FRAMES) if cut else None

    def _missing_bar(self, start: int, at: int, end: int, *, sure: bool) -> int | None:
        gap = SLOTS_BEGIN.match(self.wire, at, end)
        # A message that ends after its codes may have been cut off there.
        safe = gap is not None and KNOWN_SLOT.match(self.wire, gap.end(), end) is not None
        fix = (
            Fix(Span(at, gap.end() if gap else at), "|", safe)
            if sure and (gap or at == end)
            else None
        )
        self._report(
            "missing-bar",
            Span(at, at),
            f"Missing | between {quote(self.wire[start:at])} and the slots.",
            fix,
        )
        if gap:
            return gap.end()
        self._unreadable(Span(at, end))
        return None

    def _code(self, name: str, start: int, end: int, table: dict[str, str]) -> str:
        written = self.wire[start:end]
        at = trim(self.wire, start, end)
        code = self.wire[slice(*at)]
        word = table.get(code)
        self.fields.append(Field(name, f"{name}: {word}" if word else name, code, None, at))
        if written not in table:
            near = self._guess(name, code, end)
            meant = f" Did you mean {near.word}?" if near else ""
            problem = f"Unknown {name} {quote(written)}." if written else f"Missing {name}."
            fix = Fix(Span(start, end), near.word, near.safe) if near else None
            self._report(
                f"unknown-{name}",
                Span(start, end),
                f"{problem} Expected {either(table)}.{meant}",
                fix,
            )
        return code

    def _guess(self, name: str, code: str, end: int) -> Guess | None:
        """Return the code that was probably meant, unless a later slot contradicts it."""
        near = SPELLINGS[name].find(code)
        if near is None or near.exact:
            return near
        if (
            self.wire[end : end + 1] == "="
        ):  # "TSKg=42" lacks its |, and "TSKg" is not a misspelling of TSK
            return None
        if name == "act" and {EVIDENCE[match[1]] for match in SPEAKING.finditer(self.wire, end)} - {
            near.word
        }:
            return None
        return near

    def _slots(self, start: int, stop: int) -> None:
        bars = BARS.match(self.wire, start, stop)
        if bars:
            fix = Fix(Span(*bars.span()), "", safe=bars.end() < stop)
            self._report(
                "extra-bar",
                Span(*bars.span()),
                "Expected only one | between the frame and the slots.",
                fix,
            )
            start = bars.end()
        if not self.wire[start:stop].strip(BLANKS):
            return
        for _ in range(FIELD_LIMIT - len(self.fields)):
            cut = SPLIT.search(self.wire, start, stop)
            self._slot(start, cut.start() if cut else stop)
            if cut is None:
                return
            start = cut.end()
            if cut[0] != "," and self._extra_bar(Span(*cut.span()), stop):
                return
        self._report_rest(Span(start, stop))

    def _extra_bar(self, at: Span, stop: int) -> bool:
        """Report a | among the slots. Return True when it ends them."""
        ends = not self.wire[at.end : stop].strip(BLANKS)
        number = self.last in INTEGERS  # which cannot contain |
        fix = None
        if CODES.search(self.wire, max(0, at.start - MAX_CODES), at.start):
            pass  # another message begins there, and a comma would make it a part of this one
        elif KNOWN_SLOT.match(self.wire, at.end, stop):
            fix = Fix(at, ",", safe=number)
        elif ends and number:
            fix = Fix(at, "")  # a suggestion: the message may have been cut off here
        elif self.last and not number and not ends:
            fix = Fix(at, "%7C" * (at.end - at.start))
        self._report(
            "extra-bar", at, "A message must contain only one |. Write %7C in a value.", fix
        )
        return ends

    def _slot(self, start: int, end: int) -> None:
        equals = self.wire.find("=", start, end)
        if equals < 0:
            self._without_equals(start, end)
            return
        name_at, value_at = trim(self.wire, start, equals), trim(self.wire, equals + 1, end)
        name, text = self.wire[slice(*name_at)], unescape(self.wire[slice(*value_at)])
        self.last = name
        self._blanks(start, equals, name_at)
        self._blanks(equals + 1, end, value_at)
        for blank in BLANK.finditer(self.wire, *value_at):
            self._report("blank", Span(*blank.span()), "Values cannot contain spaces; use _.")
        if not name:
            self._report(
                "slot-without-name",
                Span(start, end),
                f"Missing slot name before = in {quote(self.wire[start:end])}.",
            )
            self._unreadable(Span(start, end))
            return
        field = Field(name, LABELS.get(name, "unknown slot"), text, name_at, value_at)
        self.fields.append(field)
        if name in self.slots:
            self._report(
                "repeated-slot", name_at, f"Duplicate slot {quote(name)}. The last value is used."
            )
        limits = LIMITS.get(name)
        self.slots[name] = self._integer(text, value_at, *limits) if limits else text
        if name not in SLOTS:
            self.unknown.append(field)
        elif name in ("@", "!") and not text:
            self._report("empty-text", Span(start, end), f"The {SLOTS[name]} is empty.")
        elif name == "s" and text not in STATUSES:
            what = f"Unknown status {quote(text)}" if text else "Empty status"
            self._report(
                "unknown-status",
                value_at,
                f"{what}. Expected {either(STATUSES)}.",
            )

    def _unknown_slots(self) -> None:
        """Report unknown slots. Teams may add slots, so a known name is only suggested, and not
        when two slots suggest the same one.
        """
        if not self.unknown:
            return
        near = {
            field.name: guess.word
            for field in self.unknown
            if (guess := SLOT_SPELLING.find(field.name))
        }
        wanted = Counter(near.values())
        for field in self.unknown:
            assert field.name_span is not None
            slot = near.get(field.name)
            meant = f" Did you mean {slot}?" if slot else ""
            alone = slot is not None and wanted[slot] == 1 and slot not in self.slots
            fix = (
                Fix(field.name_span, slot)
                if slot and alone and _may_hold(slot, field.value)
                else None
            )
            self._report(
                "unknown-slot",
                field.name_span,
                f"Unknown slot {quote(field.name)}. Valid slots: {', '.join(SLOTS)}.{meant}",
                fix,
            )

    def _without_equals(self, start: int, end: int) -> None:
        """Report a slot without =. An empty one is removed with the comma before it, or after it at
        the start.

        At the end of the message the removal is only suggested: the message may have been cut off
        after the comma.
        """
        self.last = ""
        text = self.wire[slice(*trim(self.wire, start, end))]
        drop = None
        if not text and self.wire[start - 1] == ",":
            drop = Span(start - 1, end)
        elif not text and self.wire[end : end + 1] == ",":
            drop = Span(start, end + 1)
        problem = f"Missing = in {quote(text)}." if text else "Empty slot."
        fix = Fix(drop, "", safe=end < self.content_end) if drop else None
        self._report(
            "slot-without-equals", Span(start, end), f"{problem} Expected name=value.", fix
        )
        self._unreadable(Span(start, end))

    def _blanks(self, start: int, end: int, inner: Span) -> None:
        for at in (Span(start, inner.start), Span(inner.end, end)):
            if at.start < at.end:
                self._report("blank", at, "Unexpected space between slots.", Fix(at, "", safe=True))


def _may_hold(slot: str, text: str) -> bool:
    """Return True when ``text`` is valid in ``slot``."""
    if slot not in INTEGERS:
        return True
    low, high = INTEGERS[slot]
    return DIGITS.fullmatch(text) is not None and len(text) <= 16 and low <= int(text) <= high
