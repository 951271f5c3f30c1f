"""What is wrong with an AACP message whose fields were read."""

import re
from collections import Counter

from cablese.codec import FIELD_LIMIT, LINE_LIMIT, in_order
from cablese.message import Diagnostic, Fix, Rule, Span
from cablese.protocols.line_reader import LineReader
from cablese.spelling import Spelling
from cablese.text import either, quote

from .rules import RULES
from .tables import (
    DEFAULT_PRIORITY,
    DOMS,
    KEYS,
    LATER_DRAFTS,
    POSITIONS,
    PRIORITIES,
    TASKS,
    VERSION,
)

LIST_LIMIT = 4
RECEIVER = "the agent or role that gets the result."
LABELS = {"task": "task", "dom": "domain"} | {name: key.label for name, key in KEYS.items()}
PRIVATE = re.compile("x-[a-z0-9]+-[a-z0-9_-]+")  # x-<org>-<name>, section 12
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|urn:", re.IGNORECASE)
CODES = {
    "task": (TASKS, Spelling(TASKS, {word: code for code, word in TASKS.items()})),
    "dom": (DOMS, Spelling(DOMS, {word: code for code, word in DOMS.items()}, is_open=True)),
}
LISTED = {name: either(known) for name, (known, _) in CODES.items()}
KEY_SPELLING = Spelling(KEYS, {key.full: name for name, key in KEYS.items()}, is_open=True)
PRIORITY_WORDS = {word: number for number, word in PRIORITIES.items()}


Part = tuple[str, str, int, int, int, int]
"""A field as a tuple: key, value, start and end of the key (-1 without one), start and end of the
value.
"""


