"""The careful reading of a SACP message: every rule of the protocol, checked on a tolerant
reading of the JSON.

Messages of 1.0 are read by ``v1.reader_v1``; everything below is 0.1.

Each check says where it stands ("Step 2: …", "Subtask, step 1: …") and goes on. What ``jsontext``
could not read has been told already and is passed in silence.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from cablese.codec import FIELD_LIMIT, Reading
from cablese.json import jsontext
from cablese.json.jsontext import Document, Member, Node
from cablese.message import Diagnostic, Fix, Rule, Span
from cablese.protocols.sacp import rules, schema
from cablese.protocols.sacp.fields import cut
from cablese.protocols.sacp.findings import Findings, found_in, is_text
from cablese.protocols.sacp.v1 import reader_v1
from cablese.protocols.sacp.v1.shape import guess_choice, guess_keys
from cablese.spelling import Guess, Spelling
from cablese.text import either, quote

from .plan import PlanReader

FULL_KEYS = {
    "goal": "g",
    "context": "ctx",
    "output_format": "out_fmt",
    "outfmt": "out_fmt",
    "message_id": "msg_id",
    "msgid": "msg_id",
    "replyto": "reply_to",
    "protocol_version": "proto_ver",
    "testmode": "test_mode",
    "sub_task": "subtask",
}
"""The full words of the keys, and the keys without their underscore."""
OTHER_KEYS = {
    "steps": "plan",
    "plans": "plan",
    "out_format": "out_fmt",
    "format": "out_fmt",
    "fmt": "out_fmt",
    "id": "msg_id",
    "in_reply_to": "reply_to",
    "version": "proto_ver",
    "dry_run": "test_mode",
    "error": "code",
    "reason": "details",
    "message": "details",
}
"""What people write for the keys of SACP, who may have meant something else by it."""
SPELLINGS: dict[tuple[str, ...], Spelling] = {
    keys: Spelling(keys, FULL_KEYS) for keys in (schema.KEYS, schema.REPLY_KEYS)
}
GUESSES = 50
"""No key is guessed once this many things are wrong: guessing takes time."""


def read(wire: str, dialect: str | None, *, too_many: Rule, not_text: Rule) -> Reading:
    """Read ``wire``. ``too_many`` and ``not_text`` are the codec's own rules for what is common to
    all protocols.
    """
    document = jsontext.read(wire)
    fields, end = cut(wire, document)
    root = document.root
    if root is None or root.kind not in ("object", "array"):
        words = "No JSON object found. A SACP message must be a JSON object."
        return Reading({}, (rules.NOT_AN_OBJECT.at(Span(0, len(wire)), words),), lambda: fields)
    own = rules.OF_FAULT | {"too-many": too_many, "surrogate": not_text}
    told = [own[fault.kind].at(fault.span, fault.words, fault.fix) for fault in document.faults]
    if end < len(wire):
        told.append(
            too_many.at(
                Span(end, len(wire)),
                f"The message has more than {FIELD_LIMIT:,} fields. The rest was not read.",
            )
        )
    if root.kind == "array":
        told.append(
            rules.NOT_AN_OBJECT.at(root.span, "A SACP message must be a JSON object, not an array.")
        )
        return Reading({}, tuple(told), lambda: fields)
    whole = end == len(wire) and all(
        fault.kind not in ("too-deep", "too-many") for fault in document.faults
    )
    if schema.dialect_of(root.value.get("proto_ver"), dialect) == schema.V10:
        values, found = reader_v1.read(wire, root, end, whole=whole)
        return Reading(values, (*told, *_weigh(found, document)), lambda: fields)
    reader = _Reader(wire, dialect, end, whole=whole)
    values = reader.reply(root) if _is_reply(root) else reader.message(root)
    return Reading(values, (*told, *_weigh(reader.findings.found, document)), lambda: fields)


def _weigh(found: Iterable[Diagnostic], document: Document) -> Iterable[Diagnostic]:
    """The diagnostics of what was read; where the text may be built otherwise, none has a
    safe fix.
    """
    if document.is_sure:
        return found
    return [
        one if one.fix is None else replace(one, fix=replace(one.fix, safe=False)) for one in found
    ]


def _is_reply(root: Node) -> bool:
    keys = {one.key for one in root.members}
    return "status" in keys and not keys & {"g", "plan"}


class _Reader:
    """The checks of one text. ``end`` and ``whole`` as in PlanReader."""

    def __init__(self, wire: str, dialect: str | None, end: int, *, whole: bool) -> None:
        self.wire = wire
        self.dialect = dialect
        self.end = end
        self.whole = whole
        self.findings = Findings()
        self.tell = self.findings.tell
        self.plans = PlanReader(wire, self.findings, end)

    def message(self, root: Node) -> dict[str, Any]:
        """The values of a message or subtask."""
        members = self._members(root)
        self._unknown(root, schema.KEYS)
        self._missing(root, members)
        self._check("g", members, rules.BAD_GOAL, is_text, "The goal g must be non-empty text")
        self._check(
            "ctx", members, rules.BAD_CONTEXT, _is_object, "The context ctx must be an object"
        )
        self._choice("out_fmt", members, rules.BAD_FORMAT, schema.FORMATS)
        self._choice("state", members, rules.BAD_STATE, schema.STATES)
        for key in schema.TEXTS:
            self._check(key, members, rules.BAD_LIFECYCLE, _is_string, f"{key} must be text")
        self._version(members.get("proto_ver"))
        self._test_modes(members)
        read = {key: one.node.value for key, one in members.items() if not one.node.is_missing}
        values = {"out_fmt": "raw", **read}
        if "subtask" in read:
            values["subtask"] = self._subtask(members["subtask"].node)
        steps = self.plans.read(members["plan"].node, whole=self.whole) if "plan" in read else None
        values.pop("steps", None)
        if steps is not None:
            values["steps"] = steps
        return {key: values[key] for key in schema.ORDER if key in values}

    def reply(self, root: Node) -> dict[str, Any]:
        """The values of an answer such as
        ``{"status":"ERR","code":"MALFORMED_PLAN","details":"…"}``.
        """
        members = self._members(root)
        self._unknown(root, schema.REPLY_KEYS)
        self._choice("status", members, rules.UNKNOWN_STATUS, schema.STATUSES)
        for key in schema.REPLY_KEYS[1:]:
            rule = rules.BAD_LIFECYCLE if key in schema.TEXTS else rules.BAD_REPLY
            self._check(key, members, rule, _is_string, f"{key} must be text")
        values = {key: members[key].node.value for key in schema.REPLY_KEYS if key in members}
        status, code, details = (values.get(key) for key in ("status", "code", "details"))
        at = members["status"].node.span
        if status == "ERR" and "code" not in members and self.whole:
            words = f"Missing code. Expected {either(rules.ERROR_CODES)}."
            self.tell(rules.MISSING_FIELD, at, words)
        elif status == "ERR" and isinstance(code, str):
            self._choice("code", members, rules.UNKNOWN_CODE, rules.ERROR_CODES)
        if status in ("ERR", "REQ_CLARIFY") and (details is None or details == "") and self.whole:
            self.tell(rules.NO_DETAILS, at, f"{status} should give the reason in details.")
        elif (
            status == "ERR"
            and code in rules.STEP_CODES
            and not schema.NAMED_STEP.search(str(details))
        ):
            words = "The details of an error about the plan should name the step, counted from 1."
            self.tell(rules.NO_STEP, members["details"].node.inner, words)
        return {key: value for key, value in values.items() if not members[key].node.is_missing}

    def _members(self, node: Node) -> dict[str, Member]:
        return {one.key: one for one in node.members if one.key_span.start < self.end}

    def _unknown(self, root: Node, allowed: tuple[str, ...]) -> None:
        taken = {one.key for one in root.members}
        odd = [
            one for one in root.members if one.key not in allowed and one.key_span.start < self.end
        ]
        if not odd:
            return
        guesses = guess_keys((one.key for one in odd), taken, lambda key: _guess_key(key, allowed))
        for one in odd:
            near = guesses.get(one.key) if len(self.findings.found) < GUESSES else None
            meant = f" Did you mean {near.word}?" if near else ""
            fits = near is not None and self._may_be_called(near.word, one)
            fix = Fix(one.key_span, near.word, near.safe) if near and fits else None
            words = f"Unknown key {quote(one.key)}. Valid keys: {', '.join(allowed)}.{meant}"
            self.tell(rules.UNKNOWN_KEY, one.key_span, words, fix)

    def _may_be_called(self, key: str, one: Member) -> bool:
        """True when renaming the key brings no new error."""
        fits = RENAMED.get(key)
        return fits is not None and self.wire[one.key_span.start - 1] == '"' and fits(one.node)

    def _missing(self, root: Node, members: dict[str, Member]) -> None:
        at = Span(root.span.start, root.span.start + 1)
        if self.whole and "g" not in members:
            self.tell(rules.MISSING_FIELD, at, "Missing goal (key g).")
        if self.whole and "plan" not in members:
            self.tell(rules.MISSING_FIELD, at, "Missing plan (an array of steps).")

    def _check(
        self,
        key: str,
        members: dict[str, Member],
        rule: Rule,
        holds: Callable[[Node], bool],
        words: str,
    ) -> None:
        if key not in members or (node := members[key].node).kind == "bad" or holds(node):
            return
        number = holds is _is_string and node.kind == "number" and not self._names_later(key, node)
        # Only an integer surely has the digits that were meant: 1.10 may have become 1.1.
        whole = isinstance(node.value, int)
        fix = Fix(node.span, f'"{self.wire[slice(*node.span)]}"', safe=whole) if number else None
        self.tell(rule, node.span, f"{words}; {found_in(node)}.", fix)

    def _names_later(self, key: str, node: Node) -> bool:
        """True when the number, as text, would be a version that this message is not written in."""
        return (
            key == "proto_ver" and schema.LATER.fullmatch(self.wire[slice(*node.span)]) is not None
        )

    def _choice(
        self, key: str, members: dict[str, Member], rule: Rule, choices: tuple[str, ...]
    ) -> None:
        if key not in members or (node := members[key].node).kind == "bad":
            return
        if node.kind != "string":
            self.tell(rule, node.span, f"{key} must be {either(choices)}; {found_in(node)}.")
        elif node.value not in choices:
            near = guess_choice(node.value, choices)
            meant = f" Did you mean {near.word}?" if near else ""
            words = f"Unknown {key} {quote(node.value)}. Expected {either(choices)}.{meant}"
            fits = near is not None and (
                near.word != "ERR" or "code" in members
            )  # it would lack its code
            self.tell(
                rule,
                node.inner,
                words,
                Fix(node.inner, near.word, near.safe) if near and fits else None,
            )

    def _version(self, version: Member | None) -> None:
        if (
            version is not None
            and version.node.kind == "string"
            and version.node.value not in schema.V01_NAMES
        ):
            words = f"Version {quote(version.node.value)} was read as SACP 0.1."
            self.tell(rules.VERSION, version.node.inner, words)

    def _test_modes(self, members: dict[str, Member]) -> None:
        own = members.get("test_mode")
        context = members.get("ctx")
        inner = context.node.member("test_mode") if context else None
        for one in (own, inner):
            if one is not None and one.node.kind not in ("true", "false", "bad"):
                written = str(one.node.value).lower()
                fix = (
                    Fix(one.node.span, written, safe=True) if written in ("true", "false") else None
                )
                words = f"test_mode must be true or false; found {one.node.what}."
                self.tell(rules.BAD_TEST_MODE, one.node.span, words, fix)
        if own and inner and {own.node.kind, inner.node.kind} == {"true", "false"}:
            words = f"test_mode is {own.node.kind} in the message but {inner.node.kind} in ctx."
            self.tell(rules.TEST_MODES, inner.node.span, words)

    def _subtask(self, node: Node) -> Any:
        if node.kind == "bad":
            return node.value
        place = self.findings.enter("subtask")
        values = node.value
        if node.kind == "object":
            values = self.message(node)
        else:
            self.tell(
                rules.BAD_SUBTASK,
                node.span,
                f"A subtask must be a SACP message; {found_in(node)}.",
            )
        self.findings.where = place
        return values


def _is_object(node: Node) -> bool:
    return node.kind == "object"


def _is_string(node: Node) -> bool:
    return node.kind == "string"


def _is_context(node: Node) -> bool:
    mode = node.member("test_mode")
    return node.kind == "object" and (mode is None or _is_flag(mode.node))


def _is_flag(node: Node) -> bool:
    return node.kind in ("true", "false")


RENAMED: dict[str, Callable[[Node], bool]] = {
    "g": is_text,
    "ctx": _is_context,
    "out_fmt": lambda node: node.value in schema.FORMATS,
    "state": lambda node: node.value in schema.STATES,
    "msg_id": _is_string,
    "reply_to": _is_string,
    "test_mode": _is_flag,
    "details": _is_string,
}
"""The keys that another one may be renamed to, and what must stand there."""


def _guess_key(key: str, allowed: tuple[str, ...]) -> Guess | None:
    word = key[:40].strip().replace("-", "_").replace(" ", "_")
    other = OTHER_KEYS.get(word.lower())
    near = Guess(other, safe=False) if other else SPELLINGS[allowed].find(word)
    return near if near and near.word in allowed else None
