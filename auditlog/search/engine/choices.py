"""A choice of many tokens as a tree of their beginnings, for an engine that looks for one token
after the other in a row. Without the beginning, none of the tokens that have it is looked for.

    goal:1000..7777  is  !p.goal=#d1* | … | !p.goal=#d7777 | !s.goal=#d1* | … | !s.goal=#d7777
                     or  !p.goal=#d* & (!p.goal=#d1* | …)  |  !s.goal=#d* & (!s.goal=#d1* | …)
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, takewhile
from typing import TypeGuard

from auditlog.search.expression import AllOf, AnyOf, Expression, Phrase, Without

_MANY = 4
"""Tokens that are worth a look for their beginning."""
_TAKEN = 0.5
"""The share of rows that have a beginning, roughly."""


def group(expression: Expression) -> Expression:
    """Return the same with choices of tokens as trees."""
    match expression:
        case AllOf(parts):
            return AllOf(tuple(map(group, parts)))
        case Without(part):
            return Without(group(part))
        case AnyOf(parts):
            single = sorted(filter(_is_single, parts), key=lambda phrase: phrase.tokens)
            several = [group(one) for one in parts if not _is_single(one)]
            return AnyOf((*several, *_branches(single, 0)))
    return expression


def _is_single(one: Expression) -> TypeGuard[Phrase]:
    """Return whether something is asked for by one token."""
    return isinstance(one, Phrase) and len(one.tokens) == 1


def _branches(phrases: Sequence[Phrase], start: int) -> Iterator[Expression]:
    """Yield a branch for each next character of sorted tokens that begin alike."""
    for following, same in groupby(phrases, lambda phrase: phrase.tokens[0][start : start + 1]):
        found = list(same)
        beginning = _beginning(found[0].tokens[0], found[-1].tokens[0])
        if not following or len(found) < _MANY:
            yield from found
        elif "=" in beginning:
            inside = tuple(_branches(found, len(beginning)))
            yield AllOf((Phrase((beginning,), prefix=True), AnyOf(inside)))
        else:  # all tokens begin with the sign, and many with the same letter
            yield from _branches(found, len(beginning))


def _beginning(first: str, last: str) -> str:
    """Return what two tokens begin with, and all that are sorted between them."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join([one for one, _ in alike])


def list_tokens(expression: Expression) -> Iterator[Phrase]:
    """Yield the tokens of choices that have many."""
    match expression:
        case AllOf(parts):
            for part in parts:
                yield from list_tokens(part)
        case AnyOf(parts):
            single = list(filter(_is_single, parts))
            yield from single if len(single) > _MANY else ()


def narrow(expression: Expression, common: Collection[Phrase]) -> Expression:
    """Return what holds only where the expression does, and is asked quicker: of `list_tokens`,
    only the ``common`` ones.
    """
    rare = set(list_tokens(expression)).difference(common)
    match expression:
        case AllOf(parts):
            return AllOf(tuple([narrow(part, common) for part in parts]))
        case AnyOf(parts):
            return AnyOf(tuple([part for part in parts if part not in rare]))
    return expression


def count_looks(expression: Expression) -> float:
    """Return about how many tokens of a grouped expression are looked for in a row."""
    match expression:
        case Phrase(tokens):
            return len(tokens)
        case Without(part):
            return count_looks(part)
        case AllOf((Phrase() as first, AnyOf() as rest)):
            return count_looks(first) + _TAKEN * count_looks(rest)
        case AllOf(parts) | AnyOf(parts):
            return sum(map(count_looks, parts))
    return 0
