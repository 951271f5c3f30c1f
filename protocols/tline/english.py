"""A T-line message in English: its kind and id, then a clause for each pair."""

from collections.abc import Iterator
from typing import Any

from protocols.message import Piece
from protocols.tline.vocabulary import DETAIL, KEYDEF, KEYS

KINDS = {"Q": "Question", "A": "Answer", "C": "Command", "S": "State", "E": "Error"}
SUBJECTS = {"obj": "the objective", "res": "the result", "err": "the error", "next": "the next step"}
CLOSED = {
    ("obj", DETAIL): "more detail is asked for",
    ("rollover", "y"): "the ids start again at 1",
}


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    if not values:
        yield Piece("Nothing could be read.")
        return
    kind = values.get("kind")
    if kind is None:
        yield Piece("Message")
    else:
        yield Piece(KINDS.get(kind) or f'Message of kind "{kind}"', "kind")
    if "id" in values:
        yield Piece(" ")
        yield Piece(str(values["id"]), "id")
    clauses = list(_clauses(values.get("payload", {})))
    for index, clause in enumerate(clauses):
        yield Piece(": " if index == 0 else " and " if index == len(clauses) - 1 else ", ")
        yield clause
    yield Piece(".")


def _clauses(payload: dict[str, Any]) -> Iterator[Piece]:
    for key, value in payload.items():
        if key == KEYDEF:
            for definition in value:
                name, colon, meant = definition.partition(":")
                if colon and name in KEYS:
                    yield Piece(f"the core key {name} keeps its meaning", key)
                else:
                    yield Piece(f"{name} stands for {meant or 'something'}", key)
        elif not value:
            yield Piece(f"{key} is empty", key)
        else:
            yield Piece(CLOSED.get((key, value)) or f"{SUBJECTS.get(key, key)} is {value}", key)
