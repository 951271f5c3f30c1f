"""The reference page of T-line: about, grammar, and codes."""

from cablese.reference import Reference, Row, Table, one_of, tabulate
from cablese.text import capitalize_first

from . import examples, requirements
from .escape import escape
from .vocabulary import ID_LIMIT, KEYS, KINDS

ABOUT = (
    "T-line is a dialogue protocol that uses as few tokens as possible. Each line is one act: a "
    "T, a sequence number, a letter for the kind (query, answer, command, state, error), and "
    "pairs of short keys and values. A line has at most one objective, one result, and one next "
    "step, so longer content takes several lines. Teams can add custom keys, which the first "
    "state message of a task defines. Spaces and separators in values are percent-encoded, which "
    "costs tokens."
)
GRAMMAR = f"""\
message  = "T" "|" id "|" kind "|" pair *( ";" pair )
id       = 1*10DIGIT                 ; 1 to {ID_LIMIT}
kind     = {one_of(KINDS)}
pair     = key "=" value / "keydef" "=" key ":" value
key      = lower *( lower / DIGIT / "_" )
value    = 1*( character / code )    ; any character that is not reserved
code     = "%" 2HEXDIG               ; one byte of UTF-8
"""

REFERENCE = Reference(
    about=ABOUT,
    source="The pull request that defines the protocol",
    example="T|17|Q|obj=test_scope;ctx=api_auth",
    grammar=GRAMMAR,
    tables=(
        Table(
            "Parts",
            (
                Row("id", "message ID", "A sequence number within the conversation."),
                Row("kind", "message kind", "One of the five letters below."),
            ),
            heads=("Field", "Name", "Meaning"),
        ),
        tabulate(
            "Kinds",
            KINDS,
            {
                "Q": "Asks for something.",
                "A": "Answers a query.",
                "C": "Tells the other side to do something.",
                "S": "Reports the current state, and declares keys.",
                "E": "Reports an error.",
            },
        ),
        tabulate(
            "Keys",
            KEYS,
            {
                "obj": "The objective. At most once per message.",
                "res": "The result. At most once per message.",
                "err": "What went wrong.",
                "next": "The next step. At most once per message.",
                "keydef": "A custom key and its meaning, in the first S message.",
                "rollover": "y announces that IDs restart at 1.",
            },
            note="Any other key of lowercase letters, digits, and _ is a custom key.",
        ),
        Table(
            "Reserved characters",
            tuple(
                Row(escape(sign), "", f"{capitalize_first(name)}.")
                for sign, name in {
                    " ": "space",
                    ";": "semicolon",
                    "|": "bar",
                    "=": "equals sign",
                    ":": "colon",
                    "%": "percent sign",
                    "\n": "line feed",
                    "\r": "carriage return",
                    "\t": "tab",
                }.items()
            ),
            note="A colon is not encoded inside keydef.",
        ),
    ),
    examples=examples.EXAMPLES,
    requirements=requirements.REQUIREMENTS,
)
