"""SACP for people: what it is, its grammar, its words with their meaning, and what SACP 1.0 does
differently.

The table of differences is made from the constants of both versions.
"""

from collections.abc import Iterable, Iterator

from cablese.codec import INTEGER_LIMIT
from cablese.reference import Difference, Reference, Row, Table, one_of, tabulate

from .aliases import FAMILIES, ITEMS
from .examples import EXAMPLES
from .fields import LABELS
from .requirements import REQUIREMENTS
from .rules import ERROR_CODES
from .schema import (
    CODES_10,
    ERROR_KEYS,
    FORMATS,
    KEYS,
    KEYS_10,
    METRICS,
    POLICIES,
    REPLY_KEYS,
    REQUIRED_10,
    RESULT_KEYS,
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

ABOUT = (
    "SACP carries goals and plans between agents as one compact JSON object. A message names a "
    "goal, gives what has to be known about it, and lists the steps: which verb which tool shall "
    "carry out, with which parameters, in order or side by side. Agents answer with the same kind "
    "of object, or with a short reply that says valid, wrong (with a code and the step) or "
    "unclear. Prose is left to the two agents that talk to people; all others send data. SACP "
    "1.0, which proto_ver names, asks for more: who sent a message and when, steps with ids that "
    "say what they wait for, seven states, and a result or an error at the end."
)


def _rest(keys: tuple[str, ...], without: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in without)


GRAMMAR = f"""\
message = JSON object with g and plan, and any of the other keys
reply   = JSON object with status, and any of {", ".join(key for key in REPLY_KEYS if key != "status")}
plan    = "[" step *( "," step ) "]"
step    = "[" verb "," tool "," params "]"            ; two texts and an object
        / '{{"parallel":[' step *( "," step ) ']}}'     ; a step with the verb join follows
out_fmt = {one_of(FORMATS)}
state   = {one_of(STATES)}
status  = {one_of(STATUSES)}
numbers = JSON numbers; integers up to {INTEGER_LIMIT}

; SACP 1.0
message = JSON object with {", ".join(REQUIRED_10)}, and any of {", ".join(_rest(KEYS_10, REQUIRED_10))}
plan    = "[" step *( "," step ) "]"
step    = JSON object with {", ".join(STEP_10[:4])}, and any of {", ".join(STEP_10[4:])}
state   = {one_of(STATES_10)}
on_error = {one_of(POLICIES)}
name    = 1*128( ALPHA / DIGIT / "." / "_" / ":" / "-" )   ; msg_id, reply_to, sender, recipient; of a step at most 64
"""
HELD_BY_KEY = {
    "g": "What is to be achieved. Required.",
    "ctx": "What has to be known about the user and the surroundings: an object.",
    "plan": "The steps, in their order. Required.",
    "out_fmt": "The form of the result; raw when left out.",
    "state": "How far the message has been carried out.",
    "msg_id": "The name of this message.",
    "reply_to": "The message that this one answers.",
    "proto_ver": "The version of SACP.",
    "subtask": "A whole message for another agent.",
    "test_mode": "true asks for a dry run: nothing is really done.",
}
HELD_BY_KEY_10 = HELD_BY_KEY | {
    "proto_ver": f"The version of SACP: {V10_NAME}. Required.",
    "msg_id": "The name of this message. Required.",
    "ts": "When it was sent, in UTC. Required.",
    "sender": "The agent that sends it. Required.",
    "recipient": "The agent that it goes to.",
    "state": "How far the message has been carried out. Required.",
    "result": "What came of it; DONE needs one.",
    "error": "What went wrong; FAILED needs one.",
    "trace": "Names and measures by which the message is followed over many agents.",
    "ext": "What others add, under keys with a name space.",
}
HELD_BY_STEP_10 = {
    "id": "The name of the step in this message.",
    "verb": "What is to be done.",
    "tool": "The tool that shall do it.",
    "params": "What the tool needs: an object.",
    "depends_on": "The steps that must have succeeded before it begins.",
    "timeout_ms": "After so long it counts as failed: 1 to 3,600,000.",
    "retry": "How often it is tried, at most 10 times, with which pause between.",
    "on_error": "What its failure does; fail_fast where it is left out, which is our ruling.",
    "fallback_step": (
        "The step to try once in its place; it is carried out only then, which is our ruling."
    ),
    "output_key": "The name of what comes of it in the outputs of the result.",
}
HELD_BY_RETRY = {
    "max_attempts": "How often it is tried altogether: 1 to 10. Required.",
    "backoff_ms": "How long it waits before it is tried again: at most 600,000.",
    "strategy": f"{' or '.join(STRATEGIES)}: whether the pause stays as it is or grows.",
}
DONE_BY_POLICY = {
    "fail_fast": "The message fails.",
    "continue": "Only the steps that wait for it are left out.",
    "fallback": "Its fallback_step is tried once.",
}
HELD_BY_OUTCOME = {
    "outputs": "Of a result: what came of it, by name. Required.",
    "summary": "Of a result: one line about it.",
    "step_results": "Of a result: what came of each step, by its id.",
    "code": "Of an error: which kind it is. Required.",
    "message": "Of an error: what went wrong. Required.",
    "step_id": "Of an error: the step that failed.",
    "retryable": "Of an error: whether another attempt may help.",
    "details": "Of an error: anything else.",
}
HELD_BY_REPLY = {
    "status": "What the reply says.",
    "code": "Which kind of error it is.",
    "details": "The reason, with the step where there is one.",
    "msg_id": "The name of the reply.",
    "reply_to": "The message that is answered.",
}
HELD_BY_STEP = {
    "verb": "What is to be done.",
    "tool": "The tool that shall do it.",
    "params": "What the tool needs: an object.",
    "parallel": "Steps that run side by side.",
}
SAID_BY_STATUS = {
    "VALID": "The message is correct.",
    "ERR": "The message is wrong; code and details say how.",
    "REQ_CLARIFY": "The message has no steps, and the sender is asked for them.",
}
ASKED_BY_FORMAT = {
    "human": "Prose for a person.",
    "raw": "Data for an agent.",
    "summary": "A short form of the result.",
}
SAID_BY_STATE = {
    "PENDING": "Not begun yet.",
    "IN_PROGRESS": "Under way.",
    "DONE": "Finished.",
    "FAILED": "Ended without success.",
}
SAID_BY_STATE_10 = {
    "PENDING": "Sent, not checked by who receives it.",
    "ACCEPTED": "Checked and taken on.",
    "IN_PROGRESS": "Under way.",
    "WAITING": "Held up by something else, or by a person who must agree.",
    "DONE": "Finished.",
    "FAILED": "Ended without success.",
    "CANCELLED": "Stopped by a rule, a person or who gives out the work.",
}
SAID_BY_CODE_10 = {
    "UNSUPPORTED_VERSION": "The version is not understood.",
    "MALFORMED_MESSAGE": "The message does not have its form.",
    "INVALID_STATE_TRANSITION": "The state cannot follow the one before.",
    "UNKNOWN_VERB": "No agent knows the verb.",
    "UNKNOWN_TOOL": "No such tool is registered.",
    "TOOL_INVOCATION_FAILED": "The tool did not work.",
    "TIMEOUT": "It took too long.",
    "DEPENDENCY_FAILED": "A step that this one waits for failed.",
    "AUTHZ_DENIED": "The sender may not do that.",
    "RATE_LIMITED": "There were too many requests.",
    "INTERNAL_ERROR": "The agent itself failed.",
    "CANCELLED": "It was stopped.",
}
SAID_BY_CODE = {
    "MALFORMED_MESSAGE": "No JSON object, or one with keys that do not belong there.",
    "MISSING_FIELD": "A required field is not there.",
    "MALFORMED_PLAN": "The plan or a step does not have its form.",
    "BAD_PARAM": "A parameter is not of its type.",
    "BAD_LIFECYCLE": "msg_id, reply_to, proto_ver or state is wrong.",
    "UNKNOWN_VERB": "No agent knows the verb.",
    "UNKNOWN_TOOL": "No such tool is registered.",
    "VERB_TOOL_MISMATCH": "The tool does not do what the verb asks.",
}


def _named(keys: tuple[str, ...]) -> dict[str, str]:
    return {key: LABELS[key] for key in keys}


def _follow(table: dict[str, tuple[str, ...]]) -> str:
    """What may follow what, a sentence for each state."""
    return "; ".join(f"{state}: {', '.join(after) or 'nothing'}" for state, after in table.items())


def _differ() -> Iterator[Difference]:
    """What one version has and the other has not, from the constants of both."""
    yield Difference("proto_ver", (f"left out, or {' or '.join(V01_NAMES)}", V10_NAME))
    yield Difference("Required keys", ("g, plan", ", ".join(REQUIRED_10)))
    yield Difference(
        "Other keys", (_list(_rest(KEYS, ("g", "plan"))), _list(_rest(KEYS_10, REQUIRED_10)))
    )
    yield Difference(
        "Keys that only it has", (_list(_rest(KEYS, KEYS_10)), _list(_rest(KEYS_10, KEYS)))
    )
    yield Difference(
        "A step", (f"[{', '.join(STEP_10[1:4])}] by their places", f"object with {_list(STEP_10)}")
    )
    yield Difference(
        "The order of steps",
        (
            "as listed; the branches of a parallel at the same time, then a join",
            "each after those in its depends_on",
        ),
    )
    yield Difference(
        "When a step fails", ("the fallback of its agent", f"on_error: {_list(POLICIES)}")
    )
    yield Difference("States", (_list(STATES), _list(STATES_10)))
    yield Difference("What follows a state", (_follow(NEXT), _follow(NEXT_10)))
    yield Difference(
        "How it ended",
        (
            f"a reply with {_list(REPLY_KEYS)}",
            f"result ({_list(RESULT_KEYS)}) or error ({_list(ERROR_KEYS)})",
        ),
    )
    yield Difference("Error codes", (_list(ERROR_CODES), _list(CODES_10)))
    yield Difference(
        "Following a message",
        ("reply_to", f"reply_to; trace ({_list(TRACE_KEYS)}: {_list(METRICS)})"),
    )


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


def _aliases() -> Table:
    """Short forms by the tools that define them, and what stands for items of lists."""
    rows = [
        Row(short, word, f"{where} {tool}.")
        for tool, family in FAMILIES.items()
        for words, where in (
            (family.verbs, "A verb of"),
            (family.keys, "A parameter of"),
            (family.context, "In the context, beside"),
        )
        for short, word in words.items()
    ]
    for key, items in ITEMS.items():
        rows += [Row(short, word, f"An item of the list {key}.") for short, word in items.items()]
    return Table("Short forms", tuple(rows), ("Short", "Word", "Where"))


RULINGS = (
    "Our rulings, where the specification leaves something open: patches of 1.0.0 are read as it, "
    "any other SACP 1 is an error; waiting for a step further down is a warning; a fallback_step "
    "must be another step of the plan; an id in an error or result that is not in the plan is a "
    "warning, and so is an error code beside the twelve; validators answer in the short form of "
    "0.1. Into 1.0, what 0.1 does not say is written as unstated, a time as that of 1970-01-01."
)
REFERENCE = Reference(
    about=ABOUT,
    source="SACP, specification v0.1; of 1.0, specification v1.0.0 (sections marked 1.0)",
    example=(
        '{"g":"FIND_HOTEL","ctx":{"loc":"Paris","bdg":150},"plan":[["s","H_API",{"c":"Paris",'
        '"p_max":150}],["p","PRES",{"n":5}]],"out_fmt":"human","state":"PENDING"}'
    ),
    grammar=GRAMMAR,
    tables=(
        tabulate("Keys of a message", _named(KEYS), HELD_BY_KEY, heads=("Key", "Word", "Meaning")),
        tabulate(
            "Parts of a step",
            _named(tuple(HELD_BY_STEP)),
            HELD_BY_STEP,
            heads=("Part", "Word", "Meaning"),
        ),
        tabulate("Formats", dict.fromkeys(FORMATS, ""), ASKED_BY_FORMAT),
        tabulate("States", dict.fromkeys(STATES, ""), SAID_BY_STATE),
        tabulate(
            "Keys of a reply", _named(REPLY_KEYS), HELD_BY_REPLY, heads=("Key", "Word", "Meaning")
        ),
        tabulate("Replies", dict.fromkeys(STATUSES, ""), SAID_BY_STATUS),
        tabulate("Error codes", dict.fromkeys(ERROR_CODES, ""), SAID_BY_CODE),
        tabulate(
            "Keys of a message, 1.0",
            _named(KEYS_10),
            {key: HELD_BY_KEY_10[key] for key in KEYS_10},
            heads=("Key", "Word", "Meaning"),
        ),
        tabulate(
            "Parts of a step, 1.0",
            _named(STEP_10),
            HELD_BY_STEP_10,
            heads=("Part", "Word", "Meaning"),
            note=RULINGS,
        ),
        tabulate(
            "Parts of retry, 1.0",
            _named(tuple(HELD_BY_RETRY)),
            HELD_BY_RETRY,
            heads=("Part", "Word", "Meaning"),
        ),
        tabulate("When a step fails, 1.0", dict.fromkeys(POLICIES, ""), DONE_BY_POLICY),
        tabulate("States, 1.0", dict.fromkeys(STATES_10, ""), SAID_BY_STATE_10),
        tabulate(
            "Parts of a result and of an error, 1.0",
            _named((*RESULT_KEYS, *ERROR_KEYS)),
            HELD_BY_OUTCOME,
            heads=("Part", "Word", "Meaning"),
        ),
        tabulate("Error codes, 1.0", dict.fromkeys(CODES_10, ""), SAID_BY_CODE_10),
        _aliases(),
    ),
    examples=EXAMPLES,
    requirements=REQUIREMENTS,
    differences=tuple(_differ()),
)
