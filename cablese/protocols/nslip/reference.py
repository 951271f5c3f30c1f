"""The reference page of nSLIP: about, grammar, and codes."""

from cablese.codec import INTEGER_LIMIT
from cablese.reference import Reference, Row, Table, one_of, tabulate

from . import examples, requirements
from .vocabulary import ACTS, FRAMES, INTEGERS, PRIORITIES, SLOTS, STATUSES

ABOUT = (
    "nSLIP lets the agents of a team assign work to each other in short, one-line messages. A "
    "message has a speech act (what the sender does), a frame (its topic), and a few slots. Goal "
    "and task numbers link the messages of one task: a coordinator requests, a planner proposes, "
    "the coordinator accepts or rejects, an executor reports, and a critic evaluates. Messages do "
    "not name their sender, so roles are inferred from the act and frame."
)
GRAMMAR = f"""\
message = act "/" frame "|" [ slot *( "," slot ) ]
act     = {one_of(ACTS)}
frame   = {one_of(FRAMES)}
slot    = name "=" value
name    = {one_of(SLOTS)}
value   = integer / text        ; , | % and line breaks of a text are percent codes
"""
HELD_BY_SLOT = {
    "g": "Goal number",
    "t": "Task number within the goal",
    "r": "Result number",
    "p": "Urgency",
    "s": "Progress of the work",
    "sc": "Quality of a result",
    "@": "A note for people; agents must not act on it",
    "!": "Why something was rejected or failed",
}


def _slot(name: str) -> Row:
    if name not in INTEGERS:
        kind = "Text."
    else:
        low, high = INTEGERS[name]
        kind = "An integer." if high == INTEGER_LIMIT else f"An integer, {low} to {high}."
    return Row(name, SLOTS[name], f"{HELD_BY_SLOT[name]}. {kind}")


REFERENCE = Reference(
    about=ABOUT,
    source="nSLIP, the description of the protocol by its author",
    example="REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    grammar=GRAMMAR,
    tables=(
        Table(
            "Parts",
            (
                Row("act", "act", "What the sender does: its speech act."),
                Row("frame", "frame", "The topic."),
            ),
            ("Field", "Name", "Meaning"),
        ),
        tabulate(
            "Acts",
            ACTS,
            {
                "REQ": "Asks another agent to do something.",
                "PRO": "Proposes a plan or an approach.",
                "INF": "Reports an observation or progress.",
                "EVL": "Evaluates a result.",
                "ACC": "Accepts a proposal.",
                "REJ": "Rejects a proposal, with the reason in the slot !.",
                "QRY": "Asks for information.",
                "CFM": "Confirms that something was understood.",
            },
        ),
        tabulate(
            "Frames",
            FRAMES,
            {
                "TSK": "Assigned or delegated work.",
                "PLN": "How to do the work.",
                "OBS": "A result or a sensor reading.",
                "EVL": "The quality of a result.",
                "RSC": "Resource allocation.",
                "CST": "Limits and constraints.",
                "ERR": "Something failed.",
            },
        ),
        Table("Slots", tuple(map(_slot, SLOTS))),
        tabulate(
            "Priorities",
            {str(number): word for number, word in PRIORITIES.items()},
            {
                "1": "Do first.",
                "2": "Do in the usual order.",
                "3": "Do when there is time.",
            },
        ),
        tabulate(
            "Statuses",
            dict.fromkeys(STATUSES, ""),
            {
                "done": "The work is finished.",
                "in_progress": "The work is in progress.",
                "blocked": "Something blocks the work.",
                "waiting": "Another agent must act first.",
                "partial": "Some of the work is finished.",
                "failed": "The work did not succeed.",
            },
            note=(
                "Any other status is reported as info. A message with the frame ERR is a failure, "
                "whatever its status."
            ),
        ),
    ),
    examples=examples.EXAMPLES,
    requirements=requirements.REQUIREMENTS,
)
