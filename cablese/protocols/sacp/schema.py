"""List the words of SACP: keys, formats, states, and replies, of 0.1 ("1. Lexical Components",
"5. Extensibility") and of 1.0 (its sections 4 to 7 and 11).
"""

import re

KEYS = (
    "g",
    "ctx",
    "plan",
    "out_fmt",
    "state",
    "msg_id",
    "reply_to",
    "proto_ver",
    "subtask",
    "test_mode",
)
ORDER = (
    "g",
    "msg_id",
    "reply_to",
    "ctx",
    "out_fmt",
    "state",
    "proto_ver",
    "test_mode",
    "subtask",
    "steps",
)
"""The order of ``values``, where the plan is called ``steps``."""
REPLY_KEYS = ("status", "code", "details", "msg_id", "reply_to")
STATUSES = ("VALID", "ERR", "REQ_CLARIFY")
FORMATS = ("human", "raw", "summary")
STATES = ("PENDING", "IN_PROGRESS", "DONE", "FAILED")
TEXTS = ("msg_id", "reply_to", "proto_ver")

V01 = "sacp/0.1"
V10 = "sacp/1.0"
V01_NAMES = ("0.1", "0.1.0", "v0.1")
V10_NAME = "1.0.0"
LATER = re.compile(r"v?1(?:\.[0-9]{1,4}){0,2}")
"""A ``proto_ver`` that means SACP 1. Only ``1.0.0`` and its patches are read without an error."""
PATCH = re.compile(r"1\.0\.[0-9]{1,4}")

KEYS_10 = (
    "proto_ver",
    "msg_id",
    "reply_to",
    "ts",
    "sender",
    "recipient",
    "g",
    "ctx",
    "plan",
    "out_fmt",
    "state",
    "result",
    "error",
    "trace",
    "test_mode",
    "ext",
)
ORDER_10 = (*ORDER[:-2], "ts", "sender", "recipient", "result", "error", "trace", "ext", "steps")
REQUIRED_10 = ("proto_ver", "msg_id", "ts", "sender", "g", "plan", "state")
STATES_10 = ("PENDING", "ACCEPTED", "IN_PROGRESS", "WAITING", "DONE", "FAILED", "CANCELLED")
STEP_10 = (
    "id",
    "verb",
    "tool",
    "params",
    "depends_on",
    "timeout_ms",
    "retry",
    "on_error",
    "fallback_step",
    "output_key",
)
POLICIES = ("fail_fast", "continue", "fallback")
STRATEGIES = ("fixed", "exponential")
CODES_10 = (
    "UNSUPPORTED_VERSION",
    "MALFORMED_MESSAGE",
    "INVALID_STATE_TRANSITION",
    "UNKNOWN_VERB",
    "UNKNOWN_TOOL",
    "TOOL_INVOCATION_FAILED",
    "TIMEOUT",
    "DEPENDENCY_FAILED",
    "AUTHZ_DENIED",
    "RATE_LIMITED",
    "INTERNAL_ERROR",
    "CANCELLED",
)
TRACE_KEYS = ("trace_id", "span_id", "parent_span_id", "attempt", "metrics")
METRICS = ("latency_ms", "queue_ms", "tool_calls", "tokens_in", "tokens_out", "cost_usd")

NAMED_STEP = re.compile(r"\bstep\s+[0-9]", re.IGNORECASE)


def dialect_of(proto_ver: object, dialect: str | None) -> str:
    """Return ``dialect``, or else the one that ``proto_ver`` names."""
    later = isinstance(proto_ver, str) and LATER.fullmatch(proto_ver) is not None
    return dialect or (V10 if later else V01)
