"""Tokens as lexemes of PostgreSQL, and expressions over them as a tsquery."""

from collections.abc import Iterable, Iterator

from auditlog.search.engine import windows
from auditlog.search.expression import AllOf, AnyOf, Expression, Phrase, Without


def render(expression: Expression) -> str:
    """Return an expression over tokens as a tsquery."""
    match expression:
        case Phrase(tokens, prefix):
            row = " <-> ".join([quote(token) for token in tokens])
            return f"({row}{':*' if prefix else ''})"
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
