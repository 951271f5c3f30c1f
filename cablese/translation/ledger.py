"""What became of every term and field of a message, measured on its translation.

kept           the same word and the same value
renamed        the same value under another word, also in a private field
coerced        the same value in another form, such as a number as text
approximated   the closest word of the target; ``returns`` if the exact one is carried too
dropped        no place in the target
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from cablese.meaning import Act
from cablese.message import Message
from cablese.outcome import ENDS
from cablese.text import quote

from .statement import TERMS, Place, Statement

Verdict = Literal["kept", "renamed", "coerced", "approximated", "dropped"]
KINDS = {
    bool: "yes or no",
    str: "text",
    int: "number",
    float: "number",
    list: "list",
    tuple: "list",
    dict: "object",
}


class Row(Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """A term or field: its place before and after, and whether the exact value survives the round
    trip.
    """

    term: str
    verdict: Verdict
    source: Place
    target: Place | None
    returns: bool
    words: str


class Difference(Struct, frozen=True, omit_defaults=True):
    """A value that a round trip changed. ``before`` or ``after`` is missing if the key is."""

    key: str
    before: Any | UnsetType = UNSET
    after: Any | UnsetType = UNSET


class Side(NamedTuple):
    """A protocol, or a version of it, as the ledger speaks of it: its title, and the act that its
    own words tell.
    """

    title: str
    act: Act


def measure(
    message: Message, source: Statement, target: Statement, into: Side, out_of: Side
) -> Iterator[Row]:
    """Yield a row for each term, extra, and other field of ``message``, from what ``target``
    states.
    """
    for name, place in source.places.items():
        yield _row(name, place, source, target, into)
    for place in source.implied:
        yield Row(
            place.key,
            "dropped",
            place,
            None,
            returns=True,
            words=f"{out_of.title} default: omitted here and restored in the round trip.",
        )
    for place in source.added:
        yield Row(
            place.key,
            "dropped",
            place,
            None,
            returns=False,
            words=f"Required by {out_of.title}; carries no information.",
        )
    yield from idle(message, source)


def idle(message: Message, source: Statement) -> Iterator[Row]:
    """Yield rows of ignored fields: repeated or misplaced ones."""
    places = [*source.places.values(), *source.implied, *source.added]
    roots = {_root(place.key) for place in places}
    times = Counter(field.name for field in message.fields)
    waiting: dict[str, list[Place]] = {}
    for key, value in dict.fromkeys((place.key, str(place.value)) for place in places):
        waiting.setdefault(key, []).append(Place(key, value))
    lists = {place.key for place in places if isinstance(place.value, list)}
    for field in reversed(message.fields):
        once = times[field.name] == 1 and _root(field.name) in roots
        if not field.name or once or field.name in lists or "." in field.name:
            continue
        place = Place(field.name, field.value)
        if place in waiting.get(field.name, ()):
            waiting[field.name].remove(place)
            continue
        yield Row(
            field.name,
            "dropped",
            place,
            None,
            returns=False,
            words=f"{quote(field.name)} with this value is ignored: it is repeated or misplaced.",
        )


def same(value: Any, other: Any) -> bool:
    """Return whether two values and their types are equal: ``1`` is not ``True`` or ``1.0``."""
    if type(value) is not type(other):
        return False
    if isinstance(value, dict):
        return value.keys() == other.keys() and all(same(value[key], other[key]) for key in value)
    if isinstance(value, list | tuple):
        return len(value) == len(other) and all(map(same, value, other))
    return bool(value == other)


def compare(term: str, place: Place, at: Place, message: str, *, coded: bool = False) -> Row:
    """Return the row of the same value in both: kept, renamed, or coerced.

    A value that is ``coded`` has another code for the same thing: REQ is PROC.
    """
    if type(place.value) is not type(at.value) or not (coded or same(place.value, at.value)):
        before, after = (KINDS.get(type(value), "nothing") for value in (place.value, at.value))
        how = f"{before} to {after}" if before != after else "in another spelling"
        return Row(
            term, "coerced", place, at, returns=True, words=f"{message.removesuffix('.')}, {how}."
        )
    if place.key == at.key and same(place.value, at.value):
        return Row(term, "kept", place, at, returns=True, words="Same field and same value.")
    return Row(term, "renamed", place, at, returns=True, words=message)


def differences(
    before: dict[str, Any], after: dict[str, Any], path: str = ""
) -> Iterator[Difference]:
    """Yield differences between two values, by dotted keys. Lists are compared as a whole."""
    for key in (*before, *(key for key in after if key not in before)):
        old, new, name = before.get(key, UNSET), after.get(key, UNSET), f"{path}{key}"
        if isinstance(old, dict) and isinstance(new, dict):
            yield from differences(old, new, f"{name}.")
        elif not same(old, new):
            yield Difference(name, old, new)


def _row(name: str, place: Place, source: Statement, target: Statement, into: Side) -> Row:
    at, near, holder = (
        target.places.get(name),
        target.nearest.get(name),
        source.within.get(name, ""),
    )
    if at is not None and same(_value(target, name), _value(source, name)):
        if near is not None:
            message = (
                f"{_nearest(name, source, near, into)} "
                f"{quote(at.key)} stores the exact word for the round trip."
            )
            return Row(name, "approximated", place, near, returns=True, words=message)
        message = (
            f"No {into.title} equivalent. Stored in the private field {quote(at.key)}."
            if name in target.carried
            else f"Maps to {quote(at.key)} in {into.title}."
            if at.key
            else f"Implied in {into.title}, without a field."
        )
        return compare(name, place, at, message, coded=name == "act")
    if holder in target.places:
        message = f"Included in {quote(target.places[holder].key)}."
        return Row(name, "renamed", place, target.places[holder], returns=True, words=message)
    if at is not None:
        message = f"{_nearest(name, source, at, into)} The exact word is lost in the round trip."
        return Row(name, "approximated", place, at, returns=False, words=message)
    message = f"{into.title} has no equivalent of {quote(place.key)}."
    if name == "status" and source.outcome == target.outcome == "failed":
        message = (
            f"{into.title} reports the failure in {quote(target.places['act'].key)} and has no "
            "status field."
        )
    return Row(name, "dropped", place, None, returns=False, words=message)


def _nearest(name: str, source: Statement, near: Place, into: Side) -> str:
    exact = source.meaning.act if name == "act" else str(_value(source, name))
    word = into.act if name == "act" else str(near.value)
    over = word == "error" if name == "act" else name == "status" and ENDS.get(exact) != "failed"
    if over and source.outcome == "failed":
        return f"The message reports a failure, so {quote(exact)} becomes {quote(str(near.value))}."
    return f"{into.title} has no {name} {quote(exact)}. The closest is {quote(word)}."


def _value(statement: Statement, name: str) -> Any:
    return getattr(statement.meaning, name) if name in TERMS else statement.extras.get(name)


def _root(key: str) -> str:
    return key.split(".", 1)[0]
