"""Define the fields of SACP 1.0: the records, and the values of their keys."""

import re
from datetime import datetime
from typing import Any

from cablese.protocols.sacp import schema
from cablese.protocols.sacp.rules import RULES

from .shape import (
    Choice,
    Names,
    Number,
    Part,
    Record,
    Spaced,
    Text,
    Typed,
    find_key,
)

NAME = re.compile(r"[A-Za-z0-9._:\-]+")
CODE = re.compile(r"[A-Z0-9_]+")
TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d|60)(?:\.\d{1,9})?Z", re.ASCII)
SIGNS = "letters, digits, or . _ : -"
SAFE_STEPS = 100
"""After this many steps, ``depends_on`` gets no fix, since a fix looks at all earlier steps."""
KEPT = 8
"""Steps of a cycle that a diagnostic names."""


def _is_time(text: str) -> bool:
    match = TIME.fullmatch(text)
    if match is None:
        return False
    try:
        # A leap second is a second of RFC 3339 that Python does not count.
        datetime.fromisoformat(f"{match[1]}T{match[2]}:{min(int(match[3]), 59):02}")
    except ValueError:
        return False
    return True


def _mend_time(text: str) -> str:
    """Return the same time as 1.0 writes it, where the text says that it is UTC."""
    time = re.sub(r"[+-]00:?00\Z", "Z", text.strip().upper())
    return f"{time[:10]}T{time[11:]}" if time[10:11] == " " else time


def _mend_version(text: str) -> str:
    return text.strip().lower().removeprefix("v")


NAMED = Text(f"1 to 128 {SIGNS}", 128, NAME.fullmatch)
STEP_ID = Text(f"1 to 64 {SIGNS}", 64, NAME.fullmatch)
SHORT = Text("1 to 64 characters", 64, str.strip)
FREE = Typed(dict, "an object")
FLAG = Typed(bool, "true or false")


def _step_part(shape: Any, rule: Any = RULES["bad-step"]) -> Part:
    return Part(shape, rule, "1.0: 6.2 Step Fields")


RETRY = Record(
    {
        "max_attempts": _step_part(Number(1, 10), RULES["bad-policy"]),
        "backoff_ms": _step_part(Number(0, 600_000), RULES["bad-policy"]),
        "strategy": _step_part(Choice(schema.STRATEGIES), RULES["bad-policy"]),
    },
    ("max_attempts",),
    (RULES["bad-policy"], "1.0: 6.2 Step Fields"),
    (RULES["bad-policy"], "1.0: 6.2 Step Fields"),
)
STEP = Record(
    {
        "id": _step_part(STEP_ID),
        "verb": _step_part(SHORT),
        "tool": _step_part(SHORT),
        "params": _step_part(FREE, RULES["bad-params"]),
        "depends_on": _step_part(Names(STEP_ID)),
        "timeout_ms": _step_part(Number(1, 3_600_000), RULES["bad-policy"]),
        "retry": _step_part(RETRY, RULES["bad-policy"]),
        "on_error": _step_part(Choice(schema.POLICIES), RULES["bad-policy"]),
        "fallback_step": _step_part(STEP_ID, RULES["bad-policy"]),
        "output_key": _step_part(STEP_ID, RULES["bad-policy"]),
    },
    ("id", "verb", "tool", "params"),
    (RULES["bad-step"], "1.0: 6.1 Step Shape"),
    (RULES["bad-step"], "1.0: 6.1 Step Shape"),
    find_key(
        {"parameters": "params"},
        {
            "step_id": "id",
            "action": "verb",
            "args": "params",
            "depends": "depends_on",
            "after": "depends_on",
            "timeout": "timeout_ms",
            "fallback": "fallback_step",
            "output": "output_key",
        },
        schema.STEP_10,
    ),
)


def _record(parts: dict[str, Any], required: tuple[str, ...], rule: Any, section: str) -> Record:
    return Record(
        {key: Part(shape, rule, section) for key, shape in parts.items()},
        required,
        (rule, section),
        (rule, section),
    )


