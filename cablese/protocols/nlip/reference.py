"""Define the reference page of NLIP: about, grammar, tables, and differences of its editions."""

from cablese.reference import Difference, Reference, Row, Table, one_of, tabulate

from . import examples, keys, requirements
from .exchange import breaches
from .exchange.statuses import UNREAD
from .formats import (
    AUTHENTICATION,
    AUTHORIZATION,
    CONVERSATION,
    DIALECTS,
    FORMATS,
    KINDS,
    Dialect,
    Format,
)

HELD_BY_FORMAT = {
    "text": "Text in a human language.",
    "token": "Text that only its creator understands.",
    "structured": "Data, an address, a document, or code.",
    "binary": "A file or a signal.",
    "location": "A place.",
    "error": "An error.",
    "generic": "Content that both sides have agreed on.",
}


def _format(name: str, format_: Format) -> Row:
    kinds = [
        KINDS[format_.kind],
        *(f"{KINDS[kind]} for {word}" for word, kind in format_.kinds.items()),
    ]
    return Row(name, format_.takes, f"{HELD_BY_FORMAT[name]} The content is {', '.join(kinds)}.")


def _returned(dialect: Dialect) -> str:
    return (
        "every token, except for authentication"
        if "" in dialect.returned
        else f"tokens whose subformat begins with {dialect.returned[0]}"
    )


REFERENCE = Reference(
    about="NLIP is Ecma’s message format for agents with different owners. A message is a JSON "
    "object with a format, a subformat, and content: text in a language, a token, structured data "
    "or code, a file, a location, an error, or a format that both sides have agreed on. Additional "
    "parts are submessages, each with its own format. Control messages arrange the exchange "
    "itself: where to send large files, and which side must authenticate. Conversation tokens are "
    "returned with every answer.",
    source="Natural Language Interaction Protocol, first draft of the Ecma standard, and ECMA-430",
    example='{"Format":"text","Subformat":"English","Content":"Are there rooms in Paris?",'
    '"Submessages":[{"Format":"token","Subformat":"conversation","Content":"c-17"}]}',
    grammar=f"""\
message     = JSON object with Format, Subformat, Content, and perhaps MessageType and Submessages
submessage  = JSON object with Format, Subformat, Content, and perhaps Label
Submessages = "[" submessage *( "," submessage ) "]"
MessageType = "control" / text              ; anything but control is data
Format      = {one_of(FORMATS)}
Subformat   = text                          ; see the table of formats
Content     = text, number or any JSON value but null, as the format asks for
""",
    tables=(
        tabulate(
            "Keys",
            {key: keys.MESSAGE[key] for key in keys.LABELS if key in keys.MESSAGE},
            {
                "messagetype": (
                    "control for a message about the exchange itself. Without it, the message is "
                    "data."
                ),
                "format": "The kind of content. Required.",
                "subformat": "The language, encoding, or name. Required.",
                "content": "The content. Required.",
                "submessages": "Additional parts, in order. Only valid in the message itself.",
                "label": "A name for a submessage, such as the sender’s role.",
            },
            heads=("Key", "As written", "Meaning"),
            note="Keys are case-insensitive.",
        ),
        Table(
            "An older key",
            (
                Row(
                    keys.CONTROL,
                    "MessageType",
                    "true in sections 6.3 to 6.5. Decoded as control, with a warning.",
                ),
            ),
            ("Key", "Read as", "Meaning"),
        ),
        Table(
            "Reserved tokens",
            tuple(
                Row(prefix, "", meaning)
                for prefix, meaning in {
                    CONVERSATION: (
                        "Links the messages of a conversation, and is returned with every answer."
                    ),
                    AUTHENTICATION: "Proves the sender’s identity when the other side asks.",
                    AUTHORIZATION: (
                        f"Written by a widely used library for {AUTHENTICATION}. Decoded with a "
                        "warning."
                    ),
                }.items()
            ),
            ("Prefix", "", "Meaning"),
        ),
        Table(
            "Formats",
            tuple(_format(name, format_) for name, format_ in FORMATS.items()),
            ("Format", "Subformat", "Meaning"),
        ),
        Table(
            "HTTP status",
            tuple(
                Row(status, "", meaning)
                for status, meaning in {
                    "2xx": (
                        "Fits every valid answer, even an error: NLIP reports errors in the "
                        "message."
                    ),
                    "3xx": "Never fits. NLIP redirects with a control message that contains a URI.",
                    "401, 407": (
                        "Fit an error, or a control message that asks for authentication."
                    ),
                    "4xx, 5xx": "Fit only an error.",
                    ", ".join(map(str, sorted(UNREAD))): (
                        "Fit only an error. It does not have to return the tokens of the request, "
                        "which was not decoded."
                    ),
                }.items()
            ),
            ("Status", "", "How the exchange checker treats it"),
            note=(
                "An answer that is not a valid NLIP message violates NLIP-20, whatever its status."
            ),
        ),
        Table(
            "Middle agent",
            tuple(
                Row(subject, "", meaning)
                for subject, meaning in {
                    f"{CONVERSATION}, {AUTHENTICATION}": (
                        "Are not passed on. The middle agent has its own tokens on each side."
                    ),
                    "other tokens": (
                        "Are passed on, and returned to the caller even if the server drops them."
                    ),
                    "errors": (
                        "Any failure behind the middle agent becomes an error message with the "
                        "caller’s tokens."
                    ),
                    "Via": (
                        "The HTTP header that lists the agents a message has passed through. It "
                        "prevents loops."
                    ),
                }.items()
            ),
            ("Part of a message", "", "What happens to it"),
        ),
    ),
    examples=examples.EXAMPLES,
    requirements=requirements.REQUIREMENTS,
    checked=(breaches.RULES["request-unanswered"], breaches.RULES["status-mismatch"]),
    differences=(
        Difference("Edition", tuple(dialect.title for dialect in DIALECTS.values())),
        Difference("Formats", tuple(", ".join(dialect.formats) for dialect in DIALECTS.values())),
        Difference("What an answer returns", tuple(map(_returned, DIALECTS.values()))),
    ),
)
