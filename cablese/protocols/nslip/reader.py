"""The careful reading of nSLIP.

    message = act "/" frame "|" [slot *("," slot)]        "Message Structure"
    slot    = name "=" value                              the value may hold further "="

A separator that is missing is looked for where a slot begins; a ``|`` that is too many is taken as
a comma. So one slip of the sender costs one diagnostic, and the slots behind it are still read.
"""

import re
from collections import Counter
from typing import Any

from cablese.codec import FIELD_LIMIT, INTEGER_LIMIT, Reading
from cablese.message import Diagnostic, Field, Fix, Rule, Span
from cablese.spelling import Guess, Spelling
from cablese.text import BLANKS, capitalize_first, quote, shorten, trim

from . import rules
from .escape import unescape
from .vocabulary import ACTS, FRAMES, INTEGERS, LABELS, SLOTS, STATUSES

LINE_BREAK = re.compile(r"[\r\n]")
BLANK = re.compile(f"[{BLANKS}]+")
CODES_END = re.compile(f"[{BLANKS},=]")
# Where the slots begin although no | says so: behind blanks or commas, at a short name and =.
SLOTS_BEGIN = re.compile(rf"[{BLANKS},]*(?=(?:[a-z]{{1,2}}|[@!])=)")
KNOWN_SLOT = re.compile(rf"[{BLANKS}]*(?:{'|'.join(map(re.escape, SLOTS))})=")
BARS = re.compile(r"\|+")
SPLIT = re.compile(r",|\|+")
DIGITS = re.compile(r"[0-9]+")
SPELLINGS = {
    "act": Spelling(ACTS, {word: code for code, word in ACTS.items()}),
    "frame": Spelling(FRAMES, {word: code for code, word in FRAMES.items()}),
}
SLOT_SPELLING = Spelling(SLOTS, {word: slot for slot, word in SLOTS.items()}, is_open=True)
EVIDENCE = {"!": "REJ", "sc": "EVL"}
"""Slots that speak for an act: a guess at another act would go against them."""
SPEAKING = re.compile(rf"[|,{BLANKS}]({'|'.join(EVIDENCE)})[{BLANKS}]*=")


