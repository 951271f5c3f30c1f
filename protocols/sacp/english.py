"""A SACP message in one or two English sentences, with the abbreviations of the source written out.

Asks to find hotel in 3 steps: search with H_API (city = Paris, maximum price = 150), then rank with RANK
(criteria = price and rating), then present with PRES (number = 5). The answer is for people.
"""

import re
from collections.abc import Iterator
from typing import Any

from protocols.jsontext import dump
from protocols.message import Piece
from protocols.sentence import close
from protocols.words import quote

from .aliases import expand_item, expand_key, expand_verb
from .waits import find_stands_in, find_waits, is_plan_10, sort_levels
from .writer import is_reply

CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,39}")
OPENINGS = {
    "DONE": "Reports as done: ", "IN_PROGRESS": "Reports as in progress: ", "FAILED": "Reports as failed: ",
    "ACCEPTED": "Reports as accepted: ", "WAITING": "Reports as waiting: ", "CANCELLED": "Reports as cancelled: ",
}  # fmt: skip
REPLIES = {
    "VALID": ("Answers that ", " is valid"), "ERR": ("Answers ", " with an error"),
    "REQ_CLARIFY": ("Asks for the missing steps of ", ""),
}  # fmt: skip
FORMATS = {"human": "the answer is for people", "summary": "the answer is a summary"}
SHOWN_STEPS = 6
SHOWN_FACTS = 4


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    """The sentences. A piece names the field it speaks of as 0.1 calls it, such as ``plan.0.1``."""
    if not values.keys() - {"out_fmt"}:
        yield Piece("Nothing could be read.")
    elif is_reply(values):
        yield from close(_reply(values))
    else:
        yield from close(_request(values))
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
    if code:
        yield Piece(", ")
        yield Piece(_value(code, ""), "code")
    if details:
        yield Piece(": ")
        yield Piece(_value(details, ""), "details")


def _request(values: dict[str, Any]) -> Iterator[Piece]:
    goal, state, steps = values.get("g"), values.get("state"), values.get("steps")
    opening = OPENINGS.get(state) if isinstance(state, str) else None
    if isinstance(goal, str) and CODE.fullmatch(goal) and len(goal) <= 80:
        yield Piece(opening or "Asks to ", "state" if opening else None)
        yield Piece(goal.replace("_", " ").lower(), "g")
    else:
        yield Piece(opening or "Asks for ", "state" if opening else None)
        yield Piece(_quoted(goal) if goal else "something", "g" if goal else None)
    if not steps:
        yield Piece(", but gives no steps")
        return
    yield Piece(f" in {len(steps)} step{'' if len(steps) == 1 else 's'}: ")
    if is_plan_10(steps):
        yield from _waves(steps)
        return
    for index, step in enumerate(steps[:SHOWN_STEPS]):
        yield Piece(", then " if index else "")
        yield from _step(step, f"plan.{index}")
    more = len(steps) - SHOWN_STEPS
    if more > 0:
        yield Piece(f", then {more} more")


def _waves(steps: list[Any]) -> Iterator[Piece]:
    """The steps of 1.0 in an order that their ``depends_on`` allows; those without a way to begin come last."""
    stands_in = find_stands_in(steps)
    waves = sort_levels(find_waits(steps))
    begun = {index for wave in waves for index in wave}
    waves = [kept for wave in waves if (kept := [index for index in wave if index not in stands_in])]
    waves += [[index] for index in range(len(steps)) if index not in begun]
    shown = 0
    for number, wave in enumerate(waves):
        room = wave[: SHOWN_STEPS - shown]
        if not room:
            break
        yield Piece(", then " if number else "")
        yield Piece("at the same time " if len(wave) > 1 else "")
        for place, index in enumerate(room):
            last = place == len(wave) - 1
            yield Piece(" and " if place and last else ", " if place else "")
            yield from _step(steps[index], f"plan.{index}")
            for other in (other for other, one in stands_in.items() if one == index):
                yield Piece(" or else ", f"plan.{index}.fallback_step")
                yield from _step(steps[other], f"plan.{other}")
        shown += len(room)
    more = sum(len(wave) for wave in waves) - shown
    if more > 0:
        yield Piece(f", then {more} more")


def _step(step: Any, at: str) -> Iterator[Piece]:
    branches = step.get("parallel") if isinstance(step, dict) else None
    if isinstance(branches, list) and branches:
        yield Piece("at the same time ", f"{at}.parallel")
        for index, one in enumerate(branches[:SHOWN_STEPS]):
            last = index == len(branches) - 1
            yield Piece(" and " if index and last else ", " if index else "")
            yield from _step(one, f"{at}.parallel.{index}")
        if len(branches) > SHOWN_STEPS:
            yield Piece(f" and {len(branches) - SHOWN_STEPS} more")
        return
    if not isinstance(step, dict) or not step.get("verb"):
        yield Piece("a step that could not be read")
        return
    verb, tool, params = step["verb"], step.get("tool"), step.get("params")
    yield Piece(_verb(verb), f"{at}.0")
    if tool:
        yield Piece(" with ")
        yield Piece(_value(tool, ""), f"{at}.1")
    if isinstance(params, dict) and params:
        yield Piece(" (")
        yield from _facts(params, f"{at}.2", str(verb))
        yield Piece(")")


