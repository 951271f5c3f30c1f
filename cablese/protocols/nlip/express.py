"""Translate from and to NLIP.

NLIP's own language is English, so a statement of another protocol becomes its description in
English, and its exact terms become submessages: a ``generic`` one of the extension ``x-cablese``,
labeled with the sender's role where it has one, and a conversation token for the thread. Controls
and errors keep their act; all else is data.
"""

from typing import Any

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import Outcome
from cablese.translation.private_fields import MARK, pack, unpack
from cablese.translation.statement import Parcel, Statement

from .formats import CONVERSATION, token_prefix
from .keys import DERIVED, ROLES
from .parts import SECRET

ACTS: dict[Act, Act] = {
    "request": "data",
    "propose": "data",
    "inform": "data",
    "evaluate": "data",
    "accept": "data",
    "reject": "data",
    "query": "data",
    "confirm": "data",
    "command": "data",
    "answer": "data",
    "state": "data",
    "error": "error",
    "control": "control",
    "data": "data",
}
MADE = ("format", "subformat")
HELD = {"topic", "thread", "sender", "reason"}
"""Terms that the parts of a message say."""


def state(message: Message, meaning: Meaning, outcome: Outcome | None) -> Statement:
    values = message.values
    parts = values.get("submessages", [])
    at, parcel = _parcel(parts)
    key = "messagetype" if meaning.act == "control" else "format"
    stated = Statement("nlip", meaning.act, key, values.get(key), outcome)
    if parcel is not None and "format" in parcel.added:
        _state_translated(stated, meaning, values, parts, at, parcel)
    else:
        left = {**values, "submessages": [part for index, part in enumerate(parts) if index != at]}
        _state_original(
            stated,
            meaning,
            {name: value for name, value in left.items() if (name, value) != ("submessages", [])},
        )
    if parcel is not None:
        stated.recall(parcel)
    return stated


def _state_translated(
    stated: Statement,
    meaning: Meaning,
    values: dict[str, Any],
    parts: list[Any],
    at: int,
    parcel: Parcel,
) -> None:
    """State a message that a translation made. Its text is only a description."""
    for key in MADE:
        stated.fill(key, values[key])
    if "content" in parcel.added:
        stated.fill("content", values["content"])
    else:
        stated.term("reason", meaning.reason, "content")
    stated.term("thread", meaning.thread, "submessages.0.content")
    stated.term("sender", meaning.sender, f"submessages.{at}.label", parts[at].get("label"))


def _state_original(stated: Statement, meaning: Meaning, values: dict[str, Any]) -> None:
    stated.term("topic", meaning.topic, "format")
    for key, value in values.items():
        if key not in ("format", DERIVED) and (key, value) != ("messagetype", "control"):
            stated.keep(key, value)
    stated.essential.append("nlip.content")
    for index, part in enumerate(
        [values, *(part for part in values.get("submessages", ()) if isinstance(part, dict))]
    ):
        extra = "nlip.content" if index == 0 else "nlip.submessages"
        key = "content" if index == 0 else f"submessages.{index - 1}.content"
        name, subformat = part.get("format"), str(part.get("subformat", ""))
        if name == "binary":
            stated.opaque.append(f"binary content ({subformat})")
        elif name == "token":
            secret = token_prefix(subformat) in SECRET
            (stated.secret if secret else stated.opaque).append(f"a token ({subformat})")
            if subformat.lower().startswith(CONVERSATION) and part.get("content") == meaning.thread:
                _within(stated, "thread", meaning.thread, key, extra)
        elif name == "error" and str(part.get("content")) == meaning.reason:
            _within(stated, "reason", meaning.reason, key, extra)
        label = part.get("label")
        if isinstance(label, str) and label.lower() == meaning.sender:
            extra = "nlip.label" if index == 0 else extra
            _within(stated, "sender", meaning.sender, key.replace("content", "label"), extra)


def _within(stated: Statement, term: str, value: str | None, key: str, extra: str) -> None:
    stated.term(term, value, key)
    stated.within[term] = extra


def _parcel(parts: list[Any]) -> tuple[int, Parcel | None]:
    """Return the index of our submessage and its parcel; -1 and None without one."""
    for index, part in reversed(list(enumerate(parts))):
        if (
            isinstance(part, dict)
            and part.get("format") == "generic"
            and part.get("subformat") == MARK
        ):
            parcel = unpack(part.get("content"), f"submessages.{index}.content")
            if parcel is not None:
                return index, parcel
    return -1, None


def express(statement: Statement, english: str) -> dict[str, Any]:
    meaning, own = statement.meaning, statement.own("nlip")
    act = ACTS[meaning.act]
    spoken = {"act"} if act == meaning.act else set()
    values: dict[str, Any] = {"messagetype": "control"} if act == "control" else {}
    if "content" in own:
        values |= {"format": meaning.topic, **own}
        parcel = pack(statement, spoken=spoken | HELD, added=(), protocol="nlip")
        parts = own.get("submessages")
        return values | (
            {"submessages": [*(parts if isinstance(parts, list) else []), _generic(parcel)]}
            if parcel
            else {}
        )
    failed = statement.outcome == "failed"
    if failed and act != "control":
        spoken = {"act"} if meaning.act == "error" else set()
    added = [*MADE, "content"]
    content = english
    if failed and meaning.reason:
        spoken.add("reason")
        added.remove("content")
        content = meaning.reason
    kind = ("error", "text") if failed else ("text", "English")
    values |= {"format": kind[0], "subformat": kind[1], "content": content}
    parts = []
    if meaning.thread and "thread" not in statement.within:
        spoken.add("thread")
        parts.append({"format": "token", "subformat": CONVERSATION, "content": meaning.thread})
    label = {"label": meaning.sender} if meaning.sender in ROLES else {}
    if label:
        spoken.add("sender")
    parts.append(_generic(pack(statement, spoken=spoken, added=added, protocol="nlip")) | label)
    return values | {"submessages": parts}


def _generic(parcel: dict[str, Any]) -> dict[str, Any]:
    return {"format": "generic", "subformat": MARK, "content": parcel}
