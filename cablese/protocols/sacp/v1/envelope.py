"""Check SACP 1.0 by tables: every field of a message, and its values (1.0: 4 to 7 and 11, and its
JSON Schema).

    {"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A",
     "g":"FIND_HOTEL","plan":
    [{"id":"s1","verb":"search","tool":"H_API","params":{}},
     {"id":"s2","verb":"rank","tool":"RANK","params":{},"depends_on":["s1"]}],"state":"PENDING"}

The code adds what the tables cannot say: IDs are unique, ``depends_on`` names steps without a
cycle, DONE has a result, and FAILED an error.

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

from collections.abc import Iterator
from typing import Any

from cablese.json import jsontext
from cablese.protocols.sacp import schema
from cablese.protocols.sacp.rules import RULES
from cablese.protocols.sacp.v1.shapes import (
    CODE,
    FIELDS,
    KEPT,
    MESSAGE,
    NAME,
    NEEDED,
    SAFE_STEPS,
    STEP,
)
from cablese.text import either, quote

from . import dependencies
from .shape import (
    Flaw,
    describe,
    judge_record,
)


def check(message: dict[str, Any]) -> Iterator[Flaw]:
    """Yield every flaw of a message of 1.0 on the wire, also those that are a warning or info."""
    for flaw in judge_record(message, MESSAGE, ()):
        lacks = flaw.path == ("state",) and NEEDED.get(flaw.fix or "", "state") not in message
        renames = flaw.at == "key" and flaw.fix in ("plan", "state", "result", "error")
        yield flaw._replace(fix=None) if renames or lacks else flaw
    version = message.get("proto_ver")
    if isinstance(version, str) and version != schema.V10_NAME and schema.PATCH.fullmatch(version):
        yield Flaw(
            RULES["version"],
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
            yield Flaw(
                RULES["missing-outcome"],
                "1.0: 5.3 Transition Requirements",
                ("state",),
                f"Missing {key}. A message with state {state} must have "
                f"{'a' if key == 'result' else 'an'} {key}.",
            )
    if "result" in message and "error" in message:
        yield Flaw(
            RULES["two-outcomes"],
            "1.0: 4.3 Envelope Rules",
            ("error",),
            "A message must not have both a result and an error.",
            "key",
        )
    error = message.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if (
        isinstance(code, str)
        and CODE.fullmatch(code)
        and len(code) <= 64
        and code not in schema.CODES_10
    ):
        yield Flaw(
            RULES["unknown-error-code"],
            "1.0: 7.3 Standard Error Codes",
            ("error", "code"),
            f"Unknown error code {quote(code)}. Expected {either(schema.CODES_10)}.",
        )


def _is_plain(plan: list[Any]) -> bool:
    """Return whether all steps are valid and depend only on earlier ones, without fallbacks: the
    common case.
    """
    seen: set[str] = set()
    for step in plan:
        if (
            not STEP.takes(step)
            or step["id"] in seen
            or step.get("on_error") == "fallback"
            or "fallback_step" in step
            or not seen.issuperset(step.get("depends_on", ()))
        ):
            return False
        seen.add(step["id"])
    return bool(plan)


def _plan(plan: list[Any]) -> Iterator[Flaw]:
    if _is_plain(plan):
        return
    if not plan:
        yield Flaw(
            RULES["empty-plan"], FIELDS, ("plan",), "The plan has no steps. Expected at least one."
        )
    names = _get_names(plan)
    for index, step in enumerate(plan):
        at = ("plan", index)
        if isinstance(step, dict) and "parallel" in step and "id" not in step:
            yield Flaw(
                RULES["bad-step"],
                "1.0: 6.5 Legacy Plan Form",
                at,
                "parallel is SACP 0.1. In 1.0, use depends_on.",
            )
        elif isinstance(step, dict):
            for flaw in judge_record(step, STEP, at):
                yield flaw if _fits(flaw, plan, names) else flaw._replace(fix=None)
            if step.get("on_error") == "fallback" and "fallback_step" not in step:
                yield Flaw(
                    RULES["bad-policy"],
                    "1.0: 6.2 Step Fields",
                    (*at, "on_error"),
                    "Missing fallback_step, which is required when on_error is fallback.",
                )
        else:
            yield _no_step(step, at, names)
    cycle = list(_cycle(plan))
    yield from cycle
    yield from (
        flaw for flaw in _ids(plan, names) if not cycle or flaw.rule is not RULES["later-step"]
    )


def _cycle(plan: list[Any]) -> Iterator[Flaw]:
    waits = dependencies.find_waits(plan)
    forward = any(other >= index for index, before in enumerate(waits) for other in before)
    cycle = dependencies.find_cycle(waits) if forward else []
    if cycle:
        *names, last = (quote(str(plan[index]["id"])) for index in (*cycle[:KEPT], cycle[0]))
        dots = " → …" if len(cycle) > KEPT else ""
        yield Flaw(
            RULES["cycle"],
            "1.0: 6.3 Execution Rules",
            ("plan", cycle[0], "depends_on"),
            f"It depends on itself: {' → '.join(names)}{dots} → {last}.",
        )


def _fits(flaw: Flaw, plan: list[Any], names: set[str]) -> bool:
    """Return whether a fix causes no other error, such as depending on a later step."""
    if flaw.fix is None:
        return True
    if flaw.at == "key":
        return flaw.fix in ("verb", "tool", "params", "timeout_ms", "output_key")
    index, key = int(flaw.path[1]), flaw.path[2]
    if key == "id":
        return jsontext.load(flaw.fix) not in names
    if key == "depends_on":
        fixed = jsontext.load(flaw.fix)
        return ({fixed} if isinstance(fixed, str) else set(fixed)) <= _get_names(
            plan[: min(index, SAFE_STEPS)]
        )
    return key != "fallback_step" and (
        key != "on_error" or flaw.fix != '"fallback"' or "fallback_step" in plan[index]
    )


def _get_names(plan: list[Any]) -> set[str]:
    return {
        step["id"] for step in plan if isinstance(step, dict) and isinstance(step.get("id"), str)
    }


def _no_step(item: Any, at: tuple[str | int, ...], names: set[str]) -> Flaw:
    """Return the flaw of an item that is not a step of 1.0. A step of 0.1 becomes one, with an
    unused ID.
    """
    fix = None
    if isinstance(item, list) and len(item) == 3:
        own = f"s{int(at[1]) + 1}"
        step = {"id": own, **dict(zip(("verb", "tool", "params"), item, strict=True))}
        if own not in names and not any(judge_record(step, STEP, at)):
            fix = jsontext.dump(step)
        return Flaw(
            RULES["bad-step"],
            "1.0: 6.5 Legacy Plan Form",
            at,
            "An array is a step of SACP 0.1. In 1.0, a step must be an object.",
            fix=fix,
        )
    return Flaw(
        RULES["bad-step"],
        "1.0: 6.1 Step Shape",
        at,
        f"{describe(item)[:1].upper()}{describe(item)[1:]} is not a step. Expected an object with "
        "id, verb, tool, and params.",
    )


def _ids(plan: list[Any], names: set[str]) -> Iterator[Flaw]:
    first: dict[str, int] = {}
    for index, step in enumerate(plan):
        own = step.get("id") if isinstance(step, dict) else None
        if isinstance(own, str) and own in first:
            yield Flaw(
                RULES["repeated-step"],
                "1.0: 6.1 Step Shape",
                ("plan", index, "id"),
                f"Duplicate ID {quote(own)}, already used by step {first[own] + 1}.",
            )
        elif isinstance(own, str):
            first[own] = index
    for index, step in enumerate(plan):
        if isinstance(step, dict):
            yield from _references(step, index, first, names)


def _references(
    step: dict[str, Any], index: int, first: dict[str, int], names: set[str]
) -> Iterator[Flaw]:
    section = "1.0: 6.2 Step Fields"
    waited = step.get("depends_on")
    for number, name in enumerate(waited if isinstance(waited, list) else []):
        at = ("plan", index, "depends_on", number)
        if isinstance(name, str) and NAME.fullmatch(name) and name not in names:
            yield Flaw(
                RULES["unknown-step"],
                section,
                at,
                f"It depends on {quote(name)}, but no step has that ID.",
            )
        elif isinstance(name, str) and first.get(name, -1) > index:
            yield Flaw(
                RULES["later-step"],
                "1.0: 6.1 Step Shape",
                at,
                f"It depends on {quote(name)}, a later step.",
            )
    name = step.get("fallback_step")
    if (
        isinstance(name, str)
        and NAME.fullmatch(name)
        and (name not in names or name == step.get("id"))
    ):
        yield Flaw(
            RULES["unknown-step"],
            section,
            ("plan", index, "fallback_step"),
            (
                f"It falls back to {quote(name)}, "
                + ("itself." if name in names else "but no step has that ID.")
            ),
        )


def _named(message: dict[str, Any], plan: list[Any]) -> Iterator[Flaw]:
    error, result = message.get("error"), message.get("result")
    if error is None and result is None:
        return
    names = _get_names(plan)
    name = error.get("step_id") if isinstance(error, dict) else None
    if isinstance(name, str) and NAME.fullmatch(name) and name not in names:
        yield Flaw(
            RULES["absent-step"],
            "1.0: 7.2 Error Object",
            ("error", "step_id"),
            f"The error names step {quote(name)}, which is not in the plan.",
        )
    results = result.get("step_results") if isinstance(result, dict) else None
    strange = (
        next((key for key in results if key not in names), None)
        if isinstance(results, dict)
        else None
    )
    if strange is not None:
        yield Flaw(
            RULES["absent-step"],
            "1.0: 7.1 Result Object",
            ("result", "step_results", strange),
            f"The result names step {quote(strange)}, which is not in the plan.",
            "key",
        )
