"""Compile a syntax tree to an expression over tokens. Keys get their meaning here, and unknown keys
are rejected.

``goal:42``, in the packet or in metadata, becomes ``!p.goal=#b42`` or ``!s.goal=#b42``;
``nslip.g:42`` becomes ``!f.g=#b42`` and ``!proto=nslip``; ``attr.model:gpt-4o`` becomes
``!.model=gpt-4o``; ``since:7d`` becomes ranges of leaves.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import NoReturn

from auditlog.findings.finding import DETECTORS
from auditlog.search import moment, number, terms
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
)
from auditlog.search.keys import (
    ACTS,
    ALIASES,
    FLAGS,
    SUPPLIABLE,
    TERMS,
    UNKNOWN,
    VALIDITY,
    Kind,
    get_term,
)
from auditlog.search.places import LogPlaces
from auditlog.search.query import Clause, Key, Many, Not, QueryError, Range, Text, Tree
from cablese.message import Span

Value = Text | Range
MAX_WORDS = 100
"""The limit of words in all phrases of a query. Both engines read the index once for each word,
also for a repeated one.
"""


@dataclass(frozen=True)
class Scope:
    """The context of a query: the known protocols, the wire keys seen in the logs, and the current
    time.
    """

    protocols: tuple[str, ...]
    seen: Mapping[str, frozenset[str]]
    """Protocols by shape of key (see `terms.shape`)."""
    places: LogPlaces
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
    return _compile(tree, scope)


def _check_words(tree: Tree) -> None:
    counts = {one.span: number for one in _clauses(tree) if (number := _count_words(one)) > 1}
    total = sum(counts.values())
    if total > MAX_WORDS:
        longest = max(counts, key=lambda span: counts[span])
        raise QueryError(
            longest,
            f"The phrases of this query have {total:,} words. The limit is {MAX_WORDS}.",
            "Search for a part of the phrase.",
        )


def _clauses(tree: Tree) -> Iterator[Clause]:
    match tree:
        case Many(_, parts):
            for part in parts:
                yield from _clauses(part)
        case Not(part):
            yield from _clauses(part)
        case Clause():
            yield tree


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
    if (
        names == ["p.act"]
        and isinstance(value, Text)
        and (value.prefix or terms.fold(value.text) not in ACTS)
    ):
        # act:REQ is not one of our acts, so it is searched for as a field of the wire.
        names = ["p.act", "f.act"]
    return all_of([any_of([_holds(name, value) for name in names]), condition])


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
    near = get_close_matches(name, choices, 1)
    hint = (
        f"Did you mean {owner}{near[0]}:?"
        if near
        else "To search for it as text, put it in quotes."
    )
    raise QueryError(key.span, f"{problem}.", hint)


def _token(key: Key, value: Value, _scope: Scope) -> Expression:
    term = get_term(terms.fold_key(key.name))
    assert term is not None, "the kind comes from its term"
    return _holds(term.name, value)


def _holds(name: str, value: Value) -> Expression:
    """Match a token name with a value: exact, a prefix, or a range of whole numbers."""
    if isinstance(value, Range):
        low, high = _numbers(value)
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


def _numbers(value: Range) -> tuple[int, int | None]:
    """Return both limits of a range, inclusive. Raises QueryError for text and an empty range."""
    low, high = (
        None if limit is None else number.parse(terms.fold(limit))
        for limit in (value.low, value.high)
    )
    if (low is None) != (value.low is None) or (high is None) != (value.high is None):
        raise QueryError(
            value.span,
            "Range limits must be whole numbers, 0 or greater.",
            "To search for it as text, put it in quotes.",
        )
    low = 0 if low is None else low + value.open_low
    high = high if high is None else high - value.open_high
    if high is not None and low > high:
        raise QueryError(value.span, "This range is empty.")
    return low, high


def _text(key: Key, value: Value, example: str) -> str:
    """Return the folded value of a key that accepts neither a range nor a star."""
    if isinstance(value, Range) or value.prefix:
        raise QueryError(
            value.span,
            f"{key.name}: takes a single value, without * or a range.",
            f"Example: {key.name}:{example}",
        )
    return terms.fold(value.text)


def _choose(key: Key, value: Value, choices: tuple[str, ...]) -> str:
    text = _text(key, value, choices[0])
    if text not in choices:
        near = get_close_matches(text, choices, 1)
        hint = f"Did you mean {key.name}:{near[0]}?" if near else f"Expected {', '.join(choices)}."
        raise QueryError(value.span, f'Unknown value "{text}" for {key.name}:.', hint)
    return text


def _protocol(key: Key, value: Value, scope: Scope) -> Expression:
    if isinstance(value, Text) and value.prefix:
        return Phrase((f"{terms.SIGN}proto={terms.fold_key(value.text)}",), prefix=True)
    chosen = _choose(key, value, (*scope.protocols, UNKNOWN))
    return Phrase((f"{terms.SIGN}proto={chosen}",))


def _is(key: Key, value: Value, scope: Scope) -> Expression:
    flag = _choose(key, value, FLAGS)
    if flag == "unreviewed":
        return Without(Reviewed(None, scope.size))
    if flag in VALIDITY:
        return Phrase((f"{terms.SIGN}is={flag}",))
    return Reviewed(flag, scope.size)


def _finding(key: Key, value: Value, _scope: Scope) -> Expression:
    return Detected(_choose(key, value, DETECTORS))


def _has(key: Key, value: Value, scope: Scope) -> Expression:
    _text(key, value, "reason")
    assert isinstance(value, Text)
    names, condition = _names(Key(value.text, value.span), scope)
    stated = any_of([Phrase((f"{terms.SIGN}{name}=",), prefix=True) for name in names])
    return all_of([stated, condition])


def _time(key: Key, value: Value, scope: Scope) -> Expression:
    if isinstance(value, Text):
        interval = _moment(_text(key, value, "2026-11-20"), value.span, scope)
        if interval.start == interval.end:
            raise QueryError(
                value.span, f"{key.name}: requires a date.", f"Try since:{value.text}."
            )
        return scope.places.received(interval.start, interval.end)
    low = None if value.low is None else _moment(terms.fold(value.low), value.span, scope)
    high = None if value.high is None else _moment(terms.fold(value.high), value.span, scope)
    start = None if low is None else low.end if value.open_low else low.start
    end = None if high is None else high.start if value.open_high else high.end
    if start and end and start >= end:
        raise QueryError(value.span, "This range is empty.")
    return scope.places.received(start, end)


def _moment(text: str, span: Span, scope: Scope) -> moment.Interval:
    found = moment.parse(text, scope.now)
    if found is None:
        raise QueryError(span, "Not a valid date or time.", f"Expected {moment.FORMS}.")
    return found


def _leaf(key: Key, value: Value, scope: Scope) -> Expression:
    if isinstance(value, Range):
        return scope.places.leaves(*_numbers(value))
    at = number.parse(_text(key, value, "812"))
    if at is None:
        raise QueryError(
            value.span, f"{key.name}: requires a whole number.", f"Example: {key.name}:812"
        )
    return scope.places.leaves(at, at)


_KINDS: dict[Kind, Callable[[Key, Value, Scope], Expression]] = {
    "meaning": _compile_meaning,
    "token": _token,
    "protocol": _protocol,
    "log": lambda key, value, _: Phrase((terms.term("log", _text(key, value, "default")),)),
    "is": _is,
    "has": _has,
    "finding": _finding,
    "since": lambda key, value, scope: scope.places.received(
        _moment(_text(key, value, "7d"), value.span, scope).start, None
    ),
    "until": lambda key, value, scope: scope.places.received(
        None, _moment(_text(key, value, "2026-11-20"), value.span, scope).end
    ),
    "time": _time,
    "leaf": _leaf,
}
