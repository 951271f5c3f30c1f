"""Read T-line part by part, past every error.

    message = "T|" id "|" kind "|" pair *(";" pair)        "Protocol frame + semantics"
    pair    = key "=" value                                "Payload contract"

A missing part is recognized by what is in its place: a pair has a =, a kind is one of five letters.
In the payload an extra | is read as ; before a key and =, and otherwise as part of the value.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from cablese.codec import FIELD_LIMIT
from cablese.message import Field, Fix, Span
from cablese.protocols.line_reader import DIGITS
from cablese.protocols.tline.codes import EncodedText
from cablese.protocols.tline.escape import unescape
from cablese.protocols.tline.vocabulary import (
    ID_LIMIT,
    KEY,
    KEYDEF,
    KEYS,
    KINDS,
    ONCE,
    ROLLOVER,
    ROLLOVER_IDS,
)
from cablese.spelling import Guess, Spelling
from cablese.text import BLANKS, both, either, quote, trim

LABELS = {"id": "message ID", "kind": "message kind", **KEYS}
BARS = re.compile(r"\|+")
PAIR = re.compile(r"[A-Za-z_][A-Za-z0-9_]*[ \t]*=")
CUT = re.compile(r";|\|(?=[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*=)")
COLON = re.compile(r"([a-z][a-z0-9_]*)(:)[^ \t\v\f;|=:%]+")
ONLY_ONCE = re.compile(rf"(?<![^;|])[ \t]*({'|'.join(ONCE)})[ \t]*[=:]", re.IGNORECASE)
ANY_KEY = re.compile(r"(?<![^;|])[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*=")
DEFINITION = re.compile(r"([a-z][a-z0-9_]*):[^\r\n]+")
SPELLING = Spelling(KINDS, {word: letter for letter, word in KINDS.items()})
ASKED = {"Q": "question"}
LIMITS = f"1 to {ID_LIMIT}"


class Reader(EncodedText):
    """Hold the position in one message, whether a part follows, and everything found so far."""

    single_line = "A T-line message must be a single line. Text after the line break was not read."

    def _read_line(self) -> None:
        if self.wire[self.stop - 1] in BLANKS:  # before a line break
            self.stop = trim(self.wire, self.at, self.stop).end
        self.defined: set[str] = set()
        self.undeclared: list[Field] = []
        name = self._prefix()
        ended = [
            part
            for part, is_present in (("id", self._id(name)), ("kind", self._kind()))
            if not is_present
        ]
        if self.more:
            self._payload()
        else:
            self._report(
                "missing-part",
                Span(self.stop, self.stop),
                f"Missing {both([*ended, 'payload'])}. Expected T|id|kind|key=value.",
            )
        for field in self.undeclared:
            if field.name not in self.defined:
                assert field.name_span is not None
                self._report(
                    "undeclared-key",
                    field.name_span,
                    f"Custom key {quote(field.name)}. Expected a keydef in an earlier S message.",
                )

    def _prefix(self) -> Span | None:
        """Read the T and return its span."""
        part = self._part()
        at = self._trimmed(part)
        text, following = self.wire[slice(*at)], self._following(part)
        if text in ("T", "t"):
            if text == "t":
                self._report("missing-t", at, "T must be uppercase.", Fix(at, "T", safe=True))
            self._pass(part)
            return at
        before = Span(at.start, at.start)
        integer = DIGITS.fullmatch(text)
        if integer or PAIR.match(text) or (text in KINDS and not DIGITS.fullmatch(following)):
            self._report(
                "missing-t",
                before,
                f"Missing T| before {quote(text)}.",
                Fix(before, "T|") if integer else None,
            )
            return None
        if not text:
            self._report("missing-t", before, "Missing T before the first |.", Fix(before, "T"))
        else:
            fix = Fix(at, "T") if DIGITS.fullmatch(following) else None
            self._report(
                "missing-t",
                at,
                f"Unexpected {quote(text)}. A T-line message must start with T|.",
                fix,
            )
            self._unreadable(at)
        self._pass(part)
        return None

    def _id(self, name: Span | None) -> bool:
        part = self._part()
        text = self.wire[slice(*part)].strip(BLANKS)
        is_kind = text in KINDS and self._following(part) not in KINDS
        if not self.more or is_kind or PAIR.match(text):
            if name is not None:
                self.fields.append(Field("id", LABELS["id"], "", name, Span(name.end, name.end)))
            return self._absent("id", text)
        at = self._take("id", name)
        text = self.wire[slice(*at)]
        self.values["id"] = self._integer(text, at, "The ID", 1, ID_LIMIT, LIMITS, "id-")
        return True

    def _kind(self) -> bool:
        text = self.wire[slice(*self._part())].strip(BLANKS)
        if not self.more or PAIR.match(text):
            return self._absent("kind", text)
        at = self._take("kind", None)
        kind = self.values["kind"] = self.wire[slice(*at)]
        if kind not in KINDS:
            near = _guess(kind)
            problem = f"Unknown kind {quote(kind)}." if kind else "Missing kind."
            known = either(f"{letter} ({word})" for letter, word in KINDS.items())
            fix = Fix(at, near.word, near.safe) if near else None
            self._report(
                "unknown-kind",
                at,
                f"{problem} Expected {known}." + (f" Did you mean {near.word}?" if near else ""),
                fix,
            )
        return True

    def _absent(self, name: str, instead: str) -> bool:
        """Report a missing part. Return False if the message ended before it."""
        if not self.more:
            return False
        self._report(
            "missing-part", Span(self.at, self.at), f"Missing {name} before {quote(instead)}."
        )
        return True

    def _payload(self) -> None:
        payload = self.values["payload"] = {}
        start, stop = self.at, self.stop
        bars = BARS.match(self.wire, start, stop)
        if bars:
            fix = Fix(Span(*bars.span()), "", safe=not self._hollow) if self._headed else None
            self._report(
                "extra-bar", Span(*bars.span()), "Expected only one | before the payload.", fix
            )
            start = bars.end()
        if not self.wire[start:stop].strip(BLANKS):
            self._report("empty-payload", Span(start, stop), "Empty payload. Expected key=value.")
            return
        several = False
        for count, at in enumerate(self._pieces(start, stop)):
            if count >= FIELD_LIMIT or len(self.fields) >= FIELD_LIMIT:
                self._report_rest(Span(at.start, stop))
                return
            if self.wire[slice(*at)].strip(BLANKS):
                self._pair(at, payload)
                several = True
            else:
                self._empty_pair(at, leading=not several)

    def _pieces(self, start: int, stop: int) -> Iterator[Span]:
        for cut in CUT.finditer(self.wire, start, stop):
            if cut[0] == "|":
                bar = Span(*cut.span())
                self._report(
                    "extra-bar",
                    bar,
                    "A message must contain only three |. Separate pairs with ;.",
                    Fix(bar, ";"),
                )
            yield Span(start, cut.start())
            start = cut.end()
        yield Span(start, stop)

    def _empty_pair(self, at: Span, *, leading: bool) -> None:
        """Report an empty pair. The fix removes the separator before it, or the one after."""
        drop = Span(at.start, at.end + 1) if leading else Span(at.start - 1, at.end)
        unsafe = self._hollow or (
            leading and (not self._headed or self.wire.startswith("|", drop.end))
        )
        # At the end of the message, the ; may be the start of a pair that was cut off.
        fix = None if unsafe else Fix(drop, "", safe=at.end < self._content_end)
        self._report("empty-pair", at, "Empty pair. Expected key=value.", fix)

    def _pair(self, at: Span, payload: dict[str, Any]) -> None:
        equals = self.wire.find("=", *at)
        if equals < 0:
            self._without_equals(at)
            return
        name_at = self._trimmed(Span(at.start, equals))
        value_at = Span(equals + 1, at.end)
        key, raw = self.wire[slice(*name_at)], self.wire[slice(*value_at)]
        if not key:
            self._report(
                "bad-key",
                Span(at.start, equals + 1),
                f"Missing key before = in {quote(self.wire[slice(*at)])}.",
            )
            self._unreadable(at)
            return
        value = unescape(raw)
        field = Field(key, KEYS.get(key, "custom key"), value, name_at, value_at)
        self.fields.append(field)
        self._key(field, payload)
        self._encoding(field, raw)
        if not raw:
            self._report("empty-value", Span(name_at.start, at.end), f"{key} has no value.")
        if key == KEYDEF:
            self._keydef(field, raw)
            payload.setdefault(KEYDEF, []).append(value)
        else:
            payload.pop(key, None)
            payload[key] = value
        if key == ROLLOVER:
            self._rollover(Span(name_at.start, at.end))

    def _without_equals(self, at: Span) -> None:
        piece = self.wire[slice(*at)]
        colon = COLON.fullmatch(self.wire, *at)
        fix = None
        if colon is not None and colon[1] != KEYDEF and self._free(colon[1]):
            fix = Fix(Span(*colon.span(2)), "=")
        self._report(
            "pair-without-equals",
            at,
            f"Missing = in {quote(piece.strip())}. Expected key=value. Write %3B for ; in a value.",
            fix,
        )
        self._unreadable(at)

    def _key(self, field: Field, payload: dict[str, Any]) -> None:
        key, at = field.name, field.name_span
        assert at is not None
        if not KEY.fullmatch(key):
            low = key.lower()
            free = self._keys[low] <= 1 and self._free(low)
            fix = Fix(at, low, safe=self._headed) if KEY.fullmatch(low) and free else None
            meant = f" Did you mean {low}?" if fix else ""
            self._report(
                "bad-key",
                at,
                f"Invalid key {quote(key)}. Expected a lowercase letter, then lowercase letters, "
                f"digits, or _.{meant}",
                fix,
            )
        elif key not in KEYS and key not in payload:
            self.undeclared.append(field)
        if key not in payload or key == KEYDEF:
            return
        if key in ONCE:
            self._report(
                "repeated-core-key",
                at,
                f"Duplicate key {key}. A message must have at most one {KEYS[key]}.",
            )
        else:
            self._report("repeated-key", at, f"Duplicate key {quote(key)}. The last value is used.")

    def _keydef(self, field: Field, raw: str) -> None:
        definition = DEFINITION.fullmatch(raw)
        if definition:
            self.defined.add(definition[1])
        elif raw:
            self._report(
                "keydef-form",
                field.span,
                f"Invalid keydef {quote(field.value)}. Expected <key>:<meaning>.",
            )
        key, colon, _ = field.value.partition(":")
        if colon and key in KEYS:
            self._report(
                "core-keydef",
                field.span,
                f"A keydef must not redefine the core key {key} ({KEYS[key]}). The definition is "
                "ignored.",
            )
        if self.values.get("kind") in KINDS and self.values["kind"] != "S":
            assert field.name_span is not None
            self._report(
                "keydef-outside-state",
                Span(field.name_span.start, field.span.end),
                f"Unexpected keydef in kind {self.values['kind']}. Expected it in the "
                "conversation’s first S message.",
            )

    def _rollover(self, at: Span) -> None:
        number, kind = self.values.get("id"), self.values.get("kind")
        if kind in KINDS and kind != "S":
            self._report(
                "rollover-outside-state",
                at,
                f"Unexpected rollover in kind {kind}. Expected it in an S message.",
            )
        if isinstance(number, int) and number <= ID_LIMIT - ROLLOVER_IDS:
            self._report(
                "early-rollover",
                at,
                f"Unexpected rollover at ID {number}. IDs restart at 1 only after {ID_LIMIT}.",
            )

    @cached_property
    def _hollow(self) -> bool:
        """Return True when the payload is only separators, so that none can be removed."""
        return not self.wire[self.at : self.stop].strip(BLANKS + ";|")

    @cached_property
    def _content_end(self) -> int:
        """Return where the payload ends, without trailing separators."""
        return self.at + len(self.wire[self.at : self.stop].rstrip(BLANKS + ";|"))

    @cached_property
    def _keys(self) -> Counter[str]:
        """Return how often each key occurs in the payload, in lowercase."""
        return Counter(
            match[1].lower() for match in ANY_KEY.finditer(self.wire, self.at, self.stop)
        )

    @cached_property
    def _once(self) -> Counter[str]:
        return Counter(
            match[1].lower() for match in ONLY_ONCE.finditer(self.wire, self.at, self.stop)
        )

    def _free(self, key: str) -> bool:
        """Return True when this key can be used without duplicating a key that must be unique."""
        return key not in ONCE or self._once[key] <= 1

    def _part(self) -> Span:
        bar = self.wire.find("|", self.at, self.stop)
        return Span(self.at, self.stop if bar < 0 else bar)

    def _following(self, part: Span) -> str:
        """Return the text of the part after ``part``."""
        start = min(part.end + 1, self.stop)
        bar = self.wire.find("|", start, self.stop)
        return self.wire[start : self.stop if bar < 0 else bar].strip(BLANKS)

    def _take(self, name: str, name_span: Span | None) -> Span:
        part = self._part()
        at = self._trimmed(part)
        self.fields.append(Field(name, LABELS[name], self.wire[slice(*at)], name_span, at))
        self._pass(part)
        return at


def _guess(kind: str) -> Guess | None:
    """Return the kind that was probably meant: a letter, its word, or the start of one."""
    near = SPELLING.find(kind)
    if near is not None:
        return near
    letter = kind[:1].upper()
    known = KINDS.get(letter, ""), ASKED.get(letter, "")
    begins = len(kind) > 1 and any(word.startswith(kind.lower()) for word in known)
    return Guess(letter, safe=False) if begins else None
