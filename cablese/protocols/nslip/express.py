"""Translate from and to nSLIP.

Eight of the fourteen acts have a code; the others use the closest one. Goal, task, and result are
numbers, so a goal named ``FIND_HOTEL`` has no slot. Fields without a slot are stored in unknown
slots, ``x-cablese-id=17``: NSLIP-13 reports a warning and preserves them.
"""

import re
from typing import Any

from cablese.codec import INTEGER_LIMIT
from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import Outcome, spell
from cablese.text import BLANKS
from cablese.translation.private_fields import MARK, gather, pack, spread
from cablese.translation.statement import Restored, Statement

from .escape import escape
from .vocabulary import ACTS as CODES
from .vocabulary import FRAMES, MEANT, SLOTS, STATUSES

ACTS: dict[Act, Act] = {
    "request": "request",
    "propose": "propose",
    "inform": "inform",
    "evaluate": "evaluate",
    "accept": "accept",
    "reject": "reject",
    "query": "query",
    "confirm": "confirm",
    "command": "request",
    "answer": "inform",
    "state": "inform",
    "error": "inform",
    "control": "inform",
    "data": "inform",
}
FRAME_OF: dict[Act, str] = {
    "request": "TSK",
    "propose": "PLN",
    "evaluate": "EVL",
    "accept": "PLN",
    "reject": "PLN",
    "query": "TSK",
    "confirm": "TSK",
    "command": "TSK",
    "error": "ERR",
}
TERMS = {
    "g": "goal",
    "t": "task",
    "r": "result",
    "p": "priority",
    "s": "status",
    "sc": "score",
    "@": "tags",
    "!": "reason",
}
RANGES = {"p": (1, 3), "sc": (0, 10)}
STATUS_OF = {status: status for status in STATUSES} | {"cancelled": "failed"}
"""The value of the slot ``s`` for each status; the source has none for a task not yet started."""
ERROR = "ERR"
PREFIX = f"{MARK}-"
JOINT = "-"

CODE_OF = {meant: code for code, meant in MEANT.items()}
NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")


def state(message: Message, meaning: Meaning, outcome: Outcome | None) -> Statement:
    values = message.values
    stated = Statement("nslip", meaning.act, "act", values["act"], outcome)
    stated.term("topic", meaning.topic, "frame")
    slots, parcel = gather(values["slots"], PREFIX, JOINT)
    for slot, value in slots.items():
        if slot in TERMS and value != "" and (slot != "s" or value in STATUSES):
            stated.term(TERMS[slot], getattr(meaning, TERMS[slot]), slot, value)
        else:
            stated.keep(slot, value)
    stated.recall(parcel)
    return stated


def express(statement: Statement) -> dict[str, Any]:
    meaning = statement.meaning
    spoken, added = set(), []
    act = ACTS[meaning.act]
    if act == meaning.act:
        spoken.add("act")
    if meaning.topic in FRAMES and (meaning.topic != ERROR or statement.outcome == "failed"):
        spoken.add("topic")
        frame = meaning.topic
    else:
        added.append("frame")
        frame = FRAME_OF.get(meaning.act, "OBS")
    slots: dict[str, Any] = {}
    for slot, term in TERMS.items():
        value = _slot(slot, getattr(meaning, term)) if slot != "s" else _status(statement, frame)
        if value is None:
            continue
        if slot != "s" or value == meaning.status:
            spoken.add(term)
        elif meaning.status is None:
            if "nslip.s" in statement.extras:
                continue
            added.append(slot)
        slots[slot] = value
    slots |= statement.own("nslip")
    slots |= spread(pack(statement, spoken=spoken, added=added, protocol="nslip"), PREFIX, JOINT)
    return {"act": CODE_OF[act], "frame": frame, "slots": slots}


def _status(statement: Statement, frame: str) -> str | None:
    """Return the status for the slot ``s``. The frame ERR already states a failure."""
    outcome = None if frame == ERROR and statement.outcome == "failed" else statement.outcome
    return spell(statement.meaning.status, outcome, STATUS_OF)


def _slot(slot: str, value: Any) -> Any:
    """Return the slot value for a field, or None when the slot cannot hold it exactly."""
    if slot in ("g", "t", "r"):
        return (
            int(value)
            if value and NUMBER.fullmatch(value) and int(value) <= INTEGER_LIMIT
            else None
        )
    if slot in RANGES:
        low, high = RANGES[slot]
        return value if value is not None and low <= value <= high else None
    if slot == "@":
        value = value[0] if len(value) == 1 else None
    written = escape(value) if value else ""
    return value if written and written == written.strip(BLANKS) else None


def restore(plain: dict[str, Any]) -> Restored:
    """Return the values for the names of ``Nslip.plain``."""
    acts, frames, names = (
        {full: code for code, full in table.items()} for table in (CODES, FRAMES, SLOTS)
    )
    values: dict[str, Any] = {}
    slots: dict[str, Any] = {}
    words: dict[str, str] = {}
    for word, value in plain.items():
        if word in ("act", "frame"):
            values[word] = (acts if word == "act" else frames).get(str(value), value)
            words[word] = word
            continue
        own = word.removeprefix("slot_")
        slot = (
            own
            if own != word
            else names[word]
            if word in names and f"slot_{names[word]}" not in plain
            else word
        )
        slots[slot] = value
        words[slot] = word
    return Restored({**values, "slots": slots}, words)
