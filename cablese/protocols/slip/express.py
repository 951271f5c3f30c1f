"""Translate from and to SLIP.

Parts are letters and digits, and there is no private field: anything but an act, a name, an Object,
or a payload that fits is lost, and the ledger reports it. A message without a sender is from
``unstated``.
"""

import re
from typing import Any

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import Outcome
from cablese.translation.statement import UNSTATED, Restored, Statement

from .vocabulary import AGENT_LIMIT, PAYLOAD_LIMIT, TOKEN_LIMIT

ACTS: dict[Act, Act] = {
    "request": "request",
    "propose": "propose",
    "inform": "inform",
    "evaluate": "evaluate",
    "accept": "accept",
    "reject": "reject",
    "query": "query",
    "confirm": "inform",
    "command": "request",
    "answer": "inform",
    "state": "inform",
    "error": "error",
    "control": "control",
    "data": "inform",
}
FORCE_OF: dict[Act, str] = {
    "request": "Request",
    "propose": "Propose",
    "inform": "Inform",
    "evaluate": "Eval",
    "accept": "Accept",
    "reject": "Reject",
    "query": "Ask",
    "error": "Error",
    "control": "Meta",
}
GENERIC = "Generic"
ERROR, COMPLETE = "Error", "Complete"
"""The Force and Object of a failure, and the Object of a success."""
TELLS = ("Inform", "Observe")
AGENT = re.compile(rf"[A-Za-z0-9]{{1,{AGENT_LIMIT}}}")
WORD = re.compile(rf"[A-Za-z0-9]{{1,{TOKEN_LIMIT}}}")
WORDS = re.compile(rf"{WORD.pattern}(?: {WORD.pattern}){{0,{PAYLOAD_LIMIT - 1}}}")
AGENTS = {"src": "sender", "dst": "recipient"}


def state(message: Message, meaning: Meaning, outcome: Outcome | None) -> Statement:
    values = message.values
    stated = Statement("slip", meaning.act, "force", values["force"], outcome)
    stated.imply("version", values["version"])
    if FORCE_OF[meaning.act] != values["force"]:
        stated.keep("force", values["force"])
    for key, term in AGENTS.items():
        if values[key] == UNSTATED:
            stated.fill(key, values[key])
        else:
            stated.term(term, values[key], key)
    if values["obj"] == GENERIC:
        stated.fill("obj", values["obj"])
    elif outcome is not None and values["force"] != ERROR:
        stated.term("status", outcome, "obj", values["obj"])
    else:
        stated.term("topic", values["obj"], "obj")
    stated.term("object", meaning.object, "payload", values["payload"])
    if "fallback_ref" in values:
        stated.keep("fallback_ref", values["fallback_ref"])
    return stated


def express(statement: Statement) -> dict[str, Any]:
    meaning, own = statement.meaning, statement.own("slip")
    values: dict[str, Any] = {}
    for key, term in AGENTS.items():
        name = getattr(meaning, term)
        values[key] = name if name and AGENT.fullmatch(name) else UNSTATED
    act, failed = ACTS[meaning.act], statement.outcome == "failed"
    values["force"] = own.get("force", FORCE_OF["error" if failed and act == "inform" else act])
    content = meaning.object
    values["obj"] = _object(meaning.topic, values["force"], statement.outcome)
    values["payload"] = content.split(" ") if content and WORDS.fullmatch(content) else []
    return values | ({"fallback_ref": own["fallback_ref"]} if "fallback_ref" in own else {})


def _object(topic: str | None, force: str, outcome: Outcome | None) -> str:
    """Return the topic if it fits, or the outcome if no other field states it."""
    if outcome == "failed":
        return (
            topic
            if force == ERROR and topic and WORD.fullmatch(topic)
            else ERROR
            if force != ERROR
            else GENERIC
        )
    if topic and topic not in (ERROR, COMPLETE) and WORD.fullmatch(topic):
        return topic
    complete = outcome == "done" if force in TELLS else topic == COMPLETE
    return COMPLETE if complete else GENERIC


def restore(plain: dict[str, Any]) -> Restored:
    """Return the values for the names of ``Slip.plain``."""
    names = {
        "from": "src",
        "to": "dst",
        "act": "force",
        "object": "obj",
        "payload": "payload",
        "reference": "fallback_ref",
    }
    values = {names.get(word, word): value for word, value in plain.items()}
    return Restored(
        {"payload": []} | values,
        {names[word]: word for word in plain if word in names},
    )
