"""Compare two messages by meaning and token count, across protocols.

The common terms come first (docs/design/protocols.md). Messages of one protocol are compared by
their values too.
"""

from itertools import islice
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, structs

from cablese import detection, registry, tokens
from cablese.message import Message
from cablese.translation.ledger import differences
from playground.display import cost
from playground.workbench.translate import show_value

Kind = Literal["same", "changed", "only on the left", "only on the right"]
LINES = 200


class Line(NamedTuple):
    """The value of one term in both messages; empty if a message does not have it."""

    kind: Kind
    term: str
    left: str
    right: str


def compare(left: Message, right: Message, number: int, tokenizer: str) -> dict[str, Any]:
    """Return the context of the panel. ``left`` is the shown message, ``right`` the message
    ``number`` of the same text, from 1.
    """
    terms, values = compare_fields(left, right)
    left_count, right_count = tokens.count_batch([left.wire, right.wire], tokenizer)
    return {
        "number": number,
        "titles": (_title(left), _title(right)),
        "terms": terms,
        "values": values,
        "same": not values and all(line.kind == "same" for line in terms),
        "counts": (left_count, right_count),
        "cost": cost.compare(left_count, right_count, f"message {number:,}", tokenizer),
    }


def compare_fields(left: Message, right: Message) -> tuple[list[Line], list[Line]]:
    """Return the common terms of both messages, and the values that differ if their protocol is the
    same.
    """
    left_terms, right_terms = _terms(left), _terms(right)
    names = dict.fromkeys((*left_terms, *right_terms))
    terms = [
        _line(name, left_terms.get(name, UNSET), right_terms.get(name, UNSET)) for name in names
    ]
    same_protocol = left.protocol == right.protocol
    changes = differences(left.values, right.values) if same_protocol else ()
    values = [_line(change.key, change.before, change.after) for change in islice(changes, LINES)]
    return terms, values


def _title(message: Message) -> str:
    return (
        "Unknown protocol"
        if message.protocol == detection.UNKNOWN
        else registry.get(message.protocol).title
    )


def _terms(message: Message) -> dict[str, Any]:
    if message.protocol == detection.UNKNOWN:
        return {}
    meaning = structs.asdict(registry.get(message.protocol).meaning(message))
    return {name: value for name, value in meaning.items() if value not in (None, ())}


def _line(term: str, left: Any, right: Any) -> Line:
    kind: Kind = "changed"
    if left is UNSET:
        kind = "only on the right"
    elif right is UNSET:
        kind = "only on the left"
    elif left == right and type(left) is type(right):
        kind = "same"
    return Line(kind, show_value(term), show_value(left), show_value(right))
