"""SACP's side of a translation: what a message states, and a message that says a statement.

A message asks for something (no state, or PENDING), tells of it (IN_PROGRESS, DONE) or of its
failure (FAILED). The short replies have room for nothing else, so only a reply becomes one again.
What has no key is carried as one object under ``x-cablese`` in the context, which is an object of
anything. A plan is never empty: the step that a statement without a plan gets names the act and the
object.

Messages of 1.0 go the same ways; their private object is ``cablese.carried`` in ``ext``, and their
short names must be names, so that another text is written as the nearest one and carried beside it.
Between the two versions a message is stated so that both can say it (``state_across``): its plan as
``stages``, and whatever only one version says under names that the other carries. What 1.0 demands
and 0.1 does not know is written and called added; a time that nobody said is the first one of the
calendar that computers count by.
"""

from typing import Any

from cablese.meaning import Meaning
from cablese.outcome import spell
from cablese.protocols.sacp.statement import (
    ACTS,
    NAME_LIMIT,
    NOT_NAMED,
    ONLY_01,
    ONLY_10,
    OUTCOMES,
    PLACE_10,
    REASON_LIMIT,
    STATE_OF,
    STATED,
    STATES_01,
    STATES_10,
    STATUSES_01,
    STATUSES_10,
    TERMS,
    TERMS_10,
    TOOL_LIMIT,
    UNSAID_TIME,
)
from cablese.translation.private_fields import MARK, pack
from cablese.translation.statement import (
    UNSTATED,
    Inexpressible,
    Restored,
    Statement,
)

from .schema import LATER, STATUSES, V10, V10_NAME, dialect_of
from .v1.stages import RESTS_10, join_01, join_10


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
            f"{place} is already in the message, where a translation stores fields without an "
            "equivalent."
        )
    return {**beside, place: parcel}


def _answer(meaning: Meaning, own: dict[str, Any]) -> dict[str, Any]:
    named = {"details": meaning.reason, "msg_id": meaning.id, "reply_to": meaning.reply_to}
    return own | {key: value for key, value in named.items() if value}


def restore(plain: dict[str, Any], values: dict[str, Any]) -> Restored:
    """JSON is what SACP sends: every word is its key."""
    return Restored(values, {key: key for key in plain})
