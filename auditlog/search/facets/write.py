"""A syntax tree as the text of a query, and what two of them have in common."""

import re
from typing import Any

from auditlog.search import terms
from auditlog.search.keys import ALIASES
from auditlog.search.language.written import join, quote, write_phrase, write_term
from auditlog.search.query import Clause, Key, Many, Not, Range, Text, Tree

Shape = tuple[Any, ...]
_SPACE = re.compile(r"\s")
_UNSTORABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")


def name(key: str, value: str) -> str:
    """Return the part of a query that finds a value: ``act:request``, or ``@auth`` for a tag.

    Characters that no index holds become U+FFFD, as they do there, and white space a space.
    """
    return write_term(key, _UNSTORABLE.sub("\ufffd", _SPACE.sub(" ", value)))


def name_key(key: Key) -> str:
    """Return the usual name of a key."""
    folded = terms.fold_key(key.name)
    return ALIASES.get(folded, folded)


def text(tree: Tree) -> str:
    """Return a query that means the same."""
    match tree:
        case Clause():
            return _clause(tree)
        case Not(part):
            inner = text(part)
            return f"-{inner}" if isinstance(part, Clause) else f"-({inner})"
        case Many("or", parts):
            return " OR ".join([text(part) for part in parts])
        case Many("and", parts):
            return join([f"({text(part)})" if _is_either(part) else text(part) for part in parts])
    raise AssertionError(tree)


def _is_either(tree: Tree) -> bool:
    return isinstance(tree, Many) and tree.mode == "or"


def _clause(clause: Clause) -> str:
    value = clause.value
    star = "*" if isinstance(value, Text) and value.prefix else ""
    if clause.key is None:
        assert isinstance(value, Text), "only a key has a range"
        return f"{write_phrase(value.text) if value.quoted else value.text}{star}"
    key = clause.key.name
    if isinstance(value, Text):
        return f"{name(key, value.text)}{star}"
    return f"{'@' if key == '@' else f'{key}:'}{_range(value)}"


def _range(value: Range) -> str:
    if value.low is not None and value.high is not None:
        return f"{value.low}..{value.high}"
    if value.low is not None:
        return f">{'' if value.open_low else '='}{quote(value.low)}"
    return f"<{'' if value.open_high else '='}{quote(value.high or '')}"


def shape(tree: Tree) -> Shape:
    """Return what a tree means, without its places in the text, so that two can be compared."""
    match tree:
        case Clause(None, Text(value, quoted, prefix)):
            return ("text", value, quoted, prefix)
        case Clause(key, Text(value, _, prefix)) if key is not None:
            return ("field", terms.fold_key(key.name), value, prefix)
        case Clause(key, Range(low, high, open_low, open_high)) if key is not None:
            return ("range", terms.fold_key(key.name), low, high, open_low, open_high)
        case Not(part):
            return ("not", shape(part))
        case Many(mode, parts):
            return _shape_of_many(mode, parts)
    raise AssertionError(tree)


def _shape_of_many(mode: str, parts: tuple[Tree, ...]) -> Shape:
    shapes: list[Shape] = []
    for part in parts:
        inner = shape(part)
        shapes += inner[1:] if inner[0] == mode else [inner]
    return shapes[0] if len(shapes) == 1 else (mode, *shapes)
