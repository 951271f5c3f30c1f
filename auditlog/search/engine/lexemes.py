"""Tokens as lexemes of PostgreSQL, and expressions over them as a tsquery.

GIN knows which packets have a word, but not where. Of a phrase of common words, PostgreSQL would
read every packet that has all of them. So a packet has a lexeme for each two words that follow each
other, and a phrase asks for those as well. There are only 4,096, which adds nothing to the names
that GIN keeps: different pairs may share one, so PostgreSQL still looks at the places of words.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from auditlog.search.engine import windows
from auditlog.search.expression import AllOf, AnyOf, Expression, Phrase, Without
from auditlog.search.terms import SIGN

_WORD = r"(?:[^ !=0-9_.\-]{2,}|[^\x00-\x7f])"
"""A word that counts for pairs. Digits and single letters are the names and values of fields, which
would double the number of pairs.
"""
_PAIR = re.compile(rf" ({_WORD})(?= ({_WORD}) )")
_DIGITS = 3
_ROOM = 10_000
_pairs: dict[tuple[str, str], str] = {}


def render(expression: Expression) -> str:
    """Return an expression over tokens as a tsquery."""
    match expression:
        case Phrase(tokens, prefix):
            row = " <-> ".join([quote(token) for token in tokens]) + (":*" if prefix else "")
            pairs = name_pairs(" ".join(tokens[:-1] if prefix else tokens))
            return f"({' & '.join([row, *map(quote, pairs)])})"
        case AllOf(parts):
            return _infix(" & ", parts)
        case AnyOf(parts):
            return _infix(" | ", parts)
        case Without(part):
            return f"!({render(part)})"
    raise AssertionError(expression)


def _infix(joint: str, parts: Iterable[Expression]) -> str:
    return f"({joint.join([render(part) for part in parts])})"


def quote(token: str) -> str:
    """Return a token as PostgreSQL reads one in a tsvector or tsquery."""
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"


def name_block(log_id: int, level: int, number: int) -> str:
    """Return the lexeme of a block of leaves of a log. No word starts with ``=``."""
    return f"={level}.{log_id}.{number}"


def quote_blocks(log_id: int, leaf: int) -> Iterator[str]:
    """Yield the quoted lexemes of the blocks that a packet is in."""
    for level, number in windows.blocks_of(leaf):
        yield quote(name_block(log_id, level, number))


def name_pairs(tokens: str) -> list[str]:
    """Return the lexemes of the pairs of words among tokens, each once. Words follow all terms."""
    found = _PAIR.findall(f" {tokens[tokens.rfind(SIGN) + 1 :]} ")
    return [*dict.fromkeys([_pairs.get(pair) or _name_pair(pair) for pair in found])]


def _name_pair(pair: tuple[str, str]) -> str:
    if len(_pairs) >= _ROOM:
        _pairs.clear()
    _pairs[pair] = name = f"={sha256(' '.join(pair).encode()).hexdigest()[:_DIGITS]}"
    return name
