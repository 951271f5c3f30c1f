"""The abbreviations of SACP ("1. Lexical Components", "Aliased Keys") with the words they stand for.

Wires and ``values`` keep them as they are sent; descriptions and look-ups use the words. The source explains ``bdg``,
``loc`` and ``am``; the others are read from its examples, where ``c`` is a city in a search and the criteria of a rank.
"""

VERBS = {"s": "search", "r": "rank", "p": "present"}
KEYS = {
    "am": "amenities", "bdg": "budget", "bf": "breakfast", "c": "city", "in": "check-in", "lang": "language",
    "loc": "location", "n": "number", "out": "check-out", "p": "price", "p_max": "maximum price", "rt": "rating",
}  # fmt: skip
KEYS_OF_VERB = {"rank": {"c": "criteria"}}
ITEMS = {"amenities": {"bf": "breakfast"}, "criteria": {"p": "price", "rt": "rating"}}
"""Abbreviated list items, by the full name of the key that holds the list."""


def expand_verb(verb: str) -> str:
    """The verb that ``verb`` stands for; itself when it is no alias."""
    return VERBS.get(verb, verb)


def expand_key(key: str, verb: str = "") -> str:
    """The words for a key of the context, or of the parameters of ``verb``."""
    return KEYS_OF_VERB.get(expand_verb(verb), {}).get(key) or KEYS.get(key, key)


def expand_item(item: str, key: str) -> str:
    """The words for an item of the list under ``key``, a key already expanded."""
    return ITEMS.get(key, {}).get(item, item)
