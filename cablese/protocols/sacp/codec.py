"""SACP: one JSON object with a goal ``g`` and a ``plan`` of steps, which in 0.1 are ``[verb, tool,
params]``.

    {"g":"FIND_HOTEL","plan":[["s","H_API",{"c":"Paris"}],["r","RANK",{}]],"out_fmt":"human",
     "state":"PENDING"}

The schema is strict ("Design Principles"): other keys are errors. Answers such as
``{"status":"VALID"}`` are messages too ("8. Message Validator"). SACP 1.0, which ``proto_ver``
names, has another envelope and steps that are objects with ids: see ``envelope``, where our rulings
stand.

The source of 1.0 is the specification v1.0.0 of 2026-05-09 with its JSON Schema and list of
conformance tests, from the repository that published 0.1.
"""

import re
from collections.abc import Callable
from typing import Any

from cablese.codec import FIELD_LIMIT, INVISIBLE, Codec, Reading, Sniff
from cablese.conversation.model import Plan
from cablese.json import jsontext
from cablese.meaning import Act, Meaning
from cablese.message import Field, Message, Piece
from cablese.outcome import Outcome
from cablese.translation.statement import Restored, Statement

from . import english, express, reference, rules, statement, writer
from .fields import LABELS, scan
from .schema import KEYS, STATES_10, STATUSES, V01, V10, dialect_of
from .tasks import plan_steps
from .v0 import quick, reader

OPENS = re.compile("[ \t\r\n\ufeff]*\\{")
HINTS = ('"g"', "plan", '"status"', "out_fmt", "reply_to")
KEYED = re.compile(
    r"[{,\s\"'“”](g|ctx|plan|out_fmt|state|msg_id|reply_to|proto_ver|subtask"
    r"|test_mode)[\"'“”]?\s{0,9}:"
)
STEPS = re.compile(r"""\bplan["'“”]?\s*:\s*\[\s*(?:\[\s*["']\w|\{\s*["']parallel)""")
OPENED = re.compile(r"""(?:\bg["'“”]?\s*:\s*["'“”]|\bplan["'“”]?\s*:\s*\[)""")
"""A goal or a plan that begins correctly."""
ESCAPED = re.compile(r"\\(?:u00[01]|[bf])")
FOREIGN = re.compile(r"(?:messagetype|subformat|submessages|format)[\"']?\s{0,9}:", re.IGNORECASE)
"""Keys of NLIP, whose content may be anything."""
NLIP_KEYS = frozenset(("format", "subformat", "content", "Format", "Subformat", "Content"))
REPLY_KEYS = frozenset(
    ("status", "code", "details", "msg_id", "reply_to", "proto_ver", "g", "state", "ctx")
)
OWN = frozenset(("g", "plan", "out_fmt", "subtask", "proto_ver", "test_mode"))
"""Keys that few other formats have."""
FITS: dict[str, Callable[[object], bool]] = {
    "g": lambda value: isinstance(value, str) and value != "",
    "plan": lambda value: (
        isinstance(value, list) and (not value or isinstance(value[0], list | dict))
    ),
    "ctx": lambda value: isinstance(value, dict),
    "out_fmt": lambda value: value in ("human", "raw", "summary"),
    "state": lambda value: value in STATES_10,
    "msg_id": lambda value: isinstance(value, str),
    "reply_to": lambda value: isinstance(value, str),
    "proto_ver": lambda value: isinstance(value, str),
    "subtask": lambda value: isinstance(value, dict),
    "test_mode": lambda value: isinstance(value, bool),
}
SNIFFED = 4096
BRANCHES = 150
"""More steps than this may be too many fields, so they are counted."""
ANSWERS: dict[str, Act] = {"ERR": "error", "VALID": "confirm", "REQ_CLARIFY": "query"}


