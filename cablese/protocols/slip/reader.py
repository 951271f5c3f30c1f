"""Read SLIP v3 part by part, past every error.

    message = "SLIP" SP "v3" SP src SP dst SP Force SP Object *(SP payload)

Parts are identified by position, so a missing part would shift all that follow. The Force is the
anchor: it is one of twelve words, and when it comes too early, the missing part was before it.
"""

import re
from itertools import islice, pairwise
from typing import Any

from cablese.codec import FIELD_LIMIT, Reading
from cablese.message import Diagnostic, Field, Fix, Rule, Span
from cablese.protocols.slip import remarks, rules
from cablese.protocols.slip.vocabulary import (  # fmt: skip
    AGENT_LIMIT,
    FORCES,
    JOINED,
    PAYLOAD_LIMIT,
    PREFIX,
    REF_LIMIT,
    TOKEN_LIMIT,
    VERSION,
    WORD,
)
from cablese.spelling import Spelling
from cablese.text import BLANKS, both, either, quote

LABELS = {
    "version": "version",
    "src": "sender",
    "dst": "recipient",
    "force": "Force (speech act)",
    "obj": "Object (topic)",
    "fallback_ref": "reference to the full text",
    "payload": "payload token",
}
TOKEN = re.compile(rf"[^{BLANKS}]+")
LINE_BREAK = re.compile(r"[\r\n]")
ANY_VERSION = re.compile(r"[vV][0-9][0-9.]*")
BEGINS_AS_VERSION = re.compile(r"[vV]?[0-9]")
GLUED = re.compile(r"[Ss][Ll][Ii][Pp][vV]3")
SPELLING = Spelling(FORCES)


