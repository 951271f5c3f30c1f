"""What the text around a message states, written into the fields that a translation has for it.

    2026-11-29T10:12:33Z planner -> executor: REQ/TSK|g=42,t=1
    SLIP v3 planner executor Request TSK

nSLIP has no field for a sender, but SLIP and SACP 1.0 do. A codec names them in ``around``. A value
is written only if the message does not state one, and only if the field takes exactly this value.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from cablese import registry
from cablese.codec import Codec, Unencodable
from cablese.message import Message

from .statement import TERMS, UNSTATED, Inexpressible, Place, Statement


class Around(Struct, frozen=True):
    """What a line states about its message. ``time`` is in RFC 3339 and UTC, with a Z."""

    sender: str | None = None
    recipient: str | None = None
    time: str | None = None


class Supplied(Struct, frozen=True):
    """A translation with values from around the message, which are in ``places``. ``added`` is what
    the target still demands and neither the message nor its line states.
    """

    wire: str
    places: tuple[Place, ...]
    added: tuple[Place, ...]


def supply(message: Message, to: str, around: Around) -> Supplied | None:
    """Return the translation of a message that can be translated to ``to``; None if the line states
    nothing that the target has a field for.
    """
    name, _, version = to.partition("/")
    if name not in registry.get_names():
        return None
    into, dialect = registry.get(name), to if version else None
    fields = into.around.get(dialect or into.dialects[0], {})
    places: tuple[Place, ...] = ()
    best: Message | None = None
    for term, key in fields.items():
        value = getattr(around, term)
        if not value or value == UNSTATED:
            continue
        more = (*places, Place(key, value))
        made = _make(message, into, dialect, {key: term for term, key in fields.items()}, more)
        if made is not None and made.values.get(key) == value:
            places, best = more, made
    return Supplied(best.wire, places, tuple(into.state(best).added)) if best else None


def _make(
    message: Message,
    into: Codec,
    dialect: str | None,
    terms: dict[str, str],
    places: Iterable[Place],
) -> Message | None:
    """Return the translation with some fields more; None if the message states one of them, or if
    one does not fit.
    """
    codec = registry.get(message.protocol)
    across = dialect if codec is into else None
    try:
        statement = codec.state_across(message) if across else codec.state(message)
        if not all(_add(statement, into, terms[place.key], place) for place in places):
            return None
        values = (
            into.express_across(statement, across)
            if across
            else into.express(statement, "", dialect)
        )
        made = into.decode(into.encode(values, dialect=dialect), dialect=dialect)
    except (Inexpressible, Unencodable):
        return None
    return made if made.valid else None


def _add(statement: Statement, into: Codec, term: str, place: Place) -> bool:
    """Add a term, or another field of the target, unless the message states it."""
    name = term if term in TERMS else f"{into.name}.{place.key}"
    if name in statement.places:
        return False
    stated: dict[str, Any] = statement.terms if term in TERMS else statement.extras
    stated[name] = place.value
    statement.places[name] = place
    return True
