"""An nSLIP message in English: what the act does to what, then the other slots."""

from collections.abc import Iterator
from typing import Any

from protocols.message import Piece
from protocols.sentence import close
from protocols.words import quote

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
DETAILS = {"p": "priority {}", "r": "result {}", "s": "status {}", "sc": "score {} of 10", "!": "because: {}"}


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    if not values:
        yield Piece("Nothing could be read.")
        return
    act, frame = values.get("act", ""), values.get("frame", "")
    slots = {name: value for name, value in values.get("slots", {}).items() if value != ""}
    verb = Piece(VERBS.get(act) or (f"Says {quote(act)} about" if act else "Says something about"), "act")
    subject = _subject(act, frame, slots, framed="frame" in values)
    yield from close((verb, Piece(" "), *subject, *_details(slots)))
    if "@" in slots:
        yield from close((Piece(" Note for people: "), Piece(slots["@"], "@")))
    for name, value in slots.items():
        if name not in SLOTS:
            yield from close((Piece(" "), Piece(f"{name} is {value}", name)))


def _subject(act: str, frame: str, slots: dict[str, Any], *, framed: bool) -> Iterator[Piece]:
    about_task = frame == "TSK" or (act == "EVL" and frame == "EVL")
    if not (about_task and "t" in slots):
        noun = NOUNS.get(frame) or (quote(frame) if frame else "thing")
        article = ("an" if noun[0] in "aeiou" else "a") if act in FIRST_MENTION else "the"
        yield Piece(f"{article} {noun}", "frame" if framed else None)
        if "t" in slots or "g" in slots:
            yield Piece(" for ")
    if "t" in slots:
        yield Piece(f"task {slots['t']}", "t")
    if "g" in slots:
        if "t" in slots:
            yield Piece(" of ")
        yield Piece(f"goal {slots['g']}", "g")


def _details(slots: dict[str, Any]) -> Iterator[Piece]:
    for name, phrase in DETAILS.items():
        if name in slots:
            value = slots[name]
            known = PRIORITIES.get(value) if name == "p" else None
            yield Piece(", ")
            yield Piece(f"{known} priority" if known else phrase.format(value), name)
