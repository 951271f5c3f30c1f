"""Define the reference page of SACP: about, grammar, vocabulary, and the differences of SACP 1.0,
from the constants of both versions.
"""

from cablese.codec import INTEGER_LIMIT
from cablese.reference import Difference, Reference, Row, Table, one_of, tabulate

from . import examples, requirements
from .aliases import FAMILIES, ITEMS
from .fields import LABELS
from .rules import ERROR_CODES
from .schema import (
    CODES_10,
    FORMATS,
    KEYS,
    KEYS_10,
    METRICS,
    POLICIES,
    REPLY_KEYS,
    REQUIRED_10,
    STATES,
    STATES_10,
    STATUSES,
    STEP_10,
    STRATEGIES,
    TRACE_KEYS,
    V01_NAMES,
    V10_NAME,
)  # fmt: skip
from .tasks.states import NEXT, NEXT_10
from .v1.shapes import ERROR, RESULT


def _without(keys: tuple[str, ...], without: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in without)


HELD_BY_KEY = {
    "g": "The goal. Required.",
    "ctx": "The context of the user and environment: an object.",
    "plan": "The steps, in order. Required.",
    "out_fmt": "The output format. The default is raw.",
    "state": "The progress of the message.",
    "msg_id": "The ID of this message.",
    "reply_to": "The ID of the message that this one answers.",
    "proto_ver": "The version of SACP.",
    "subtask": "A complete message for another agent.",
    "test_mode": "true requests a dry run: nothing is executed.",
}
HELD_BY_KEY_10 = HELD_BY_KEY | {
    "proto_ver": f"The version of SACP: {V10_NAME}. Required.",
    "msg_id": "The ID of this message. Required.",
    "ts": "When it was sent, in UTC. Required.",
    "sender": "The agent that sends the message. Required.",
    "recipient": "The agent that receives the message.",
    "state": "The progress of the message. Required.",
    "result": "The result. Required for DONE.",
    "error": "The error. Required for FAILED.",
    "trace": "IDs and metrics to trace the message across agents.",
    "ext": "Extensions, under keys with a namespace.",
}


def _named(keys: tuple[str, ...]) -> dict[str, str]:
    return {key: LABELS[key] for key in keys}


def _follow(table: dict[str, tuple[str, ...]]) -> str:
    """Return what may follow each state, as one line of text."""
    return "; ".join(f"{state}: {', '.join(after) or 'nothing'}" for state, after in table.items())


def _aliases() -> Table:
    """Return the short forms by the tools that define them, and those of list items."""
    rows = [
        Row(short, word, f"{usage} {tool}.")
        for tool, family in FAMILIES.items()
        for words, usage in (
            (family.verbs, "A verb of"),
            (family.keys, "A parameter of"),
            (family.context, "In the context, with"),
        )
        for short, word in words.items()
    ]
    for key, items in ITEMS.items():
        rows += [Row(short, word, f"An item of the list {key}.") for short, word in items.items()]
    return Table("Short forms", tuple(rows), ("Short", "Word", "Where"))


