"""nSLIP for people: what it is, its grammar, and its codes in plain words."""

from cablese.codec import INTEGER_LIMIT
from cablese.reference import Reference, Row, Table, one_of, tabulate

from .examples import EXAMPLES
from .requirements import REQUIREMENTS
from .vocabulary import ACTS, FRAMES, INTEGERS, PRIORITIES, SLOTS, STATUSES

ABOUT = (
    "nSLIP lets the agents of one team hand work to each other in a line of a dozen characters. A message is a speech "
    "act (what the sender does), a frame (what it is about) and a few slots. Goal and task numbers tie the messages of "
    "one piece of work together: a coordinator requests, a planner proposes, the coordinator accepts or rejects, an "
    "executor reports, a critic evaluates. Who sends is not said, so roles are inferred from the act and the frame."
)
GRAMMAR = f"""\
message = act "/" frame "|" [ slot *( "," slot ) ]
act     = {one_of(ACTS)}
frame   = {one_of(FRAMES)}
slot    = name "=" value
name    = {one_of(SLOTS)}
value   = integer / text        ; , | % and line breaks of a text are percent codes
"""
DONE_BY_ACT = {
    "REQ": "Asks another agent to do something.",
    "PRO": "Suggests a plan or a way to go.",
    "INF": "Reports what was seen or how far the work is.",
    "EVL": "Judges a result.",
    "ACC": "Says yes to a proposal.",
    "REJ": "Says no to a proposal, with the reason in the slot !.",
    "QRY": "Asks for information.",
    "CFM": "Says that something was understood.",
}
SEEN_IN_FRAME = {
    "TSK": "Work that is assigned or delegated.",
    "PLN": "How the work shall be done.",
    "OBS": "What came out of doing it, or what a sensor says.",
    "EVL": "How good a result is.",
    "RSC": "Who or what gets which resources.",
    "CST": "Limits and conditions.",
    "ERR": "Something failed.",
}
HELD_BY_SLOT = {
    "g": "Number of the goal",
    "t": "Number of the task within the goal",
    "r": "Number of a result",
    "p": "How urgent it is",
    "s": "How far the work is",
    "sc": "How good a result is",
    "@": "A note for people; agents must not act on it",
    "!": "Why something was rejected or failed",
}
SAID_BY_PRIORITY = {
    "1": "Before anything else.",
    "2": "In the usual order.",
    "3": "When there is time.",
}
STATUS_NOTE = (
    "Another word is pointed out. A message with the frame ERR is a failure whatever its status."
)
SAID_BY_STATUS = {
    "done": "The work is finished.",
    "in_progress": "The work is under way.",
    "blocked": "Something stands in the way.",
    "waiting": "Somebody else has to act first.",
    "partial": "Some of the work is finished.",
    "failed": "The work did not succeed.",
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
                Row("act", "act", "What the sender does."),
                Row("frame", "frame", "What it is about."),
            ),
            ("Field", "Name", "Meaning"),
        ),
        tabulate("Acts", ACTS, DONE_BY_ACT),
        tabulate("Frames", FRAMES, SEEN_IN_FRAME),
        Table("Slots", tuple(map(_slot, SLOTS))),
        tabulate(
            "Priorities",
            {str(number): word for number, word in PRIORITIES.items()},
            SAID_BY_PRIORITY,
        ),
        tabulate(
            "Statuses",
            dict.fromkeys(STATUSES, ""),
            SAID_BY_STATUS,
            note=STATUS_NOTE,
        ),
    ),
    examples=EXAMPLES,
    requirements=REQUIREMENTS,
)
