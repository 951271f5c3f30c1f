"""SACP's side of a translation: what a message states, and a message that says a statement.

A message asks for something (no state, or PENDING), tells of it (IN_PROGRESS, DONE) or of its failure (FAILED). The
short replies have room for nothing else, so only a reply becomes one again. What has no key is carried as one object
under ``x-cablese`` in the context, which is an object of anything. A plan is never empty: the step that a statement
without a plan gets names the act and the object.
"""

from typing import Any

from protocols.meaning import Act, Meaning
from protocols.message import Message
from protocols.parcel import MARK, pack, unpack
from protocols.statement import UNSTATED, Restored, Statement, Telling

from .schema import STATES, STATUSES, V10, dialect_of
from .writer import is_reply

ACTS: dict[Act, Act] = {
    "request": "request", "propose": "request", "inform": "inform", "evaluate": "inform", "accept": "inform",
    "reject": "inform", "query": "request", "confirm": "inform", "command": "request", "answer": "inform",
    "state": "inform", "error": "error", "control": "request", "data": "inform",
}  # fmt: skip
STATED: dict[str, tuple[str, ...]] = {
    "request": ("PENDING",), "inform": ("DONE", "IN_PROGRESS"), "error": ("FAILED",)
}  # fmt: skip
UNDER_WAY = ("in_progress", "partial", "waiting", "blocked")
TERMS = {"g": "goal", "msg_id": "id", "reply_to": "reply_to"}
CARRIED = f"ctx.{MARK}"
CARRIES = "the object x-cablese in ctx"


def state(message: Message, meaning: Meaning) -> Statement:
    values = message.values
    return _reply(values, meaning) if is_reply(values) else _message(values, meaning)


def _reply(values: dict[str, Any], meaning: Meaning) -> Statement:
    told = Telling("sacp", meaning.act, "status", values["status"])
    for key, value in values.items():
        if key == "details" and meaning.reason:
            told.term("reason", meaning.reason, key)
        elif key in TERMS and value:
            told.term(TERMS[key], value, key)
        else:
            told.keep(key, value)
    return told.statement()


def _message(values: dict[str, Any], meaning: Meaning) -> Statement:
    state_of = values.get("state")
    told = Telling("sacp", meaning.act, "state" if state_of else "", state_of)
    context = values.get("ctx")
    parcel = unpack(context.get(MARK), CARRIED) if context else None
    made = parcel is not None and "plan" in parcel.added
    for key, value in values.items():
        if key in TERMS and value:
            told.term(TERMS[key], value, key)
        elif key == "state" and meaning.status:
            told.term("status", meaning.status, key)
        elif key == "ctx" and parcel is not None:
            own = {name: one for name, one in value.items() if name != MARK}
            if own:
                told.keep(key, own)
        elif key == "steps" and made:
            told.fill("plan", value)
        elif key == "steps":
            told.keep(key, value, "plan")
            told.essential.append("sacp.steps")
        elif key == "out_fmt" and value == "raw":
            told.imply(key, value)
        else:
            told.keep(key, value)
    if parcel is None or "tool" not in parcel.added:
        told.term("object", meaning.object, "plan.0.1" if made else "plan")
    if not made:
        told.within["object"] = "sacp.steps"
    if parcel is not None:
        told.recall(parcel)
    return told.statement()


def express(said: Statement) -> dict[str, Any]:
    own = said.own("sacp")
    if own.get("status") in STATUSES and not own.keys() & {"steps", "ctx"}:
        return _answer(said.meaning, own)
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
    act = ACTS[meaning.act]
    if act == meaning.act:
        spoken.add("act")
    state_of = _state(meaning, act, own)
    if state_of:
        values["state"] = state_of
        if state_of == meaning.status:
            spoken.add("status")
        elif meaning.status is None:
            added.append("state")
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
    parcel = pack(said, spoken=spoken, added=added, protocol="sacp")
    if parcel:
        context = own.get("ctx")
        values["ctx"] = {**(context if isinstance(context, dict) else {}), MARK: parcel}
    return values


def _state(meaning: Meaning, act: str, own: dict[str, Any]) -> str | None:
    """The state that tells the act: the status itself where it does, and none for a request without one."""
    status = meaning.status
    later = dialect_of(own.get("proto_ver"), None) == V10
    if status in STATED[act] or (later and status and status not in STATES):
        return status
    if act == "request":
        return None
    return "IN_PROGRESS" if act == "inform" and status in UNDER_WAY else STATED[act][0]


def _answer(meaning: Meaning, own: dict[str, Any]) -> dict[str, Any]:
    named = {"details": meaning.reason, "msg_id": meaning.id, "reply_to": meaning.reply_to}
    return own | {key: value for key, value in named.items() if value}


def restore(plain: dict[str, Any], values: dict[str, Any]) -> Restored:
    """JSON is what SACP sends: every word is its key."""
    return Restored(values, {key: key for key in plain})
