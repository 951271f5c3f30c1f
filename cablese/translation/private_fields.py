"""Private fields for what a target cannot express, so that a round trip is lossless.

A parcel is one JSON object: terms by their names, extras by theirs, and the keys that had to be
added:

    {"goal":"42","score":8,"aacp.period":"2024-08","added":["dom","return"]}

JSON protocols store it whole. Line protocols spread it over keys with a prefix:
``x-cablese-goal:42``, ``x-cablese-aacp-period:2024-08``, ``x-cablese-added:dom+return``; names that
cannot be keys go into ``x-cablese-more``.
"""

import re
from collections.abc import Collection
from typing import Any, get_args

from cablese.json import jsontext
from cablese.meaning import Act
from cablese.outcome import STATUSES
from cablese.text import BLANKS

from .statement import TERMS, Inexpressible, Parcel, Place, Statement

MARK = "x-cablese"
ADDED = "added"
MORE = "more"
WORDS: dict[str, tuple[str, ...]] = {"act": get_args(Act), "status": STATUSES}
"""The values of a term that has no others."""
NUMBERS = ("priority", "score")
KEY = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?")
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")


def pack(
    statement: Statement, *, spoken: Collection[str], added: Collection[str], protocol: str
) -> dict[str, Any]:
    """Return the terms that are neither ``spoken`` nor in an extra, and other protocols' extras."""
    left: dict[str, Any] = {
        name: list(value) if name == "tags" else value
        for name in TERMS
        if name not in spoken
        and name not in statement.within
        and (value := getattr(statement.meaning, name)) not in (None, ())
    }
    left |= {
        name: value
        for name, value in statement.extras.items()
        if not name.startswith(f"{protocol}.")
    }
    return left | ({ADDED: list(added)} if added else {})


def unpack(parcel: Any, key: str) -> Parcel | None:
    """Return what the JSON value under ``key`` carries; None if it is not a parcel of ours."""
    if not isinstance(parcel, dict):
        return None
    added = parcel.get(ADDED, [])
    if not isinstance(added, list) or not all(isinstance(item, str) for item in added):
        return None
    terms, extras = {}, {}
    for name, value in parcel.items():
        if name in TERMS and _is_term(name, value):
            terms[name] = tuple(value) if name == "tags" else value
        elif "." in name:
            extras[name] = value
        elif name != ADDED:
            return None
    places = {
        name: Place(f"{key}.{name}", value) for name, value in parcel.items() if name != ADDED
    }
    return Parcel(
        terms, extras, places, tuple(added), Place(f"{key}.{ADDED}", added) if added else None
    )


def spread(parcel: dict[str, Any], prefix: str, joint: str) -> dict[str, str]:
    """Return the keys and texts of a line protocol; ``joint`` joins a protocol and its key."""
    pairs, more = {}, {}
    for name, value in parcel.items():
        if name == ADDED:
            pairs[prefix + ADDED] = "+".join(value)
        elif KEY.fullmatch(name) and _name(name.replace(".", joint), joint) == name:
            pairs[prefix + name.replace(".", joint)] = _text(name, value)
        else:
            more[name] = value
    return pairs | ({prefix + MORE: _dump(more)} if more else {})


def gather(pairs: dict[str, Any], prefix: str, joint: str) -> tuple[dict[str, Any], Parcel]:
    """Return the pairs that are not ours, and the parcel of those that are."""
    foreign: dict[str, Any] = {}
    parcel = Parcel()
    for key, text in pairs.items():
        name = _name(key.removeprefix(prefix), joint) if key.startswith(prefix) else ""
        if not name or not isinstance(text, str) or not _collect(parcel, key, name, text):
            foreign[key] = text
    return foreign, parcel


def _collect(parcel: Parcel, key: str, name: str, text: str) -> bool:
    """Add what a field carries to ``parcel``. Return False if it is not valid."""
    if name == ADDED:
        parcel.added, parcel.mark = tuple(text.split("+")), Place(key, text)
    elif name == MORE:
        more = unpack(_load(text), key)
        if more is None:
            return False
        parcel.terms |= more.terms
        parcel.extras |= more.extras
        parcel.places |= more.places
    else:
        value = _term(name, text) if name in TERMS else _load(text)
        if value is None and name in TERMS:
            return False
        (parcel.terms if name in TERMS else parcel.extras)[name] = value
        parcel.places[name] = Place(key, text)
    return True


def _name(tail: str, joint: str) -> str:
    """Return the name in the rest of a key; empty if it is not one of ours."""
    if tail in TERMS or tail in (ADDED, MORE):
        return tail
    protocol, between, key = tail.partition(joint)
    name = f"{protocol}.{key}"
    return name if between and KEY.fullmatch(name) else ""


def _is_term(name: str, value: Any) -> bool:
    if name in WORDS:
        return value in WORDS[name]
    if name == "tags":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return (
        isinstance(value, int) and not isinstance(value, bool)
        if name in NUMBERS
        else isinstance(value, str)
    )


def _text(name: str, value: Any) -> str:
    """Return a value as text, or as JSON if the text would be read as another value."""
    if name in NUMBERS:
        return str(value)
    if name == "tags":
        return str(value[0]) if len(value) == 1 and _is_bare(value[0], "[") else _dump(value)
    if name in TERMS:
        return str(value) if _is_bare(value, '"') else _dump(value)
    return (
        value
        if isinstance(value, str) and _is_bare(value, "") and _load(value) is value
        else _dump(value)
    )


def _term(name: str, text: str) -> Any:
    """Return the value of a term; None if the text is not valid."""
    if name in NUMBERS:
        return int(text) if INTEGER.fullmatch(text) else None
    if name in WORDS:
        return text if text in WORDS[name] else None
    if name == "tags":
        value = _load(text) if text.startswith("[") else [text]
        return tuple(value) if _is_term(name, value) else None
    value = _load(text) if text.startswith('"') else text
    return value if isinstance(value, str) else None


def _is_bare(text: str, opening: str) -> bool:
    return bool(text) and text == text.strip(BLANKS) and not (opening and text.startswith(opening))


def _load(text: str) -> Any:
    """Return the JSON value that ``text`` is, or else ``text`` itself."""
    try:
        return jsontext.load(text)
    except jsontext.NotClean:
        return text


def _dump(value: Any) -> str:
    flaw = jsontext.find_flaw(value)
    if flaw:
        raise Inexpressible(flaw[1])
    return jsontext.dump(value)
