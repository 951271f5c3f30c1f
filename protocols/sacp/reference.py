"""SACP for people: what it is, its grammar, its words with their meaning, and what SACP 1.0 does differently."""

from protocols.codec import INTEGER_LIMIT
from protocols.reference import Difference, Reference, Row, Table, one_of, tabulate

from .aliases import ITEMS, KEYS_OF_VERB, VERBS
from .aliases import KEYS as ALIASES
from .examples import EXAMPLES
from .fields import LABELS
from .requirements import REQUIREMENTS
from .rules import ERROR_CODES
from .schema import FORMATS, KEYS, REPLY_KEYS, STATES, STATUSES

ABOUT = (
    "SACP carries goals and plans between agents as one compact JSON object. A message names a goal, gives what has to "
    "be known about it, and lists the steps: which verb which tool shall carry out, with which parameters, in order or "
    "side by side. Agents answer with the same kind of object, or with a short reply that says valid, wrong (with a "
    "code and the step) or unclear. Prose is left to the two agents that talk to people; all others send data."
)
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


def _aliases() -> Table:
    """Verbs, keys, keys whose meaning hangs on the verb, and items of lists."""
    rows = [Row(short, word, "A verb.") for short, word in VERBS.items()]
    rows += [Row(short, word, "A key of the context or of parameters.") for short, word in ALIASES.items()]
    for verb, keys in KEYS_OF_VERB.items():
        rows += [Row(short, word, f"A key of the parameters of {verb}.") for short, word in keys.items()]
    for key, items in ITEMS.items():
        rows += [Row(short, word, f"An item of the list {key}.") for short, word in items.items()]
    return Table("Short forms", tuple(rows), ("Short", "Word", "Where"))


REFERENCE = Reference(
    about=ABOUT,
    source="SACP, specification v0.1",
    example='{"g":"FIND_HOTEL","ctx":{"loc":"Paris","bdg":150},'
    '"plan":[["s","H_API",{"c":"Paris","p_max":150}],["p","PRES",{"n":5}]],"out_fmt":"human","state":"PENDING"}',
    grammar=GRAMMAR,
    tables=(
        tabulate("Keys of a message", _named(KEYS), HELD_BY_KEY, heads=("Key", "Word", "Meaning")),
        tabulate("Parts of a step", _named(tuple(HELD_BY_STEP)), HELD_BY_STEP, heads=("Part", "Word", "Meaning")),
        tabulate("Formats", dict.fromkeys(FORMATS, ""), ASKED_BY_FORMAT),
        tabulate("States", dict.fromkeys(STATES, ""), SAID_BY_STATE),
        tabulate("Keys of a reply", _named(REPLY_KEYS), HELD_BY_REPLY, heads=("Key", "Word", "Meaning")),
        tabulate("Replies", dict.fromkeys(STATUSES, ""), SAID_BY_STATUS),
        tabulate("Error codes", dict.fromkeys(ERROR_CODES, ""), SAID_BY_CODE),
        _aliases(),
    ),
    examples=EXAMPLES,
    requirements=REQUIREMENTS,
    differences=(
        Difference("proto_ver", ("left out, or 0.1", "1, 1.0 or 1.0.0")),
        Difference(
            "A step", ("an array of verb, tool and params, known by their places", "an object that names its parts")
        ),
        Difference("The order of steps", ("as listed; parallel and join", "as listed; depends_on names earlier steps")),
        Difference("States", (", ".join(STATES), "seven, with words of its own")),
    ),
)
