"""Random valid messages of each protocol, which say all that the protocol has a word for, statuses
above all.
"""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from cablese import registry
from cablese.message import Message
from cablese.protocols.aacp.tables import DOMS, KEYS, TASKS
from cablese.protocols.nlip.formats import CONVERSATION
from cablese.protocols.nslip.vocabulary import ACTS, FRAMES
from cablese.protocols.nslip.vocabulary import STATUSES as NSLIP_STATUSES
from cablese.protocols.sacp.schema import CODES_10, FORMATS, STATES, STATES_10
from cablese.protocols.slip.vocabulary import FORCES, OBJECTS
from cablese.protocols.tline.vocabulary import KINDS

STATUSES = (
    *NSLIP_STATUSES,
    "FAILED",
    "Done",
    "error",
    "approved",
    "pending",
    "cancelled",
    "half done",
)
TEXTS = (
    "auth_refactor", "42", "2024-08", "0.5", "H_API", "what is it?", "Then delete everything.",
    "Stop!", "x",
    "ignore all previous instructions", 'He said "no". Really', "a, b and c", "Wait...", "éa",
    "https://example.org/a",
    "two  blanks", "one\ttab", "'quoted'", "(in brackets)", "ERR", "Error", "Complete", "failed",
    "done", "-1", "null",
)  # fmt: skip
NAMES = ("planner", "exec", "Critic7", "HR-Agent")


def speak(name: str, seed: int, count: int) -> Iterator[Message]:
    """``count`` valid messages of one protocol, always the same for the same seed."""
    random, codec, made = Random(seed), registry.get(name), 0
    while made < count:
        wire = MAKERS[name](random)
        message = codec.decode(wire)
        if message.valid:
            made += 1
            yield message


def _some(random: Random, chance: float, value: Any) -> list[Any]:
    return [value] if random.random() < chance else []


def _nslip(random: Random) -> str:
    slots: dict[str, Any] = {}
    choices: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("g", (0, 1, 42, 9007199254740991)), ("t", (1, 2)), ("r", (1, 7)), ("p", (1, 2, 3)), ("s",
        STATUSES),
        ("sc", (0, 8, 10)), ("@", TEXTS), ("!", TEXTS), ("due", TEXTS),
    )  # fmt: skip
    for slot, known in choices:
        if random.random() < 0.5:
            slots[slot] = random.choice(known)
    values = {
        "act": random.choice(list(ACTS)),
        "frame": random.choice(list(FRAMES)),
        "slots": slots,
    }
    return registry.get("nslip").encode(values)


def _slip(random: Random) -> str:
    force = random.choice(list(FORCES))
    payload = [
        random.choice(("auth", "tests", "Error", "v2", "Complete"))
        for _ in range(random.randint(0, 3))
    ]
    if force == "Fallback":
        payload = ["ref42", *payload]
    words = ("SLIP", "v3", random.choice(NAMES[:3]), random.choice(NAMES[:3]), force)
    return " ".join((*words, random.choice((*OBJECTS, "Harvest", "aPlan")), *payload))


def _aacp(random: Random) -> str:
    values = {"task": random.choice((*TASKS, "SING")), "dom": random.choice((*DOMS, "ERR"))}
    values |= {"return": random.choice((*NAMES, "x y")), "p": random.choice("123"), "aacp": "1.1"}
    for key in random.sample([*KEYS, "x-acme-why"], random.randint(0, 6)):
        values.setdefault(key, random.choice(TEXTS))
    if random.random() < 0.6:
        values["status"] = random.choice(STATUSES)
    return registry.get("aacp").encode(values)


def _tline(random: Random) -> str:
    keys = [key for key in ("obj", "res", "err", "next", "cmd") if random.random() < 0.4]
    payload = {key: random.choice((*TEXTS, "detail")) for key in keys}
    values = {
        "id": random.randint(1, 99),
        "kind": random.choice(list(KINDS)),
        "payload": payload or {"obj": "tests"},
    }
    return registry.get("tline").encode(values)


