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
from cablese.protocols.sacp import schema
from cablese.protocols.sacp.fields import cut
from cablese.protocols.sacp.findings import found_in, is_text
from cablese.protocols.sacp.rules import ERROR_CODES, OF_FAULT, RULES, STEP_CODES
from cablese.protocols.sacp.v1 import reader_v1
from cablese.protocols.sacp.v1.shape import find_key, guess_choice, guess_keys
from cablese.spelling import Guess
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
"""The keys in full, and without their underscore."""
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
"""Other names that people write for the keys of SACP. They may have meant something else."""
FIND_KEY: dict[tuple[str, ...], Callable[[str], Guess | None]] = {
    keys: find_key(FULL_KEYS, OTHER_KEYS, keys) for keys in (schema.KEYS, schema.REPLY_KEYS)
}
GUESSES = 50
"""With this many diagnostics, no more keys are guessed: guessing takes time."""


def read(wire: str, dialect: str | None, *, too_many: Rule, not_text: Rule) -> Reading:
    """Decode ``wire`` step by step. ``too_many`` and ``not_text`` are common rules of the codec."""
    document = jsontext.read(wire)
    fields, end = cut(wire, document)
    root = document.root
    if root is None or root.kind not in ("object", "array"):
        return Reading(
            {},
            (
                RULES["not-an-object"].at(
                    Span(0, len(wire)),
                    "No JSON object found. A SACP message must be a JSON object.",
                ),
            ),
            lambda: fields,
        )
    own = OF_FAULT | {"too-many": too_many, "surrogate": not_text}
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
            RULES["not-an-object"].at(
                root.span, "A SACP message must be a JSON object, not an array."
            )
        )
        return Reading({}, tuple(told), lambda: fields)
    whole = end == len(wire) and all(
        fault.kind not in ("too-deep", "too-many") for fault in document.faults
    )
    if schema.dialect_of(root.value.get("proto_ver"), dialect) == schema.V10:
        values, found = reader_v1.read(wire, root, end, whole=whole)
        return Reading(values, (*told, *_weigh(found, document)), lambda: fields)
    reader = _Reader(wire, end, whole=whole)
    keys = {member.key for member in root.members}
    is_reply = "status" in keys and not keys & {"g", "plan"}
    values = reader.reply(root) if is_reply else reader.message(root)
    return Reading(values, (*told, *_weigh(reader.found, document)), lambda: fields)


def _weigh(found: Iterable[Diagnostic], document: Document) -> Iterable[Diagnostic]:
    """Return the diagnostics. None has a safe fix where the structure of the JSON is uncertain."""
    if document.is_sure:
        return found
    return [
        one if one.fix is None else replace(one, fix=replace(one.fix, safe=False)) for one in found
    ]


class _Reader(PlanReader):
    """Checks one text."""

    def message(self, root: Node) -> dict[str, Any]:
        """The values of a message or subtask."""
        members = self._members(root)
        self._unknown(root, schema.KEYS)
        self._missing(root, members)
        self._check("g", members, RULES["bad-goal"], is_text, "The goal g must be non-empty text")
        self._check(
            "ctx", members, RULES["bad-context"], _is_object, "The context ctx must be an object"
        )
        self._choice("out_fmt", members, RULES["bad-out-fmt"], schema.FORMATS)
        self._choice("state", members, RULES["bad-state"], schema.STATES)
        for key in schema.TEXTS:
            self._check(key, members, RULES["bad-lifecycle"], _is_string, f"{key} must be text")
        self._version(members.get("proto_ver"))
        self._test_modes(members)
        read = {key: one.node.value for key, one in members.items() if not one.node.is_missing}
        values = {"out_fmt": "raw", **read}
        if "subtask" in read:
            values["subtask"] = self._subtask(members["subtask"].node)
        steps = self.plan(members["plan"].node) if "plan" in read else None
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
        self._choice("status", members, RULES["unknown-status"], schema.STATUSES)
        for key in schema.REPLY_KEYS[1:]:
            rule = RULES["bad-lifecycle"] if key in schema.TEXTS else RULES["bad-reply"]
            self._check(key, members, rule, _is_string, f"{key} must be text")
        values = {key: members[key].node.value for key in schema.REPLY_KEYS if key in members}
        status, code, details = (values.get(key) for key in ("status", "code", "details"))
        at = members["status"].node.span
        if status == "ERR" and "code" not in members and self.whole:
            self.tell(RULES["missing-field"], at, f"Missing code. Expected {either(ERROR_CODES)}.")
        elif status == "ERR" and isinstance(code, str):
            self._choice("code", members, RULES["unknown-error-code"], ERROR_CODES)
        if status in ("ERR", "REQ_CLARIFY") and (details is None or details == "") and self.whole:
            self.tell(RULES["missing-details"], at, f"{status} should give the reason in details.")
        elif status == "ERR" and code in STEP_CODES and not schema.NAMED_STEP.search(str(details)):
            self.tell(
                RULES["unnamed-step"],
                members["details"].node.inner,
                "The details of an error about the plan should name the step, counted from 1.",
            )
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
        guesses = guess_keys((one.key for one in odd), taken, FIND_KEY[allowed])
        for one in odd:
            near = guesses.get(one.key) if len(self.found) < GUESSES else None
            meant = f" Did you mean {near.word}?" if near else ""
            takes = RENAMED.get(near.word) if near else None
            quoted = self.wire[one.key_span.start - 1] == '"'
            fits = takes is not None and quoted and takes(one.node)
            fix = Fix(one.key_span, near.word, near.safe) if near and fits else None
            self.tell(
                RULES["unknown-key"],
                one.key_span,
                f"Unknown key {quote(one.key)}. Valid keys: {', '.join(allowed)}.{meant}",
                fix,
            )

    def _missing(self, root: Node, members: dict[str, Member]) -> None:
        at = Span(root.span.start, root.span.start + 1)
        for key, name in (("g", "goal (key g)"), ("plan", "plan (an array of steps)")):
            if self.whole and key not in members:
                self.tell(RULES["missing-field"], at, f"Missing {name}.")

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
            self.tell(
                RULES["version"],
                version.node.inner,
                f"Version {quote(version.node.value)} was read as SACP 0.1.",
            )

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
                self.tell(
                    RULES["bad-test-mode"],
                    one.node.span,
                    f"test_mode must be true or false; found {one.node.what}.",
                    fix,
                )
        if own and inner and {own.node.kind, inner.node.kind} == {"true", "false"}:
            self.tell(
                RULES["test-modes-differ"],
                inner.node.span,
                f"test_mode is {own.node.kind} in the message but {inner.node.kind} in ctx.",
            )

    def _subtask(self, node: Node) -> Any:
        if node.kind == "bad":
            return node.value
        place = self.enter("subtask")
        values = node.value
        if node.kind == "object":
            values = self.message(node)
        else:
            self.tell(
                RULES["bad-subtask"],
                node.span,
                f"A subtask must be a SACP message; {found_in(node)}.",
            )
        self.where = place
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
