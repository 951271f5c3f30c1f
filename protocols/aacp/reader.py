"""The careful reading of a packet, past every error.

    packet = task "|" dom "|" named-fields          section 4
    field  = key ":" value                          section 4.2; the value may hold further colons

A line may break after a ``|``, as the draft prints its own examples. Each part is trimmed.
"""

import re
from collections import Counter
from functools import cached_property

from protocols.blanks import BLANKS, trim
from protocols.codec import FIELD_LIMIT, LINE_LIMIT, Reading
from protocols.message import Diagnostic, Field, Fix, Rule, Span
from protocols.spelling import Spelling
from protocols.words import quote, shorten

from . import rules
from .escape import unescape
from .tables import DEFAULT_PRIORITY, DOMS, KEYS, LATER_DRAFTS, POSITIONS, PRIORITIES, TASKS, VERSION

LIST_LIMIT = 4
LABELS = {"task": "task", "dom": "domain"} | {name: key.label for name, key in KEYS.items()}
PRIVATE = re.compile("x-[a-z0-9]+-[a-z0-9_-]+")  # x-<org>-<name>, section 12
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|urn:", re.IGNORECASE)
BREAK = re.compile("[\r\n]")
LOOSE = re.compile(" [|:]|[|:] ")
OTHER_COLON = re.compile(r"([a-z_]+)([ \t]*=[ \t]*|[ \t]+)(?=[^ \t=])", re.IGNORECASE)
CODES = {
    "task": (TASKS, Spelling(TASKS, {word: code for code, word in TASKS.items()}), rules.UNKNOWN_TASK),
    "dom": (DOMS, Spelling(DOMS, {word: code for code, word in DOMS.items()}, is_open=True), rules.UNKNOWN_DOM),
}
MISSING = {"task": rules.MISSING_TASK, "dom": rules.MISSING_DOM}
KEY_SPELLING = Spelling(KEYS, {key.full: name for name, key in KEYS.items()}, is_open=True)
PRIORITY_WORDS = {word: number for number, word in PRIORITIES.items()}


def is_named(raw: str) -> bool:
    """True for a part that names one of the draft's keys, and so is neither TASK nor DOM wherever it stands."""
    key, colon, _ = raw.partition(":")
    key = key.strip(BLANKS).lower()
    return bool(colon) and (key in KEYS or key in POSITIONS)


