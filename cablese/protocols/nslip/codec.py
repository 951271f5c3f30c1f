"""nSLIP 1: a speech act about a frame, with slots: ``REQ/TSK|g=42,t=1,p=2,@=auth_refactor``.

docs/design/protocols.md decides what is open: codes are case-sensitive, and ``,`` ``|`` ``%`` and
line breaks in a value are percent-encoded; only those are decoded.
"""

import re
from collections.abc import Container, Iterable, Sequence
from typing import Any

from cablese.codec import INTEGER_LIMIT, Codec, Reading, Sniff, Unencodable
from cablese.conversation.model import Course, Turn
from cablese.json import pointer
from cablese.meaning import Meaning
from cablese.message import Field, Message, Span
from cablese.outcome import Outcome, judge
from cablese.protocols.line_reader import DIGITS
from cablese.text import BLANKS

from . import english, express, flow, reference, rules
from .escape import escape
from .reader import Reader
from .vocabulary import ACTS, FRAMES, INTEGERS, LABELS, MEANT, SLOTS, STATUSES

ACT, FRAME = (f"(?:{'|'.join(codes)})" for codes in (ACTS, FRAMES))
HEAD = re.compile(
    rf"({ACT})/({FRAME})\|([!-$&-{{}}~]*)"
)  # a plain body: no space, %, |, or non-ASCII
LOOKS = re.compile(rf"[{BLANKS}]*([A-Za-z]{{0,10}})[ \t]?/[ \t]?([A-Za-z]{{0,11}})[ \t]?(?=\|)")
BEGINS = rf"{ACT}/{FRAME}\|[a-z@!]{{1,2}}="
SURE = re.compile(rf"{BEGINS}|{ACT}/{FRAME}\|[{BLANKS}]*\Z")
FITTING = re.compile(
    rf"[|,][{BLANKS}]*(?:(?:g|t|r|p|sc)[{BLANKS}]*=[{BLANKS}]*[0-9]"
    rf"|[s@!][{BLANKS}]*=[{BLANKS}]*[^{BLANKS},|])"
)
SLOT = re.compile(rf"[|,][{BLANKS}]*(?:{'|'.join(map(re.escape, SLOTS))})[{BLANKS}]*=")
# Codes without |, at the end or before a slot. In prose, REQ/TSK is followed by other words.
SLOTTED = rf"(?=[{BLANKS},]*(?:{'|'.join(map(re.escape, SLOTS))})=)"
ENDS = rf"(?=[{BLANKS},]*(?:\Z|(?:{'|'.join(map(re.escape, SLOTS))})=))"
BARLESS = re.compile(rf"[{BLANKS}]*{ACT}/{FRAME}{ENDS}")
SLASHLESS = re.compile(rf"[{BLANKS}]*{ACT}{FRAME}\|")
ACTLESS = re.compile(rf"[{BLANKS}]*{FRAME}(?=\|)")  # as after a selection that begins too late
AT_WORD = r"(?<![\da-zA-Z/|])(?=[A-Za-z])(?:(?<!\w)|(?<=_)(?<!____)" + (
    "".join(rf"(?<!(?:[^\W_]|[/|=]){marks})" for marks in ("_", "__", "___")) + ")"
)
"""The beginning of a word, or of text that up to three _ emphasize; not inside a word or a value.
Most places fail at its first characters.
"""
CODE = re.compile(r"[A-Za-z0-9_]+")
WORDS = re.compile(rf"\|(?![^|]*=)[{BLANKS}]*[^|]{{3,}}")
"""Words after a |, as in a table."""
SNIFFED = 2_000
NO_NAME = re.compile(r"[=,|\r\n]")
STARTS = Sniff(1.0, ("starts with an nSLIP act and frame, then |",))