class Reader:
    """One careful reading: everything found so far, and the place in the wire."""

    def __init__(self, wire: str, too_many: Rule) -> None:
        self.wire = wire
        self.too_many = too_many
        self.fields: list[Field] = []
        self.found: list[Diagnostic] = []
        self.slots: dict[str, Any] = {}
        self.unknown: list[Field] = []
        self.said = 0
        """Where the message ends, commas behind it aside."""
        self.last = ""
        """The name of the slot before, to know what a | behind it may belong to."""

    def read(self) -> Reading:
        start, end = trim(self.wire, 0, len(self.wire))
        line = LINE_BREAK.search(self.wire, start, end)
        stop = line.start() if line else end
        self.said = start + len(self.wire[start:stop].rstrip(f",{BLANKS}"))
        bar = self.wire.find("|", start, stop)
        act, frame, slots_at = self._head(start, stop, bar)
        if slots_at is not None:
            self._slots(slots_at, stop)
        self._unknown_slots()
        if line:
            words = "An nSLIP message is one line; what follows the line break was not read."
            self.found.append(rules.SEVERAL_LINES.at(Span(stop, end), words))
            self._unreadable(stop, end)
        if act == "REJ" and "!" not in self.slots:
            self.found.append(
                rules.NO_REASON.at(self.fields[0].span, "A reject should say why, in a ! slot.")
            )
        values = {
            "act": act,
            "act_name": ACTS.get(act),
            "frame": frame,
            "frame_name": FRAMES.get(frame or ""),
        }
        given = {key: value for key, value in values.items() if value is not None}
        return Reading(
            {**given, "slots": self.slots}, tuple(self.found), lambda: tuple(self.fields)
        )

    def _head(self, start: int, stop: int, bar: int) -> tuple[str, str | None, int | None]:
        """Act and frame, and where the slots begin; None when nothing behind the codes looks like a
        slot.
        """
        end = stop if bar < 0 else bar
        gap = CODES_END.search(self.wire, start, end) if bar < 0 else None
        codes_end = gap.start() if gap else end
        slash = self.wire.find("/", start, codes_end)
        if slash >= 0:
            act = self._code("act", start, slash, ACTS, rules.UNKNOWN_ACT)
            frame: str | None = self._code(
                "frame", slash + 1, codes_end, FRAMES, rules.UNKNOWN_FRAME
            )
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
        """Act and frame without the / between them: ``REQTSK``."""
        whole = self.wire[start:end]
        cut = next(
            (
                start + n
                for n in range(1, len(whole[:9]))
                if whole[:n] in ACTS and whole[n:] in FRAMES
            ),
            None,
        )
        words = f"{quote(whole)} has no / between act and frame."
        fix = Fix(Span(cut, cut), "/", safe=True) if cut else None
        self.found.append(rules.MISSING_SLASH.at(Span(start, end), words, fix))
        act = self._code("act", start, cut or end, ACTS, rules.UNKNOWN_ACT)
        return act, self._code("frame", cut, end, FRAMES, rules.UNKNOWN_FRAME) if cut else None

    def _missing_bar(self, start: int, at: int, end: int, *, sure: bool) -> int | None:
        gap = SLOTS_BEGIN.match(self.wire, at, end)
        # Where the message ends with its codes, it may have been cut off there.
        safe = gap is not None and KNOWN_SLOT.match(self.wire, gap.end(), end) is not None
        fix = (
            Fix(Span(at, gap.end() if gap else at), "|", safe)
            if sure and (gap or at == end)
            else None
        )
        words = f"{quote(self.wire[start:at])} is not followed by |, where the slots begin."
        self.found.append(rules.MISSING_BAR.at(Span(at, at), words, fix))
        if gap:
            return gap.end()
        self._unreadable(at, end)
        return None

    def _code(self, name: str, start: int, end: int, table: dict[str, str], unknown: Rule) -> str:
        written = self.wire[start:end]
        at = trim(self.wire, start, end)
        code = self.wire[slice(*at)]
        word = table.get(code)
        self.fields.append(Field(name, f"{name}: {word}" if word else name, code, None, at))
        if written not in table:
            near = self._guess(name, code, end)
            meant = f" Did you mean {near.word}?" if near else ""
            what = f"Unknown {name} {quote(written)}." if written else f"There is no {name}."
            words = f"{what} {name.capitalize()}s are {' '.join(table)}.{meant}"
            fix = Fix(Span(start, end), near.word, near.safe) if near else None
            self.found.append(unknown.at(Span(start, end), words, fix))
        return code

    def _guess(self, name: str, code: str, end: int) -> Guess | None:
        """The code that was meant, unless a slot after it speaks for another code."""
        near = SPELLINGS[name].find(code)
        if near is None or near.exact:
            return near
        if (
            self.wire[end : end + 1] == "="
        ):  # "TSKg=42" lacks its |, and "TSKg" is no spelling of TSK
            return None
        if name == "act" and {EVIDENCE[hit[1]] for hit in SPEAKING.finditer(self.wire, end)} - {
            near.word
        }:
            return None
        return near

    def _slots(self, start: int, stop: int) -> None:
        bars = BARS.match(self.wire, start, stop)
        if bars:
            words = "Only one | stands between the frame and the slots."
            fix = Fix(Span(*bars.span()), "", safe=bars.end() < stop)
            self.found.append(rules.EXTRA_BAR.at(Span(*bars.span()), words, fix))
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
        self.found.append(
            self.too_many.at(
                Span(start, stop), f"After {FIELD_LIMIT:,} fields the rest was not read."
            )
        )
        self._unreadable(start, stop)

    def _extra_bar(self, at: Span, stop: int) -> bool:
        """Report a | among the slots. True when it ends them."""
        ends = not self.wire[at.end : stop].strip(BLANKS)
        number = self.last in INTEGERS  # which can hold no |
        fix = None
        if KNOWN_SLOT.match(self.wire, at.end, stop):
            fix = Fix(at, ",", safe=number)
        elif ends and number:
            fix = Fix(at, "")  # a suggestion: the message may have been cut off here
        elif self.last and not number and not ends:
            fix = Fix(at, "%7C" * (at.end - at.start))
        words = "Only one | may stand in a message; in a value it is written %7C."
        self.found.append(rules.EXTRA_BAR.at(at, words, fix))
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
            self.found.append(
                rules.BLANK.at(Span(*blank.span()), "A blank stands inside a value; use _ instead.")
            )
        if not name:
            words = f"{quote(self.wire[start:end])} has no name before =."
            self.found.append(rules.NO_NAME.at(Span(start, end), words))
            self._unreadable(start, end)
            return
        field = Field(name, LABELS.get(name, "unknown slot"), text, name_at, value_at)
        self.fields.append(field)
        if name in self.slots:
            words = f"Slot {quote(name)} stands more than once; the last one counts."
            self.found.append(rules.REPEATED_SLOT.at(name_at, words))
        self.slots[name] = self._integer(field) if name in INTEGERS else text
        if name not in SLOTS:
            self.unknown.append(field)
        elif name in ("@", "!") and not text:
            self.found.append(rules.EMPTY_TEXT.at(Span(start, end), f"The {SLOTS[name]} is empty."))
        elif name == "s" and text not in STATUSES:
            words = f"Status {quote(text)} is not one of {', '.join(STATUSES)}."
            self.found.append(rules.UNKNOWN_STATUS.at(value_at, words))

    def _unknown_slots(self) -> None:
        """Teams may add slots, so another name for one is a suggestion; of two for the same slot
        there is none.
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
            words = f"Unknown slot {quote(field.name)}. Slots are {' '.join(SLOTS)}.{meant}"
            alone = slot is not None and wanted[slot] == 1 and slot not in self.slots
            fix = (
                Fix(field.name_span, slot)
                if slot and alone and _may_hold(slot, field.value)
                else None
            )
            self.found.append(rules.UNKNOWN_SLOT.at(field.name_span, words, fix))

    def _without_equals(self, start: int, end: int) -> None:
        """A slot that is no pair. An empty one may go with the comma before it, or at the beginning
        behind it.

        At the end of the message that is a suggestion only: it may have been cut off behind the
        comma.
        """
        self.last = ""
        text = self.wire[slice(*trim(self.wire, start, end))]
        drop = None
        if not text and self.wire[start - 1] == ",":
            drop = Span(start - 1, end)
        elif not text and self.wire[end : end + 1] == ",":
            drop = Span(start, end + 1)
        words = f"{quote(text)} has no =." if text else "An empty slot."
        fix = Fix(drop, "", safe=end < self.said) if drop else None
        self.found.append(
            rules.NO_EQUALS.at(Span(start, end), f"{words} A slot is written name=value.", fix)
        )
        self._unreadable(start, end)

    def _integer(self, field: Field) -> int | str:
        low, high = INTEGERS[field.name]
        text = field.value
        label = capitalize_first(field.label)
        if not DIGITS.fullmatch(text):
            words = f"{label} must be an integer, {low} to {high:,}; found {quote(text)}."
            self.found.append(rules.NOT_INTEGER.at(field.span, words))
            return text
        plain = text.lstrip("0") or "0"
        if plain != text:
            words = f"{quote(text)} is written with leading zeros."
            self.found.append(
                rules.LEADING_ZERO.at(field.span, words, Fix(field.span, plain, safe=True))
            )
        number = int(plain) if len(plain) <= 16 else INTEGER_LIMIT + 1
        if not low <= number <= high:
            words = f"{label} must be {low} to {high:,}; found {shorten(text)}."
            self.found.append(rules.OUT_OF_RANGE.at(field.span, words))
        return number if number <= INTEGER_LIMIT else text

    def _blanks(self, start: int, end: int, inner: Span) -> None:
        for at in (Span(start, inner.start), Span(inner.end, end)):
            if at.start < at.end:
                self.found.append(
                    rules.BLANK.at(at, "A blank stands among the slots.", Fix(at, "", safe=True))
                )

    def _unreadable(self, start: int, end: int) -> None:
        if start < end:
            self.fields.append(
                Field("", "unreadable", self.wire[start:end], None, Span(start, end))
            )


def _may_hold(slot: str, text: str) -> bool:
    """True when ``text`` under the name ``slot`` is no error."""
    if slot not in INTEGERS:
        return True
    low, high = INTEGERS[slot]
    return DIGITS.fullmatch(text) is not None and len(text) <= 16 and low <= int(text) <= high
