"""Suggestions for a query that is being typed: keys, then values by frequency."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from auditlog.findings.finding import DETECTORS
from auditlog.models import Log
from auditlog.search.completion import seen
from auditlog.search.completion.cursor import Typed, locate
from auditlog.search.completion.suggestion import (
    Problem,
    Suggestion,
    Suggestions,
    can_grow,
    is_typable,
)
from auditlog.search.find import check
from auditlog.search.keys import ACTS, ALIASES, FLAGS, SUPPLIABLE, TERMS, UNKNOWN, get_term
from auditlog.search.language.written import quote, write_term
from auditlog.search.query import MAX_LENGTH, QueryError
from auditlog.search.terms import ATTRIBUTE, MEANING, fold, fold_key
from cablese import registry
from cablese.message import Span

MOST = 12
"""Suggestions of one answer."""
TAGS = 3
"""Tags among the suggestions for a word."""
ENOUGH = 2
"""Letters of a word that tags are looked up for."""

DETAILS = {
    "act": "what a message does",
    "from": "sender",
    "to": "recipient",
    "tag": "tag, also written @tag",
    "goal": "goal ID",
    "task": "task ID",
    "is": "valid, invalid, a review state, or a finding",
    "proto": "protocol",
    "since": "received since: 7d, 24h, or a date",
    "until": "received until",
    "ts": "received on a date or in a range",
    "sent": "sender’s own time, a date or a range",
    "finding": "what a detector found",
    "has": "has a field",
    "source": "client that sent it to the log",
    "thread": "conversation",
    "prio": "priority, a number or a range",
    "status": "status",
    "score": "score, a number or a range",
    "reason": "reason",
    "result": "result",
    "topic": "topic",
    "object": "object",
    "next": "next step",
    "leaf": "leaf index, a number or a range",
    "tokens": "token count, a number or a range",
    "event": "event ID that the client gave",
    "code": "diagnostic code",
    "log": "log",
    "id": "message ID",
    "reply": "ID of the message that it replies to",
    "answer": "reply recipient",
}
"""Our keys, the most used first, and what they ask for."""
_DETECTED = {
    "sensitive": "sensitive data",
    "injection": "possible injection",
    "repeated": "same message again",
    "flow": "broken conversation flow",
}
_FLAGS = _DETECTED | {
    "valid": "follows its protocol",
    "invalid": "breaks its protocol",
    "warning": "has a warning",
    "reviewed": "marked as reviewed",
    "flagged": "marked as flagged",
    "commented": "has a comment",
    "unreviewed": "has no decision yet",
}
_ASKABLE = frozenset({*MEANING, "sent", "event", "code", "finding"})
"""What `has:` can ask for, besides the fields of protocols."""
_AGO = (
    ("1h", "last hour"),
    ("24h", "last 24 hours"),
    ("7d", "last 7 days"),
    ("30d", "last 30 days"),
)


def complete(log: Log, query: str, caret: int, *, now: datetime) -> Suggestions:
    """Return what fits at the caret, a place in code points. Never raises on text, however odd.

    The log comes with its end.
    """
    caret = max(0, min(caret, len(query)))
    typed = locate(query, caret)
    problem = find_problem(log, query, now)
    if typed is None or len(query) > MAX_LENGTH or not can_grow(query, typed.span):
        return Suggestions(Span(caret, caret), problem=problem)
    found = _values(log, typed, now) if typed.kind == "value" else _words(log, typed)
    after = query[typed.span.end : typed.span.end + 1]
    space = "" if after.isspace() or after == ")" else " "
    room = MAX_LENGTH - len(query) + typed.span.end - typed.span.start
    items: dict[str, Suggestion] = {}
    for one in found:
        insert = one.insert if one.insert.endswith(":") else one.insert + space
        if len(insert) <= room:
            items.setdefault(insert, Suggestion(insert, one.label, one.detail, one.count))
        if len(items) == MOST:
            break
    shown = tuple(items.values())
    return Suggestions(typed.span, typed.text, shown, seen.is_exact(log), problem)


def find_problem(log: Log, query: str, now: datetime) -> Problem | None:
    """Return why a query as it is could not be answered."""
    try:
        check(log, query, now=now)
    except QueryError as error:
        return Problem(error.message, error.suggestion, error.span)
    return None


def _words(log: Log, typed: Typed) -> Iterator[Suggestion]:
    """Yield keys that begin with a word, and tags."""
    begun = fold(typed.text)
    yield from (Suggestion(f"{key}:", f"{key}:", detail) for key, detail in _our_keys(begun))
    if not begun:
        return
    owner, dot, rest = begun.partition(".")
    if dot and owner in registry.get_names():
        for key in seen.find_keys(log, owner, rest, MOST):
            yield Suggestion(f"{owner}.{key}:", f"{owner}.{key}:", f"{owner} field")
        return
    if len(begun) >= ENOUGH:
        for value in seen.find_values(log, "tag", begun, TAGS):
            if value.text.startswith(begun):
                tag = write_term("tag", value.text)
                yield Suggestion(tag, f"@{value.text}", "tag", value.packets)
    for key in seen.find_keys(log, "", begun, MOST):
        yield Suggestion(f"{key}:", f"{key}:", "field")
    for key in seen.find_keys(log, ATTRIBUTE, begun.removeprefix(f"{ATTRIBUTE}."), MOST):
        if is_typable(f"{ATTRIBUTE}.{key}"):
            yield Suggestion(f"{ATTRIBUTE}.{key}:", f"{ATTRIBUTE}.{key}:", "attribute")


def _our_keys(begun: str) -> Iterable[tuple[str, str]]:
    """Return our keys that begin so, the usual ones first, and what each asks for."""
    details = DETAILS | {key: term.words for key, term in TERMS.items() if key not in DETAILS}
    keys = [key for key in details if key in TERMS and key.startswith(begun)]
    return [(key, details[key]) for key in sorted(keys, key=lambda key: key != begun)]


def _values(log: Log, typed: Typed, now: datetime) -> Iterable[Suggestion]:
    """Return values that fit under a key."""
    if typed.text.startswith(("<", ">")) or ".." in typed.text or "*" in typed.text:
        return ()
    key = fold_key(typed.key)
    term = get_term(key)
    begun = fold(typed.text)
    match term.kind if term else "field":
        case "is":
            return _choices((flag, _FLAGS.get(flag, "")) for flag in FLAGS if _fits(flag, begun))
        case "finding":
            return _choices(
                (name, _DETECTED.get(name, "")) for name in DETECTORS if _fits(name, begun)
            )
        case "has":
            return _fields(log, begun)
        case "since" | "until" | "time" | "sent":
            return _times(term.kind if term else "", begun, now)
        case "log":
            return _choices([(log.slug, "this log")] if _fits(log.slug, begun) else ())
        case "leaf" | "count":
            return ()
        case "protocol":
            return _counted(log, "proto", typed.text, (*registry.get_names(), UNKNOWN))
    choices = ACTS if term and term.name == "act" else ()
    return _counted(log, _table_key(key), typed.text, choices)


def _table_key(key: str) -> str:
    """Return the key under which values are counted. Those of a field are the same for any
    protocol that has it.
    """
    key = ALIASES.get(key, key)
    owner, dot, rest = key.partition(".")
    if dot and owner in registry.get_names():
        return ALIASES.get(rest, rest)
    stated = {"packet": MEANING, "supplied": SUPPLIABLE}.get(owner, ())
    return rest if dot and rest in stated else key


def _counted(log: Log, key: str, typed: str, choices: Iterable[str]) -> Iterator[Suggestion]:
    """Yield the values of a key by frequency, then choices that no packet has."""
    for value in seen.find_values(log, key, typed, MOST):
        yield Suggestion(quote(value.text), value.text, count=value.packets)
    begun = fold(typed)
    yield from _choices((choice, "") for choice in choices if _fits(choice, begun))


def _choices(choices: Iterable[tuple[str, str]]) -> Iterator[Suggestion]:
    return (Suggestion(quote(choice), choice, detail) for choice, detail in choices)


def _fields(log: Log, begun: str) -> Iterator[Suggestion]:
    """Yield the fields that a packet may have."""
    ours = [key for key in DETAILS if key in _ASKABLE and key.startswith(begun)]
    yield from _choices((key, DETAILS[key]) for key in ours)
    for key in seen.find_keys(log, "", begun, MOST):
        yield Suggestion(quote(key), key, "field")


def _times(kind: str, begun: str, now: datetime) -> Iterator[Suggestion]:
    """Yield times that people ask for, by what they are called or how they are written."""
    today, yesterday = (f"{now - timedelta(days=days):%Y-%m-%d}" for days in (0, 1))
    week = f"{now - timedelta(days=6):%Y-%m-%d}..{today}"
    dates = [(today, "today"), (yesterday, "yesterday")]
    offered = {
        "since": [*_AGO, *dates],
        "until": [*dates, *_AGO[1:3]],
        "time": [*dates, (week, "last 7 days")],
        "sent": [*dates, (week, "last 7 days")],
    }[kind]
    for text, name in offered:
        if text.startswith(begun) or name.startswith(begun):
            named = name if kind != "until" or text in (today, yesterday) else f"{text} ago"
            yield Suggestion(text, text, named)


def _fits(choice: str, begun: str) -> bool:
    return choice.startswith(begun)