class Reader:
    """One careful reading of ``wire``, which is not blank. ``too_many`` is reported after 1,000 fields."""

    def __init__(self, wire: str, too_many: Rule) -> None:
        self.wire = wire
        self.too_many = too_many
        self.fields: list[Field] = []
        self.found: list[Diagnostic] = []
        self.values: dict[str, str] = {}
        self.named: dict[str, Field] = {}
        self.end = 0
        self.bars = wire.count("|")

    def read(self) -> Reading:
        start, self.end = trim(self.wire, 0, len(self.wire))
        if self._at_once(start) or self._parts(start):
            self._check_required()
            self._check_companions()
        self._check_keys()
        self._advise()
        return Reading(self.values, tuple(self.fields), tuple(self.found))

    def _at_once(self, at: int) -> bool:
        """Read a packet with nothing to trim, as nearly every packet is; False when it has to go part by part."""
        packet = self.wire[at : self.end]
        if self.bars >= FIELD_LIMIT or not packet.isprintable() or (" " in packet and LOOSE.search(packet)):
            return False
        values = self.values
        for index, raw in enumerate(packet.split("|")):
            end = at + len(raw)
            key, _, value = raw.partition(":")
            if index < len(POSITIONS) and raw in CODES[POSITIONS[index]][0]:
                name = POSITIONS[index]
                values[name] = raw
                self.fields.append(Field(name, LABELS[name], raw, None, Span(at, end)))
            elif value and key in KEYS and key not in values and index >= len(POSITIONS):
                colon = at + len(key)
                values[key] = value = unescape(value)
                field = self.named[key] = Field(key, LABELS[key], value, Span(at, colon), Span(colon + 1, end))
                self.fields.append(field)
            else:
                self._part(index, Span(at, end))
            at = end + 1
        return True

    def _parts(self, at: int) -> bool:
        """Read part by part; False when the packet has too many to go on."""
        index = 0
        while True:
            if index == FIELD_LIMIT:
                words = f"After {FIELD_LIMIT:,} fields the rest was not read."
                self.found.append(self.too_many.at(Span(at, self.end), words))
                self._unreadable(Span(at, self.end))
                return False
            bar = self.wire.find("|", at, self.end)
            part = trim(self.wire, at, self.end if bar < 0 else bar)
            broken = BREAK.search(self.wire, *part)
            if broken:
                rest, self.end = Span(broken.start(), self.end), broken.start()
                part = trim(self.wire, part.start, self.end)
            self._part(index, part)
            if broken:
                self._next_line(rest)
                return True
            if bar < 0:
                return True
            if part.start < part.end and BREAK.search(self.wire, part.end, bar):
                words = "A packet may be broken over lines after a |, not before it."
                gap = Span(part.end, bar)
                self.found.append(rules.SEVERAL_LINES.at(gap, words, Fix(gap, "", safe=True)))
            at = bar + 1
            index += 1

    def _next_line(self, rest: Span) -> None:
        words = (
            "A packet is one line, or goes on in the next line after a |. What follows this line break was not read."
        )
        self.found.append(rules.SEVERAL_LINES.at(rest, words))
        self._unreadable(trim(self.wire, *rest))

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
        self.fields.append(Field(name, LABELS[name], value, None, part))
        known, spelling, rule = CODES[name]
        if value not in known:
            other = POSITIONS[1 - POSITIONS.index(name)]
            turned = f" {value} is a {LABELS[other]}." if value in CODES[other][0] else ""
            near = spelling.find(value)
            meant = f" Did you mean {near.word}?" if near else turned
            words = f"Unknown {LABELS[name]} {quote(value)}. The draft defines {' '.join(known)}.{meant}"
            self.found.append(rule.at(part, words, Fix(part, near.word, near.safe) if near else None))

    def _missing_position(self, name: str, part: Span, raw: str) -> None:
        key, _, value = raw.partition(":")
        known = " ".join(CODES[name][0])
        where = "first" if name == "task" else "second"
        fix = None
        what = f"{quote(raw)}, a named one" if raw else "empty"
        words = f"There is no {name.upper()}: the {where} field is {what}. Expected one of {known}."
        if raw:
            value = value.strip(BLANKS)
            if key.strip(BLANKS).lower() == name and value and not is_named(value):
                fix = Fix(Span(part.start, part.end - len(value)), "", safe=value in CODES[name][0])
        self.found.append(MISSING[name].at(part, words, fix))
        if raw:
            self._named(part, raw)

    def _empty_slot(self, part: Span) -> None:
        bar = self.wire.rindex("|", 0, part.start)
        last = part.start >= self.end
        words = (
            "The packet ends with a |: either it goes on and was cut off here, or the | is one too many."
            if last
            else "Nothing stands between two |. A field that is not used is left out."
        )
        at = Span(bar, self.end if last else self.wire.index("|", part.start))
        # In a packet that is too long it would only bring one more part into view, with its own faults.
        # At the end, the | may be all that is left of a field.
        fix = Fix(at, "", safe=not last) if self.bars < FIELD_LIMIT else None
        self.found.append(rules.EMPTY_SLOT.at(at, words, fix))

    def _named(self, part: Span, raw: str) -> None:
        colon = raw.find(":")
        if colon < 0:
            self._no_colon(part, raw)
            return
        name_span = trim(self.wire, part.start, part.start + colon)
        span = trim(self.wire, part.start + colon + 1, part.end)
        written = self.wire[slice(*name_span)]
        if not written:
            words = f"{quote(raw)} has no name before its colon. A field is written key:value."
            self.found.append(rules.NO_NAME.at(part, words))
            self._unreadable(part)
            return
        key = written.lower()
        field = Field(key, _label(key), unescape(self.wire[slice(*span)]), name_span, span)
        self.fields.append(field)
        if key != written:
            words = f"Keys are lower case; {quote(written)} is read as {quote(key)}."
            self.found.append(rules.KEY_CASE.at(name_span, words, Fix(name_span, key, safe=True)))
        if key in POSITIONS:
            words = f"{key.upper()} is known by its place, not by a name; this field does not count."
            self.found.append(rules.NAMED_POSITION.at(name_span, words))
            return
        if key in self.values:
            words = f"{quote(key)} stands more than once; the last one counts."
            self.found.append(rules.REPEATED_KEY.at(name_span, words))
            del self.values[key]
        self.values[key] = field.value
        self.named[key] = field

    def _no_colon(self, part: Span, raw: str) -> None:
        other = OTHER_COLON.match(raw)
        fix = None  # never safe: this may be the rest of the value before, whose | was not escaped
        meant = ""
        if other and other[1].lower() in KEYS:
            meant = f" Did you mean {other[1]}:{shorten(raw[other.end() :])}?"
            fix = Fix(Span(part.start + other.start(2), part.start + other.end(2)), ":")
        words = f"{quote(raw)} has no colon. After TASK and DOM every field is written key:value.{meant}"
        self.found.append(rules.NO_COLON.at(part, words, fix))
        self._unreadable(part)

    def _check_required(self) -> None:
        """Section 7: the checks every validator MUST make, and the two it SHOULD make on the same fields."""
        after = Span(self.end, self.end)
        if "|" not in self.wire[: self.end]:
            words = (
                f"There is no DOM: the packet has one field only. Expected TASK|DOM|, with DOM one of {' '.join(DOMS)}."
            )
            self.found.append(rules.MISSING_DOM.at(after, words))
        if "return" not in self.values:
            words = "There is no return: field. Every packet says which agent or role gets the result."
            self.found.append(rules.MISSING_RETURN.at(after, words))
        elif not self.values["return"]:
            words = "return: is empty. It names the agent or role that gets the result."
            self.found.append(rules.MISSING_RETURN.at(_whole(self.named["return"]), words))
        if "p" not in self.values:
            words = "There is no p: field, so the priority is 2 (medium). p is 1 (critical), 2 (medium) or 3 (low)."
            self.found.append(rules.MISSING_PRIORITY.at(after, words, self._addition("p", DEFAULT_PRIORITY)))
        else:
            self._check_priority(self.named["p"])
        if "aacp" not in self.values:
            words = f"There is no aacp: field. Every packet names its version, aacp:{VERSION}."
            self.found.append(rules.MISSING_VERSION.at(after, words, self._addition("aacp", VERSION)))
        else:
            self._check_version(self.named["aacp"])

    def _check_priority(self, field: Field) -> None:
        if field.value in PRIORITIES:
            return
        meant = PRIORITY_WORDS.get(field.value.lower()) or field.value.lstrip("0")
        sure = meant in PRIORITIES
        words = f"Priority is 1 (critical), 2 (medium) or 3 (low); found {quote(field.value)}."
        words += f" Did you mean {meant}?" if sure else ""
        at = field.span if field.value else _whole(field)
        self.found.append(rules.UNKNOWN_PRIORITY.at(at, words, Fix(field.span, meant, safe=True) if sure else None))

    def _check_version(self, field: Field) -> None:
        version = field.value
        if version == VERSION:
            return
        found = f"Version {quote(version)}" if version else "An empty version"
        later = ", a later draft of AACP," if version in LATER_DRAFTS else ""
        words = f"{found}{later} is read by the rules of {VERSION}; expected aacp:{VERSION}."
        fix = Fix(field.span, VERSION, safe=True) if version.lower() == f"v{VERSION}" else None
        self.found.append(rules.OTHER_VERSION.at(field.span if version else _whole(field), words, fix))

    def _check_companions(self) -> None:
        if "sentiment" in self.values and "tone" not in self.values:
            words = "sentiment: stands without tone:, so the receiver does not know how to answer it."
            self.found.append(rules.NO_TONE.at(_whole(self.named["sentiment"]), words))
        if "ltv" in self.values and "ccy" not in self.values:
            words = "ltv: is a sum of money and needs ccy:, its currency."
            self.found.append(rules.NO_CURRENCY.at(_whole(self.named["ltv"]), words))

    def _check_keys(self) -> None:
        wanted = Counter(self._meant.values())
        for field in self._odd:
            assert field.name_span is not None
            if PRIVATE.fullmatch(field.name):
                words = f"{quote(field.name)} is a private field: only those who agreed on it know what it means."
                self.found.append(rules.UNKNOWN_KEY.at(field.name_span, words))
                continue
            near = self._meant[field.name]
            words = f"Unknown key {quote(field.name)}. It is kept, but the draft does not say what it means."
            words += f" Did you mean {near}?" if near else ""
            # The draft lets everybody add keys, so another name is a guess, and of two for one key there is none.
            alone = near not in self.values and wanted[near] == 1
            fix = Fix(field.name_span, near) if near and alone else None
            self.found.append(rules.UNKNOWN_KEY.at(field.name_span, words, fix))

    @cached_property
    def _odd(self) -> list[Field]:
        """The named fields whose key the draft does not define."""
        known = KEYS.keys() | POSITIONS
        return [field for field in self.fields if field.name not in known and field.name_span is not None]

    @cached_property
    def _meant(self) -> dict[str, str | None]:
        """The defined key that each other key may be a misspelling of."""
        found = {field.name: KEY_SPELLING.find(field.name) for field in self._odd}
        return {name: near.word if near else None for name, near in found.items()}

    def _advise(self) -> None:
        wanted, pointer = self.named.get("fields"), self.named.get("data_ptr")
        if wanted is not None:
            names = sum(1 for name in wanted.value.split(",") if name.strip())
            if names > LIST_LIMIT:
                words = (
                    f"fields: lists {names:,} names, and each costs tokens in every packet (the marked text). "
                    "Leave the list out where the receiving agent has default fields."
                )
                self.found.append(rules.FIELD_LIST.at(_whole(wanted), words))
        if pointer is not None and URI.match(pointer.value):
            words = (
                "data_ptr: holds a URI, which costs many tokens (the marked text). "
                "Use a short reference where the receiving agent can resolve it."
            )
            self.found.append(rules.URI_POINTER.at(_whole(pointer), words))
        felt = [self.named[key] for key in ("tone", "sentiment") if key in self.named]
        if felt:
            first = min(felt, key=lambda field: field.span)
            words = f"{first.name}: compresses poorly. Pass the full English as task content beside the packet."
            self.found.append(rules.TONE_ALONE.at(_whole(first), words))

    def _addition(self, key: str, value: str) -> Fix | None:
        """A field added at the end, unless it is there under another name or would make the packet too long.

        Never safe: what the sender left out, or what was cut off, could say something else.
        """
        if key in self._meant.values():
            return None
        text = f"|{key}:{value}"
        room = len(self.wire) * 4 + len(text) <= LINE_LIMIT and self.bars + 2 < FIELD_LIMIT
        return Fix(Span(self.end, self.end), text) if room else None

    def _unreadable(self, at: Span) -> None:
        if at.start < at.end:
            self.fields.append(Field("", "unreadable", self.wire[slice(*at)], None, at))


def _whole(field: Field) -> Span:
    assert field.name_span is not None
    return Span(field.name_span.start, max(field.name_span.end, field.span.end))


def _label(key: str) -> str:
    return LABELS.get(key) or ("private field" if PRIVATE.fullmatch(key) else "unknown key")
