"""Compile a syntax tree to an expression over tokens. Keys get their meaning here, and unknown keys
are rejected.

``goal:42``, in the packet or in metadata, becomes ``!p.goal=#b42`` or ``!s.goal=#b42``;
``nslip.g:42`` becomes ``!f.g=#b42`` and ``!proto=nslip``; ``attr.model:gpt-4o`` becomes
``!.model=gpt-4o``; ``since:7d`` becomes ranges of leaves.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import NoReturn, Protocol

from auditlog.findings.finding import DETECTORS
from auditlog.search import number, terms
from auditlog.search.expression import (
    ALWAYS,
    Detected,
    Expression,
    Phrase,
    Reviewed,
    Without,
    all_of,
    any_of,
    none_of,
    phrases,
)
from auditlog.search.keys import (
    ACTS,
    ALIASES,
    FLAGS,
    SUPPLIABLE,
    TERMS,
    UNKNOWN,
    VALIDITY,
    WARNING,
    Kind,
    Term,
    get_term,
)
from auditlog.search.language import columns, values
from auditlog.search.language.near import find_near
from auditlog.search.language.values import AS_TEXT, Value
from auditlog.search.query import (
    Clause,
    Key,
    Many,
    Not,
    QueryError,
    Range,
    Text,
    Tree,
    find_clauses,
)
from cablese.message import Span

MAX_WORDS = 100
"""The limit of words in all phrases of a query. Both engines read the index once for each word,
also for a repeated one.
"""
_ALMOST = 0.85
"""How alike a misspelled act and one of ours are, from 0 to 1."""


class Places(Protocol):
    """Where times and leaves are in what is searched. Raises QueryError where there are none."""

    def received(self, start: datetime | None, end: datetime | None) -> Expression: ...

    def leaves(self, low: int | None, high: int | None) -> Expression: ...


MAX_PHRASES = 1_000
"""The limit of phrases in the expression of a query. A range is many, a time to the microsecond
several hundred.
"""


@dataclass(frozen=True)
class Scope:
    """The context of a query: the known protocols, the wire keys seen in the logs, and the current
    time.
    """

    protocols: tuple[str, ...]
    seen: Mapping[str, frozenset[str]]
    """Protocols by shape of key (see `terms.shape`)."""
    places: Places
    now: datetime
    full: bool = False
    """Whether more keys were seen than are stored, so that an unknown key may exist."""
    attributes: frozenset[str] = frozenset()
    """Shapes of the attribute names that were seen."""
    attributes_full: bool = False
    size: int | None = None
    """Only review steps among so many leaves count; all of them by default."""


def compile_query(tree: Tree, scope: Scope) -> Expression:
    """Return the expression of a query, without its logs. Raises QueryError."""
    _check_words(tree)
    expression = _compile(tree, scope)
    found = sum(1 for _ in phrases(expression))
    if found > MAX_PHRASES:
        end = max(clause.span.end for clause in find_clauses(tree))
        raise QueryError(
            Span(0, end),
            f"The ranges and values of this query are {found:,} searches of the index. The limit "
            f"is {MAX_PHRASES:,}.",
            "Use fewer ranges, or ranges that begin and end on a whole day.",
        )
    return expression


def _check_words(tree: Tree) -> None:
    counts = {one.span: number for one in find_clauses(tree) if (number := _count_words(one)) > 1}
    total = sum(counts.values())
    if total > MAX_WORDS:
        longest = max(counts, key=lambda span: counts[span])
        raise QueryError(
            longest,
            f"The phrases of this query have {total:,} words. The limit is {MAX_WORDS}.",
            "Search for a part of the phrase.",
        )


def _count_words(clause: Clause) -> int:
    if isinstance(clause.value, Range):
        return 1
    folded = terms.fold(clause.value.text)
    if clause.key is not None:
        return len(folded.split())
    runs = terms.runs(folded)
    return (
        1
        if len(runs) == 1 and not clause.value.quoted
        else sum(len(terms.atoms(run)) for run in runs)
    )


def _compile(tree: Tree, scope: Scope) -> Expression:
    match tree:
        case Many("and", parts):
            return all_of([_compile(part, scope) for part in parts])
        case Many("or", parts):
            return any_of([_compile(part, scope) for part in parts])
        case Not(part):
            return none_of(_compile(part, scope))
        case Clause(None, Text() as text):
            return _words(text)
        case Clause(Key() as key, value):
            term = get_term(terms.fold_key(key.name))
            return _KINDS[term.kind if term else "meaning"](key, value, scope)
    raise AssertionError(tree)


def _words(text: Text) -> Expression:
    """Return a word or a name such as ``auth_refactor`` as a token, other text as a phrase."""
    if text.prefix and not text.text:
        return ALWAYS
    folded = terms.fold(text.text)
    runs = terms.runs(folded)
    if not runs:
        raise QueryError(
            text.span, "This has no letter, digit, or symbol to search for.", "Remove it."
        )
    if len(runs) == 1 and not text.quoted:
        # For auth_*, the connector belongs to the prefix.
        tail = folded[folded.index(runs[0]) + len(runs[0]) :]
        ending = tail[: len(tail) - len(tail.lstrip("_.-"))] if text.prefix else ""
        return Phrase(((runs[0] + ending)[: terms.MAX_TOKEN],), text.prefix)
    parts = [part[: terms.MAX_TOKEN] for run in runs for part in terms.atoms(run)]
    return Phrase(tuple(parts), text.prefix)


def _compile_meaning(key: Key, value: Value, scope: Scope) -> Expression:
    names, condition = _names(key, scope)
    if names == ["p.act"] and isinstance(value, Text):
        _check_act(value)
    if (
        names == ["p.act"]
        and isinstance(value, Text)
        and (value.prefix or terms.fold(value.text) not in ACTS)
    ):
        # act:REQ is not one of our acts, so it is searched for as a field of the wire.
        names = ["p.act", "f.act"]
    return all_of([any_of([_holds(name, value) for name in names]), condition])


def _check_act(value: Text) -> None:
    """Reject a misspelled act of ours. Capitals, as in REQ, and quotes search the wire."""
    folded = terms.fold(value.text)
    if value.quoted or value.prefix or value.text.isupper() or folded in ACTS:
        return
    if near := get_close_matches(folded, ACTS, 1, _ALMOST):
        hint = f'Did you mean act:{near[0]}? To search for the word, write act:"{value.text}".'
        raise QueryError(value.span, f'Unknown act "{value.text}".', hint)


def _names(key: Key, scope: Scope) -> tuple[list[str], Expression]:
    """Return the names of a key in tokens, and a further condition."""
    name = terms.fold_key(key.name)
    term = get_term(name)
    if term and term.kind == "meaning":
        return (
            [f"p.{term.name}", f"s.{term.name}"] if term.name in SUPPLIABLE else [f"p.{term.name}"]
        ), ALWAYS
    owner, dot, rest = name.partition(".")
    if dot and owner in _OWNERS:
        return [_owned_name(key, owner, rest)], ALWAYS
    if dot and owner == terms.ATTRIBUTE:
        if terms.shape(rest) not in scope.attributes and not scope.attributes_full:
            problem = f'Unknown attribute "{rest}": no packet in this log has it'
            _unknown(key, problem, rest, scope.attributes, f"{owner}.")
        return [f".{rest}"], ALWAYS
    if dot and owner in scope.protocols:
        if owner not in scope.seen.get(terms.shape(rest), ()) and not scope.full:
            seen = [each for each, protocols in scope.seen.items() if owner in protocols]
            _unknown(
                key,
                f'Unknown field "{rest}": no {owner} packet in this log has it',
                rest,
                seen,
                f"{owner}.",
            )
        return [f"f.{rest}"], Phrase((f"{terms.SIGN}proto={owner}",))
    if terms.shape(name) not in scope.seen and not scope.full:
        problem = f'Unknown field "{key.name}": no packet in this log has it'
        attributes = [f"{terms.ATTRIBUTE}.{one}" for one in scope.attributes]
        attribute = f"{terms.ATTRIBUTE}.{name}" if name in scope.attributes else name
        _unknown(key, problem, attribute, [*TERMS, *ALIASES, *scope.seen, *attributes])
    return [f"f.{name}"], ALWAYS


def _owned_name(key: Key, owner: str, rest: str) -> str:
    """Return the token name of a meaning that the packet itself, or its metadata, must state."""
    inner = get_term(rest)
    short, kind, choices = _OWNERS[owner]
    if inner is None or inner.name not in choices:
        _unknown(key, f'Unknown {kind} field "{rest}"', rest, choices, f"{owner}.")
    return f"{short}.{inner.name}"


_OWNERS = {
    "packet": ("p", "packet", terms.MEANING),
    "supplied": ("s", "metadata", tuple(sorted(SUPPLIABLE))),
}
"""What can state a meaning: its short name in tokens, its name for people, and its fields."""


def _unknown(
    key: Key, problem: str, name: str, choices: Iterable[str], owner: str = ""
) -> NoReturn:
    near = find_near(name, choices)
    hint = f"Did you mean {owner}{near}:?" if near else AS_TEXT
    raise QueryError(key.span, f"{problem}.", hint)


def _token(key: Key, value: Value, _scope: Scope) -> Expression:
    term = get_term(terms.fold_key(key.name))
    assert term is not None, "the kind comes from its term"
    return _holds(term.name, value)


def _holds(name: str, value: Value) -> Expression:
    """Match a token name with a value: exact, a prefix, or a range of whole numbers."""
    if isinstance(value, Range):
        low, high = values.numbers(value)
        return any_of(
            [
                Phrase((f"{terms.SIGN}{name}={cut.token}",), cut.prefix)
                for cut in number.between(low, high)
            ]
        )
    if not value.prefix:
        return Phrase(tuple(terms.term(name, value.text).split(" ")))
    *whole, last = terms.fold(value.text).split() or [""]
    before = terms.term(name, " ".join(whole)).split(" ") if whole else []
    cuts = number.beginning(last.lstrip(terms.EDGES) or last)
    return any_of(
        [
            Phrase((*before, f"{terms.SIGN}{name}={cut.token}"[: terms.MAX_TOKEN]), cut.prefix)
            for cut in cuts
        ]
    )


def _protocol(key: Key, value: Value, scope: Scope) -> Expression:
    if isinstance(value, Text) and value.prefix:
        return Phrase((f"{terms.SIGN}proto={terms.fold_key(value.text)}",), prefix=True)
    chosen = values.choose(key, value, (*scope.protocols, UNKNOWN))
    return Phrase((f"{terms.SIGN}proto={chosen}",))


def _is(key: Key, value: Value, scope: Scope) -> Expression:
    flag = values.choose(key, value, FLAGS)
    if flag == "unreviewed":
        return Without(Reviewed(None, scope.size))
    if flag in (*VALIDITY, WARNING):
        return Phrase((f"{terms.SIGN}is={flag}",))
    if flag in DETECTORS:
        return Detected(flag)
    return Reviewed(flag, scope.size)


def _finding(key: Key, value: Value, _scope: Scope) -> Expression:
    return Detected(values.choose(key, value, DETECTORS))


def _has(key: Key, value: Value, scope: Scope) -> Expression:
    name = values.single(key, value, "reason")
    assert isinstance(value, Text)
    term = get_term(name)
    if term and term.kind != "meaning":
        return _has_fact(term, value)
    names, condition = _names(Key(value.text, value.span), scope)
    stated = any_of([Phrase((f"{terms.SIGN}{name}=",), prefix=True) for name in names])
    return all_of([stated, condition])


def _has_fact(term: Term, value: Text) -> Expression:
    match term.kind, term.name:
        case "sent", _:
            return _any(columns.sent_between(None, None))
        case "finding", _:
            return any_of([Detected(detector) for detector in DETECTORS])
        case _, columns.EVENT:
            return Phrase((columns.WITH_EVENT,))
        case _, columns.CODE:
            return Phrase((f"{terms.SIGN}{columns.CODE}=",), prefix=True)
    raise QueryError(value.span, f"Every packet has {value.text}.", "Remove this term.")


def _received(key: Key, value: Value, scope: Scope) -> Expression:
    return scope.places.received(*values.received(key, value, scope.now))


def _sent(key: Key, value: Value, scope: Scope) -> Expression:
    # A time ago is exact to the second, which makes it fewer tokens.
    limits = values.times(key, value, scope.now.replace(microsecond=0))
    return _any(columns.sent_between(*limits))


def _count(key: Key, value: Value, _scope: Scope) -> Expression:
    return _any(columns.count_between(*values.whole(key, value, "120")))


def _any(cuts: Iterable[number.Cut]) -> Expression:
    return any_of([Phrase((cut.token,), cut.prefix) for cut in cuts])


def _leaf(key: Key, value: Value, scope: Scope) -> Expression:
    return scope.places.leaves(*values.whole(key, value, "812"))


_KINDS: dict[Kind, Callable[[Key, Value, Scope], Expression]] = {
    "meaning": _compile_meaning,
    "token": _token,
    "protocol": _protocol,
    "log": lambda key, value, _: Phrase((terms.term("log", values.single(key, value, "default")),)),
    "is": _is,
    "has": _has,
    "finding": _finding,
    "since": _received,
    "until": _received,
    "time": _received,
    "leaf": _leaf,
    "sent": _sent,
    "count": _count,
}