class Sacp(Codec):
    name = "sacp"
    title = "SACP"
    summary = "Goals and plans as compact JSON: verbs, tools, and parameters, in order."
    dialects = (V01, V10)
    targets = (V01, V10)
    around = {V10: {"sender": "sender", "recipient": "recipient", "time": "ts"}}
    form = "json"
    key_hints = ("g", "plan", "status", "out_fmt", "proto_ver")
    separators = jsontext.SEPARATORS
    labels = LABELS
    rules = tuple(rules.RULES.values())
    acts = statement.ACTS
    carries = "the object x-cablese in ctx"
    asks_back = True
    statuses = statement.STATUSES_10
    sentences = staticmethod(english.describe)
    reference = reference.REFERENCE

    def sniff(self, wire: str) -> Sniff | None:
        if OPENS.match(wire) is None or not any(hint in wire for hint in HINTS):
            return None
        root = jsontext.load_or_none(wire)
        return _sniff_broken(wire) if root is None else _sniff_keys(root)

    def glance(self, wire: str, dialect: str | None) -> Message | None:
        if "null" in wire or wire.count("[") > BRANCHES or _holds_invisible(wire):
            return None
        root = jsontext.load_or_none(wire)
        seen = quick.glance(root, dialect)
        if seen is None or ("\\" in wire and _writes_invisible(root)):
            return None
        version, values = seen
        if version == V10 and wire.count(",") + wire.count("{") + wire.count("[") > FIELD_LIMIT:
            return None
        return Message("sacp", version, wire, values, (), scan)

    def read(self, wire: str, dialect: str | None) -> Reading:
        return reader.read(wire, dialect, too_many=self.too_many, not_text=self.not_text)

    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        return writer.write(values, dialect)

    def dialect_of(self, values: dict[str, Any], dialect: str | None) -> str:
        return dialect_of(values.get("proto_ver"), dialect)

    def version_of(self, message: Message) -> str | None:
        """Return the version. A reply without ``proto_ver`` fits any."""
        return (
            None
            if writer.is_reply(message.values) and "proto_ver" not in message.values
            else message.dialect
        )

    def spell(self, wire: str, field: Field, value: str) -> str:
        return jsontext.respell(wire, field.span, value)

    def meaning(self, message: Message) -> Meaning:
        values = message.values
        if writer.is_reply(values):
            status = _text(values.get("status"))
            return Meaning(
                act=ANSWERS.get(status or "", "data"),
                id=_text(values.get("msg_id")),
                reply_to=_text(values.get("reply_to")),
                reason=_text(values.get("details")) if status == "ERR" else None,
            )
        state = _text(values.get("state"))
        error, result = values.get("error"), values.get("result")
        return Meaning(
            act=statement.STATED.get(state or "", "request"),
            object=_first_tool(values.get("steps")),
            goal=_text(values.get("g")),
            id=_text(values.get("msg_id")),
            reply_to=_text(values.get("reply_to")),
            status=state,
            sender=_text(values.get("sender")),
            recipient=_text(values.get("recipient")),
            reason=_text(error.get("message")) if isinstance(error, dict) else None,
            result=_text(result.get("summary")) if isinstance(result, dict) else None,
        )

    def outcome(self, message: Message) -> Outcome | None:
        return statement.judge(message.values)

    def plan(self, message: Message) -> Plan:
        return plan_steps.read(message)

    def plain(self, message: Message) -> object:
        return writer.shape(message.values)

    def describe(self, message: Message) -> tuple[Piece, ...]:
        known = {field.name for field in message.fields}
        return tuple(
            Piece(piece.text, next((name for name in _named(piece.field) if name in known), None))
            for piece in super().describe(message)
        )

    def state(self, message: Message) -> Statement:
        return statement.state(message, self.meaning(message))

    def state_across(self, message: Message) -> Statement:
        return statement.state_across(message, self.meaning(message))

    def express(
        self, statement: Statement, english: str, dialect: str | None = None
    ) -> dict[str, Any]:
        return express.express(statement, dialect)

    def express_across(self, statement: Statement, dialect: str) -> dict[str, Any]:
        return express.express_across(statement, dialect)

    def restore(self, plain: dict[str, Any]) -> Restored:
        # JSON is what it sends, so every word is its key.
        return Restored(self.decode(jsontext.dump(plain)).values, {key: key for key in plain})


def _named(field: str | None) -> tuple[str, ...]:
    """Return the names that a field may have. SACP 1.0 names the parts of a step by words."""
    if field is None:
        return ()
    match = re.fullmatch(r"(plan\.[0-9]+(?:\.parallel\.[0-9]+)*)\.([012])(\..*)?", field, re.DOTALL)
    if match is None:
        return (field,)
    word = ("verb", "tool", "params")[int(match[2])]
    return field, f"{match[1]}.{word}{match[3] or ''}"


