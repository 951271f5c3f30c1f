"""SACP 1.0 as a table: every field of a message and what it must hold (1.0: 4 to 7 and 11, and its
JSON Schema).

    {"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A",
     "g":"FIND_HOTEL","plan":
    [{"id":"s1","verb":"search","tool":"H_API","params":{}},
     {"id":"s2","verb":"rank","tool":"RANK","params":{},"depends_on":["s1"]}],"state":"PENDING"}

What the tables cannot say follows them: ids are unique, ``depends_on`` names steps and no circle of
them, DONE has a result and FAILED an error.

The source leaves some things open. These rulings are ours:

- ``1.0.0`` is the version; patches (``1.0.4``) get an info, any other SACP 1 an error.
- ``depends_on`` has *prior* IDs in one place, *other* IDs elsewhere: a later step is a warning.
- ``fallback_step`` must name another step. A fallback step runs only as one;
  when it succeeds, the steps that depend on the first step continue.
- A step without ``on_error`` is ``fail_fast``. Under ``continue`` the steps that depend on a
  failed one are skipped, and the message still ends DONE.
- An unknown step ID in ``error`` or ``step_results`` is a warning: an answer may show part of a
  plan.
- An unknown error code is a warning, because the source says SHOULD.
- Validators answer in the short form of 0.1. 1.0 has none, so such a reply is not a 1.0 message.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from cablese.json import jsontext
from cablese.json.jsontext import dump
from cablese.protocols.sacp import rules, schema
from cablese.spelling import Guess, Spelling
from cablese.text import either, quote

from . import dependencies
from .shape import (
    Choice,
    Flag,
    Flaw,
    Free,
    Listed,
    Names,
    Number,
    Part,
    Record,
    Spaced,
    Text,
    judge_record,
    what,
)

NAME = re.compile(r"[A-Za-z0-9._:\-]+")
CODE = re.compile(r"[A-Z0-9_]+")
KEY = re.compile(r"[a-z0-9]+\.[A-Za-z0-9_.\-]+")
TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d|60)(?:\.\d{1,9})?Z", re.ASCII)
OFFSET = re.compile(r"[+-]00:?00\Z")
SIGNS = "letters, digits, or . _ : -"
SAFE_STEPS = 100
"""Behind so many steps no ``depends_on`` is mended: what stands before it is looked at for each."""
KEPT = 8
"""So many steps of a circle are named."""


def _is_time(text: str) -> bool:
    found = TIME.fullmatch(text)
    if found is None:
        return False
    try:
        # A leap second is a second of RFC 3339 that Python does not count.
        datetime.fromisoformat(f"{found[1]}T{found[2]}:{min(int(found[3]), 59):02}")
    except ValueError:
        return False
    return True


def _mend_time(text: str) -> str:
    """The same moment as 1.0 writes it, where the text says that it is UTC."""
    found = OFFSET.sub("Z", text.strip().upper())
    return f"{found[:10]}T{found[11:]}" if found[10:11] == " " else found


def _mend_version(text: str) -> str:
    return text.strip().lower().removeprefix("v")


def _guess_version(text: str) -> str:
    return schema.V10_NAME if _mend_version(text) in ("1", "1.0") else text


def _find_key(
    full: dict[str, str], called: dict[str, str], keys: tuple[str, ...]
) -> Callable[[str], Guess | None]:
    """What finds the key that was meant: ``full`` are the full words of keys, ``called`` other
    names for them.
    """
    spelling = Spelling(keys, full)

    def find(key: str) -> Guess | None:
        word = key[:40].strip().replace("-", "_").replace(" ", "_")
        other = called.get(word.lower())
        return Guess(other, safe=False) if other else spelling.find(word)

    return find


FULL = {
    "goal": "g",
    "context": "ctx",
    "output_format": "out_fmt",
    "message_id": "msg_id",
    "protocol_version": "proto_ver",
    "timestamp": "ts",
    "extensions": "ext",
}
CALLED = {
    "steps": "plan",
    "out_format": "out_fmt",
    "format": "out_fmt",
    "id": "msg_id",
    "in_reply_to": "reply_to",
    "version": "proto_ver",
    "dry_run": "test_mode",
    "time": "ts",
    "from": "sender",
    "to": "recipient",
    "status": "state",
}
FULL_IN_STEP = {"parameters": "params"}
CALLED_IN_STEP = {
    "step_id": "id",
    "action": "verb",
    "args": "params",
    "depends": "depends_on",
    "after": "depends_on",
    "timeout": "timeout_ms",
    "fallback": "fallback_step",
    "output": "output_key",
}

VERSION = Text("1.0.0", 10, schema.PATCH.fullmatch, _mend_version, _guess_version)
NAMED = Text(f"1 to 128 {SIGNS}", 128, NAME.fullmatch)
STEP_ID = Text(f"1 to 64 {SIGNS}", 64, NAME.fullmatch)
SHORT = Text("1 to 64 characters", 64, str.strip)
FREE = Free()


def _step_part(shape: Any, rule: Any = rules.BAD_STEP) -> Part:
    return Part(shape, rule, "1.0: 6.2 Step Fields")


RETRY = Record(
    {
        "max_attempts": _step_part(Number(1, 10), rules.BAD_POLICY),
        "backoff_ms": _step_part(Number(0, 600_000), rules.BAD_POLICY),
        "strategy": _step_part(Choice(schema.STRATEGIES), rules.BAD_POLICY),
    },
    ("max_attempts",),
    (rules.BAD_POLICY, "1.0: 6.2 Step Fields"),
    (rules.BAD_POLICY, "1.0: 6.2 Step Fields"),
)
STEP = Record(
    {
        "id": _step_part(STEP_ID),
        "verb": _step_part(SHORT),
        "tool": _step_part(SHORT),
        "params": _step_part(FREE, rules.BAD_PARAMS),
        "depends_on": _step_part(Names(STEP_ID)),
        "timeout_ms": _step_part(Number(1, 3_600_000), rules.BAD_POLICY),
        "retry": _step_part(RETRY, rules.BAD_POLICY),
        "on_error": _step_part(Choice(schema.POLICIES), rules.BAD_POLICY),
        "fallback_step": _step_part(STEP_ID, rules.BAD_POLICY),
        "output_key": _step_part(STEP_ID, rules.BAD_POLICY),
    },
    ("id", "verb", "tool", "params"),
    (rules.BAD_STEP, "1.0: 6.1 Step Shape"),
    (rules.BAD_STEP, "1.0: 6.1 Step Shape"),
    _find_key(FULL_IN_STEP, CALLED_IN_STEP, schema.STEP_10),
)


def _record(parts: dict[str, Any], required: tuple[str, ...], rule: Any, section: str) -> Record:
    return Record(
        {key: Part(shape, rule, section) for key, shape in parts.items()},
        required,
        (rule, section),
        (rule, section),
    )


RESULT = _record(
    {"outputs": FREE, "summary": Text("non-empty text", 2**20), "step_results": FREE},
    ("outputs",),
    rules.BAD_RESULT,
    "1.0: 7.1 Result Object",
)
ERROR = _record(
    {
        "code": Text(
            "1 to 64 capital letters, digits, or _",
            64,
            CODE.fullmatch,
            lambda text: text.strip().upper(),
        ),
        "message": Text("1 to 1,024 characters", 1024),
        "step_id": STEP_ID,
        "retryable": Flag(),
        "details": FREE,
    },
    ("code", "message"),
    rules.BAD_ERROR,
    "1.0: 7.2 Error Object",
)
METRICS = _record(
    {name: Number(whole=name != "cost_usd") for name in schema.METRICS},
    (),
    rules.BAD_TRACE,
    "1.0: 11. Observability",
)
TRACE = _record(
    {**dict.fromkeys(schema.TRACE_KEYS[:3], NAMED), "attempt": Number(1), "metrics": METRICS},
    (),
    rules.BAD_TRACE,
    "1.0: 11. Observability",
)
FIELDS = "1.0: 4.2 Field Definitions"
MESSAGE = Record(
    {
        "proto_ver": Part(VERSION, rules.BAD_VERSION, FIELDS),
        "msg_id": Part(NAMED, rules.BAD_NAME, FIELDS),
        "reply_to": Part(NAMED, rules.BAD_NAME, FIELDS),
        "ts": Part(
            Text("a time such as 2026-05-09T00:00:00Z", 40, _is_time, _mend_time),
            rules.BAD_TIME,
            FIELDS,
        ),
        "sender": Part(NAMED, rules.BAD_NAME, FIELDS),
        "recipient": Part(NAMED, rules.BAD_NAME, FIELDS),
        "g": Part(Text("a goal of 1 to 128 characters", 128, str.strip), rules.BAD_GOAL, FIELDS),
        "ctx": Part(FREE, rules.BAD_CONTEXT, FIELDS),
        "plan": Part(Listed(), rules.BAD_PLAN, FIELDS),
        "out_fmt": Part(Choice(schema.FORMATS), rules.BAD_FORMAT, FIELDS),
        "state": Part(Choice(schema.STATES_10), rules.BAD_STATE, "1.0: 5.1 States"),
        "result": Part(RESULT, rules.BAD_RESULT, "1.0: 7.1 Result Object"),
        "error": Part(ERROR, rules.BAD_ERROR, "1.0: 7.2 Error Object"),
        "trace": Part(TRACE, rules.BAD_TRACE, "1.0: 11. Observability"),
        "test_mode": Part(Flag(), rules.BAD_TEST_MODE, FIELDS),
        "ext": Part(Spaced("a namespace, a dot, and a name", KEY), rules.BAD_EXTENSION, FIELDS),
    },
    schema.REQUIRED_10,
    (rules.UNKNOWN_KEY, "1.0: 4.3 Envelope Rules"),
    (rules.MISSING_FIELD, "1.0: 4.1 Required Fields"),
    _find_key(FULL, CALLED, schema.KEYS_10),
)
NEEDED = {'"DONE"': "result", '"FAILED"': "error"}
"""What a state needs beside it: without that, the fix would bring another error."""


def check(message: dict[str, Any]) -> Iterator[Flaw]:
    """Everything in which a message of 1.0, as it stands on the wire, is wrong; a warning or info
    is a flaw too.
    """
    for flaw in judge_record(message, MESSAGE, ()):
        renames = flaw.at == "key" and flaw.fix in ("plan", "state", "result", "error")
        lacks = flaw.path == ("state",) and NEEDED.get(flaw.fix or "", "state") not in message
        yield flaw._replace(fix=None) if renames or lacks else flaw
    version = message.get("proto_ver")
    if isinstance(version, str) and version != schema.V10_NAME and schema.PATCH.fullmatch(version):
        yield Flaw(
            rules.VERSION,
            "1.0: 12",
            ("proto_ver",),
            f"Version {quote(version)} was read as SACP 1.0.0.",
        )
    yield from _outcomes(message)
    plan = message.get("plan")
    if isinstance(plan, list):
        yield from _plan(plan)
        yield from _named(message, plan)


def _outcomes(message: dict[str, Any]) -> Iterator[Flaw]:
    for state, key in (("DONE", "result"), ("FAILED", "error")):
        if message.get("state") == state and key not in message:
            words = (
                f"Missing {key}. A message with state {state} must have "
                f"{'a' if key == 'result' else 'an'} {key}."
            )
            yield Flaw(rules.NO_OUTCOME, "1.0: 5.3 Transition Requirements", ("state",), words)
    if "result" in message and "error" in message:
        words = "A message must not have both a result and an error."
        yield Flaw(rules.TWO_OUTCOMES, "1.0: 4.3 Envelope Rules", ("error",), words, "key")
    error = message.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if (
        isinstance(code, str)
        and CODE.fullmatch(code)
        and len(code) <= 64
        and code not in schema.CODES_10
    ):
        words = f"Unknown error code {quote(code)}. Expected {either(schema.CODES_10)}."
        yield Flaw(rules.UNKNOWN_CODE, "1.0: 7.3 Standard Error Codes", ("error", "code"), words)


def _is_plain(plan: list[Any]) -> bool:
    """True for a plan of right steps that wait for earlier ones, and that none stands in for: the
    common case.
    """
    seen: set[str] = set()
    for one in plan:
        if (
            not STEP.takes(one)
            or one["id"] in seen
            or one.get("on_error") == "fallback"
            or "fallback_step" in one
        ):
            return False
        if not seen.issuperset(one.get("depends_on", ())):
            return False
        seen.add(one["id"])
    return bool(plan)


def _plan(plan: list[Any]) -> Iterator[Flaw]:
    if _is_plain(plan):
        return
    if not plan:
        yield Flaw(
            rules.EMPTY_PLAN, FIELDS, ("plan",), "The plan has no steps. Expected at least one."
        )
    names = _get_names(plan)
    for index, one in enumerate(plan):
        at = ("plan", index)
        if isinstance(one, dict) and "parallel" in one and "id" not in one:
            words = "parallel is SACP 0.1. In 1.0, use depends_on."
            yield Flaw(rules.BAD_STEP, "1.0: 6.5 Legacy Plan Form", at, words)
        elif isinstance(one, dict):
            for flaw in judge_record(one, STEP, at):
                yield flaw if _fits(flaw, plan, names) else flaw._replace(fix=None)
            if one.get("on_error") == "fallback" and "fallback_step" not in one:
                words = "Missing fallback_step, which is required when on_error is fallback."
                yield Flaw(rules.BAD_POLICY, "1.0: 6.2 Step Fields", (*at, "on_error"), words)
        else:
            yield _no_step(one, at, names)
    waited = dependencies.find_waits(plan)
    forward = any(one >= index for index, before in enumerate(waited) for one in before)
    circle = dependencies.find_cycle(waited) if forward else []
    if circle:
        shown = [str(plan[index]["id"]) for index in (*circle[:KEPT], circle[0])]
        dots = " → …" if len(circle) > KEPT else ""
        words = (
            f"It depends on itself: {' → '.join(map(quote, shown[:-1]))}{dots} → "
            f"{quote(shown[-1])}."
        )
        yield Flaw(
            rules.CYCLE, "1.0: 6.3 Execution Rules", ("plan", circle[0], "depends_on"), words
        )
    yield from (
        flaw for flaw in _ids(plan, names) if not circle or flaw.rule is not rules.LATER_STEP
    )


def _fits(flaw: Flaw, plan: list[Any], names: set[str]) -> bool:
    """True when a fix brings no other error, such as waiting for a later step."""
    if flaw.fix is None:
        return True
    if flaw.at == "key":
        return flaw.fix in ("verb", "tool", "params", "timeout_ms", "output_key")
    index, key = int(flaw.path[1]), flaw.path[2]
    if key == "id":
        return jsontext.load(flaw.fix) not in names
    if key == "depends_on":
        fixed = jsontext.load(flaw.fix)
        before = _get_names(plan[: min(index, SAFE_STEPS)])
        return ({fixed} if isinstance(fixed, str) else set(fixed)) <= before
    return key != "fallback_step" and (
        key != "on_error" or flaw.fix != '"fallback"' or "fallback_step" in plan[index]
    )


def _get_names(plan: list[Any]) -> set[str]:
    return {one["id"] for one in plan if isinstance(one, dict) and isinstance(one.get("id"), str)}


def _no_step(found: Any, at: tuple[str | int, ...], names: set[str]) -> Flaw:
    """A step of 0.1 becomes one of 1.0 under an id that no other has."""
    section = "1.0: 6.5 Legacy Plan Form"
    fix = None
    if isinstance(found, list) and len(found) == 3:
        own = f"s{int(at[1]) + 1}"
        step = {"id": own, **dict(zip(("verb", "tool", "params"), found, strict=True))}
        if own not in names and not any(judge_record(step, STEP, at)):
            fix = dump(step)
        return Flaw(
            rules.BAD_STEP,
            section,
            at,
            "An array is a step of SACP 0.1. In 1.0, a step must be an object.",
            fix=fix,
        )
    words = (
        f"{what(found)[:1].upper()}{what(found)[1:]} is not a step. Expected an object with id, "
        "verb, tool, and params."
    )
    return Flaw(rules.BAD_STEP, "1.0: 6.1 Step Shape", at, words)


def _ids(plan: list[Any], names: set[str]) -> Iterator[Flaw]:
    first: dict[str, int] = {}
    for index, one in enumerate(plan):
        own = one.get("id") if isinstance(one, dict) else None
        if isinstance(own, str) and own in first:
            words = f"Duplicate ID {quote(own)}, already used by step {first[own] + 1}."
            yield Flaw(rules.REPEATED_STEP, "1.0: 6.1 Step Shape", ("plan", index, "id"), words)
        elif isinstance(own, str):
            first[own] = index
    for index, one in enumerate(plan):
        if isinstance(one, dict):
            yield from _references(one, index, first, names)


def _references(
    step: dict[str, Any], index: int, first: dict[str, int], names: set[str]
) -> Iterator[Flaw]:
    section = "1.0: 6.2 Step Fields"
    waited = step.get("depends_on")
    for number, name in enumerate(waited if isinstance(waited, list) else []):
        at = ("plan", index, "depends_on", number)
        if isinstance(name, str) and NAME.fullmatch(name) and name not in names:
            words = f"It depends on {quote(name)}, but no step has that ID."
            yield Flaw(rules.UNKNOWN_STEP, section, at, words)
        elif isinstance(name, str) and first.get(name, -1) > index:
            words = f"It depends on {quote(name)}, a later step."
            yield Flaw(rules.LATER_STEP, "1.0: 6.1 Step Shape", at, words)
    name = step.get("fallback_step")
    if (
        isinstance(name, str)
        and NAME.fullmatch(name)
        and (name not in names or name == step.get("id"))
    ):
        words = f"It falls back to {quote(name)}, " + (
            "itself." if name in names else "but no step has that ID."
        )
        yield Flaw(rules.UNKNOWN_STEP, section, ("plan", index, "fallback_step"), words)


def _named(message: dict[str, Any], plan: list[Any]) -> Iterator[Flaw]:
    error, result = message.get("error"), message.get("result")
    if error is None and result is None:
        return
    names = _get_names(plan)
    name = error.get("step_id") if isinstance(error, dict) else None
    if isinstance(name, str) and NAME.fullmatch(name) and name not in names:
        words = f"The error names step {quote(name)}, which is not in the plan."
        yield Flaw(rules.ABSENT_STEP, "1.0: 7.2 Error Object", ("error", "step_id"), words)
    results = result.get("step_results") if isinstance(result, dict) else None
    strange = (
        next((key for key in results if key not in names), None)
        if isinstance(results, dict)
        else None
    )
    if strange is not None:
        words = f"The result names step {quote(strange)}, which is not in the plan."
        yield Flaw(
            rules.ABSENT_STEP,
            "1.0: 7.1 Result Object",
            ("result", "step_results", strange),
            words,
            "key",
        )
