"""Write a SACP message that says a statement of any protocol.

A message asks for something (no state, or PENDING), tells of it (IN_PROGRESS, DONE), or tells of
its failure (FAILED). The short replies have room for nothing else, so only a reply becomes a reply
again. What has no key is carried as one object under ``x-cablese`` in the context, which is an
object of anything. A plan is never empty: a statement without a plan gets one step that names the
act and the object.

Messages of 1.0 work the same way. Their private object is ``cablese.carried`` in ``ext``, and their
short names must be names, so another text is written as the nearest name and carried as well.
Between the two versions a message is stated so that both can say it (``statement.state_across``):
its plan as ``stages``, and whatever only one version says under names that the other carries. What
1.0 requires and 0.1 does not have is written and reported as added; a time that the sender did not
state is the Unix epoch.
"""

import re
from typing import Any

from cablese.meaning import Meaning
from cablese.outcome import spell
from cablese.translation.private_fields import pack
from cablese.translation.statement import UNSTATED, Inexpressible, Statement

from .schema import LATER, STATUSES, V01, V10, V10_NAME, dialect_of
from .statement import ACTS, OUTCOMES, STATE_OF, STATED, VERSIONS, Version
from .v1.stages import RESTS_10, join_01, join_10

NAME_LIMIT, TOOL_LIMIT, REASON_LIMIT = 128, 64, 1024
NOT_NAMED = re.compile(r"[^A-Za-z0-9._:\-]+")
UNSAID_TIME = "1970-01-01T00:00:00Z"


def express(statement: Statement, dialect: str | None = None) -> dict[str, Any]:
    """Return the values of a message in a dialect: the one it names, or else 0.1."""
    own = statement.own("sacp")
    if dialect_of(own.get("proto_ver"), dialect) == V10:
        return _express(statement, own, {}, V10, added=[] if "proto_ver" in own else ["proto_ver"])
    if own.get("status") in STATUSES and not own.keys() & {"steps", "ctx"}:
        meaning = statement.meaning
        named = {"details": meaning.reason, "msg_id": meaning.id, "reply_to": meaning.reply_to}
        return own | {key: value for key, value in named.items() if value}
    return _express(statement, own, {}, V01, added=[])


def express_across(statement: Statement, dialect: str) -> dict[str, Any]:
    """Return the values of a message in ``dialect`` for what ``state_across`` returned. Raises
    Inexpressible.
    """
    own = statement.own("sacp")
    later = dialect == V10
    rest = {name: own.pop(name) for name in VERSIONS[V01 if later else V10].only if name in own}
    number = own.get("proto_ver")
    if number is not None and (LATER.fullmatch(str(number)) is not None) is not later:
        rest["proto_ver"] = own.pop("proto_ver")
    plan = {name: own.pop(name) for name in ("groups", *RESTS_10) if name in own}
    if "steps" in own:
        own["steps"] = join_10(own["steps"], plan) if later else join_01(own["steps"], plan)
    return _express(statement, own, rest, dialect, added=[])


def _express(
    source: Statement, own: dict[str, Any], rest: dict[str, Any], dialect: str, *, added: list[str]
) -> dict[str, Any]:
    """Return a message. ``rest`` has extras of the other version; ``added`` collects keys."""
    meaning, spoken = source.meaning, set[str]()
    version, later = VERSIONS[dialect], dialect == V10
    values: dict[str, Any] = {"proto_ver": V10_NAME} if later else {}
    _add_terms(values, meaning, version, spoken, added, later=later)
    if later and "ts" not in own:
        values["ts"] = UNSAID_TIME
        added.append("ts")
    act = "accept" if later and meaning.act == "accept" else ACTS[meaning.act]
    outcome = None if own.get("error") else source.outcome
    state_of = spell(meaning.status, outcome, version.states) or STATE_OF.get(act)
    if state_of or later:
        values["state"] = state_of or "PENDING"
    _add_state(values.get("state"), meaning, version, spoken, added)
    if later:
        _add_outcome(values, own, meaning, spoken, added)
    if "steps" in own:
        spoken.add("object")
    else:
        values["steps"] = [_make_step(meaning, spoken, added, later=later)]
    context = own.get("ctx") if later else None
    if isinstance(context, dict) and context.get("test_mode") is True and "test_mode" not in own:
        values["test_mode"] = True
        added.append("test_mode")
    values |= own
    parcel = pack(source, spoken=spoken, added=added, protocol="sacp")
    parcel |= {f"sacp.{name}": value for name, value in rest.items()}
    if parcel:
        holder = own.get(version.holder)
        existing = holder if isinstance(holder, dict) else {}
        if version.mark in existing and (later or rest):
            raise Inexpressible(
                f"{version.mark} is already in the message, where a translation stores fields "
                "without an equivalent."
            )
        values[version.holder] = {**existing, version.mark: parcel}
    return values


def _add_terms(
    values: dict[str, Any],
    meaning: Meaning,
    version: Version,
    spoken: set[str],
    added: list[str],
    *,
    later: bool,
) -> None:
    for key, term in version.terms.items():
        value = getattr(meaning, term)
        written = _name(key, value, later=later) if value else None
        if written is not None and written == value:
            spoken.add(term)
        if written is None and key in version.required:
            added.append(key)
            written = UNSTATED
        if written is not None:
            values[key] = written


def _name(key: str, value: str, *, later: bool) -> str | None:
    """Return the nearest text that ``key`` may have; None when nothing of the text is left."""
    if not later:
        return value if key != "g" or value.strip() else None
    near = value if key == "g" else NOT_NAMED.sub("-", value)
    fits = len(near) <= NAME_LIMIT and near.strip()
    return near if fits else near.strip()[:NAME_LIMIT].strip() or None


def _add_state(
    state_of: str | None, meaning: Meaning, version: Version, spoken: set[str], added: list[str]
) -> None:
    """Add the terms that a state says exactly: the act that it tells, and the status."""
    if STATED.get(state_of or "", "request") == meaning.act:
        spoken.add("act")
    if state_of and meaning.status is None:
        added.append("state")
    elif state_of and version.statuses[state_of] == meaning.status:
        spoken.add("status")


def _add_outcome(
    values: dict[str, Any],
    own: dict[str, Any],
    meaning: Meaning,
    spoken: set[str],
    added: list[str],
) -> None:
    """Add the result that DONE requires, or the error that FAILED requires."""
    for term, key, part in OUTCOMES:
        outcome = own.get(key)
        if isinstance(outcome, dict) and outcome.get(part) == getattr(meaning, term):
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
        added += ["error"] if fits else ["error", "error.message"]
        if fits:
            spoken.add("reason")


def _make_step(
    meaning: Meaning, spoken: set[str], added: list[str], *, later: bool
) -> dict[str, Any]:
    added.append("plan")
    tool = meaning.object
    if tool is None or not tool.strip():
        added.append("tool")
        tool = UNSTATED
    elif not later or len(tool) <= TOOL_LIMIT:
        spoken.add("object")
    else:
        tool = tool.strip()[:TOOL_LIMIT]
    return ({"id": "s1"} if later else {}) | {"verb": meaning.act, "tool": tool, "params": {}}