class Reader:
    """Hold the tokens of one message, the next one to read, and everything found so far."""

    def __init__(self, wire: str, too_many: Rule) -> None:
        self.wire = wire
        self.too_many = too_many
        self.fields: list[Field] = []
        self.found: list[Diagnostic] = []
        self.values: dict[str, Any] = {}
        self.tokens: list[Span] = []
        self.next = 0
        self.stop = 0

    def read(self) -> Reading:
        start = len(self.wire) - len(self.wire.lstrip(BLANKS))
        end = len(self.wire.rstrip(BLANKS))
        line = LINE_BREAK.search(self.wire, start, end)
        self.stop = (
            end if line is None else start + len(self.wire[start : line.start()].rstrip(BLANKS))
        )
        self.tokens = [
            Span(*hit.span())
            for hit in islice(TOKEN.finditer(self.wire, start, self.stop), FIELD_LIMIT)
        ]
        self._blanks()
        self._prefix()
        self._parts()
        self._payload()
        self._pair()
        if self.tokens and self.tokens[-1].end < self.stop:
            self._rest(self.tokens[-1].end)
        if line is not None:
            words = "A SLIP message must be a single line. Text after the line break was not read."
            self.found.append(rules.SEVERAL_LINES.at(Span(line.start(), end), words))
            self._unreadable(Span(line.start(), end))
        return Reading(self.values, tuple(self.found), lambda: tuple(self.fields))

    def _blanks(self) -> None:
        for one, other in pairwise(self.tokens):
            gap = Span(one.end, other.start)
            if self.wire[slice(*gap)] != " ":
                self.found.append(remarks.gap(gap))

    def _prefix(self) -> None:
        """Read ``SLIP v3``, misspelled or with one of the two missing."""
        first = self._text(0)
        at = self.tokens[0]
        if GLUED.fullmatch(first):
            words = f"{quote(first)} must be two words: SLIP v3."
            self.found.append(
                rules.BAD_PREFIX.at(at, words, Fix(at, f"{PREFIX} {VERSION}", safe=True))
            )
            self.next = 1
            self._add("version", VERSION, Span(at.end - 2, at.end), Span(at.start, at.end - 2))
            return
        name = None
        if first.upper() == PREFIX:
            name, self.next = at, 1
            if first != PREFIX:
                words = f"{quote(first)} must be uppercase. Did you mean SLIP?"
                self.found.append(rules.BAD_PREFIX.at(at, words, Fix(at, PREFIX, safe=True)))
        elif ANY_VERSION.fullmatch(first):
            before = Span(at.start, at.start)
            self.found.append(
                rules.BAD_PREFIX.at(
                    before, f"Missing SLIP before {quote(first)}.", Fix(before, f"{PREFIX} ")
                )
            )
        else:
            self.found.append(
                rules.BAD_PREFIX.at(
                    at, f"Unexpected {quote(first)}. A SLIP message must start with SLIP."
                )
            )
            self._unreadable(at)
            self.next = 1
        self._version(name)

    def _version(self, name: Span | None) -> None:
        text = self._text(self.next)
        if not ANY_VERSION.fullmatch(text) and not self._is_force(self.next + 3):
            at = self._here()
            if name is not None:
                self.fields.append(
                    Field("version", LABELS["version"], "", name, Span(name.end, name.end))
                )
            if text:
                # "SLIP v3planner" has its version; adding one would rename the agent.
                alone = name is not None and not BEGINS_AS_VERSION.match(text)
                fix = Fix(at, f"{VERSION} ") if alone and self._is_force(self.next + 2) else None
                self.found.append(
                    rules.MISSING.at(at, f"Missing version before {quote(text)}. Expected v3.", fix)
                )
            return
        at = self._take("version", name)
        if text != VERSION:
            same = text.lower() == VERSION
            near = same or text == VERSION[1:]
            meant = " Did you mean v3?" if near else ""
            words = f"Unsupported version {quote(text)}. The message was read as v3.{meant}"
            self.found.append(
                rules.UNSUPPORTED.at(at, words, Fix(at, VERSION, safe=same) if near else None)
            )

    def _parts(self) -> None:
        """Read src, dst, Force, and Object."""
        ended = [] if "version" in self.values or self.next < len(self.tokens) else ["version"]
        missing = self._missing_agents()
        if missing:
            force = self.next + 2 - len(missing)
            words = f"Missing {both(missing)} before the Force {quote(self._text(force))}."
            start = self.tokens[force].start
            self.found.append(rules.MISSING.at(Span(start, start), words))
        for name in ("src", "dst"):
            if name in missing:
                continue
            if self.next < len(self.tokens):
                self._word(
                    name,
                    AGENT_LIMIT,
                    rules.BAD_AGENT,
                    f"Expected 1 to {AGENT_LIMIT} letters or digits",
                )
            else:
                ended.append(name)
        if self.next < len(self.tokens):
            self._force()
        else:
            ended.append("Force")
        if "obj" not in self.values:
            if self.next < len(self.tokens):
                self._word(
                    "obj",
                    TOKEN_LIMIT,
                    rules.BAD_OBJECT,
                    f"Expected 1 to {TOKEN_LIMIT} letters or digits",
                )
            else:
                ended.append("Object")
        if ended:
            self.found.append(
                rules.MISSING.at(
                    Span(self.stop, self.stop), f"Missing {both(ended)} at the end of the message."
                )
            )

    def _missing_agents(self) -> tuple[str, ...]:
        for shift, names in enumerate(((), ("dst",), ("src", "dst"))):
            if self._is_force(self.next + 2 - shift):
                return names
        return ()

    def _force(self) -> None:
        text, at = self._text(self.next), self.tokens[self.next]
        joined = JOINED.fullmatch(text)
        if joined is not None:
            cut = Span(at.start + joined.end(1), at.start + joined.end(1))
            words = f"{quote(text)} joins a Force and an Object. Expected {joined[1]} {joined[2]}."
            # Earlier versions write one word, and without its agents the word could be anything.
            sure = (
                self.values.get("version", "").lower() == VERSION
                and {"src", "dst"} <= self.values.keys()
            )
            self.found.append(rules.JOINED_WORDS.at(at, words, Fix(cut, " ", safe=sure)))
            self._add("force", joined[1], Span(at.start, cut.start), None)
            self._add("obj", joined[2], Span(cut.start, at.end), None)
            self.next += 1
            return
        self._take("force")
        if text not in FORCES:
            near = SPELLING.find(text)
            meant = f" Did you mean {near.word}?" if near else ""
            words = f"Unknown Force {quote(text)}. Expected {either(FORCES)}.{meant}"
            fits = near and (
                near.word != "Fallback" or _fault(self._text(self.next + 1), REF_LIMIT) is None
            )
            # A Fallback makes a ref of what was read as payload, and what ends the message may be
            # its Object.
            sure = near is not None and near.word != "Fallback" and self.next < len(self.tokens)
            safe = near is not None and near.safe and sure
            fix = Fix(at, near.word, safe) if near and fits else None
            self.found.append(rules.UNKNOWN_FORCE.at(at, words, fix))

    def _payload(self) -> None:
        first = self.next
        if self.values.get("force") == "Fallback" and "obj" in self.values:
            if self.next < len(self.tokens):
                self._word(
                    "fallback_ref",
                    REF_LIMIT,
                    rules.BAD_REF,
                    f"Expected 1 to {REF_LIMIT} letters or digits",
                )
            else:
                words = "A Fallback must have the ref of the full text after its Object."
                self.found.append(rules.NO_REF.at(Span(self.stop, self.stop), words))
        ref = self.values.pop("fallback_ref", None)
        self.values["payload"] = [self._text(n) for n in range(self.next, len(self.tokens))]
        if ref is not None:
            self.values["fallback_ref"] = ref
        for at in self.tokens[self.next :]:
            text = self.wire[slice(*at)]
            self.fields.append(Field("payload", LABELS["payload"], text, None, at))
            fault = _fault(text, TOKEN_LIMIT)
            if fault:
                words = (
                    f"Payload token {quote(text)} {fault}. Expected 1 to {TOKEN_LIMIT} letters or "
                    "digits."
                )
                self.found.append(rules.BAD_PAYLOAD.at(at, words))
        if len(self.tokens) - first > PAYLOAD_LIMIT:
            beyond = Span(self.tokens[first + PAYLOAD_LIMIT].start, self.stop)
            self.found.append(
                rules.LONG_PAYLOAD.at(
                    beyond, f"The payload is longer than the limit of {PAYLOAD_LIMIT} tokens."
                )
            )

    def _pair(self) -> None:
        if "obj" in self.values:
            at = next(field.span for field in self.fields if field.name == "obj")
            self.found += remarks.pair(self.values, at)

    def _word(self, name: str, most: int, rule: Rule, expected: str) -> None:
        at = self._take(name)
        text = self.wire[slice(*at)]
        fault = _fault(text, most)
        if fault:
            what = {"obj": "Object", "fallback_ref": "Ref"}.get(name, name)
            self.found.append(rule.at(at, f"{what} {quote(text)} {fault}. {expected}."))

    def _take(self, name: str, name_span: Span | None = None) -> Span:
        at = self.tokens[self.next]
        self._add(name, self._text(self.next), at, name_span)
        self.next += 1
        return at

    def _add(self, name: str, text: str, at: Span, name_span: Span | None) -> None:
        self.fields.append(Field(name, LABELS[name], text, name_span, at))
        self.values[name] = text

    def _text(self, index: int) -> str:
        return self.wire[slice(*self.tokens[index])] if index < len(self.tokens) else ""

    def _is_force(self, index: int) -> bool:
        text = self._text(index)
        return text in FORCES or JOINED.fullmatch(text) is not None

    def _here(self) -> Span:
        at = self.tokens[self.next].start if self.next < len(self.tokens) else self.stop
        return Span(at, at)

    def _rest(self, start: int) -> None:
        rest = Span(start, self.stop)
        self.found.append(
            self.too_many.at(
                rest, f"The message has more than {FIELD_LIMIT:,} parts. The rest was not read."
            )
        )
        self._unreadable(rest)

    def _unreadable(self, at: Span) -> None:
        self.fields.append(Field("", "unreadable", self.wire[slice(*at)], None, at))


def nearest(text: str) -> str | None:
    """Return the Force that ``text`` probably misspells."""
    near = SPELLING.find(text)
    return near.word if near else None


def _fault(text: str, most: int) -> str | None:
    """Return why ``text`` is not 1 to ``most`` letters or digits; None when it is."""
    word = WORD.match(text)
    if word is None or word.end() < len(text):
        at = 0 if word is None else word.end()
        return f"contains {quote(text[at : at + 1])}"
    return f"has {len(text):,} characters" if len(text) > most else None
