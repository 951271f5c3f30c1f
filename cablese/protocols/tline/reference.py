"""T-line for people: what it is, its grammar, and its codes in plain words."""

from cablese.reference import Reference, Row, Table, one_of, tabulate
from cablese.text import capitalize_first

from .escape import escape
from .examples import EXAMPLES
from .requirements import REQUIREMENTS
from .vocabulary import ID_LIMIT, KEYS, KINDS

ABOUT = (
    "T-line is a dialogue with as few tokens as can be. Each line is one act: a T, a running number, a letter for the "
    "kind (query, answer, command, state, error), and pairs of short keys and values. A line has one objective, one "
    "result and one next step at most, so a longer thought takes several lines. A team may add keys of its own, which "
    "the first state message of a task explains. Blanks and separators in values are percent codes, and cost tokens."
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
DONE_BY_KIND = {
    "Q": "Asks for something.",
    "A": "Answers a query.",
    "C": "Tells the other side to do something.",
    "S": "Says how things stand, and declares keys.",
    "E": "Says what went wrong.",
}
HELD_BY_KEY = {
    "obj": "What the exchange is to achieve. Once in a message.",
    "res": "What came out. Once in a message.",
    "err": "What went wrong.",
    "next": "What shall happen now. Once in a message.",
    "keydef": "A key of the team’s own and what it means, in the first S message.",
    "rollover": "y announces that ids begin at 1 again.",
}
RESERVED = {
    " ": "space", ";": "semicolon", "|": "bar", "=": "equals sign", ":": "colon", "%": "percent sign",
    "\n": "line feed", "\r": "carriage return", "\t": "tab",
}  # fmt: skip

REFERENCE = Reference(
    about=ABOUT,
    source="The description of a pull request that defines the protocol",
    example="T|17|Q|obj=test_scope;ctx=api_auth",
    grammar=GRAMMAR,
    tables=(
        Table(
            "Parts",
            (
                Row("id", "message id", "A running number within the conversation."),
                Row("kind", "kind of message", "One of the five letters below."),
            ),
            heads=("Field", "Name", "Meaning"),
        ),
        tabulate("Kinds", KINDS, DONE_BY_KIND),
        tabulate(
            "Keys",
            KEYS,
            HELD_BY_KEY,
            note="Any other key of lower-case letters, digits and _ is a team’s own.",
        ),
        Table(
            "Reserved characters",
            tuple(
                Row(escape(sign), "", f"{capitalize_first(name)}.")
                for sign, name in RESERVED.items()
            ),
            note="A colon stands for itself inside keydef only.",
        ),
    ),
    examples=EXAMPLES,
    requirements=REQUIREMENTS,
)
