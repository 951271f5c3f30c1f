"""Translate from and to T-line.

Five acts are kinds; the others use the closest one. Fields without a core key are stored in custom
keys, ``x_cablese_goal=42``: an undeclared key is only an info. A state message declares them in a
``keydef``. A line needs an ID, so one without gets 1.
"""

import re
from typing import Any

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import Outcome
from cablese.translation.private_fields import gather, pack, spread
from cablese.translation.statement import UNSTATED, Restored, Statement

from .vocabulary import DETAIL, ID_LIMIT, KEYDEF, KINDS, MEANT

ACTS: dict[Act, Act] = {
    "request": "command",
    "propose": "query",
    "inform": "state",
    "evaluate": "answer",
    "accept": "answer",
    "reject": "answer",
    "query": "query",
    "confirm": "answer",
    "command": "command",
    "answer": "answer",
    "state": "state",
    "error": "error",
    "control": "state",
    "data": "state",
}
KIND_OF = {act: kind for kind, act in MEANT.items()}
TERMS = {"obj": "goal", "res": "result", "err": "reason", "next": "next"}
ERROR = "err"
"""The key of a failure. A reason for anything else is not an error, and is stored in a custom key.
"""
FAILED = "failed"
WORDS = {
    "objective": "obj",
    "result": "res",
    "error": "err",
    "next_step": "next",
    "definitions": KEYDEF,
}
PREFIX = "x_cablese_"
JOINT = "_"
NUMBER = re.compile(r"[1-9][0-9]{0,9}")


def state(message: Message, meaning: Meaning, outcome: Outcome | None) -> Statement:
    values = message.values
    stated = Statement("tline", meaning.act, "kind", values["kind"], outcome)
    stated.term("id", meaning.id, "id", values["id"])
    pairs, parcel = gather(values["payload"], PREFIX, JOINT)
    for key, value in pairs.items():
        if key == KEYDEF:
            foreign = [text for text in value if not _declares(text, values["payload"])]
            if foreign:
                stated.keep(key, foreign)
            else:
                stated.imply(key, value)
        elif key in TERMS and value and (key, value) != ("obj", DETAIL):
            stated.term(TERMS[key], value, key)
        else:
            stated.keep(key, value)
    stated.recall(parcel)
    return stated


def express(statement: Statement) -> dict[str, Any]:
    meaning, own = statement.meaning, statement.own("tline")
    spoken, added = set(), []
    act = ACTS[meaning.act]
    if act == meaning.act:
        spoken.add("act")
    if meaning.id and NUMBER.fullmatch(meaning.id) and int(meaning.id) <= ID_LIMIT:
        spoken.add("id")
        number = int(meaning.id)
    else:
        added.append("id")
        number = 1
    payload: dict[str, Any] = {}
    failed = statement.outcome == "failed"
    for key, term in TERMS.items():
        value = getattr(meaning, term)
        if value and (key, value) != ("obj", DETAIL) and (key != ERROR or failed):
            spoken.add(term)
            payload[key] = value
    if failed and act != "error" and ERROR not in payload.keys() | own.keys():
        added.append(ERROR)
        payload[ERROR] = FAILED
    payload |= own
    private = spread(pack(statement, spoken=spoken, added=added, protocol="tline"), PREFIX, JOINT)
    if private and act == "state":
        payload[KEYDEF] = [
            *(own[KEYDEF] if isinstance(own.get(KEYDEF), list) else ()),
            *(f"{key}:{key.removeprefix(PREFIX)}" for key in private),
        ]
    return {"id": number, "kind": KIND_OF[act], "payload": payload | private or {"obj": UNSTATED}}


def _declares(definition: str, payload: dict[str, Any]) -> bool:
    """Return True for the definition of one of our custom keys."""
    key = definition.partition(":")[0]
    return key.startswith(PREFIX) and key in payload


def restore(plain: dict[str, Any]) -> Restored:
    """Return the values for the names of ``Tline.plain``."""
    kinds = {full: kind for kind, full in KINDS.items()}
    payload: dict[str, Any] = {}
    words: dict[str, str] = {}
    for word, value in plain.items():
        if word not in ("id", "kind"):
            own = word.removeprefix("payload_")
            short = WORDS.get(word, word)
            key = own if own != word else word if f"payload_{short}" in plain else short
            payload[key] = value
            words[key] = word
    opening: dict[str, Any] = {key: plain[key] for key in ("id", "kind") if key in plain}
    if "kind" in opening and isinstance(opening["kind"], str):
        opening["kind"] = kinds.get(opening["kind"], opening["kind"])
    return Restored({**opening, "payload": payload}, words | {key: key for key in opening})
