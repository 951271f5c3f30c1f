"""What a message of SACP states: acts, goals and steps, in words that other protocols share."""

import re
from typing import Any

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import ENDS, Outcome
from cablese.translation.private_fields import MARK, unpack
from cablese.translation.statement import (
    Inexpressible,
    Parcel,
    Place,
    Statement,
    Telling,
)

from .schema import V10, V10_NAME
from .v1.stages import RESTS_10, Layers, Rest, is_rest, split_01, split_10
from .writer import is_reply

ACTS: dict[Act, Act] = {
    "request": "request",
    "propose": "request",
    "inform": "inform",
    "evaluate": "inform",
    "accept": "inform",
    "reject": "inform",
    "query": "request",
    "confirm": "inform",
    "command": "request",
    "answer": "inform",
    "state": "inform",
    "error": "error",
    "control": "request",
    "data": "inform",
}
STATUSES_01 = {
    "PENDING": "pending",
    "IN_PROGRESS": "in_progress",
    "DONE": "done",
    "FAILED": "failed",
}
STATUSES_10 = STATUSES_01 | {"ACCEPTED": "accepted", "WAITING": "waiting", "CANCELLED": "cancelled"}
"""The states of both versions, with the statuses that they are."""
NEAR = {
    "accepted": "IN_PROGRESS",
    "waiting": "IN_PROGRESS",
    "blocked": "IN_PROGRESS",
    "partial": "IN_PROGRESS",
}
STATES_01 = (
    NEAR | {"cancelled": "FAILED"} | {status: state for state, status in STATUSES_01.items()}
)
STATES_10 = NEAR | {"blocked": "WAITING"} | {status: state for state, status in STATUSES_10.items()}
"""The state for a status, or the nearest one."""
STATE_OF: dict[Act, str] = {"inform": "IN_PROGRESS", "error": "FAILED", "accept": "ACCEPTED"}
"""The state that tells an act of which no status is known: nothing is called done unless somebody
said so.
"""
STATED: dict[str, Act] = {
    "DONE": "inform",
    "IN_PROGRESS": "inform",
    "FAILED": "error",
    "ACCEPTED": "accept",
    "WAITING": "inform",
    "CANCELLED": "error",
}
TERMS = {"g": "goal", "msg_id": "id", "reply_to": "reply_to"}
CARRIED = f"ctx.{MARK}"
CARRIES = "the object x-cablese in ctx"
PLACE_10 = "cablese.carried"
CARRIED_10 = f"ext.{PLACE_10}"
TERMS_10 = TERMS | {"sender": "sender", "recipient": "recipient"}
UNSAID_TIME = "1970-01-01T00:00:00Z"
ONLY_01 = ("subtask", "groups")
ONLY_10 = ("ts", "result", "error", "trace", "ext", *RESTS_10)
"""Extras that only one version has a place for."""
OUTCOMES = (("reason", "error", "message"), ("result", "result", "summary"))
"""Terms of the meaning, and the parts of 1.0 that hold them."""
NAME_LIMIT, TOOL_LIMIT, REASON_LIMIT = 128, 64, 1024
NOT_NAMED = re.compile(r"[^A-Za-z0-9._:\-]+")

Split = tuple[Layers, Rest]


def judge(values: dict[str, Any]) -> Outcome | None:
    """How the task of a message ended: by its state or its status, and an error is a failure beside
    any state.
    """
    if values.get("status") == "ERR" or values.get("error"):
        return "failed"
    state_of = values.get("state")
    return ENDS.get(STATUSES_10.get(state_of, "")) if isinstance(state_of, str) else None


def state(message: Message, meaning: Meaning) -> Statement:
    values = message.values
    if is_reply(values):
        return _reply(values, meaning)
    return (
        _message_10(values, meaning, None)
        if message.dialect == V10
        else _message(values, meaning, None)
    )


def state_across(message: Message, meaning: Meaning) -> Statement:
    """What a message says, in the words that both versions know. Raises Inexpressible."""
    values = message.values
    if is_reply(values):
        raise Inexpressible(
            "SACP 1.0 has no short replies: its answers are complete messages with a plan."
        )
    if message.dialect == V10:
        return _message_10(values, meaning, split_10(values["steps"]))
    return _message(values, meaning, split_01(values["steps"]))


