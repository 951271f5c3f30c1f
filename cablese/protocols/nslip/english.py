"""Describe an nSLIP message: the act and its object, then the other slots."""

from collections.abc import Iterator
from typing import Any

from cablese.message import Piece
from cablese.text import close, introduce, say, set_off, with_article

from .vocabulary import PRIORITIES, SLOTS

VERBS = {
    "REQ": "Requests", "PRO": "Proposes", "INF": "Reports", "EVL": "Evaluates",
    "ACC": "Accepts", "REJ": "Rejects", "QRY": "Asks about", "CFM": "Confirms",
}  # fmt: skip
NOUNS = {
    "TSK": "task", "PLN": "plan", "OBS": "observation", "EVL": "evaluation",
    "RSC": "resource", "CST": "constraint", "ERR": "error",
}  # fmt: skip
FIRST_MENTION = ("REQ", "PRO", "INF")
LONGEST = 40
"""The number of characters shown of an unknown code."""
DETAILS = {
    "p": "priority {}",
    "r": "result {}",
    "s": "status {}",
    "sc": "score {} of 10",
    "!": "because: {}",
}


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    act, frame = values.get("act", ""), values.get("frame", "")
    slots = {name: value for name, value in values.get("slots", {}).items() if value != ""}
    yield from close((*_opening(act, frame, slots, framed="frame" in values), *_details(slots)))
    if "@" in slots:
        yield from close(introduce(" Note for people: ", say(slots["@"]), "@"))
    yield from close(_others(slots))


def _opening(act: str, frame: str, slots: dict[str, Any], *, framed: bool) -> Iterator[Piece]:
    """ "Gives an evaluation", when no object is named."""
    given = act == "EVL" and frame == "EVL"
    if given and "t" not in slots:
        yield Piece("Gives ", "act")
        yield Piece("an evaluation", "frame")
        yield from _target(slots, " for ")
        return
    yield Piece(
        VERBS.get(act)
        or (f"Says {set_off(act, LONGEST)} about" if act else "Says something about"),
        "act",
    )
    yield Piece(" ")
    about_task = (given or frame == "TSK") and "t" in slots
    if not about_task:
        noun = NOUNS.get(frame) or (set_off(frame, LONGEST) if frame else "thing")
        yield Piece(
            with_article(noun) if act in FIRST_MENTION else f"the {noun}",
            "frame" if framed else None,
        )
    yield from _target(slots, "" if about_task else " for ")


def _target(slots: dict[str, Any], before: str) -> Iterator[Piece]:
    if before and ("t" in slots or "g" in slots):
        yield Piece(before)
    if "t" in slots:
        yield Piece(f"task {say(str(slots['t']))}", "t")
    if "g" in slots:
        if "t" in slots:
            yield Piece(" of ")
        yield Piece(f"goal {say(str(slots['g']))}", "g")


def _details(slots: dict[str, Any]) -> Iterator[Piece]:
    for name, phrase in DETAILS.items():
        if name in slots:
            value = slots[name]
            known = PRIORITIES.get(value) if name == "p" else None
            yield from introduce(
                ", ", f"{known} priority" if known else phrase.format(say(str(value))), name
            )


def _others(slots: dict[str, Any]) -> Iterator[Piece]:
    for index, name in enumerate(name for name in slots if name not in SLOTS):
        yield from introduce(
            "; " if index else " Other slots: ", f"{say(name)} is {say(str(slots[name]))}", name
        )