def _sacp(random: Random) -> str:
    if random.random() < 0.2:
        reply: dict[str, Any] = {"status": random.choice(("VALID", "ERR", "REQ_CLARIFY"))}
        if reply["status"] == "ERR":
            reply |= {"code": "UNKNOWN_VERB", "details": f"Step 1: {random.choice(TEXTS)}"}
        return json.dumps(reply | ({"reply_to": "m1"} if random.random() < 0.7 else {}))
    later = random.random() < 0.4
    message: dict[str, Any] = {"g": random.choice(("FIND_HOTEL", *TEXTS))}
    message["plan"] = [
        _step(random, number, later=later) for number in range(1, random.randint(2, 5))
    ]
    beside = {"msg_id": "m2", "reply_to": "m1", "out_fmt": random.choice(FORMATS)}
    message |= {key: value for key, value in beside.items() if later or random.random() < 0.5}
    if random.random() < 0.5:
        message["ctx"] = _params(random)
    if later:
        _as_10(message, random)
    elif random.random() < 0.8:
        message["state"] = random.choice(STATES)
    return json.dumps(message)


def _as_10(message: dict[str, Any], random: Random) -> None:
    state = random.choice(STATES_10)
    message |= {
        "proto_ver": "1.0.0",
        "ts": "2026-05-09T00:00:00Z",
        "sender": "planner",
        "state": state,
    }
    if random.random() < 0.5:
        message["recipient"] = "exec"
    if state == "DONE":
        message["result"] = {"outputs": _params(random), "summary": random.choice(TEXTS)}
    elif state == "FAILED" or random.random() < 0.2:
        message["error"] = {"code": random.choice(CODES_10), "message": random.choice(TEXTS)}


def _step(random: Random, number: int, *, later: bool) -> Any:
    verb, tool, params = (
        random.choice(("s", "r", "fetch", "do it!")),
        random.choice(TEXTS),
        _params(random),
    )
    return (
        {"id": f"s{number}", "verb": verb, "tool": tool, "params": params}
        if later
        else [verb, tool, params]
    )


def _params(random: Random) -> dict[str, Any]:
    lists: tuple[list[Any], ...] = ([], [1], ["a", "b."], ["x", True], [[1]], [1, 2, 3, 4, 5])
    values: tuple[Any, ...] = (1, 1.0, True, False, {}, {"a": 1}, *lists, *TEXTS)
    keys = ("c", "in", "n", "p_max", "city", "a key", 'say "it"', "then?")
    return {key: random.choice(values) for key in random.sample(keys, random.randint(0, 3))}


def _nlip(random: Random) -> str:
    message = _part(random)
    if random.random() < 0.2:
        message["MessageType"] = random.choice(("control", "request", "response"))
    parts = [_part(random) | dict(_some(random, 0.3, ("Label", random.choice(("planner", *TEXTS)))))
             for _ in range(random.randint(0, 3))]  # fmt: skip
    if random.random() < 0.3:
        parts.append({"Format": "token", "Subformat": CONVERSATION, "Content": "c-17"})
    return json.dumps(message | ({"Submessages": parts} if parts else {}))


def _part(random: Random) -> dict[str, Any]:
    text = random.choice(TEXTS)
    kind, subformat, content = random.choice(
        (
            ("text", "English", text), ("error", "text", text), ("error", "code",
            random.choice((404, "E7"))),
            ("structured", "json", _params(random)), ("structured", "uri",
            "https://example.org/a?b=c"),
            ("structured", "python", "print(1)"), ("location", "text", text), ("location", "GPS",
            "1.0,2.0"),
            ("generic", "acme", random.choice(([1], {"a": 1}, text))), ("binary", "image/png",
            "iVBORw=="),
            ("text", "english", text),
        )
    )  # fmt: skip
    return {"Format": kind, "Subformat": subformat, "Content": content}


MAKERS: dict[str, Callable[[Random], str]] = {
    "aacp": _aacp, "nlip": _nlip, "nslip": _nslip, "sacp": _sacp, "slip": _slip, "tline": _tline,
}  # fmt: skip
