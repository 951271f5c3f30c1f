"""Read what a message of SACP states: acts, goals, and steps, in terms that protocols share."""

from typing import Any, NamedTuple

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import ENDS, Outcome
from cablese.translation.private_fields import MARK, unpack
from cablese.translation.statement import Inexpressible, Parcel, Place, Statement

from .schema import V01, V10, V10_NAME
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
"""The states of both versions, with their statuses."""
NEAR = dict.fromkeys(("accepted", "waiting", "blocked", "partial"), "IN_PROGRESS")
"""The nearest state for a status that 0.1 does not have."""
STATE_OF: dict[Act, str] = {"inform": "IN_PROGRESS", "error": "FAILED", "accept": "ACCEPTED"}
"""The state of an act without a status. Nothing is reported as done unless the sender said so."""
STATED: dict[str, Act] = {
    "DONE": "inform",
    "IN_PROGRESS": "inform",
    "FAILED": "error",
    "ACCEPTED": "accept",
    "WAITING": "inform",
    "CANCELLED": "error",
}
TERMS = {"g": "goal", "msg_id": "id", "reply_to": "reply_to"}
OUTCOMES = (("reason", "error", "message"), ("result", "result", "summary"))
"""Terms of the meaning, and the parts of 1.0 that hold them."""

Split = tuple[Layers, Rest]


class Version(NamedTuple):
    """How one version of SACP names what both versions say."""

    terms: dict[str, str]
    required: tuple[str, ...]
    """The keys of ``terms`` that a message must have."""
    statuses: dict[str, str]
    states: dict[str, str]
    """The state for a status, or the nearest one."""
    holder: str
    mark: str
    """The object that holds what the version has no key for, and its key there."""
    tool: str
    """The name of the field with the tool of the first step."""
    only: tuple[str, ...]
    """Extras that the other version has no key for."""


VERSIONS = {
    V01: Version(
        TERMS,
        ("g",),
        STATUSES_01,
        NEAR | {"cancelled": "FAILED"} | {status: state for state, status in STATUSES_01.items()},
        "ctx",
        MARK,
        "plan.0.1",
        ("subtask", "groups"),
    ),
    V10: Version(
        TERMS | {"sender": "sender", "recipient": "recipient"},
        ("g", "msg_id", "sender"),
        STATUSES_10,
        NEAR | {"blocked": "WAITING"} | {status: state for state, status in STATUSES_10.items()},
        "ext",
        "cablese.carried",
        "plan.0.tool",
        ("ts", "result", "error", "trace", "ext", *RESTS_10),
    ),
}


def judge(values: dict[str, Any]) -> Outcome | None:
    """Return how the task of a message ended, by its state or status. An error is always a
    failure.
    """
    if values.get("status") == "ERR" or values.get("error"):
        return "failed"
    state_of = values.get("state")
    return ENDS.get(STATUSES_10.get(state_of, "")) if isinstance(state_of, str) else None


def state(message: Message, meaning: Meaning) -> Statement:
    """Return what a valid message states."""
    return (
        _reply(message.values, meaning)
        if is_reply(message.values)
        else _message(message, meaning, None)
    )


def state_across(message: Message, meaning: Meaning) -> Statement:
    """Return what a valid message states, in terms of both versions. Raises Inexpressible."""
    if is_reply(message.values):
        raise Inexpressible(
            "SACP 1.0 has no short replies: its answers are complete messages with a plan."
        )
    split = split_10 if message.dialect == V10 else split_01
    return _message(message, meaning, split(message.values["steps"]))


def _reply(values: dict[str, Any], meaning: Meaning) -> Statement:
    stated = Statement("sacp", meaning.act, "status", values["status"], judge(values))
    for key, value in values.items():
        if key == "details" and meaning.reason:
            stated.term("reason", meaning.reason, key)
        elif key in TERMS and value:
            stated.term(TERMS[key], value, key)
        else:
            stated.keep(key, value)
    return stated


def _message(message: Message, meaning: Meaning, split: Split | None) -> Statement:
    values, version = message.values, VERSIONS[message.dialect]
    state_of = values.get("state")
    stated = Statement("sacp", meaning.act, "state" if state_of else "", state_of, judge(values))
    carried = (values.get(version.holder) or {}).get(version.mark)
    parcel = _unpack(carried, f"{version.holder}.{version.mark}", split)
    added = parcel.added if parcel else ()
    # Between the versions each one's own number goes without saying.
    implied = {"out_fmt": "raw"} | (
        {"proto_ver": V10_NAME} if split and message.dialect == V10 else {}
    )
    for key, value in values.items():
        if key in version.terms and value:
            stated.term(version.terms[key], value, key)
        elif key == "state" and value in version.statuses:
            stated.term("status", version.statuses[value], key, value)
        elif key == version.holder and parcel is not None:
            remainder = {name: part for name, part in value.items() if name != version.mark}
            if remainder:
                stated.keep(key, remainder)
        elif key == "steps":
            _add_plan(stated, value, split, added)
        elif key in implied and value == implied[key]:
            stated.imply(key, value)
        else:
            stated.keep(key, value)
    if "tool" not in added:
        stated.term("object", meaning.object, version.tool if "plan" in added else "plan")
    if "plan" not in added:
        stated.within["object"] = "sacp.steps"
    for term, key, part in OUTCOMES:
        stated.term(term, getattr(meaning, term), f"{key}.{part}")
        if key in values and key not in added:
            stated.within[term] = f"sacp.{key}"
    if parcel is not None:
        stated.recall(parcel)
    return stated


def _add_plan(
    stated: Statement, steps: list[Any], split: Split | None, added: tuple[str, ...]
) -> None:
    if "plan" in added:
        stated.fill("plan", steps)
        return
    stated.keep("steps", steps if split is None else split[0], "plan")
    stated.essential.append("sacp.steps")
    if split is not None:
        stated.places["sacp.steps"] = Place("plan", steps)
        for name, value in split[1].items():
            stated.keep(name, value, f"plan.{name}")


def _unpack(value: Any, key: str, split: Split | None) -> Parcel | None:
    """Return the parcel under ``key``. What it carries for the other version of SACP counts only
    between the versions.
    """
    parcel = unpack(value, key)
    extras = parcel.extras if parcel else {}
    own = {
        name.removeprefix("sacp."): extra
        for name, extra in extras.items()
        if name.startswith("sacp.")
    }
    return parcel if not own or (split is not None and _is_carried(own, split)) else None


def _is_carried(rest: dict[str, Any], split: Split) -> bool:
    plan = {name: rest[name] for name in ("groups", *RESTS_10) if name in rest}
    return rest.keys() <= ({"proto_ver", *VERSIONS[V01].only, *VERSIONS[V10].only}) and is_rest(
        plan, split[0]
    )
