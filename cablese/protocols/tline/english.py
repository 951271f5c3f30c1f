"""Describe a T-line message: its kind and ID, then a clause for each pair."""

from collections.abc import Iterator
from typing import Any

from cablese.message import Piece
from cablese.protocols.tline.vocabulary import DETAIL, KEYDEF, KEYS
from cablese.text import close, introduce, join, say, set_off

KINDS = {"Q": "Question", "A": "Answer", "C": "Command", "S": "State", "E": "Error"}
SUBJECTS = {
    "obj": "the objective",
    "res": "the result",
    "err": "the error",
    "next": "the next step",
}
CLOSED = {
    ("obj", DETAIL): "more detail is asked for",
    ("rollover", "y"): "the IDs restart at 1",
}


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    return close(_sentence(values))


def _sentence(values: dict[str, Any]) -> Iterator[Piece]:
    kind = values.get("kind")
    known = KINDS.get(kind) if kind else None
    yield Piece(known, "kind") if known else Piece("Message")
    if values.get("id", "") != "":
        yield from introduce(" ", say(str(values["id"])), "id")
    if kind and not known:
        yield from introduce(" of kind ", set_off(kind), "kind")
    clauses = list(_clauses(values.get("payload", {})))
    for index, clause in enumerate(clauses):
        yield Piece(join(index, len(clauses)) or ": ")
        yield clause


def _clauses(payload: dict[str, Any]) -> Iterator[Piece]:
    for key, value in payload.items():
        if key == KEYDEF and any(value):
            for name, colon, meant in (definition.partition(":") for definition in value):
                if colon and name in KEYS:
                    yield Piece(f"the core key {name} keeps its meaning", key)
                else:
                    yield Piece(
                        f"{say(name)} stands for {say(meant) if meant else 'something'}", key
                    )
        elif not value or key == KEYDEF:
            yield Piece(f"{say(key)} is empty", key)
        else:
            yield Piece(
                CLOSED.get((key, value)) or f"{SUBJECTS.get(key) or say(key)} is {say(value)}", key
            )
