"""Decode a SACP message step by step: every rule, on a tolerant reading of the JSON.

Messages of 1.0 are read by ``v1.reader_v1``; everything below is 0.1. Each diagnostic says where it
is ("Step 2: …", "Subtask, step 1: …"). What ``jsontext`` could not read is reported already and
passed in silence.
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
from cablese.spelling import Guess, question
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
        reason = "No JSON object found. A SACP message must be a JSON object."
        return Reading({}, (RULES["not-an-object"].at(Span(0, len(wire)), reason),), lambda: fields)
    common = OF_FAULT | {"too-many": too_many, "surrogate": not_text}
    faults = [
        common[fault.kind].at(fault.span, fault.message, fault.fix) for fault in document.faults
    ]
    if end < len(wire):
        reason = f"The message has more than {FIELD_LIMIT:,} fields. The rest was not read."
        faults.append(too_many.at(Span(end, len(wire)), reason))
    is_complete = end == len(wire) and all(
        fault.kind not in ("too-deep", "too-many") for fault in document.faults
    )
    values: dict[str, Any] = {}
    diagnostics: Iterable[Diagnostic] = ()
    if root.kind == "array":
        reason = "A SACP message must be a JSON object, not an array."
        faults.append(RULES["not-an-object"].at(root.span, reason))
    elif schema.dialect_of(root.value.get("proto_ver"), dialect) == schema.V10:
        values, diagnostics = reader_v1.read(wire, root, end, is_complete=is_complete)
    else:
        reader = _Reader(wire, end, is_complete=is_complete)
        keys = {member.key for member in root.members}
        is_reply = "status" in keys and not keys & {"g", "plan"}
        values, diagnostics = (
            (reader.reply if is_reply else reader.message)(root),
            reader.diagnostics,
        )
    return Reading(values, (*faults, *_weigh(diagnostics, document)), lambda: fields)


def _weigh(diagnostics: Iterable[Diagnostic], document: Document) -> Iterable[Diagnostic]:
    """Return the diagnostics. None has a safe fix where the structure of the JSON is uncertain."""
    if document.is_sure:
        return diagnostics
    return [
        diagnostic
        if diagnostic.fix is None
        else replace(diagnostic, fix=replace(diagnostic.fix, safe=False))
        for diagnostic in diagnostics
    ]


class _Reader(PlanReader):
    """Checks one text."""

    def message(self, root: Node) -> dict[str, Any]:
        """Return the values of a message or subtask."""
        members = self._members(root)
        self._unknown(root, schema.KEYS)
        at = Span(root.span.start, root.span.start + 1)
        for key, name in (("g", "goal (key g)"), ("plan", "plan (an array of steps)")):
            if self.is_complete and key not in members:
                self.tell(RULES["missing-field"], at, f"Missing {name}.")
        self._check("g", members, RULES["bad-goal"], is_text, "The goal g must be non-empty text")
        self._check(
            "ctx",
            members,
            RULES["bad-context"],
            lambda node: node.kind == "object",
            "The context ctx must be an object",
        )
        self._choice("out_fmt", members, RULES["bad-out-fmt"], schema.FORMATS)
        self._choice("state", members, RULES["bad-state"], schema.STATES)
        for key in schema.TEXTS:
            self._check(key, members, RULES["bad-lifecycle"], _is_string, f"{key} must be text")
        version = members["proto_ver"].node if "proto_ver" in members else None
        if version and version.kind == "string" and version.value not in schema.V01_NAMES:
            self.tell(
                RULES["version"],
                version.inner,
                f"Version {quote(version.value)} was read as SACP 0.1.",
            )
        self._test_modes(members)
        read = {
            key: member.node.value for key, member in members.items() if not member.node.is_missing
        }
        values = {"out_fmt": "raw", **read}
        if "subtask" in read:
            values["subtask"] = self._subtask(members["subtask"].node)
        steps = self.plan(members["plan"].node) if "plan" in read else None
        values.pop("steps", None)
        if steps is not None:
            values["steps"] = steps
        return {key: values[key] for key in schema.ORDER if key in values}

    def reply(self, root: Node) -> dict[str, Any]:
        """Return the values of a reply, such as
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
        if status == "ERR" and "code" not in members and self.is_complete:
            self.tell(RULES["missing-field"], at, f"Missing code. Expected {either(ERROR_CODES)}.")
        elif status == "ERR" and isinstance(code, str):
            self._choice("code", members, RULES["unknown-error-code"], ERROR_CODES)
        if (
            status in ("ERR", "REQ_CLARIFY")
            and (details is None or details == "")
            and self.is_complete
        ):
            self.tell(RULES["missing-details"], at, f"{status} should give the reason in details.")
        elif status == "ERR" and code in STEP_CODES and not schema.NAMED_STEP.search(str(details)):
            self.tell(
                RULES["unnamed-step"],
                members["details"].node.inner,
                "The details of an error about the plan should name the step, counted from 1.",
            )
        return {key: value for key, value in values.items() if not members[key].node.is_missing}

    def _members(self, node: Node) -> dict[str, Member]:
        return {member.key: member for member in node.members if member.key_span.start < self.end}

    def _unknown(self, root: Node, allowed: tuple[str, ...]) -> None:
        unknown = [
            member
            for member in root.members
            if member.key not in allowed and member.key_span.start < self.end
        ]
        if not unknown:
            return
        guesses = guess_keys(
            (member.key for member in unknown),
            {member.key for member in root.members},
            FIND_KEY[allowed],
        )
        for member in unknown:
            near = guesses.get(member.key) if len(self.diagnostics) < GUESSES else None
            takes = RENAMED.get(near.word) if near else None
            quoted = self.wire[member.key_span.start - 1] == '"'
            fits = takes is not None and quoted and takes(member.node)
            fix = Fix(member.key_span, near.word, near.safe) if near and fits else None
            self.tell(
                RULES["unknown-key"],
                member.key_span,
                f"Unknown key {quote(member.key)}. Valid keys: {', '.join(allowed)}."
                f"{question(near)}",
                fix,
            )

    def _check(
        self,
        key: str,
        members: dict[str, Member],
        rule: Rule,
        holds: Callable[[Node], bool],
        requirement: str,
    ) -> None:
        if key not in members or (node := members[key].node).kind == "bad" or holds(node):
            return
        number = self.wire[slice(*node.span)]
        # As text, the number must not be a version that this message is not in.
        later = key == "proto_ver" and schema.LATER.fullmatch(number) is not None
        fix = None
        if holds is _is_string and node.kind == "number" and not later:
            # Only an integer surely has the digits that were meant: 1.10 may have become 1.1.
            fix = Fix(node.span, f'"{number}"', safe=isinstance(node.value, int))
        self.tell(rule, node.span, f"{requirement}; {found_in(node)}.", fix)

    def _choice(
        self, key: str, members: dict[str, Member], rule: Rule, choices: tuple[str, ...]
    ) -> None:
        if key not in members or (node := members[key].node).kind == "bad":
            return
        if node.kind != "string":
            self.tell(rule, node.span, f"{key} must be {either(choices)}; {found_in(node)}.")
        elif node.value not in choices:
            near = guess_choice(node.value, choices)
            fits = near is not None and (
                near.word != "ERR" or "code" in members
            )  # it would lack its code
            self.tell(
                rule,
                node.inner,
                f"Unknown {key} {quote(node.value)}. Expected {either(choices)}.{question(near)}",
                Fix(node.inner, near.word, near.safe) if near and fits else None,
            )

    def _test_modes(self, members: dict[str, Member]) -> None:
        own = members.get("test_mode")
        context = members.get("ctx")
        inner = context.node.member("test_mode") if context else None
        for token in (own, inner):
            if token is not None and token.node.kind not in ("true", "false", "bad"):
                written = str(token.node.value).lower()
                fix = (
                    Fix(token.node.span, written, safe=True)
                    if written in ("true", "false")
                    else None
                )
                self.tell(
                    RULES["bad-test-mode"],
                    token.node.span,
                    f"test_mode must be true or false; found {token.node.kind_name}.",
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
        with self.inside("subtask"):
            if node.kind == "object":
                return self.message(node)
            self.tell(
                RULES["bad-subtask"],
                node.span,
                f"A subtask must be a SACP message; {found_in(node)}.",
            )
        return node.value


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
"""The keys that an unknown key may be renamed to, and a test of the value."""
