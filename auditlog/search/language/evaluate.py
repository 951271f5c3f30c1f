"""A query answered without a database, over the tokens of messages that are in no log.

The language and its errors are those of a log. What only a log knows, such as a receive time or a
review, is an error that says so.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime

from auditlog.findings.finding import DETECTORS
from auditlog.search.compile import Scope, compile_query
from auditlog.search.expression import (
    AllOf,
    AnyOf,
    Expression,
    Phrase,
    Without,
)
from auditlog.search.keys import STATES, Term, get_term
from auditlog.search.query import Clause, Key, QueryError, Range, find_clauses, parse
from auditlog.search.terms import Terms, fold, fold_attribute, fold_key, key_names, shape
from cablese import registry

_OF_A_LOG = frozenset(
    {"since", "until", "ts", "leaf", "log", "source", "event", "finding"}
)  # fmt: skip
_FLAGS = frozenset({*STATES, "unreviewed", *DETECTORS})
_INSTEAD = {
    "since": "For the sender’s own time, write sent:>=7d.",
    "until": "For the sender’s own time, write sent:<=2026-11-20.",
    "ts": "For the sender’s own time, write sent:2026-11-20.",
}
_REMOVE = "Remove this term, or save the messages to a log."


class _NoPlaces:
    """Messages outside a log have no leaves; `_reject` has found every term that asks for one."""

    def received(self, start: datetime | None, end: datetime | None) -> Expression:
        raise AssertionError((start, end))

    def leaves(self, low: int | None, high: int | None) -> Expression:
        raise AssertionError((low, high))


def find(text: str, messages: Sequence[tuple[str, Terms]], *, now: datetime) -> list[int]:
    """Return the indexes of the messages that a query finds, in order. Each is its protocol and its
    terms. Raises QueryError.
    """
    tree = parse(text)
    for clause in find_clauses(tree):
        _reject(clause)
    expression = compile_query(tree, _scope(messages, now))
    return [at for at, (_, terms) in enumerate(messages) if holds(expression, terms.tokens.split())]


def holds(expression: Expression, tokens: Sequence[str]) -> bool:
    """Return whether an expression of tokens holds of a packet with these."""
    return _holds(expression, tokens, sorted(set(tokens)))


def _holds(expression: Expression, tokens: Sequence[str], known: Sequence[str]) -> bool:
    """Return whether an expression holds. ``known`` are the tokens in order, each once."""
    match expression:
        case Phrase((token,), prefix):
            return _has(token, prefix, known)
        case Phrase(row, prefix):
            return _has(row[0], False, known) and _follow(row, prefix, tokens)  # noqa: FBT003
        case Without(part):
            return not _holds(part, tokens, known)
        case AllOf(parts):
            return all(_holds(part, tokens, known) for part in parts)
        case AnyOf(parts):
            return any(_holds(part, tokens, known) for part in parts)
    raise AssertionError(expression)


def _has(token: str, prefix: bool, known: Sequence[str]) -> bool:  # noqa: FBT001
    at = bisect_left(known, token)
    return at < len(known) and (known[at].startswith(token) if prefix else known[at] == token)


def _follow(row: tuple[str, ...], prefix: bool, tokens: Sequence[str]) -> bool:  # noqa: FBT001
    *head, last = row
    for at in range(len(tokens) - len(row) + 1):
        if tokens[at] == head[0] and list(tokens[at : at + len(head)]) == head:
            end = tokens[at + len(head)]
            if end.startswith(last) if prefix else end == last:
                return True
    return False


def _scope(messages: Iterable[tuple[str, Terms]], now: datetime) -> Scope:
    """Return what a query can ask of these messages."""
    seen: dict[str, set[str]] = {}
    attributes: set[str] = set()
    for protocol, terms in messages:
        attributes.update(shape(fold_attribute(name)) for name in terms.attributes)
        for name in terms.keys:
            for key in key_names(name):
                seen.setdefault(shape(key), set()).add(protocol)
    return Scope(
        registry.get_names(),
        {key: frozenset(protocols) for key, protocols in seen.items() if key},
        _NoPlaces(),
        now,
        attributes=frozenset(attributes),
    )


def _reject(clause: Clause) -> None:
    """Raise QueryError for a term that only a log can answer."""
    if clause.key is None:
        return
    key, term = clause.key, get_term(fold_key(clause.key.name))
    if term and _needs_log(term, clause):
        problem = f"Only packets in a log can be searched by {key.name}:"
        shown = (
            ""
            if isinstance(clause.value, Range) or term.kind not in ("is", "has")
            else (clause.value.text)
        )
        raise QueryError(clause.span, f"{problem}{shown}.", _INSTEAD.get(key.name.lower(), _REMOVE))


def _needs_log(term: Term, clause: Clause) -> bool:
    name = fold_key(clause.key.name) if isinstance(clause.key, Key) else ""
    if name in _OF_A_LOG:
        return True
    if isinstance(clause.value, Range):
        return False
    value = fold(clause.value.text)
    return (term.kind == "is" and value in _FLAGS) or (term.kind == "has" and value in _OF_A_LOG)