RESULT = _record(
    {"outputs": FREE, "summary": Text("non-empty text", 2**20), "step_results": FREE},
    ("outputs",),
    RULES["bad-result"],
    "1.0: 7.1 Result Object",
)
ERROR = _record(
    {
        "code": Text(
            "1 to 64 capital letters, digits, or _",
            64,
            CODE.fullmatch,
            lambda text: text.strip().upper(),
        ),
        "message": Text("1 to 1,024 characters", 1024),
        "step_id": STEP_ID,
        "retryable": FLAG,
        "details": FREE,
    },
    ("code", "message"),
    RULES["bad-error"],
    "1.0: 7.2 Error Object",
)
METRICS = _record(
    {name: Number(whole=name != "cost_usd") for name in schema.METRICS},
    (),
    RULES["bad-trace"],
    "1.0: 11. Observability",
)
TRACE = _record(
    {**dict.fromkeys(schema.TRACE_KEYS[:3], NAMED), "attempt": Number(1), "metrics": METRICS},
    (),
    RULES["bad-trace"],
    "1.0: 11. Observability",
)
FIELDS = "1.0: 4.2 Field Definitions"
MESSAGE = Record(
    {
        "proto_ver": Part(
            Text(
                "1.0.0",
                10,
                schema.PATCH.fullmatch,
                _mend_version,
                lambda text: schema.V10_NAME if _mend_version(text) in ("1", "1.0") else text,
            ),
            RULES["bad-version"],
            FIELDS,
        ),
        "msg_id": Part(NAMED, RULES["bad-name"], FIELDS),
        "reply_to": Part(NAMED, RULES["bad-name"], FIELDS),
        "ts": Part(
            Text("a time such as 2026-05-09T00:00:00Z", 40, _is_time, _mend_time),
            RULES["bad-time"],
            FIELDS,
        ),
        "sender": Part(NAMED, RULES["bad-name"], FIELDS),
        "recipient": Part(NAMED, RULES["bad-name"], FIELDS),
        "g": Part(Text("a goal of 1 to 128 characters", 128, str.strip), RULES["bad-goal"], FIELDS),
        "ctx": Part(FREE, RULES["bad-context"], FIELDS),
        "plan": Part(Typed(list, "an array"), RULES["bad-plan"], FIELDS),
        "out_fmt": Part(Choice(schema.FORMATS), RULES["bad-out-fmt"], FIELDS),
        "state": Part(Choice(schema.STATES_10), RULES["bad-state"], "1.0: 5.1 States"),
        "result": Part(RESULT, RULES["bad-result"], "1.0: 7.1 Result Object"),
        "error": Part(ERROR, RULES["bad-error"], "1.0: 7.2 Error Object"),
        "trace": Part(TRACE, RULES["bad-trace"], "1.0: 11. Observability"),
        "test_mode": Part(FLAG, RULES["bad-test-mode"], FIELDS),
        "ext": Part(
            Spaced("a namespace, a dot, and a name", re.compile(r"[a-z0-9]+\.[A-Za-z0-9_.\-]+")),
            RULES["bad-extension"],
            FIELDS,
        ),
    },
    schema.REQUIRED_10,
    (RULES["unknown-key"], "1.0: 4.3 Envelope Rules"),
    (RULES["missing-field"], "1.0: 4.1 Required Fields"),
    find_key(
        {
            "goal": "g",
            "context": "ctx",
            "output_format": "out_fmt",
            "message_id": "msg_id",
            "protocol_version": "proto_ver",
            "timestamp": "ts",
            "extensions": "ext",
        },
        {
            "steps": "plan",
            "out_format": "out_fmt",
            "format": "out_fmt",
            "id": "msg_id",
            "in_reply_to": "reply_to",
            "version": "proto_ver",
            "dry_run": "test_mode",
            "time": "ts",
            "from": "sender",
            "to": "recipient",
            "status": "state",
        },
        schema.KEYS_10,
    ),
)
NEEDED = {'"DONE"': "result", '"FAILED"': "error"}
"""What a state requires. Without it, the fix would cause another error."""
