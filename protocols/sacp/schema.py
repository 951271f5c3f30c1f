"""The words of SACP 0.1: keys, formats, states and replies ("1. Lexical Components", "5. Extensibility")."""

import re

KEYS = ("g", "ctx", "plan", "out_fmt", "state", "msg_id", "reply_to", "proto_ver", "subtask", "test_mode")
ORDER = ("g", "msg_id", "reply_to", "ctx", "out_fmt", "state", "proto_ver", "test_mode", "subtask", "steps")
"""The order of ``values``, where the plan is called ``steps``."""
REPLY_KEYS = ("status", "code", "details", "msg_id", "reply_to")
STATUSES = ("VALID", "ERR", "REQ_CLARIFY")
FORMATS = ("human", "raw", "summary")
STATES = ("PENDING", "IN_PROGRESS", "DONE", "FAILED")
TEXTS = ("msg_id", "reply_to", "proto_ver")

V01 = "sacp/0.1"
V10 = "sacp/1.0"
V01_NAMES = ("0.1", "0.1.0", "v0.1")
LATER = re.compile(r"v?1(?:\.[0-9]{1,4}){0,2}")
"""A ``proto_ver`` of SACP 1, which has object steps, and states of its own."""

NAMED_STEP = re.compile(r"\bstep\s+[0-9]", re.IGNORECASE)


def dialect_of(proto_ver: object, dialect: str | None) -> str:
    """The dialect asked for, or else the one that ``proto_ver`` names."""
    if dialect:
        return dialect
    return V10 if isinstance(proto_ver, str) and LATER.fullmatch(proto_ver) else V01
