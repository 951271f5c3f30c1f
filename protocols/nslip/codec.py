"""nSLIP 1: a speech act about a frame, with slots.

    message = act "/" frame "|" [slot *("," slot)]        "Message Structure"
    slot    = name "=" value                              the value may hold further "="

The source's tables "Speech Acts", "Frame Types" and "Standard Slots" are the tables below. PROTOCOLS rules what the
source leaves open: ``,`` ``|`` ``%`` and line breaks in a value are percent codes, and only those are decoded.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from protocols.codec import BLANKS, FIELD_LIMIT, INTEGER_LIMIT, Codec, Reading, Sniff, Unencodable
from protocols.meaning import Act, Meaning
from protocols.message import Diagnostic, Field, Fix, Message, Piece, Rule, Span

ACTS = {
    "REQ": "REQUEST", "PRO": "PROPOSE", "INF": "INFORM", "EVL": "EVAL",
    "ACC": "ACCEPT", "REJ": "REJECT", "QRY": "QUERY", "CFM": "CONFIRM",
}  # fmt: skip
FRAMES = {
    "TSK": "TASK", "PLN": "PLAN", "OBS": "OBSERVATION", "EVL": "EVALUATION",
    "RSC": "RESOURCE", "CST": "CONSTRAINT", "ERR": "ERROR",
}  # fmt: skip
SLOTS = {
    "g": "goal", "t": "task", "r": "result", "p": "priority", "s": "status", "sc": "score", "@": "tag", "!": "reason",
}  # fmt: skip
INTEGERS = {"g": (0, INTEGER_LIMIT), "t": (0, INTEGER_LIMIT), "r": (0, INTEGER_LIMIT), "p": (1, 3), "sc": (0, 10)}
STATUSES = ("done", "in_progress", "blocked", "waiting", "partial", "failed")
PRIORITIES = {1: "high", 2: "medium", 3: "low"}
MEANT: dict[str, Act] = {
    "REQ": "request", "PRO": "propose", "INF": "inform", "EVL": "evaluate",
    "ACC": "accept", "REJ": "reject", "QRY": "query", "CFM": "confirm",
}  # fmt: skip

UNKNOWN_ACT = Rule("nslip.unknown-act", "error", "Speech Acts", "NSLIP-13", "The act is not one of the eight.")
UNKNOWN_FRAME = Rule("nslip.unknown-frame", "error", "Frame Types", "NSLIP-13", "The frame is not one of the seven.")
MISSING_BAR = Rule(
    "nslip.missing-bar", "error", "Message Structure", "NSLIP-14", "No | stands between the frame and the slots."
)
EXTRA_BAR = Rule("nslip.extra-bar", "error", "Message Structure", "NSLIP-14", "A second | stands in the message.")
MISSING_SLASH = Rule(
    "nslip.missing-slash", "error", "Message Structure", "NSLIP-14", "No / stands between act and frame."
)
SEVERAL_LINES = Rule("nslip.several-lines", "error", "Message Structure", "NSLIP-14", "A message is one line.")
NO_EQUALS = Rule("nslip.slot-without-equals", "error", "Message Structure", "NSLIP-14", "A slot has no =.")
NO_NAME = Rule("nslip.slot-without-name", "error", "Message Structure", "NSLIP-14", "A slot has no name.")
NOT_INTEGER = Rule(
    "nslip.not-an-integer", "error", "Standard Slots", "NSLIP-09", "An integer slot holds something else."
)
OUT_OF_RANGE = Rule(
    "nslip.out-of-range", "error", "Standard Slots", "NSLIP-07", "An integer lies outside its slot's range."
)
LEADING_ZERO = Rule(
    "nslip.leading-zero", "warning", "Standard Slots", "NSLIP-09", "An integer is written with leading zeros."
)
UNKNOWN_SLOT = Rule("nslip.unknown-slot", "warning", "Standard Slots", "NSLIP-13", "The slot is not one of the eight.")
REPEATED_SLOT = Rule(
    "nslip.repeated-slot", "warning", "Standard Slots", "NSLIP-06", "A slot stands more than once; the last one counts."
)
BLANK = Rule("nslip.blank", "warning", "Message Structure", "NSLIP-01", "A blank stands among the slots.")
EMPTY_TEXT = Rule("nslip.empty-text", "warning", "Standard Slots", "NSLIP-11", "A tag or a reason is empty.")
NO_REASON = Rule("nslip.reject-without-reason", "warning", "Standard Slots", "NSLIP-12", "A reject gives no reason.")
UNKNOWN_STATUS = Rule(
    "nslip.unknown-status", "info", "Standard Slots", "NSLIP-10", "The status is not one of the usual words."
)

HEAD = re.compile(
    rf"({'|'.join(ACTS)})/({'|'.join(FRAMES)})\|([!-$&-{{}}~]*)"
)  # a plain body: no blank, %, | or non-ASCII
LOOKS = re.compile(rf"[{BLANKS}]*([A-Za-z]{{2,10}})/([A-Za-z]{{2,11}})(?=\|)")
SLOT = re.compile(rf"\|[{BLANKS}]*(?:g|t|r|p|s|sc|@|!)[{BLANKS}]*=")
BARLESS = re.compile(rf"[{BLANKS}]*(?:{'|'.join(ACTS)})/(?:{'|'.join(FRAMES)})(?![\w/])")
SLASHLESS = re.compile(rf"[{BLANKS}]*(?:{'|'.join(ACTS)})(?:{'|'.join(FRAMES)})\|")
CODE = re.compile(r"%(2C|7C|25|0A|0D)", re.IGNORECASE)
ESCAPED = re.compile(r"[,|\r\n]|%(?=2C|7C|25|0A|0D)", re.IGNORECASE)
DIGITS = re.compile(r"[0-9]+")
PLAIN_INTEGER = re.compile(r"0|[1-9][0-9]{0,14}")
SPLIT = re.compile(r"[,|]")


class Nslip(Codec):
    name = "nslip"
    title = "nSLIP"
    summary = "Speech acts about tasks and plans, with goal, task and a tag for people."
    dialects = ("nslip/1",)
    form = "line"
    anchor = re.compile(
        rf"(?<![\w/|])(?:[A-Za-z]{{2,10}}/[A-Za-z]{{2,11}}\||(?:{'|'.join(ACTS)})/?(?:{'|'.join(FRAMES)})(?![\w/]))"
    )
    separators = "/|,=" + BLANKS
    labels = {
        "act": "act", "frame": "frame", "g": "goal id", "t": "task id", "r": "result id", "p": "priority",
        "s": "status", "sc": "score", "@": "tag, for people only", "!": "reason",
    }  # fmt: skip
    rules = (
        UNKNOWN_ACT, UNKNOWN_FRAME, MISSING_BAR, EXTRA_BAR, MISSING_SLASH, SEVERAL_LINES, NO_EQUALS, NO_NAME,
        NOT_INTEGER, OUT_OF_RANGE, LEADING_ZERO, UNKNOWN_SLOT, REPEATED_SLOT, BLANK, EMPTY_TEXT, NO_REASON,
        UNKNOWN_STATUS,
    )  # fmt: skip

    def sniff(self, wire: str) -> Sniff | None:
        if HEAD.match(wire):
            return Sniff(1.0, ("an act and a frame of nSLIP, then |",))
        looks = LOOKS.match(wire)
        if looks is not None:
            return _resemblance(looks, wire)
        if BARLESS.match(wire):
            return Sniff(0.6, ("an act and a frame of nSLIP, but no |",))
        if SLASHLESS.match(wire):
            return Sniff(0.6, ("an act and a frame of nSLIP, but no / between them",))
        return None

    def glance(self, wire: str, dialect: str | None) -> Message | None:
        head = HEAD.fullmatch(wire)
        if head is None:
            return None
        act, frame, body = head.groups()
        slots: dict[str, Any] = {}
        for slot in body.split(",") if body else ():
            name, _, value = slot.partition("=")
            if name in slots:
                return None
            if name in INTEGERS:
                if PLAIN_INTEGER.fullmatch(value) is None:
                    return None
                low, high = INTEGERS[name]
                slots[name] = number = int(value)
                if not low <= number <= high:
                    return None
            elif value and (name in ("@", "!") or (name == "s" and value in STATUSES)):
                slots[name] = value
            else:
                return None
        if act == "REJ" and "!" not in slots:
            return None
        values = {"act": act, "act_name": ACTS[act], "frame": frame, "frame_name": FRAMES[frame], "slots": slots}
        return Message("nslip", "nslip/1", wire, values, (), _scan)

    def read(self, wire: str, dialect: str | None) -> Reading:
        return _Reader(wire).read()

    def canonical(self, message: Message) -> str | None:
        # A plain body holds nothing to escape and, without a diagnostic, no integer to shorten: it is canonical.
        if not message.diagnostics and HEAD.fullmatch(message.wire):
            return message.wire
        return super().canonical(message)

    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        for key in ("act", "frame"):
            if not isinstance(values.get(key), str) or not re.fullmatch(r"[A-Za-z0-9_]+", values[key]):
                raise Unencodable(f"/{key}", f'"{key}" must be a code such as {"REQ" if key == "act" else "TSK"}.')
        slots = values.get("slots", {})
        if not isinstance(slots, dict):
            raise Unencodable("/slots", '"slots" must be an object.')
        written = ",".join(f"{_slot_name(name)}={_slot_value(name, value)}" for name, value in slots.items())
        return f"{values['act']}/{values['frame']}|{written}"

    def meaning(self, message: Message) -> Meaning:
        values = message.values
        slots = values.get("slots", {})
        goal, task = _text(slots.get("g")), _text(slots.get("t"))
        return Meaning(
            act=MEANT.get(values.get("act", ""), "data"),
            topic=values.get("frame"),
            goal=goal,
            task=task,
            thread=None if goal is None else goal if task is None else f"{goal}/{task}",
            tags=(slots["@"],) if slots.get("@") else (),
            priority=_number(slots.get("p")),
            status=_text(slots.get("s")),
            score=_number(slots.get("sc")),
            reason=_text(slots.get("!")),
            result=_text(slots.get("r")),
        )

    def plain(self, message: Message) -> object:
        values = message.values
        full = {
            "act": values.get("act_name") or values.get("act"),
            "frame": values.get("frame_name") or values.get("frame"),
        }
        full.update((SLOTS.get(name, name), value) for name, value in values.get("slots", {}).items())
        return full

    def describe(self, message: Message) -> tuple[Piece, ...]:
        return tuple(_describe(message.values))


class _Reader:
    """One careful reading: everything found so far, and the place in the wire."""

    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.fields: list[Field] = []
        self.found: list[Diagnostic] = []
        self.slots: dict[str, Any] = {}

    def read(self) -> Reading:
        start = len(self.wire) - len(self.wire.lstrip(BLANKS))
        end = len(self.wire.rstrip(BLANKS))
        line = re.compile(r"[\r\n]").search(self.wire, start, end)
        if line:
            self.found.append(
                SEVERAL_LINES.at(
                    Span(line.start(), end), "An nSLIP message is one line; what follows the line break was not read."
                )
            )
        stop = line.start() if line else end
        bar = self.wire.find("|", start, stop)
        act, frame = self._head(start, stop if bar < 0 else bar, has_bar=bar >= 0)
        if bar >= 0:
            self._slots(bar + 1, stop)
        if line and line.start() < end:
            self._unreadable(line.start(), end)
        values: dict[str, Any] = {"act": act, "frame": frame, "slots": self.slots}
        if act in ACTS:
            values["act_name"] = ACTS[act]
        if frame in FRAMES:
            values["frame_name"] = FRAMES[frame]
        if act == "REJ" and "!" not in self.slots:
            self.found.append(NO_REASON.at(self.fields[0].span, "A reject should say why, in a ! slot."))
        order = ("act", "act_name", "frame", "frame_name", "slots")
        return Reading(
            {key: values[key] for key in order if values.get(key) is not None}, tuple(self.fields), tuple(self.found)
        )

    def _head(self, start: int, end: int, *, has_bar: bool) -> tuple[str, str | None]:
        slash = self.wire.find("/", start, end)
        gap = re.compile(rf"[{BLANKS},=]").search(self.wire, start, end)
        codes_end = end if has_bar or gap is None else gap.start()
        if slash < 0 or slash > codes_end:
            slash = -1
        frame = None
        if slash >= 0:
            act = self._code("act", start, slash, ACTS, UNKNOWN_ACT)
            frame = self._code("frame", slash + 1, codes_end, FRAMES, UNKNOWN_FRAME)
        else:
            act, frame = self._joined(start, codes_end)
        if not has_bar:
            self._missing_bar(start, codes_end, end, sure=act in ACTS and frame in FRAMES)
        return act, frame

    def _joined(self, start: int, end: int) -> tuple[str, str | None]:
        """Act and frame without the / between them: ``REQTSK``."""
        whole = self.wire[start:end]
        cut = next((start + n for n in range(1, len(whole[:9])) if whole[:n] in ACTS and whole[n:] in FRAMES), None)
        words = f"{_quoted(whole)} has no / between act and frame."
        self.found.append(MISSING_SLASH.at(Span(start, end), words, Fix(Span(cut, cut), "/") if cut else None))
        if cut:
            return self._code("act", start, cut, ACTS, UNKNOWN_ACT), self._code(
                "frame", cut, end, FRAMES, UNKNOWN_FRAME
            )
        return self._code("act", start, end, ACTS, UNKNOWN_ACT), None

    def _missing_bar(self, start: int, at: int, end: int, *, sure: bool) -> None:
        gap = re.compile(rf"[{BLANKS},]*(?=(?:[a-z]{{1,2}}|[@!])=)").match(self.wire, at, end)
        fix = Fix(Span(at, gap.end() if gap else at), "|") if sure and (gap or at == end) else None
        words = f"{_quoted(self.wire[start:at])} is not followed by |, where the slots begin."
        self.found.append(MISSING_BAR.at(Span(at, at), words, fix))
        self._unreadable(at, end)

    def _code(self, name: str, start: int, end: int, table: dict[str, str], unknown: Rule) -> str:
        code = self.wire[start:end]
        at = _trimmed(self.wire, start, end)
        word = table.get(code.strip(BLANKS))
        self.fields.append(Field(name, f"{name}: {word}" if word else name, code.strip(BLANKS), None, at))
        if code not in table:
            near = _nearest(code, table)
            meant = f" Did you mean {near}?" if near else ""
            what = f"Unknown {name} {_quoted(code)}." if code else f"There is no {name}."
            words = f"{what} {name.capitalize()}s are {' '.join(table)}.{meant}"
            self.found.append(unknown.at(Span(start, end), words, Fix(Span(start, end), near) if near else None))
        return code.strip(BLANKS)

    def _slots(self, start: int, stop: int) -> None:
        if not self.wire[start:stop].strip(BLANKS):
            return
        while True:
            cut = SPLIT.search(self.wire, start, stop)
            end = cut.start() if cut else stop
            self._slot(start, end)
            if cut is None:
                return
            if cut[0] == "|":
                known = re.compile(rf"[{BLANKS}]*({'|'.join(map(re.escape, SLOTS))})=").match(
                    self.wire, cut.end(), stop
                )
                fix = Fix(Span(*cut.span()), "," if known else "%7C")
                self.found.append(
                    EXTRA_BAR.at(
                        Span(*cut.span()), "Only one | may stand in a message; in a value it is written %7C.", fix
                    )
                )
            start = cut.end()
            if len(self.fields) >= FIELD_LIMIT:
                self.found.append(
                    codec.too_many.at(Span(start, stop), f"After {FIELD_LIMIT:,} fields the rest was not read.")
                )
                self._unreadable(start, stop)
                return

    def _slot(self, start: int, end: int) -> None:
        equals = self.wire.find("=", start, end)
        if equals < 0:
            at = Span(start, end)
            drop = not self.wire[start:end].strip(BLANKS) and self.wire[start - 1] == ","
            fix = Fix(Span(start - 1, end), "") if drop else None
            what = (
                _quoted(self.wire[start:end].strip(BLANKS)) + " has no =."
                if self.wire[start:end].strip(BLANKS)
                else "An empty slot."
            )
            self.found.append(NO_EQUALS.at(at, f"{what} A slot is written name=value.", fix))
            self._unreadable(start, end)
            return
        name_at = _trimmed(self.wire, start, equals)
        value_at = _trimmed(self.wire, equals + 1, end)
        name, raw = self.wire[slice(*name_at)], self.wire[slice(*value_at)]
        text = CODE.sub(lambda code: chr(int(code[1], 16)), raw) if "%" in raw else raw
        field = Field(name, codec.labels.get(name, "unknown slot"), text, name_at, value_at)
        self._blanks(start, equals, name_at)
        self._blanks(equals + 1, end, value_at)
        for blank in re.compile(f"[{BLANKS}]+").finditer(self.wire, *value_at):
            self.found.append(BLANK.at(Span(*blank.span()), "A blank stands inside a value; use _ instead."))
        if not name:
            self.found.append(NO_NAME.at(Span(start, end), f"{_quoted(self.wire[start:end])} has no name before =."))
            self._unreadable(start, end)
            return
        self.fields.append(field)
        if name in self.slots:
            self.found.append(REPEATED_SLOT.at(name_at, f"Slot {name} stands more than once; the last one counts."))
        self.slots[name] = self._value(field) if name in INTEGERS else text
        if name not in SLOTS:
            near = _nearest(name, SLOTS) if len(name) > 2 else None
            words = f"Unknown slot {_quoted(name)}. Slots are {' '.join(SLOTS)}." + (
                f" Did you mean {near}?" if near else ""
            )
            self.found.append(UNKNOWN_SLOT.at(name_at, words))
        elif name in ("@", "!") and not text:
            self.found.append(EMPTY_TEXT.at(Span(start, end), f"The {SLOTS[name]} is empty."))
        elif name == "s" and text not in STATUSES:
            self.found.append(
                UNKNOWN_STATUS.at(value_at, f"Status {_quoted(text)} is not one of {', '.join(STATUSES)}.")
            )

    def _value(self, field: Field) -> int | str:
        low, high = INTEGERS[field.name]
        text = field.value
        if not DIGITS.fullmatch(text):
            words = f"{_sentence(field.label)} must be an integer, {low} to {high:,}; found {_quoted(text)}."
            self.found.append(NOT_INTEGER.at(field.span, words))
            return text
        plain = text.lstrip("0") or "0"
        if plain != text:
            self.found.append(
                LEADING_ZERO.at(field.span, f"{_quoted(text)} is written with leading zeros.", Fix(field.span, plain))
            )
        number = int(plain) if len(plain) <= 16 else INTEGER_LIMIT + 1
        if not low <= number <= high:
            self.found.append(
                OUT_OF_RANGE.at(field.span, f"{_sentence(field.label)} must be {low} to {high:,}; found {text[:40]}.")
            )
        return number if number <= INTEGER_LIMIT else text

    def _blanks(self, start: int, end: int, inner: Span) -> None:
        for at in (Span(start, inner.start), Span(inner.end, end)):
            if at.start < at.end:
                self.found.append(BLANK.at(at, "A blank stands among the slots.", Fix(at, "")))

    def _unreadable(self, start: int, end: int) -> None:
        if start < end:
            self.fields.append(Field("", "unreadable", self.wire[start:end], None, Span(start, end)))


def _resemblance(looks: re.Match[str], wire: str) -> Sniff | None:
    known = (looks[1].upper() in ACTS) + (looks[2].upper() in FRAMES)
    slots = SLOT.match(wire, looks.end()) is not None
    if not (known or slots):
        return None
    reasons = ["two codes with / between them, then |"]
    if known:
        reasons.append(f"{'both are codes' if known == 2 else 'one is a code'} of nSLIP")
    if slots:
        reasons.append("a slot of nSLIP follows")
    return Sniff((0.3, 0.7, 0.9)[known] + (0.08 if slots else 0), tuple(reasons))


def _scan(wire: str) -> tuple[Field, ...]:
    return _Reader(wire).read().fields


def _trimmed(wire: str, start: int, end: int) -> Span:
    text = wire[start:end]
    inner = text.strip(BLANKS)
    if not inner:
        return Span(start, start)
    lead = len(text) - len(text.lstrip(BLANKS))
    return Span(start + lead, start + lead + len(inner))


def _nearest(code: str, table: dict[str, str]) -> str | None:
    upper = code.strip(BLANKS).upper()
    if upper in table:
        return upper
    lower = code.strip(BLANKS).lower()
    by_word = {word.lower(): short for short, word in table.items()}
    if lower in by_word:
        return by_word[lower]
    turned = [short for short in table if sorted(short) == sorted(upper)]
    near = turned or get_close_matches(upper[:40], table, 1, 0.6)
    return near[0] if near and len(upper) > 1 else None


def _slot_name(name: object) -> str:
    if not isinstance(name, str) or not name or name != name.strip(BLANKS) or re.search(r"[=,|\r\n]", name):
        raise Unencodable(f"/slots/{name}", "A slot's name is not empty and holds no = , | or line break.")
    return name


def _slot_value(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Unencodable(f"/slots/{name}", "A slot's value is text or an integer.")
    text = str(value)
    if text != text.strip(BLANKS):
        raise Unencodable(f"/slots/{name}", "A slot's value cannot begin or end with a blank.")
    return ESCAPED.sub(lambda hit: f"%{ord(hit[0]):02X}", text)


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _quoted(text: str) -> str:
    return f'"{text[:40]}…"' if len(text) > 40 else f'"{text}"'


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]


VERBS = {
    "REQ": "Requests", "PRO": "Proposes", "INF": "Reports", "EVL": "Evaluates",
    "ACC": "Accepts", "REJ": "Rejects", "QRY": "Asks about", "CFM": "Confirms",
}  # fmt: skip
NOUNS = {
    "TSK": "task", "PLN": "plan", "OBS": "observation", "EVL": "evaluation",
    "RSC": "resource", "CST": "constraint", "ERR": "error",
}  # fmt: skip
FIRST_MENTION = ("REQ", "PRO", "INF")


def _describe(values: dict[str, Any]) -> Iterator[Piece]:
    if not values:
        yield Piece("Nothing could be read.")
        return
    act, frame, slots = values.get("act", ""), values.get("frame", ""), values.get("slots", {})
    yield Piece(VERBS.get(act, f"Says {_quoted(act)} about"), "act")
    yield Piece(" ")
    about_task = frame == "TSK" or (act == "EVL" and frame == "EVL")
    if not (about_task and "t" in slots):
        noun = NOUNS.get(frame) or (_quoted(frame) if frame else "thing")
        article = ("an" if noun[0] in "aeiou" else "a") if act in FIRST_MENTION else "the"
        yield Piece(f"{article} {noun}", "frame" if "frame" in values else None)
        if "t" in slots or "g" in slots:
            yield Piece(" for ")
    if "t" in slots:
        yield Piece(f"task {slots['t']}", "t")
    if "g" in slots:
        yield Piece(" of " if "t" in slots else "")
        yield Piece(f"goal {slots['g']}", "g")
    details = {
        "p": f"{PRIORITIES.get(slots.get('p'), slots.get('p'))} priority",
        "r": f"result {slots.get('r')}",
        "s": f"status {slots.get('s')}",
        "sc": f"score {slots.get('sc')} of 10",
        "!": f"because: {slots.get('!')}",
    }
    for name, words in details.items():
        if name in slots:
            yield Piece(", ")
            yield Piece(words, name)
    yield Piece(".")
    if slots.get("@"):
        yield Piece(" Note for people: ")
        yield Piece(str(slots["@"]), "@")
        yield Piece(".")
    for name, value in slots.items():
        if name not in SLOTS:
            yield Piece(" ")
            yield Piece(f"{name} is {value}", name)
            yield Piece(".")


codec = Nslip()