class Checks(LineReader):
    """The fields of a message, and what is said about them."""

    rules = RULES

    def __init__(self, wire: str, too_many: Rule) -> None:
        super().__init__(wire, too_many)
        self.parts: list[Part] = []
        self.named: dict[str, Part] = {}
        """The last part of each key, among parts read one by one."""
        self.unknown: list[Part] = []
        """The named parts with a key that the draft does not define."""
        self.meant: dict[str, str | None] = {}
        """The defined key that each of their keys may misspell."""
        self.bars = wire.count("|")

    def remark(self, values: dict[str, str], unknown: list[str]) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of a one-line packet without spaces to trim or duplicates.
        ``unknown`` are its keys that the draft does not define.
        """
        self.values, self.stop = values, len(self.wire)
        task, dom = values["task"], values["dom"]
        if task not in TASKS:
            self._check_code("task", Span(0, len(task)), task)
        if dom not in DOMS:
            start = len(task) + 1
            self._check_code("dom", Span(start, start + len(dom)), dom)
        self.unknown = [self._place(key) for key in unknown]
        self._check(is_whole=True)
        return in_order(tuple(self.diagnostics))

    def _check(self, *, is_whole: bool) -> None:
        """Check all fields, and if the packet ``is_whole`` also which are missing."""
        for key, *_ in self.unknown:
            near = None if PRIVATE.fullmatch(key) else KEY_SPELLING.find(key)
            self.meant[key] = near.word if near else None
        if is_whole:
            self._check_required()
            self._check_companions()
        self._check_keys()
        self._advise()

    def _check_code(self, name: str, at: Span, value: str) -> None:
        _, spelling = CODES[name]
        other = POSITIONS[1 - POSITIONS.index(name)]
        swapped = f" {value} is a {LABELS[other]}." if value in CODES[other][0] else ""
        near = spelling.find(value)
        meant = f" Did you mean {near.word}?" if near else swapped
        self._report(
            f"unknown-{name}",
            at,
            f"Unknown {LABELS[name]} {quote(value)}. Expected {LISTED[name]}.{meant}",
            Fix(at, near.word, near.safe) if near else None,
        )

    def _check_required(self) -> None:
        """Make the checks of section 7 that every validator MUST make, and the two it SHOULD make
        on the same fields.
        """
        end = Span(self.stop, self.stop)
        if self.wire.find("|", 0, self.stop) < 0:
            self._report(
                "missing-dom",
                end,
                f"Missing DOM, the second field. Expected {LISTED['dom']}.",
            )
        if "return" not in self.values:
            message = f"Missing return field. Expected return: and {RECEIVER}"
            self._report("missing-return", end, message)
        elif not self.values["return"]:
            message = f"Empty return field. Expected {RECEIVER}"
            self._report("missing-return", self._span("return"), message)
        if "p" not in self.values:
            self._report(
                "missing-priority",
                end,
                "Missing p field. The priority defaults to 2 (medium). Expected p:1 (critical), "
                "p:2 (medium), or p:3 (low).",
                self._addition("p", DEFAULT_PRIORITY),
            )
        else:
            self._check_priority(self.values["p"])
        if "aacp" not in self.values:
            self._report(
                "missing-version",
                end,
                f"Missing aacp field. Expected aacp:{VERSION}.",
                self._addition("aacp", VERSION),
            )
        else:
            self._check_version(self.values["aacp"])

    def _check_priority(self, value: str) -> None:
        if value in PRIORITIES:
            return
        meant = PRIORITY_WORDS.get(value.lower()) or value.lstrip("0")
        sure = meant in PRIORITIES
        expected = "Expected 1 (critical), 2 (medium), or 3 (low)."
        expected += f" Did you mean {meant}?" if sure else ""
        at = self._value("p") if value else self._span("p")
        what = f"Unknown priority {quote(value)}" if value else "Empty priority"
        self._report(
            "unknown-priority",
            at,
            f"{what}. {expected}",
            Fix(at, meant, safe=True) if sure else None,
        )

    def _check_version(self, version: str) -> None:
        if version == VERSION:
            return
        description = f"Version {quote(version)}" if version else "Empty version"
        later = " of a later draft" if version in LATER_DRAFTS else ""
        at = self._value("aacp") if version else self._span("aacp")
        fix = Fix(at, VERSION, safe=True) if version.lower() == f"v{VERSION}" else None
        self._report(
            "other-version",
            at,
            f"{description}{later}. Expected aacp:{VERSION}; the packet was read as {VERSION}.",
            fix,
        )

    def _check_companions(self) -> None:
        if "sentiment" in self.values and "tone" not in self.values:
            self._report(
                "sentiment-without-tone",
                self._span("sentiment"),
                "Missing tone field. The sentiment field needs it so that the recipient knows how "
                "to respond.",
            )
        if "ltv" in self.values and "ccy" not in self.values:
            self._report(
                "ltv-without-ccy",
                self._span("ltv"),
                "Missing ccy field. The ltv field is an amount of money and needs a currency.",
            )

    def _check_keys(self) -> None:
        wanted = Counter(self.meant.values()) if len(self.meant) > 1 else {}
        for key, _, begin, stop, *_ in self.unknown:
            at = Span(begin, stop)
            if PRIVATE.fullmatch(key):
                self._report(
                    "unknown-key",
                    at,
                    f"Private field {quote(key)}. Its meaning is not defined by the draft.",
                )
                continue
            near = self.meant[key]
            meant = f" Did you mean {near}?" if near else ""
            # The draft allows additional keys, so a known name is only a guess, and not made when
            # two keys suggest the same one.
            alone = near not in self.values and wanted.get(near, 1) == 1
            fix = Fix(at, near) if near and alone else None
            self._report(
                "unknown-key", at, f"Unknown key {quote(key)}. Its value is preserved.{meant}", fix
            )

    def _advise(self) -> None:
        values = self.values
        wanted, pointer = values.get("fields"), values.get("data_ptr")
        if wanted is not None:
            names = sum(1 for name in wanted.split(",") if name.strip())
            if names > LIST_LIMIT:
                self._report(
                    "field-list",
                    self._span("fields"),
                    f"The fields list has {names:,} names, which use tokens in every packet. Omit "
                    "it if the recipient has default fields.",
                )
        if pointer is not None and URI.match(pointer):
            self._report(
                "uri-pointer",
                self._span("data_ptr"),
                "The data_ptr field contains a URI, which uses many tokens. Use a short reference "
                "if the recipient can resolve it.",
            )
        if "tone" in values or "sentiment" in values:
            at, first = min(
                (self._span(key), key) for key in ("tone", "sentiment") if key in values
            )
            self._report(
                "tone-needs-content",
                at,
                f"The {first} field conveys little. Send the full English as task content with "
                "the packet.",
            )

    def _addition(self, key: str, value: str) -> Fix | None:
        """Return a fix that adds a field at the end, or None if the field is present under another
        name or the packet would be too long.

        Never safe: what the sender omitted, or what was cut off, could differ.
        """
        if key in self.meant.values():
            return None
        text = f"|{key}:{value}"
        room = len(self.wire) * 4 + len(text) <= LINE_LIMIT and self.bars + 2 < FIELD_LIMIT
        return Fix(Span(self.stop, self.stop), text) if room else None

    def _span(self, key: str) -> Span:
        """Return the span of the last field with that key, including the key."""
        _, _, begin, stop, _, end = self._place(key)
        return Span(begin, max(stop, end))

    def _value(self, key: str) -> Span:
        return Span(*self._place(key)[4:])

    def _place(self, key: str) -> Part:
        """Return the part of a key. A part that was not read by itself has a | before its key and a
        colon after it.
        """
        if key in self.named:
            return self.named[key]
        begin = self.wire.index(f"|{key}:") + 1
        stop = begin + len(key)
        bar = self.wire.find("|", stop, self.stop)
        return key, self.values[key], begin, stop, stop + 1, self.stop if bar < 0 else bar
