"""SACP's side of a translation: what a message states, and a message that says a statement.

A message asks for something (no state, or PENDING), tells of it (IN_PROGRESS, DONE) or of its
failure (FAILED). The short replies have room for nothing else, so only a reply becomes one again.
What has no key is carried as one object under ``x-cablese`` in the context, which is an object of
anything. A plan is never empty: the step that a statement without a plan gets names the act and the
object.

Messages of 1.0 go the same ways; their private object is ``cablese.carried`` in ``ext``, and their
short names must be names, so that another text is written as the nearest one and carried beside it.
Between the two versions a message is stated so that both can say it (``state_across``): its plan as
``layers``, and whatever only one version says under names that the other carries. What 1.0 demands
and 0.1 does not know is written and called added; a time that nobody said is the first one of the
calendar that computers count by.
"""

import re
from typing import Any

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import ENDS, Outcome, spell
from cablese.translation.private_fields import MARK, pack, unpack
from cablese.translation.statement import (
    UNSTATED,
    Inexpressible,
    Parcel,
    Place,
    Restored,
    Statement,
    Telling,
)

from .schema import LATER, STATUSES, V10, V10_NAME, dialect_of
from .v1.stages import RESTS_10, Layers, Rest, is_rest, join_01, join_10, split_01, split_10
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
            "SACP 1.0 has no short replies: its answers are whole messages, with their plan."
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


def express(said: Statement, dialect: str | None = None) -> dict[str, Any]:
    """The values of a message that says what any protocol said, in a version: the one that it
    names, or 0.1.
    """
    own = said.own("sacp")
    if dialect_of(own.get("proto_ver"), dialect) == V10:
        return _express_10(said, own, {}, added=[] if "proto_ver" in own else ["proto_ver"])
    if own.get("status") in STATUSES and not own.keys() & {"steps", "ctx"}:
        return _answer(said.meaning, own)
    return _express(said, own, {})


def express_across(said: Statement, dialect: str) -> dict[str, Any]:
    """The values of a message in the other version, from what ``state_across`` told. Raises
    Inexpressible.
    """
    own = said.own("sacp")
    later = dialect == V10
    rest = {name: own.pop(name) for name in (ONLY_01 if later else ONLY_10) if name in own}
    version = own.get("proto_ver")
    if version is not None and (LATER.fullmatch(str(version)) is not None) is not later:
        rest["proto_ver"] = own.pop("proto_ver")
    plan = {name: own.pop(name) for name in ("groups", *RESTS_10) if name in own}
    if "steps" in own:
        own["steps"] = join_10(own["steps"], plan) if later else join_01(own["steps"], plan)
    return _express_10(said, own, rest, added=[]) if later else _express(said, own, rest)


