"""Expand the abbreviations of SACP ("1. Lexical Components", "Aliased Keys").

Wires and ``values`` keep them as sent. A short form belongs to a registry, since any team has its
own:

    ["s", "H_API", {"in": "06-01"}]         the tool of the source: search, check-in
    ["translate", "DEEPL", {"in": "en"}]    another one, where ``in`` is not defined

So a description expands what the tool of a step defines (``FAMILIES``), and look-ups compare with
what is registered. The source explains ``bdg``, ``loc`` and ``am``; the others are read from its
examples, where ``c`` is a city in a search and the criteria of a rank.
"""

from typing import NamedTuple

VERBS = {"s": "search", "r": "rank", "p": "present"}
KEYS = {
    "am": "amenities",
    "bdg": "budget",
    "bf": "breakfast",
    "c": "city",
    "in": "check-in",
    "lang": "language",
    "loc": "location",
    "n": "number",
    "out": "check-out",
    "p": "price",
    "p_max": "maximum price",
    "rt": "rating",
}
KEYS_OF_VERB = {"rank": {"c": "criteria"}}
ITEMS = {"amenities": {"bf": "breakfast"}, "criteria": {"p": "price", "rt": "rating"}}
"""Abbreviated list items, by the full name of the key of the list."""


class Family(NamedTuple):
    """The short forms of a tool: of verbs, of parameters, and of the context of its steps."""

    verbs: dict[str, str] = {}
    keys: dict[str, str] = {}
    context: dict[str, str] = {}


HOTELS = {short: KEYS[short] for short in ("am", "bdg", "in", "loc", "out")}
FAMILIES = {
    "H_API": Family(
        {"s": "search"},
        HOTELS | {short: KEYS[short] for short in ("c", "n", "p_max", "rt")},
        HOTELS,
    ),
    "RANK": Family({"r": "rank"}, KEYS_OF_VERB["rank"]),
    "PRES": Family({"p": "present"}, {"n": "number"}),
}
"""The tools of the source's examples."""
UNKNOWN = Family()


def get_family(tool: object) -> Family:
    """Return the short forms that a tool defines; none for an unknown tool."""
    return FAMILIES.get(tool, UNKNOWN) if isinstance(tool, str) else UNKNOWN


def expand_verb(verb: str) -> str:
    """Return the registered verb that ``verb`` is short for, or ``verb`` itself."""
    return VERBS.get(verb, verb)


def expand_key(key: str, verb: str = "") -> str:
    """Return the parameter that ``key`` is short for in a step with ``verb``."""
    return KEYS_OF_VERB.get(expand_verb(verb), {}).get(key) or KEYS.get(key, key)


def expand_item(item: str, key: str) -> str:
    """Return the word for an item of the list under ``key``, a key in full."""
    return ITEMS.get(key, {}).get(item, item)