def _verb(verb: Any) -> str:
    words = expand_verb(verb) if isinstance(verb, str) else dump(verb)
    return words.replace("_", " ") if WORD.fullmatch(words) else quote(words)


def _facts(facts: dict[str, Any], at: str, verb: str = "") -> Iterator[Piece]:
    shown = list(facts.items())[:SHOWN_FACTS]
    for index, (key, value) in enumerate(shown):
        name = expand_key(key, verb)
        yield Piece(", " if index else "")
        label = name.replace("_", " ") if WORD.fullmatch(name) or name != key else quote(name)
        yield Piece(f"{label} = {_value(value, name)}", f"{at}.{key}")
    if len(facts) > len(shown):
        yield Piece(f" and {len(facts) - len(shown)} more")


def _value(value: Any, key: str) -> str:
    match value:
        case str():
            return _shown(value) if value.strip() else '""'
        case bool():
            return "yes" if value else "no"
        case None:
            return "nothing"
        case [*items] if items and len(items) <= SHOWN_FACTS and all(isinstance(one, str | int) for one in items):
            words = [_shown(expand_item(one, key)) if isinstance(one, str) else _value(one, key) for one in items]
            return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
        case list():
            return f"{len(value)} values" if value else "none"
        case dict():
            return f"{len(value)} value{'' if len(value) == 1 else 's'}" if value else "none"
        case _:
            return dump(value)


def _quoted(value: Any) -> str:
    return quote(value if isinstance(value, str) else dump(value))


def _shown(text: str) -> str:
    return f"{text[:80]}…" if len(text) > 80 else text


def _asides(clauses: list[list[Piece]]) -> Iterator[Piece]:
    for index, clause in enumerate(clauses):
        yield Piece("; " if index else " ")
        first, *rest = clause
        yield Piece(first.text if index else first.text[:1].upper() + first.text[1:], first.field)
        yield from rest


def _clauses(values: dict[str, Any]) -> Iterator[list[Piece]]:
    form, context, subtask = values.get("out_fmt"), values.get("ctx"), values.get("subtask")
    ends = [(word, key) for word, key in (("from ", "sender"), ("to ", "recipient")) if values.get(key)]
    if ends:
        yield [Piece("it goes " if values.get("recipient") else "it comes "), *_between(ends, values)]
    if values.get("reply_to"):
        yield [Piece("this answers message "), Piece(_value(values["reply_to"], ""), "reply_to")]
    if isinstance(form, str) and form in FORMATS:
        yield [Piece(FORMATS[form], "out_fmt")]
    given = {key: one for key, one in context.items() if key != "test_mode"} if isinstance(context, dict) else {}
    if given:
        yield [Piece("the context gives "), *_facts(given, "ctx")]
    own, inner = values.get("test_mode"), context.get("test_mode") if isinstance(context, dict) else None
    if own is True or inner is True:
        yield [Piece("it is a dry run", "test_mode" if own is True else "ctx.test_mode")]
    error, result = values.get("error"), values.get("result")
    if isinstance(error, dict) and error:
        yield list(_error(error))
    if isinstance(result, dict) and result.get("summary"):
        yield [Piece("the result: "), Piece(_value(result["summary"], ""), "result.summary")]
    elif isinstance(result, dict) and isinstance(result.get("outputs"), dict) and result["outputs"]:
        yield [Piece("the result gives "), *_facts(result["outputs"], "result.outputs")]
    if isinstance(subtask, dict):
        yield [Piece("a subtask is inside: "), Piece(_value(subtask.get("g"), ""), "subtask.g")]


def _between(ends: list[tuple[str, str]], values: dict[str, Any]) -> Iterator[Piece]:
    for index, (word, key) in enumerate(ends):
        yield Piece(f" {word}" if index else word)
        yield Piece(_value(values[key], ""), key)


def _error(error: dict[str, Any]) -> Iterator[Piece]:
    yield Piece("the error is ", "error")
    yield Piece(_value(error.get("code"), ""), "error.code")
    if error.get("step_id"):
        yield Piece(" of step ")
        yield Piece(_value(error["step_id"], ""), "error.step_id")
    if error.get("message"):
        yield Piece(": ")
        yield Piece(_value(error["message"], ""), "error.message")