def _sniff_keys(root: object) -> Sniff | None:
    if not isinstance(root, dict):
        return None
    fitting = [key for key, fits in FITS.items() if key in root and fits(root[key])]
    own = [key for key in KEYS if key in root]
    if "g" in fitting and "plan" in fitting:
        return Sniff(
            1.0 if NLIP_KEYS.isdisjoint(root) else 0.9,
            ("a JSON object with g and plan, SACP’s goal and plan",),
        )
    if isinstance(root.get("status"), str) and root["status"] in STATUSES:
        alone = root.keys() <= REPLY_KEYS and ("code" in root or root["status"] != "ERR")
        alone = alone and isinstance(root.get("code", ""), str)
        is_detailed = root.keys() <= REPLY_KEYS and "details" in root
        coded = root["status"] == "ERR" and (root.get("code") in rules.ERROR_CODES or is_detailed)
        score = 0.97 if alone else 0.8 if coded else 0.4
        return Sniff(score, (f"a JSON object with the status {root['status']} of a SACP answer",))
    if "plan" in root and _has_step(root["plan"]):
        return Sniff(0.7, ("a JSON object with a plan of steps",))
    if "g" in root and "plan" in root and ("g" in fitting or "plan" in fitting):
        return Sniff(0.6, ("a JSON object with g and plan",))
    if (
        len(fitting) > 1
        and not OWN.isdisjoint(fitting)
        and sum(key in KEYS for key in root) * 2 >= len(root)
    ):
        return Sniff(0.8, (f"a JSON object with {' and '.join(own[:3])}, SACP keys",))
    if own and ("g" in own or "plan" in own):
        return Sniff(0.35, (f"a JSON object with {'g' if 'g' in own else 'plan'}",))
    if isinstance(root.get("status"), str) and root["status"].upper() in STATUSES:
        return Sniff(
            0.4, (f"a JSON object with a status like {root['status'].upper()} of a SACP answer",)
        )
    return None


def _has_step(plan: object) -> bool:
    """Return whether the first item of a plan has the form of a step."""
    first = plan[0] if isinstance(plan, list) and plan else None
    if isinstance(first, list):
        return len(first) > 1 and isinstance(first[0], str) and isinstance(first[1], str)
    return isinstance(first, dict) and (
        "parallel" in first or ("verb" in first and "tool" in first)
    )


def _sniff_broken(wire: str) -> Sniff | None:
    start = wire[:SNIFFED]
    keys = list(dict.fromkeys(KEYED.findall(start)))
    if not keys or FOREIGN.search(start):
        return None
    if STEPS.search(start):
        return Sniff(0.9 if "g" in keys else 0.6, ("broken JSON with a plan of steps",))
    if len(keys) == 1:
        return (
            Sniff(0.35, (f"broken JSON with {keys[0]}, a SACP key",))
            if keys[0] in ("g", "plan")
            else None
        )
    own = OPENED.search(start) is not None
    score = 0.4 if not own else 0.9 if "g" in keys and "plan" in keys else 0.7
    return Sniff(score, (f"broken JSON with {' and '.join(keys[:3])}, SACP keys",))


def _holds_invisible(wire: str) -> bool:
    return "\x7f" in wire or (not wire.isascii() and INVISIBLE.search(wire) is not None)


def _writes_invisible(root: object) -> bool:
    """Return whether an escape may write an invisible character."""
    written = jsontext.dump(root)
    return INVISIBLE.search(written) is not None or ESCAPED.search(written) is not None


def _first_tool(steps: Any) -> str | None:
    while isinstance(steps, list) and steps and isinstance(steps[0], dict):
        if "parallel" not in steps[0]:
            return _text(steps[0].get("tool"))
        steps = steps[0]["parallel"]
    return None


def _text(value: object) -> str | None:
    """Return a term of the meaning. Numbers become text; other values are left out."""
    return (
        str(value) or None
        if isinstance(value, str | int | float) and not isinstance(value, bool)
        else None
    )


codec = Sacp()