def _reply(values: dict[str, Any], meaning: Meaning) -> Statement:
    told = Telling("sacp", meaning.act, "status", values["status"], judge(values))
    for key, value in values.items():
        if key == "details" and meaning.reason:
            told.term("reason", meaning.reason, key)
        elif key in TERMS and value:
            told.term(TERMS[key], value, key)
        else:
            told.keep(key, value)
    return told.statement()


def _message(values: dict[str, Any], meaning: Meaning, split: Split | None) -> Statement:
    state_of = values.get("state")
    told = Telling("sacp", meaning.act, "state" if state_of else "", state_of, judge(values))
    context = values.get("ctx")
    parcel = _unpack(context.get(MARK), CARRIED, split) if context else None
    added = parcel.added if parcel else ()
    for key, value in values.items():
        if key in TERMS and value:
            told.term(TERMS[key], value, key)
        elif key == "state" and value in STATUSES_01:
            told.term("status", STATUSES_01[value], key, value)
        elif key == "ctx" and parcel is not None:
            _keep_rest(told, key, value, MARK)
        elif key == "steps":
            _tell_plan(told, value, split, added)
        elif key == "out_fmt" and value == "raw":
            told.imply(key, value)
        else:
            told.keep(key, value)
    _tell_object(told, meaning, added, "plan.0.1")
    if parcel is not None:
        told.recall(parcel)
    return told.statement()


def _message_10(values: dict[str, Any], meaning: Meaning, split: Split | None) -> Statement:
    told = Telling("sacp", meaning.act, "state", values["state"], judge(values))
    extensions = values.get("ext", {})
    parcel = _unpack(extensions.get(PLACE_10), CARRIED_10, split)
    added = parcel.added if parcel else ()
    for key, value in values.items():
        if key in TERMS_10:
            told.term(TERMS_10[key], value, key)
        elif key == "state":
            told.term("status", STATUSES_10[value], key, value)
        elif key == "ext" and parcel is not None:
            _keep_rest(told, key, value, PLACE_10)
        elif key == "steps":
            _tell_plan(told, value, split, added)
        elif (key == "out_fmt" and value == "raw") or (
            split and key == "proto_ver" and value == V10_NAME
        ):
            told.imply(key, value)
        else:
            told.keep(key, value)
    _tell_object(told, meaning, added, "plan.0.tool")
    for term, key, part in OUTCOMES:
        told.term(term, getattr(meaning, term), f"{key}.{part}")
        if key in values and key not in added:
            told.within[term] = f"sacp.{key}"
    if parcel is not None:
        told.recall(parcel)
    return told.statement()


def _tell_plan(
    told: Telling, steps: list[Any], split: Split | None, added: tuple[str, ...]
) -> None:
    if "plan" in added:
        told.fill("plan", steps)
        return
    told.keep("steps", steps if split is None else split[0], "plan")
    told.essential.append("sacp.steps")
    if split is not None:
        told.places["sacp.steps"] = Place("plan", steps)
        for name, value in split[1].items():
            told.keep(name, value, f"plan.{name}")


def _tell_object(told: Telling, meaning: Meaning, added: tuple[str, ...], at: str) -> None:
    made = "plan" in added
    if "tool" not in added:
        told.term("object", meaning.object, at if made else "plan")
    if not made:
        told.within["object"] = "sacp.steps"


def _keep_rest(told: Telling, key: str, value: dict[str, Any], mark: str) -> None:
    rest = {name: one for name, one in value.items() if name != mark}
    if rest:
        told.keep(key, rest)


def _unpack(value: Any, key: str, split: Split | None) -> Parcel | None:
    """The parcel under ``key``. What it carries for the other version of SACP counts between the
    versions alone.
    """
    parcel = unpack(value, key)
    own = (
        {name: one for name, one in parcel.extras.items() if name.startswith("sacp.")}
        if parcel
        else {}
    )
    if not own or parcel is None:
        return parcel
    rest = {name.removeprefix("sacp."): one for name, one in own.items()}
    if split is None or not _is_carried(rest, split):
        return None
    return parcel


def _is_carried(rest: dict[str, Any], split: Split) -> bool:
    names = ("proto_ver", *ONLY_01, *ONLY_10)
    plan = {name: rest[name] for name in ("groups", *RESTS_10) if name in rest}
    return all(name in names for name in rest) and is_rest(plan, split[0])
