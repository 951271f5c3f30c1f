"""Translate from and to AACP.

Each packet is an instruction, so only two acts fit: a request, and the ACK that confirms. The
others use the TASK that a person would file them under. Fields without a key in the draft are
stored in private fields, ``x-cablese-goal``, which section 12 allows with a warning (AACP-11).
"""

from typing import Any

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import STATUSES, Outcome, spell
from cablese.translation.private_fields import MARK, gather, pack, spread
from cablese.translation.statement import UNSTATED, Restored, Statement

from .escape import escape
from .reader import is_named
from .tables import DEFAULT_PRIORITY, DOMS, KEYS, PRIORITIES, TASKS, VERSION

ACTS: dict[Act, Act] = {
    "request": "request",
    "propose": "request",
    "inform": "request",
    "evaluate": "request",
    "accept": "confirm",
    "reject": "request",
    "query": "request",
    "confirm": "confirm",
    "command": "request",
    "answer": "request",
    "state": "request",
    "error": "request",
    "control": "request",
    "data": "request",
}
TASK_OF: dict[Act, str] = {
    "request": "PROC",
    "propose": "REPORT",
    "inform": "REPORT",
    "evaluate": "REPORT",
    "accept": "ACK",
    "reject": "FLAG",
    "query": "FETCH",
    "confirm": "ACK",
    "command": "PROC",
    "answer": "REPORT",
    "state": "REPORT",
    "error": "FLAG",
    "control": "SYNC",
    "data": "LOG",
}
TERMS = {"return": "answer_to", "res": "object", "actor": "sender", "issue": "reason"}
STATUS_OF: dict[str, str] = {status: status for status in STATUSES}
"""The draft lists no statuses, so the common words are written as they are."""
PREFIX = f"{MARK}-"
JOINT = "-"


def meant(task: object) -> Act:
    """Return the act of a TASK (docs/design/protocols.md)."""
    return "confirm" if task == "ACK" else "request" if str(task) in TASKS else "data"


def state(message: Message, meaning: Meaning, outcome: Outcome | None) -> Statement:
    values = message.values
    stated = Statement("aacp", meaning.act, "task", values["task"], outcome)
    stated.term("topic", meaning.topic, "dom")
    if "p" not in values:
        stated.imply("p", DEFAULT_PRIORITY)
    fields, parcel = gather(
        {key: values[key] for key in values if key not in ("task", "dom")}, PREFIX, JOINT
    )
    if TASK_OF[parcel.terms.get("act", meaning.act)] != values["task"]:
        stated.keep("task", values["task"])
    for key, value in fields.items():
        if key == "aacp" and value == VERSION:
            stated.imply(key, value)
        elif key == "p" and value in PRIORITIES:
            stated.term("priority", meaning.priority, key, value)
        elif key in TERMS and value:
            stated.term(TERMS[key], value, key)
        elif key == "status" and value in STATUSES:
            stated.term("status", value, key)
        else:
            stated.keep(key, value)
    stated.recall(parcel)
    return stated


def express(statement: Statement) -> dict[str, Any]:
    meaning, own = statement.meaning, statement.own("aacp")
    spoken, added = set(), []
    task = own.get("task", TASK_OF[meaning.act])
    if meant(task) == meaning.act:
        spoken.add("act")
    dom = meaning.topic
    if dom and not is_named(escape(dom)):
        spoken.add("topic")
    else:
        added.append("dom")
        dom = UNSTATED
    values = {"task": task, "dom": dom, "return": UNSTATED}
    if str(meaning.priority) in PRIORITIES:
        spoken.add("priority")
        values["p"] = str(meaning.priority)
    values["aacp"] = VERSION
    for key, term in TERMS.items():
        value = getattr(meaning, term)
        if value:
            spoken.add(term)
            values[key] = value
    status = spell(meaning.status, statement.outcome, STATUS_OF)
    if status is not None and "status" not in own:
        values["status"] = status
        if meaning.status is None:
            added.append("status")
        elif status == meaning.status:
            spoken.add("status")
    if "answer_to" not in spoken:
        added.append("return")
    return (
        values
        | own
        | spread(pack(statement, spoken=spoken, added=added, protocol="aacp"), PREFIX, JOINT)
    )


def restore(plain: dict[str, Any]) -> Restored:
    """Return the values for the names of ``Aacp.plain``, which omits the version."""
    tasks, doms = ({full: code for code, full in table.items()} for table in (TASKS, DOMS))
    names = {key.full: name for name, key in KEYS.items() if name != "aacp"}
    values: dict[str, Any] = {}
    words: dict[str, str] = {}
    position = "dom" if "dom" in plain else "domain"
    for word, value in plain.items():
        if word == "task":
            key, value = word, tasks.get(str(value), value)
        elif word == position:
            key, value = "dom", doms.get(str(value), value)
        else:
            short = names.get(word, word)
            key = word if short in plain else short
        values[key] = (
            str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        )
        words[key] = word
    return Restored({"aacp": VERSION} | values, words)
