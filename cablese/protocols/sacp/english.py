"""Describe a SACP message in one or two English sentences, without the abbreviations of the source.

Asks to find hotel in 3 steps: search with H_API (city = Paris, maximum price = 150), then rank with
RANK (criteria = price and rating), then present with PRES (number = 5). The answer is for people.
"""

import re
from collections.abc import Iterator
from typing import Any

from cablese import amount
from cablese.json.jsontext import dump
from cablese.message import Piece
from cablese.text import both, capitalize_first, close, introduce, join, say, set_off

from .aliases import expand_item, get_family
from .v1.dependencies import find_stands_in, find_waits, is_plan_10, sort_levels
from .writer import is_reply

CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,39}")
OPENINGS = {
    "DONE": "reports as done: ",
    "IN_PROGRESS": "reports as in progress: ",
    "FAILED": "reports as failed: ",
    "ACCEPTED": "reports as accepted: ",
    "WAITING": "reports as waiting: ",
    "CANCELLED": "reports as canceled: ",
}
REPLIES = {
    "VALID": ("Answers that ", " is valid"), "ERR": ("Answers ", " with an error"),
    "REQ_CLARIFY": ("Asks for the missing steps of ", ""),
}  # fmt: skip
FORMATS = {"human": "the answer is for people", "summary": "the answer is a summary"}
SHOWN_STEPS = 6
SHOWN_FACTS = 4
SHOWN = 80
"""Characters of a text that are shown."""
SHOWN_GOAL = 40
DEEPEST = 8


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    """Yield the sentences. A piece has the name that its field has in 0.1, such as ``plan.0.1``."""
    if is_reply(values):
        yield from close(_reply(values))
    elif values.keys() - {"out_fmt"}:
        yield from close(_begin(_request(values), values.get("reply_to")))
        clauses = [clause for clause in _clauses(values) if clause]
        if clauses:
            yield from close(_asides(clauses))


def _reply(values: dict[str, Any]) -> Iterator[Piece]:
    status, code, details = values.get("status"), values.get("code"), values.get("details")
    before, after = REPLIES.get(str(status), ("Answers ", f" with the status {_quoted(status)}"))
    to = values.get("reply_to")
    yield Piece(before, "status")
    yield Piece(f"message {_value(to, '')}" if to else "a message", "reply_to" if to else None)
    if after:
        yield Piece(after, "status")
    yield from _aside(", ", code, "code")
    yield from _aside(": ", details, "details")


def _aside(lead: str, value: Any, field: str) -> Iterator[Piece]:
    """Yield a value after its lead-in; nothing where there is no value."""
    if value:
        yield from introduce(lead, _value(value), field)


def _begin(pieces: Iterator[Piece], answered: Any) -> Iterator[Piece]:
    """Yield a sentence after the message that it answers, if any."""
    first = next(pieces)
    if answered:
        yield from introduce("In answer to ", f"message {_value(answered)}", "reply_to")
        yield Piece(f", {first.text}", first.field)
    else:
        yield Piece(capitalize_first(first.text), first.field)
    yield from pieces


def _request(values: dict[str, Any]) -> Iterator[Piece]:
    goal, state, steps = values.get("g"), values.get("state"), values.get("steps")
    opening = _opening(state)
    if isinstance(goal, str) and CODE.fullmatch(goal) and len(goal) <= 80:
        yield Piece(opening or "asks to ", "state" if opening else None)
        yield Piece(goal.replace("_", " ").lower(), "g")
    else:
        yield Piece(opening or "asks for ", "state" if opening else None)
        yield Piece(_quoted(goal) if goal else "something", "g" if goal else None)
    if not steps:
        yield Piece(", but gives no steps")
        return
    yield Piece(f" in {amount.count(len(steps), 'step')}: ")
    if is_plan_10(steps):
        yield from _waves(steps)
        return
    for index, step in enumerate(steps[:SHOWN_STEPS]):
        yield Piece(", then " if index else "")
        yield from _step(step, f"plan.{index}")
    more = len(steps) - SHOWN_STEPS
    if more > 0:
        yield Piece(f", then {more} more")


def _opening(state: Any) -> str | None:
    """Return what a state says of the goal; None for PENDING, which asks for it."""
    if not state or state == "PENDING":
        return None
    known = OPENINGS.get(state) if isinstance(state, str) else None
    return known or f"reports with the unknown state {_quoted(state)}: "


def _waves(steps: list[Any]) -> Iterator[Piece]:
    """Yield the steps of 1.0 in an order that ``depends_on`` allows. Steps that can never begin
    come last.
    """
    stands_in = find_stands_in(steps)
    waves = sort_levels(find_waits(steps))
    begun = {index for wave in waves for index in wave}
    waves = [
        level for wave in waves if (level := [index for index in wave if index not in stands_in])
    ]
    waves += [[index] for index in range(len(steps)) if index not in begun]
    count = 0
    for number, wave in enumerate(waves):
        room = wave[: SHOWN_STEPS - count]
        if not room:
            break
        yield Piece(", then " if number else "")
        yield Piece("in parallel " if len(wave) > 1 else "")
        for place, index in enumerate(room):
            yield Piece(join(place, len(wave)))
            yield from _step(steps[index], f"plan.{index}")
            for other in (other for other, replaced in stands_in.items() if replaced == index):
                yield Piece(" or else ", f"plan.{index}.fallback_step")
                yield from _step(steps[other], f"plan.{other}")
        count += len(room)
    more = sum(len(wave) for wave in waves) - count
    if more > 0:
        yield Piece(f", then {more} more")