class Nslip(Codec):
    name = "nslip"
    title = "nSLIP"
    summary = "Speech acts about tasks and plans, with a goal, a task, and a tag for people."
    dialects = ("nslip/1",)
    anchor = re.compile(
        rf"{AT_WORD}(?:[A-Za-z]{{2,10}}/[A-Za-z]{{2,11}}\||{ACT}/{FRAME}{SLOTTED}|{ACT}{FRAME}\|)"
    )
    signs = "|/"
    begins = BEGINS
    further = re.compile(rf",[ \t]*(?:{'|'.join(map(re.escape, SLOTS))})=")
    separators = "/|,=" + BLANKS
    labels = LABELS
    rules = tuple(rules.RULES.values())
    acts = express.ACTS
    carries = "unknown slots such as x-cablese-id"
    translator = express
    thread_rules = tuple(flow.RULES.values())
    exempt = flow.EXEMPT
    statuses = {status: status for status in STATUSES}
    sentences = staticmethod(english.describe)
    reference = reference.REFERENCE

    def sniff(self, wire: str) -> Sniff | None:
        if SURE.match(wire):
            return STARTS
        looks = LOOKS.match(wire)
        if looks is not None:
            return _resemblance(looks, wire)
        if BARLESS.match(wire):
            return Sniff(0.6, ("starts with an nSLIP act and frame, but | is missing",))
        if SLASHLESS.match(wire):
            return Sniff(
                0.6, ("starts with an nSLIP act and frame, but the / between them is missing",)
            )
        actless = ACTLESS.match(wire)
        if actless is not None and _count_slots(wire, actless.end()) > 1:
            return Sniff(0.45, ("an nSLIP frame and slots, but the act is missing",))
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
                if not value.isdigit() or (value[0] == "0" and value != "0") or len(value) > 15:
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
        values = {
            "act": act,
            "act_name": ACTS[act],
            "frame": frame,
            "frame_name": FRAMES[frame],
            "slots": slots,
        }
        return Message("nslip", "nslip/1", wire, values, (), self.scanner)

    def read(self, wire: str, dialect: str | None) -> Reading:
        return Reader(wire, self.too_many).read()

    def scan(self, wire: str) -> tuple[Field, ...]:
        slash, bar = wire.index("/"), wire.index("|")
        act, frame = wire[:slash], wire[slash + 1 : bar]
        fields = [
            Field("act", f"act: {ACTS[act]}", act, None, Span(0, slash)),
            Field("frame", f"frame: {FRAMES[frame]}", frame, None, Span(slash + 1, bar)),
        ]
        at = bar + 1
        for slot in wire[at:].split(",") if at < len(wire) else ():
            name, _, value = slot.partition("=")
            equals, end = at + len(name), at + len(slot)
            named = Span(at, equals)
            fields.append(Field(name, LABELS[name], value, named, Span(equals + 1, end)))
            at = end + 1
        return tuple(fields)

    def canonical(self, message: Message) -> str | None:
        # A plain body has nothing to escape and, without a diagnostic, no integer to shorten: it is
        # canonical.
        if not message.diagnostics and HEAD.fullmatch(message.wire):
            return message.wire
        return super().canonical(message)

    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        act, frame = (
            _code("act", "REQ", values.get("act")),
            _code("frame", "TSK", values.get("frame")),
        )
        slots = values.get("slots", {})
        if not isinstance(slots, dict):
            raise Unencodable("/slots", '"slots" must be an object.')
        written = ",".join(f"{_name(name)}={_value(name, slots[name])}" for name in slots)
        return f"{act}/{frame}|{written}"

    def spell(self, wire: str, field: Field, value: str) -> str:
        return value if field.name_span is None else _value(field.name, value)

    def meaning(self, message: Message) -> Meaning:
        values = message.values
        slots = values.get("slots", {})
        goal, task = _text(slots.get("g")), _text(slots.get("t"))
        return Meaning(
            act=MEANT.get(values.get("act", ""), "data"),
            topic=_text(values.get("frame")),
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

    def outcome(self, message: Message) -> Outcome | None:
        """Return the outcome. The frame ERR is a failure, whatever the status."""
        values = message.values
        return (
            "failed"
            if values.get("frame") == express.ERROR
            else judge(_text(values.get("slots", {}).get("s")))
        )

    def plain(self, message: Message) -> object:
        values = message.values
        full = {
            key: values.get(f"{key}_name") or values[key]
            for key in ("act", "frame")
            if values.get(key)
        }
        slots = values.get("slots", {})
        for name, value in slots.items():
            word = SLOTS.get(name, name)
            is_taken = word in full or (name in SLOTS and word in slots)
            full[f"slot_{name}" if is_taken else word] = value
        return full

    def converse(self, turns: Sequence[Turn]) -> Course:
        return flow.converse(turns)


def _resemblance(looks: re.Match[str], wire: str) -> Sniff | None:
    known = (looks[1].upper() in ACTS) + (looks[2].upper() in FRAMES)
    near = known + _is_near(looks[1], ACTS, NEAR_ACTS) + _is_near(looks[2], FRAMES, NEAR_FRAMES)
    has_slot = SLOT.match(wire, looks.end()) is not None
    slots = _count_slots(wire, looks.end())
    if not (near or has_slot):
        return None
    reasons = ["starts with two codes separated by /, then |"]
    if known:
        reasons.append(f"{'both are' if known == 2 else 'one is'} valid in nSLIP")
    elif near:
        reasons.append("one resembles an nSLIP code")
    if has_slot:
        reasons.append("then an nSLIP slot")
    if known == 2 and not has_slot and looks[0][-1] in " \t" and WORDS.match(wire, looks.end()):
        return Sniff(0.45, tuple(reasons))
    if known == 2:
        return Sniff(0.98 if has_slot else 0.9, tuple(reasons))
    if known or near:
        return Sniff(0.78 if slots else 0.6 if known and near == 2 else 0.4, tuple(reasons))
    return Sniff(0.5 if slots > 1 else 0.38, tuple(reasons))


def _count_slots(wire: str, at: int) -> int:
    return len(FITTING.findall(wire, at, at + SNIFFED))


def _near(codes: Iterable[str]) -> frozenset[str]:
    """Return the letters of each code in order, and the first two of each after a dot."""
    return frozenset(near for code in codes for near in ("".join(sorted(code)), f".{code[:2]}"))


NEAR_ACTS, NEAR_FRAMES = _near(ACTS), _near(FRAMES)


def _is_near(code: str, codes: Container[str], near: frozenset[str]) -> bool:
    """Return True for an unknown code with the letters of a known one in another order, or most of
    them.
    """
    code = code.upper()
    if len(code) < 2 or code in codes:
        return False
    return "".join(sorted(code)) in near or (len(code) == 2 and f".{code}" in near)


def _code(key: str, example: str, code: object) -> str:
    if not isinstance(code, str) or not CODE.fullmatch(code):
        raise Unencodable(pointer.join(key), f'"{key}" must be a code, such as {example}.')
    return code


def _name(name: object) -> str:
    if not isinstance(name, str) or not name or name != name.strip(BLANKS) or NO_NAME.search(name):
        raise Unencodable(
            pointer.join("slots", name),
            "A slot name must not be empty, start or end with a space, or contain =, a comma, |, "
            "or a line break.",
        )
    return name


def _value(name: str, value: object) -> str:
    is_integer = (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) <= INTEGER_LIMIT
    )
    if not is_integer and not isinstance(value, str):
        raise Unencodable(
            pointer.join("slots", name), "A slot value must be text or an integer up to 2^53 - 1."
        )
    text = str(value)
    if name in INTEGERS and DIGITS.fullmatch(text):
        text = text.lstrip("0") or "0"
    written = escape(text)
    if written != written.strip(BLANKS):
        raise Unencodable(
            pointer.join("slots", name), "A slot value cannot start or end with a space."
        )
    return written


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


codec = Nslip()
