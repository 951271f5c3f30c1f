"""Two messages side by side by what they mean, whatever their protocols, and what each costs.

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

Kind = Literal["same", "changed", "only in left", "only in right"]
LINES = 200


class Line(NamedTuple):
    """What one term says here and there; empty where a message does not say it."""

    kind: Kind
    term: str
    here: str
    there: str


def compare(here: Message, there: Message, number: int, tokenizer: str) -> dict[str, Any]:
    """Return the context of the panel. ``here`` is the message that is shown, ``there`` the message
    ``number`` of the same text, from 1.
    """
    ours, theirs = _terms(here), _terms(there)
    names = dict.fromkeys((*ours, *theirs))
    terms = [_line(name, ours.get(name, UNSET), theirs.get(name, UNSET)) for name in names]
    alike = here.protocol == there.protocol
    changes = differences(here.values, there.values) if alike else ()
    values = [_line(change.key, change.before, change.after) for change in islice(changes, LINES)]
    left, right = tokens.count_batch([here.wire, there.wire], tokenizer)
    return {
        "number": number,
        "titles": (_title(here), _title(there)),
        "terms": terms,
        "values": values,
        "same": not values and all(line.kind == "same" for line in terms),
        "counts": (left, right),
        "cost": cost.compare(left, right, f"message {number:,}", tokenizer),
    }


def _title(message: Message) -> str:
    return (
        "Unknown protocol"
        if message.protocol == detection.UNKNOWN
        else registry.get(message.protocol).title
    )


def _terms(message: Message) -> dict[str, Any]:
    if message.protocol == detection.UNKNOWN:
        return {}
    said = structs.asdict(registry.get(message.protocol).meaning(message))
    return {name: value for name, value in said.items() if value not in (None, ())}


def _line(term: str, here: Any, there: Any) -> Line:
    kind: Kind = (
        "only in right" if here is UNSET else "only in left" if there is UNSET else "changed"
    )
    if here == there and type(here) is type(there):
        kind = "same"
    return Line(kind, show_value(term), show_value(here), show_value(there))
