"""SLIP v3 for people: what it is, its grammar, and its words with their meaning."""

from cablese.reference import Reference, Row, Table, one_of, tabulate
from cablese.text import capitalize_first

from .examples import EXAMPLES
from .requirements import REQUIREMENTS
from .vocabulary import (
    AGENT_LIMIT,
    FORCES,
    OBJECTS,
    PAYLOAD_LIMIT,
    PREFIX,
    REF_LIMIT,
    TOKEN_LIMIT,
    VERSION,
)

ABOUT = (
    "SLIP v3 grew out of nSLIP and trades its codes for short plain words with one space between them, because "
    "tokenizers are trained on words. Each message names its sender and its recipient, then says what is done (the "
    "Force, one of twelve) and about what (the Object, open to additions), then up to twenty words of payload. What "
    "does not fit into words is kept elsewhere and sent as a reference with the Force Fallback."
)
GRAMMAR = f"""\
message = "{PREFIX}" SP "{VERSION}" SP src SP dst SP force SP object *{PAYLOAD_LIMIT}( SP token )
        / "{PREFIX}" SP "{VERSION}" SP src SP dst SP "Fallback" SP object SP ref *{PAYLOAD_LIMIT - 1}( SP token )
src     = 1*{AGENT_LIMIT}( ALPHA / DIGIT )
dst     = 1*{AGENT_LIMIT}( ALPHA / DIGIT )
force   = {one_of(force for force in FORCES if force != "Fallback")}
object  = 1*{TOKEN_LIMIT}( ALPHA / DIGIT )
token   = 1*{TOKEN_LIMIT}( ALPHA / DIGIT )
ref     = 1*{REF_LIMIT}( ALPHA / DIGIT )
"""
SAID_OF_PART = {
    "version": f"Always {VERSION}.",
    "src": "The agent that sends.",
    "dst": "The agent that is addressed.",
    "force": "What the sender does by saying it.",
    "obj": "What it is about.",
    "fallback_ref": "Where the full text is kept; only in a Fallback.",
    "payload": "More words, as the agents have agreed on them.",
}
PARTS = {
    "version": "version", "src": "sender", "dst": "recipient", "force": "Force", "obj": "Object",
    "fallback_ref": "reference", "payload": "payload",
}  # fmt: skip
DONE_BY_FORCE = {
    "Observe": "Tells what was seen.",
    "Inform": "Tells what is so.",
    "Ask": "Wants to know something.",
    "Request": "Wants something done.",
    "Propose": "Suggests something.",
    "Commit": "Promises to do something.",
    "Eval": "Judges something.",
    "Meta": "Speaks about the conversation itself.",
    "Accept": "Says yes.",
    "Reject": "Says no.",
    "Error": "Reports that something failed.",
    "Fallback": "Refers to a text for which SLIP has no words.",
}
GENERIC = "nothing in particular"

REFERENCE = Reference(
    about=ABOUT,
    source="slipcore 3.1.1, the reference implementation",
    example="SLIP v3 planner executor Request Task auth refactor",
    grammar=GRAMMAR,
    tables=(
        tabulate("Parts", PARTS, SAID_OF_PART, heads=("Field", "Name", "Meaning")),
        tabulate(
            "Forces", {force: str(act) for force, act in FORCES.items()}, DONE_BY_FORCE,
            heads=("Force", "Act in searches", "Meaning"),
        ),
        Table(
            "Objects",
            tuple(Row(word, "", f"{capitalize_first(phrase or GENERIC)}.") for word, phrase in OBJECTS.items()),
            note="These are the core. Any other word is accepted.",
        ),
    ),
    examples=EXAMPLES,
    requirements=REQUIREMENTS,
)  # fmt: skip