REFERENCE = Reference(
    about="SACP sends goals and plans between agents as one compact JSON object. A message has a "
    "goal, its context, and the steps of a plan: a verb, a tool, and parameters, in order or in "
    "parallel. Agents answer with the same kind of object, or with a short reply: valid, invalid "
    "(with a code and the step), or unclear. Only the two kinds of agents that talk to people "
    "write prose; all others send data. SACP 1.0, selected by proto_ver, adds the sender and time "
    "of a message, steps with IDs and dependencies, seven states, and a result or an error at the "
    "end.",
    source="SACP, specification v0.1; of 1.0, specification v1.0.0 (sections marked 1.0)",
    example=(
        '{"g":"FIND_HOTEL","ctx":{"loc":"Paris","bdg":150},"plan":[["s","H_API",{"c":"Paris",'
        '"p_max":150}],["p","PRES",{"n":5}]],"out_fmt":"human","state":"PENDING"}'
    ),
    grammar=f"""\
message = JSON object with g and plan, and any of the other keys
reply   = JSON object with status, and any of \
{", ".join(key for key in REPLY_KEYS if key != "status")}
plan    = "[" step *( "," step ) "]"
step    = "[" verb "," tool "," params "]"            ; two texts and an object
        / '{{"parallel":[' step *( "," step ) ']}}'     ; a step with the verb join follows
out_fmt = {one_of(FORMATS)}
state   = {one_of(STATES)}
status  = {one_of(STATUSES)}
numbers = JSON numbers; integers up to {INTEGER_LIMIT}

; SACP 1.0
message = JSON object with {", ".join(REQUIRED_10)}, and any of \
{", ".join(_without(KEYS_10, REQUIRED_10))}
plan    = "[" step *( "," step ) "]"
step    = JSON object with {", ".join(STEP_10[:4])}, and any of {", ".join(STEP_10[4:])}
state   = {one_of(STATES_10)}
on_error = {one_of(POLICIES)}
name    = 1*128( ALPHA / DIGIT / "." / "_" / ":" / "-" )   ; msg_id, reply_to, sender, recipient; \
of a step at most 64
""",
    tables=(
        tabulate("Keys of a message", _named(KEYS), HELD_BY_KEY, heads=("Key", "Word", "Meaning")),
        tabulate(
            "Parts of a step",
            _named(("verb", "tool", "params", "parallel")),
            {
                "verb": "The action.",
                "tool": "The tool that performs it.",
                "params": "The parameters of the tool: an object.",
                "parallel": "Steps that run in parallel.",
            },
            heads=("Part", "Word", "Meaning"),
        ),
        tabulate(
            "Formats",
            dict.fromkeys(FORMATS, ""),
            {
                "human": "Prose for a person.",
                "raw": "Data for an agent.",
                "summary": "A summary of the result.",
            },
        ),
        tabulate(
            "States",
            dict.fromkeys(STATES, ""),
            {
                "PENDING": "Not started.",
                "IN_PROGRESS": "Under way.",
                "DONE": "Finished.",
                "FAILED": "Ended without success.",
            },
        ),
        tabulate(
            "Keys of a reply",
            _named(REPLY_KEYS),
            {
                "status": "The status.",
                "code": "The error code.",
                "details": "The reason, with the step if there is one.",
                "msg_id": "The ID of the reply.",
                "reply_to": "The ID of the message that it answers.",
            },
            heads=("Key", "Word", "Meaning"),
        ),
        tabulate(
            "Replies",
            dict.fromkeys(STATUSES, ""),
            {
                "VALID": "The message is valid.",
                "ERR": "The message is invalid. See code and details.",
                "REQ_CLARIFY": "The message has no steps. The sender is asked for them.",
            },
        ),
        tabulate(
            "Error codes",
            dict.fromkeys(ERROR_CODES, ""),
            {
                "MALFORMED_MESSAGE": "Not a JSON object, or one with unknown keys.",
                "MISSING_FIELD": "A required field is missing.",
                "MALFORMED_PLAN": "The plan or a step has an invalid format.",
                "BAD_PARAM": "A parameter has the wrong type.",
                "BAD_LIFECYCLE": "msg_id, reply_to, proto_ver, or state is invalid.",
                "UNKNOWN_VERB": "No agent knows the verb.",
                "UNKNOWN_TOOL": "No such tool is registered.",
                "VERB_TOOL_MISMATCH": "The tool does not support the verb.",
            },
        ),
        tabulate(
            "Keys of a message, 1.0",
            _named(KEYS_10),
            {key: HELD_BY_KEY_10[key] for key in KEYS_10},
            heads=("Key", "Word", "Meaning"),
        ),
        tabulate(
            "Parts of a step, 1.0",
            _named(STEP_10),
            {
                "id": "The ID of the step in this message.",
                "verb": "The action.",
                "tool": "The tool that performs it.",
                "params": "The parameters of the tool: an object.",
                "depends_on": "The steps that must succeed before this one starts.",
                "timeout_ms": "The time limit: 1 to 3,600,000.",
                "retry": "The number of attempts, at most 10, and the delay between them.",
                "on_error": (
                    "What happens if the step fails. The default is fail_fast (our ruling)."
                ),
                "fallback_step": ("The step to try once instead. It runs only then (our ruling)."),
                "output_key": "The key of its output in the result.",
            },
            heads=("Part", "Word", "Meaning"),
            note="Where the specification is silent, these are our rulings. Patch versions of "
            "1.0.0 are decoded as 1.0.0; any other SACP 1 version is an error. A dependency on a "
            "later step is a warning. A fallback_step must be another step of the plan. A step ID "
            "in a result or error that is not in the plan is a warning, and so is an error code "
            "other than the twelve. Validators answer in the short form of 0.1. A translation to "
            "1.0 writes what 0.1 does not state as unstated, and a missing time as 1970-01-01.",
        ),
        tabulate(
            "Parts of retry, 1.0",
            _named(("max_attempts", "backoff_ms", "strategy")),
            {
                "max_attempts": "The total number of attempts: 1 to 10. Required.",
                "backoff_ms": "The delay before the next attempt: at most 600,000.",
                "strategy": f"{' or '.join(STRATEGIES)}: whether the delay is constant or grows.",
            },
            heads=("Part", "Word", "Meaning"),
        ),
        tabulate(
            "When a step fails, 1.0",
            dict.fromkeys(POLICIES, ""),
            {
                "fail_fast": "The message fails.",
                "continue": "Only the steps that depend on it are skipped.",
                "fallback": "Its fallback_step is tried once.",
            },
        ),
        tabulate(
            "States, 1.0",
            dict.fromkeys(STATES_10, ""),
            {
                "PENDING": "Sent, but not yet checked by the recipient.",
                "ACCEPTED": "Checked and accepted.",
                "IN_PROGRESS": "Under way.",
                "WAITING": "Waiting for something else, or for a person’s approval.",
                "DONE": "Finished.",
                "FAILED": "Ended without success.",
                "CANCELLED": "Stopped by a rule, a person, or the orchestrator.",
            },
        ),
        tabulate(
            "Parts of a result and of an error, 1.0",
            _named((*RESULT.parts, *ERROR.parts)),
            {
                "outputs": "In a result: the outputs, by name. Required.",
                "summary": "In a result: a one-line summary.",
                "step_results": "In a result: the result of each step, by ID.",
                "code": "In an error: its code. Required.",
                "message": "In an error: its description. Required.",
                "step_id": "In an error: the step that failed.",
                "retryable": "In an error: whether another attempt may help.",
                "details": "In an error: anything else.",
            },
            heads=("Part", "Word", "Meaning"),
        ),
        tabulate(
            "Error codes, 1.0",
            dict.fromkeys(CODES_10, ""),
            {
                "UNSUPPORTED_VERSION": "The version is not supported.",
                "MALFORMED_MESSAGE": "The message has an invalid format.",
                "INVALID_STATE_TRANSITION": "The state cannot follow the previous one.",
                "UNKNOWN_VERB": "No agent knows the verb.",
                "UNKNOWN_TOOL": "No such tool is registered.",
                "TOOL_INVOCATION_FAILED": "The tool failed.",
                "TIMEOUT": "The time limit was exceeded.",
                "DEPENDENCY_FAILED": "A dependency failed.",
                "AUTHZ_DENIED": "The sender does not have permission.",
                "RATE_LIMITED": "Too many requests.",
                "INTERNAL_ERROR": "The agent failed.",
                "CANCELLED": "The message was canceled.",
            },
        ),
        _aliases(),
    ),
    examples=examples.EXAMPLES,
    requirements=requirements.REQUIREMENTS,
    differences=(
        Difference("proto_ver", (f"omitted, or {' or '.join(V01_NAMES)}", V10_NAME)),
        Difference("Required keys", ("g, plan", ", ".join(REQUIRED_10))),
        Difference(
            "Other keys",
            (", ".join(_without(KEYS, ("g", "plan"))), ", ".join(_without(KEYS_10, REQUIRED_10))),
        ),
        Difference(
            "Keys only in this version",
            (", ".join(_without(KEYS, KEYS_10)), ", ".join(_without(KEYS_10, KEYS))),
        ),
        Difference(
            "A step",
            (f"[{', '.join(STEP_10[1:4])}], by position", f"object with {', '.join(STEP_10)}"),
        ),
        Difference(
            "The order of steps",
            (
                (
                    "as listed; the branches of a parallel step run at the same time, followed by "
                    "a join"
                ),
                "each step after the steps in its depends_on",
            ),
        ),
        Difference(
            "When a step fails", ("its agent’s fallback", f"on_error: {', '.join(POLICIES)}")
        ),
        Difference("States", (", ".join(STATES), ", ".join(STATES_10))),
        Difference("Allowed next states", (_follow(NEXT), _follow(NEXT_10))),
        Difference(
            "Outcome",
            (
                f"a reply with {', '.join(REPLY_KEYS)}",
                f"result ({', '.join(RESULT.parts)}) or error ({', '.join(ERROR.parts)})",
            ),
        ),
        Difference("Error codes", (", ".join(ERROR_CODES), ", ".join(CODES_10))),
        Difference(
            "Tracing a message",
            ("reply_to", f"reply_to; trace ({', '.join(TRACE_KEYS)}: {', '.join(METRICS)})"),
        ),
    ),
)
