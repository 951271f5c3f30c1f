"""Messages as agents send them, for each protocol and as a log mixes them: every one another text,
the same at every run.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

VECTORS = Path(__file__).parents[1] / "vectors"
WORDS = (
    "auth", "search", "deploy", "billing", "refactor", "health", "salary", "review", "timeline",
    "budget",
)  # fmt: skip


def cases(protocol: str) -> list[dict[str, Any]]:
    """Return the vectors of a protocol."""
    return [json.loads(line) for line in (VECTORS / f"{protocol}.jsonl").read_text().splitlines()]


def vectors(protocol: str) -> list[str]:
    """Return the valid vectors of a protocol that are of an ordinary length."""
    return [case["wire"] for case in cases(protocol) if case["valid"] and len(case["wire"]) < 2000]


def odd(protocol: str) -> list[str]:
    """Return the vectors of a protocol about which decoding has something to report."""
    return [case["wire"] for case in cases(protocol) if case["codes"] and len(case["wire"]) < 2000]


def as_json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False)


def typical(protocol: str, count: int) -> list[str]:
    """Return `count` messages that agents would send."""
    return list(WRITERS[protocol](count))


def nslip(count: int) -> Iterator[str]:
    dice = random.Random(4)
    acts = ("REQ/TSK", "PRO/PLN", "ACC/PLN", "REJ/PLN", "INF/OBS", "EVL/EVL")
    for n in range(count):
        act = dice.choice(acts)
        slots = [f"g={n}", f"t={dice.randrange(1, 9)}"]
        if act == "INF/OBS":
            slots += [f"r={dice.randrange(9)}", f"s={dice.choice(('done', 'failed', 'blocked'))}"]
        elif act == "EVL/EVL":
            slots.append(f"sc={dice.randrange(11)}")
        else:
            slots.append(f"p={dice.randrange(1, 4)}")
        slots.append("!=too_big" if act == "REJ/PLN" else f"@={'_'.join(dice.sample(WORDS, 2))}")
        yield f"{act}|{','.join(slots)}"


def slip(count: int) -> Iterator[str]:
    dice = random.Random(1)
    acts = (
        "Request Plan", "Propose Plan", "Inform Status", "Eval Result", "Accept Plan",
        "Reject Plan", "Ask Status",
    )  # fmt: skip
    for n in range(count):
        payload = " ".join(dice.sample(WORDS, dice.randrange(4)))
        yield f"SLIP v3 planner{n} exec {dice.choice(acts)} {payload}".rstrip()


def aacp(count: int) -> Iterator[str]:
    dice = random.Random(2)
    tasks = ("FETCH|HR", "MERGE|FIN", "CALC|FIN", "REPORT|HR", "SEND|IT", "FLAG|LEGAL")
    optional = ("period:2024-08", "filter:status=active", "fmt:json", "ccy:GBP", "status:ok")
    for n in range(count):
        extra = [f"res:{dice.choice(WORDS)}_{n}", *dice.sample(optional, dice.randrange(4))]
        head = (dice.choice(tasks), "return:HR-Agent", f"p:{dice.randrange(1, 4)}", "aacp:1.1")
        yield "|".join((*head, *extra))


def sacp(count: int) -> Iterator[str]:
    dice = random.Random(5)
    for n in range(count):
        first, second, tag = dice.sample(WORDS, 3)
        plan: list[object] = [["search", f"{first}_api", {"n": n, "tag": tag}]]
        if n % 2:
            plan.append(["book", f"{second}_api", {"limit": dice.randrange(100), "dry": True}])
        message: dict[str, object] = {"g": f"FIND_{first.upper()}", "plan": plan}
        if n % 3:
            message |= {"out_fmt": "summary", "msg_id": f"m{n}"}
        yield json.dumps(message, separators=(",", ":") if n % 4 else None)


def nlip(count: int) -> Iterator[str]:
    dice = random.Random(3)
    for n in range(count):
        text = f"What became of the {dice.choice(WORDS)} {dice.choice(WORDS)} number {n}?"
        message: dict[str, object] = {"format": "text", "subformat": "english", "content": text}
        token = f"c{n}-{dice.randrange(10**9)}"
        goal = {"goal": n, "tags": [dice.choice(WORDS)]}
        parts: list[dict[str, object]] = [
            {"format": "token", "subformat": "conversation", "content": token},
            {"format": "structured", "subformat": "json", "content": goal},
        ]
        if n % 3:
            message["submessages"] = parts[: n % 3]
        yield json.dumps(message)


def tline(count: int) -> Iterator[str]:
    dice = random.Random(6)
    for n in range(1, count + 1):
        pairs = [f"obj={'_'.join(dice.sample(WORDS, 2))}", f"next=step%20{n}"]
        if n % 3:
            pairs.insert(1, f"res={dice.choice(WORDS)}")
        yield f"T|{n}|{dice.choice('QACS')}|{';'.join(pairs)}"


WRITERS: dict[str, Callable[[int], Iterator[str]]] = {
    "nslip": nslip, "slip": slip, "aacp": aacp, "sacp": sacp, "nlip": nlip, "tline": tline,
}  # fmt: skip
SHARES = {"nslip": 40, "aacp": 15, "nlip": 15, "sacp": 10, "slip": 10, "tline": 10}
"""The protocols of a mixed log, in percent."""
BROKEN = 100
"""One of so many messages breaks its protocol."""
GOALS = 20_000
RARE = 0.34
"""The share of nSLIP messages with a tag that no other message has."""
_GOAL = re.compile(r"(?<=\|g=)[0-9]+")
_TAG = re.compile(r"(?<=@=)[a-z_]+")


class Sent(NamedTuple):
    """A message of a mixed log, and what its sender says of it."""

    wire: str
    sender: str
    sent_at: datetime


def mixed(count: int, *, seed: int = 7) -> Iterator[Sent]:
    """Yield the messages of a log with all protocols, broken messages, and rare and common tags."""
    dice = random.Random(seed)
    names, weights = list(SHARES), list(SHARES.values())
    writers = {name: WRITERS[name](count) for name in names}
    broken = [case["wire"] for name in names for case in cases(name) if _is_short_error(case)]
    agents = [f"{word}-{number}" for word in WORDS for number in range(4)]
    moment = datetime(2026, 11, 20, 10, tzinfo=UTC)
    for n in range(count):
        moment += timedelta(milliseconds=dice.randrange(1, 200))
        name = dice.choices(names, weights)[0]
        wire = next(writers[name])
        if name == "nslip":
            wire = _GOAL.sub(str(dice.randrange(GOALS)), wire, count=1)
            if dice.random() < RARE:
                wire = _TAG.sub(f"step_{seed}_{n}", wire, count=1)
        if dice.randrange(BROKEN) == 0:
            wire = dice.choice(broken)
        yield Sent(wire, dice.choice(agents), moment)


def _is_short_error(case: dict[str, Any]) -> bool:
    # Half a character is not text, so an API does not take it.
    text = case["wire"].encode(errors="replace").decode()
    return not case["valid"] and text == case["wire"] and 0 < len(text) < 500
