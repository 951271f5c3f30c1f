"""Read SLIP v3 part by part, past every error.

    message = "SLIP" SP "v3" SP src SP dst SP Force SP Object *(SP payload)

Parts are identified by position, so a missing part would shift all that follow. The Force is the
anchor: it is one of twelve words, and when it comes too early, the missing part was before it.
"""

import re
from itertools import islice, pairwise

from cablese.codec import FIELD_LIMIT
from cablese.message import Field, Fix, Span
from cablese.protocols.line_reader import LineReader
from cablese.protocols.slip import remarks
from cablese.protocols.slip.rules import RULES
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
from cablese.text import BLANKS, both, either, quote, trim

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
ANY_VERSION = re.compile(r"[vV][0-9][0-9.]*")
BEGINS_AS_VERSION = re.compile(r"[vV]?[0-9]")
GLUED = re.compile(r"[Ss][Ll][Ii][Pp][vV]3")
SPELLING = Spelling(FORCES)
NAMES = {"force": "Force", "obj": "Object", "fallback_ref": "Ref"}
"""What reports call a part."""
WORDS = {
    "src": ("bad-agent", AGENT_LIMIT),
    "dst": ("bad-agent", AGENT_LIMIT),
    "obj": ("bad-object", TOKEN_LIMIT),
    "fallback_ref": ("bad-ref", REF_LIMIT),
}
"""The rule for a part of letters or digits, and its greatest length."""


