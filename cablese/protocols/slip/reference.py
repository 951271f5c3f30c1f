"""The reference page of SLIP v3: about, grammar, and vocabulary."""

from cablese.reference import Reference, Row, Table, one_of, tabulate
from cablese.text import capitalize_first

from . import examples, requirements
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
    "SLIP v3 replaces the codes of nSLIP with short plain words separated by spaces, because "
    "tokenizers are trained on words. Each message names its sender and recipient, then the "
    "speech act (the Force, one of twelve) and its topic (the Object, an open set), followed by "
    "up to 20 payload tokens. Text that does not fit is stored elsewhere and sent as a reference "
    "with the Force Fallback."
)
GRAMMAR = f"""\
message = "{PREFIX}" SP "{VERSION}" SP src SP dst SP force SP object *{PAYLOAD_LIMIT}( SP token )
        / "{PREFIX}" SP "{VERSION}" SP src SP dst SP "Fallback" SP object SP ref \
*{PAYLOAD_LIMIT - 1}( SP token )
src     = 1*{AGENT_LIMIT}( ALPHA / DIGIT )
dst     = 1*{AGENT_LIMIT}( ALPHA / DIGIT )
force   = {one_of(force for force in FORCES if force != "Fallback")}
object  = 1*{TOKEN_LIMIT}( ALPHA / DIGIT )
token   = 1*{TOKEN_LIMIT}( ALPHA / DIGIT )
ref     = 1*{REF_LIMIT}( ALPHA / DIGIT )
"""

REFERENCE = Reference(
    about=ABOUT,
    source="slipcore 3.1.1, the reference implementation",
    example="SLIP v3 planner executor Request Task auth refactor",
    grammar=GRAMMAR,
    tables=(
        tabulate(
            "Parts",
            {
                "version": "version",
                "src": "sender",
                "dst": "recipient",
                "force": "Force",
                "obj": "Object",
                "fallback_ref": "reference",
                "payload": "payload",
            },
            {
                "version": f"Always {VERSION}.",
                "src": "The agent that sends the message.",
                "dst": "The agent that receives the message.",
                "force": "What the sender does: its speech act.",
                "obj": "The topic.",
                "fallback_ref": "Where the full text is stored; only in a Fallback.",
                "payload": "Additional words that the agents have agreed on.",
            },
            heads=("Field", "Name", "Meaning"),
        ),
        tabulate(
            "Forces",
            {force: str(act) for force, act in FORCES.items()},
            {
                "Observe": "Reports an observation.",
                "Inform": "States a fact.",
                "Ask": "Asks for information.",
                "Request": "Asks another agent to do something.",
                "Propose": "Suggests something.",
                "Commit": "Commits to do something.",
                "Eval": "Evaluates something.",
                "Meta": "Concerns the conversation itself.",
                "Accept": "Accepts a proposal or request.",
                "Reject": "Rejects a proposal or request.",
                "Error": "Reports a failure.",
                "Fallback": "Refers to text that SLIP cannot express.",
            },
            heads=("Force", "Search act", "Meaning"),
        ),
        Table(
            "Objects",
            tuple(
                Row(word, "", f"{capitalize_first(phrase or 'no specific topic')}.")
                for word, phrase in OBJECTS.items()
            ),
            note="The core Objects. Any other word is valid.",
        ),
    ),
    examples=examples.EXAMPLES,
    requirements=requirements.REQUIREMENTS,
)