def _step(step: Any, at: str) -> Iterator[Piece]:
    branches = step.get("parallel") if isinstance(step, dict) else None
    if isinstance(branches, list) and branches:
        yield Piece("in parallel ", f"{at}.parallel")
        for index, branch in enumerate(branches[:SHOWN_STEPS]):
            yield Piece(join(index, len(branches)))
            yield from _step(branch, f"{at}.parallel.{index}")
        if len(branches) > SHOWN_STEPS:
            yield Piece(f", and {len(branches) - SHOWN_STEPS} more")
        return
    if not isinstance(step, dict) or not step.get("verb"):
        yield Piece("a step that could not be decoded")
        return
    verb, tool, params = step["verb"], step.get("tool"), step.get("params")
    family = get_family(tool)
    verb = verb if isinstance(verb, str) else dump(verb)
    yield Piece(_spelled_out(verb, family.verbs), f"{at}.0")
    yield from _aside(" with ", tool, f"{at}.1")
    if isinstance(params, dict) and params:
        yield Piece(" (")
        yield from _facts(params, f"{at}.2", family.keys)
        yield Piece(")")


def _spelled_out(name: str, known: dict[str, str]) -> str:
    """Return a name without its abbreviation; in quotes unless it is a word."""
    full = known.get(name, name)
    return full.replace("_", " ") if full != name or WORD.fullmatch(full) else _quoted(full)


def _facts(facts: dict[str, Any], at: str, known: dict[str, str]) -> Iterator[Piece]:
    """Yield what an object holds. ``known`` are the short forms of keys that a tool defines."""
    items = list(facts.items())[:SHOWN_FACTS]
    for index, (key, value) in enumerate(items):
        name = known.get(key, key)
        yield Piece(", " if index else "")
        shown_value = _value(value, name if name in known.values() else "")
        yield Piece(f"{_spelled_out(key, known)} = {shown_value}", f"{at}.{key}")
    if len(facts) > len(items):
        yield Piece(f", and {len(facts) - len(items)} more")


def _value(value: Any, key: str = "") -> str:
    """Return a value as text. ``key`` is the full key of a list whose items may be short forms."""
    match value:
        case str():
            return say(value, SHOWN)
        case bool():
            return "yes" if value else "no"
        case None:
            return "nothing"
        case [*items] if (
            items
            and len(items) <= SHOWN_FACTS
            and all(isinstance(item, str | int) for item in items)
        ):
            return both(
                _value(expand_item(item, key) if isinstance(item, str) else item) for item in items
            )
        case list() | dict():
            return amount.count(len(value), "value") if value else "none"
        case _:
            return say(dump(value), SHOWN)


def _quoted(value: Any) -> str:
    return set_off(value if isinstance(value, str) else dump(value), SHOWN_GOAL)


def _asides(clauses: list[list[Piece]]) -> Iterator[Piece]:
    for index, clause in enumerate(clauses):
        yield Piece("; " if index else " ")
        first, *rest = clause
        yield Piece(first.text if index else capitalize_first(first.text), first.field)
        yield from rest


def _clauses(values: dict[str, Any]) -> Iterator[list[Piece]]:
    form, context, subtask = values.get("out_fmt"), values.get("ctx"), values.get("subtask")
    sender, recipient = values.get("sender"), values.get("recipient")
    if sender or recipient:
        yield [
            Piece("it goes " if recipient else "it comes "),
            *_aside("from ", sender, "sender"),
            *_aside(" to " if sender else "to ", recipient, "recipient"),
        ]
    if form and form != "raw":
        known = FORMATS.get(form) if isinstance(form, str) else None
        yield [Piece(known or f"the answer is in the unknown format {_quoted(form)}", "out_fmt")]
    given = (
        {key: value for key, value in context.items() if key != "test_mode"}
        if isinstance(context, dict)
        else {}
    )
    if given:
        yield [
            Piece("the context gives "),
            *_facts(given, "ctx", _known_context(values.get("steps"))),
        ]
    own, inner = (
        values.get("test_mode"),
        context.get("test_mode") if isinstance(context, dict) else None,
    )
    if own is True or inner is True:
        yield [Piece("it is a dry run", "test_mode" if own is True else "ctx.test_mode")]
    error, result = values.get("error"), values.get("result")
    if isinstance(error, dict) and error:
        yield list(_error(error))
    if isinstance(result, dict) and result.get("summary"):
        yield [*_aside("the result: ", result["summary"], "result.summary")]
    elif isinstance(result, dict) and isinstance(result.get("outputs"), dict) and result["outputs"]:
        yield [Piece("the result gives "), *_facts(result["outputs"], "result.outputs", {})]
    if isinstance(subtask, dict):
        yield [*introduce("a subtask is inside: ", _value(subtask.get("g")), "subtask.g")]


def _known_context(steps: Any, deep: int = 0) -> dict[str, str]:
    """Return the short forms of the context that the tools of a plan define."""
    known: dict[str, str] = {}
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and deep < DEEPEST and isinstance(step.get("parallel"), list):
            known |= _known_context(step["parallel"], deep + 1)
        elif isinstance(step, dict):
            known |= get_family(step.get("tool")).context
    return known


def _error(error: dict[str, Any]) -> Iterator[Piece]:
    yield Piece("the error is ", "error")
    yield Piece(_value(error.get("code")), "error.code")
    yield from _aside(" of step ", error.get("step_id"), "error.step_id")
    yield from _aside(": ", error.get("message"), "error.message")