class Reader(LineReader):
    """Hold the tokens of one message, and the next one to read."""

    rules = RULES
    single_line = "A SLIP message must be a single line. Text after the line break was not read."

    def _read_line(self) -> None:
        self.stop = trim(self.wire, self.at, self.stop).end
        self.next = 0
        self.tokens = [
            Span(*match.span())
            for match in islice(TOKEN.finditer(self.wire, self.at, self.stop), FIELD_LIMIT)
        ]
        for part, following in pairwise(self.tokens):
            gap = Span(part.end, following.start)
            if self.wire[slice(*gap)] != " ":
                self.diagnostics.append(remarks.gap(gap))
        self._prefix()
        self._parts()
        self._payload()
        if "obj" in self.values:
            at = next(field.span for field in self.fields if field.name == "obj")
            self.diagnostics += remarks.pair(self.values, at)
        if self.tokens[-1].end < self.stop:
            self._report_rest(Span(self.tokens[-1].end, self.stop), parts="parts")

    def _prefix(self) -> None:
        """Read ``SLIP v3``, misspelled or with one of the two missing."""
        first = self._text(0)
        at = self.tokens[0]
        if GLUED.fullmatch(first):
            self._report(
                "bad-prefix",
                at,
                f"{quote(first)} must be two words: SLIP v3.",
                Fix(at, f"{PREFIX} {VERSION}", safe=True),
            )
            self.next = 1
            self._add("version", VERSION, Span(at.end - 2, at.end), Span(at.start, at.end - 2))
            return
        name = None
        if first.upper() == PREFIX:
            name, self.next = at, 1
            if first != PREFIX:
                self._report(
                    "bad-prefix",
                    at,
                    f"{quote(first)} must be uppercase. Did you mean SLIP?",
                    Fix(at, PREFIX, safe=True),
                )
        elif ANY_VERSION.fullmatch(first):
            before = Span(at.start, at.start)
            self._report(
                "bad-prefix",
                before,
                f"Missing SLIP before {quote(first)}.",
                Fix(before, f"{PREFIX} "),
            )
        else:
            self._report(
                "bad-prefix", at, f"Unexpected {quote(first)}. A SLIP message must start with SLIP."
            )
            self._unreadable(at)
            self.next = 1
        self._version(name)

    def _version(self, name: Span | None) -> None:
        text = self._text(self.next)
        if not ANY_VERSION.fullmatch(text) and not self._is_force(self.next + 3):
            start = self.tokens[self.next].start if text else self.stop
            at = Span(start, start)
            if name is not None:
                self.fields.append(
                    Field("version", LABELS["version"], "", name, Span(name.end, name.end))
                )
            if text:
                # "SLIP v3planner" has its version; adding one would rename the agent.
                alone = name is not None and not BEGINS_AS_VERSION.match(text)
                fix = Fix(at, f"{VERSION} ") if alone and self._is_force(self.next + 2) else None
                self._report(
                    "missing-part", at, f"Missing version before {quote(text)}. Expected v3.", fix
                )
            return
        at = self._take("version", name)
        if text != VERSION:
            same = text.lower() == VERSION
            near = same or text == VERSION[1:]
            meant = " Did you mean v3?" if near else ""
            self._report(
                "unsupported-version",
                at,
                f"Unsupported version {quote(text)}. The message was read as v3.{meant}",
                Fix(at, VERSION, safe=same) if near else None,
            )

    def _parts(self) -> None:
        """Read src, dst, Force, and Object."""
        ended = [] if "version" in self.values or self.next < len(self.tokens) else ["version"]
        missing = self._missing_agents()
        if missing:
            force = self.next + 2 - len(missing)
            start = self.tokens[force].start
            self._report(
                "missing-part",
                Span(start, start),
                f"Missing {both(missing)} before the Force {quote(self._text(force))}.",
            )
        for name in ("src", "dst", "force", "obj"):
            if name in missing or name in self.values:
                continue
            if self.next == len(self.tokens):
                ended.append(NAMES.get(name, name))
            elif name == "force":
                self._force()
            else:
                self._word(name)
        if ended:
            self._report(
                "missing-part",
                Span(self.stop, self.stop),
                f"Missing {both(ended)} at the end of the message.",
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
            # Earlier versions write one word, and without its agents the word could be anything.
            sure = (
                self.values.get("version", "").lower() == VERSION
                and {"src", "dst"} <= self.values.keys()
            )
            self._report(
                "joined",
                at,
                f"{quote(text)} joins a Force and an Object. Expected {joined[1]} {joined[2]}.",
                Fix(cut, " ", safe=sure),
            )
            self._add("force", joined[1], Span(at.start, cut.start), None)
            self._add("obj", joined[2], Span(cut.start, at.end), None)
            self.next += 1
            return
        self._take("force")
        if text not in FORCES:
            near = SPELLING.find(text)
            meant = f" Did you mean {near.word}?" if near else ""
            fits = near and (
                near.word != "Fallback" or _fault(self._text(self.next + 1), REF_LIMIT) is None
            )
            # A Fallback makes a ref of what was read as payload, and what ends the message may be
            # its Object.
            sure = near is not None and near.word != "Fallback" and self.next < len(self.tokens)
            safe = near is not None and near.safe and sure
            fix = Fix(at, near.word, safe) if near and fits else None
            self._report(
                "unknown-force",
                at,
                f"Unknown Force {quote(text)}. Expected {either(FORCES)}.{meant}",
                fix,
            )

    def _payload(self) -> None:
        first = self.next
        if self.values.get("force") == "Fallback" and "obj" in self.values:
            if self.next < len(self.tokens):
                self._word("fallback_ref")
            else:
                self._report(
                    "fallback-without-ref",
                    Span(self.stop, self.stop),
                    "A Fallback must have the ref of the full text after its Object.",
                )
        ref = self.values.pop("fallback_ref", None)
        self.values["payload"] = [self._text(n) for n in range(self.next, len(self.tokens))]
        if ref is not None:
            self.values["fallback_ref"] = ref
        for at in self.tokens[self.next :]:
            text = self.wire[slice(*at)]
            self.fields.append(Field("payload", LABELS["payload"], text, None, at))
            fault = _fault(text, TOKEN_LIMIT)
            if fault:
                self._report(
                    "bad-payload",
                    at,
                    f"Payload token {quote(text)} {fault}. Expected 1 to {TOKEN_LIMIT} letters or "
                    "digits.",
                )
        if len(self.tokens) - first > PAYLOAD_LIMIT:
            beyond = Span(self.tokens[first + PAYLOAD_LIMIT].start, self.stop)
            self._report(
                "too-many-tokens",
                beyond,
                f"The payload is longer than the limit of {PAYLOAD_LIMIT} tokens.",
            )

    def _word(self, name: str) -> None:
        """Read a part of letters or digits."""
        code, limit = WORDS[name]
        at = self._take(name)
        text = self.wire[slice(*at)]
        fault = _fault(text, limit)
        if fault:
            description = f"{NAMES.get(name, name)} {quote(text)}"
            self._report(
                code, at, f"{description} {fault}. Expected 1 to {limit} letters or digits."
            )

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


def _fault(text: str, most: int) -> str | None:
    """Return why ``text`` is not 1 to ``most`` letters or digits; None when it is."""
    word = WORD.match(text)
    if word is None or word.end() < len(text):
        at = 0 if word is None else word.end()
        return f"contains {quote(text[at : at + 1])}"
    return f"has {len(text):,} characters" if len(text) > most else None