def _express(said: Statement, own: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    """``rest`` is what only the other version has a place for."""
    meaning = said.meaning
    spoken, added = set(), []
    values: dict[str, Any] = {"g": UNSTATED}
    for key, term in TERMS.items():
        value = getattr(meaning, term)
        if value and (key != "g" or value.strip()):
            spoken.add(term)
            values[key] = value
    if "goal" not in spoken:
        added.append("g")
    state_of = spell(meaning.status, said.outcome, STATES_01) or STATE_OF.get(ACTS[meaning.act])
    if state_of:
        values["state"] = state_of
    _add_state(state_of, meaning, STATUSES_01, spoken, added)
    if "steps" in own:
        spoken.add("object")
    else:
        added.append("plan")
        tool = meaning.object
        if tool and tool.strip():
            spoken.add("object")
        else:
            added.append("tool")
            tool = UNSTATED
        values["steps"] = [{"verb": meaning.act, "tool": tool, "params": {}}]
    values |= own
    parcel = pack(said, spoken=spoken, added=added, protocol="sacp") | _carry(rest)
    if parcel:
        values["ctx"] = _put(own.get("ctx"), MARK, parcel, checked=bool(rest))
    return values


def _express_10(
    said: Statement, own: dict[str, Any], rest: dict[str, Any], added: list[str]
) -> dict[str, Any]:
    """A message of 1.0. What it demands and nobody said is ``added``."""
    meaning, spoken = said.meaning, set()
    values: dict[str, Any] = {"proto_ver": V10_NAME}
    for key, term in TERMS_10.items():
        value = getattr(meaning, term)
        written = _name(key, value) if value else None
        if written is not None and written == value:
            spoken.add(term)
        if written is None and key in ("g", "msg_id", "sender"):
            added.append(key)
            written = UNSTATED
        if written is not None:
            values[key] = written
    if "ts" not in own:
        values["ts"] = UNSAID_TIME
        added.append("ts")
    act = "accept" if meaning.act == "accept" else ACTS[meaning.act]
    outcome = None if own.get("error") else said.outcome
    values["state"] = spell(meaning.status, outcome, STATES_10) or STATE_OF.get(act, "PENDING")
    _add_state(values["state"], meaning, STATUSES_10, spoken, added)
    _add_outcome(values, own, meaning, spoken, added)
    if "steps" in own:
        spoken.add("object")
    else:
        values["steps"] = [_make_step(meaning, spoken, added)]
    context = own.get("ctx")
    if isinstance(context, dict) and context.get("test_mode") is True and "test_mode" not in own:
        values["test_mode"] = True
        added.append("test_mode")
    values |= own
    parcel = pack(said, spoken=spoken, added=added, protocol="sacp") | _carry(rest)
    if parcel:
        values["ext"] = _put(own.get("ext"), PLACE_10, parcel, checked=True)
    return values


def _add_state(
    state_of: str | None,
    meaning: Meaning,
    statuses: dict[str, str],
    spoken: set[str],
    added: list[str],
) -> None:
    """Which terms a state says exactly: the act that it tells, and the status."""
    if STATED.get(state_of or "", "request") == meaning.act:
        spoken.add("act")
    if state_of and meaning.status is None:
        added.append("state")
    elif state_of and statuses[state_of] == meaning.status:
        spoken.add("status")


def _name(key: str, value: str) -> str | None:
    """The nearest that may stand under ``key``; None when nothing is left of the text."""
    near = value if key == "g" else NOT_NAMED.sub("-", value)
    return (
        near
        if len(near) <= NAME_LIMIT and near.strip()
        else near.strip()[:NAME_LIMIT].strip() or None
    )


def _add_outcome(
    values: dict[str, Any],
    own: dict[str, Any],
    meaning: Meaning,
    spoken: set[str],
    added: list[str],
) -> None:
    """The result that DONE needs, or the error that FAILED needs."""
    for term, key, part in OUTCOMES:
        held = own.get(key)
        if isinstance(held, dict) and held.get(part) == getattr(meaning, term):
            spoken.add(term)
    if values["state"] == "DONE" and "result" not in own:
        values["result"] = {"outputs": {}}
        added.append("result")
        if meaning.result:
            values["result"]["summary"] = meaning.result
            spoken.add("result")
    elif values["state"] == "FAILED" and "error" not in own:
        fits = meaning.reason is not None and 0 < len(meaning.reason) <= REASON_LIMIT
        values["error"] = {
            "code": "INTERNAL_ERROR",
            "message": meaning.reason if fits else UNSTATED,
        }
        added.append("error")
        if fits:
            spoken.add("reason")
        else:
            added.append("error.message")


def _make_step(meaning: Meaning, spoken: set[str], added: list[str]) -> dict[str, Any]:
    added.append("plan")
    tool = meaning.object
    if tool is None or not tool.strip():
        added.append("tool")
        tool = UNSTATED
    elif len(tool) <= TOOL_LIMIT:
        spoken.add("object")
    else:
        tool = tool.strip()[:TOOL_LIMIT]
    return {"id": "s1", "verb": meaning.act, "tool": tool, "params": {}}


def _carry(rest: dict[str, Any]) -> dict[str, Any]:
    return {f"sacp.{name}": value for name, value in rest.items()}


def _put(holder: Any, place: str, parcel: dict[str, Any], *, checked: bool) -> dict[str, Any]:
    """The object that holds the parcel beside what stands there. ``checked`` refuses to write over
    something.
    """
    beside = holder if isinstance(holder, dict) else {}
    if checked and place in beside:
        raise Inexpressible(
            f"{place} stands in the message already, where a translation carries what has no place."
        )
    return {**beside, place: parcel}


def _answer(meaning: Meaning, own: dict[str, Any]) -> dict[str, Any]:
    named = {"details": meaning.reason, "msg_id": meaning.id, "reply_to": meaning.reply_to}
    return own | {key: value for key, value in named.items() if value}


def restore(plain: dict[str, Any], values: dict[str, Any]) -> Restored:
    """JSON is what SACP sends: every word is its key."""
    return Restored(values, {key: key for key in plain})
