"""The abbreviations of SACP ("1. Lexical Components", "Aliased Keys") with the words they stand
for.

Wires and ``values`` keep them as they are sent. A short form is a fact of a registry, since any
team has its own:

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
"""Abbreviated list items, by the full name of the key that holds the list."""


class Family(NamedTuple):
    """The short forms that come with a tool: of verbs, of parameters, and of what stands in the
    context beside it.
    """

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
    """The short forms that a tool defines; none for one that is not known."""
    return FAMILIES.get(tool, UNKNOWN) if isinstance(tool, str) else UNKNOWN


def expand_verb(verb: str) -> str:
    """The registered verb that ``verb`` stands for; itself when it is no alias."""
    return VERBS.get(verb, verb)


def expand_key(key: str, verb: str = "") -> str:
    """The parameter that ``key`` stands for where ``verb`` is registered."""
    return KEYS_OF_VERB.get(expand_verb(verb), {}).get(key) or KEYS.get(key, key)


def expand_item(item: str, key: str) -> str:
    """The words for an item of the list under ``key``, a key already expanded."""
    return ITEMS.get(key, {}).get(item, item)
