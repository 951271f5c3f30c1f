"""Everything that reading an AACP packet can report, with the section of draft-mackay-aacp-00 that
says so.
"""

from cablese.message import Rule

MISSING_TASK = Rule(
    "aacp.missing-task",
    "error",
    "4.1 Positional Fields",
    "AACP-02",
    "Field 0, the TASK, is missing.",
)
MISSING_DOM = Rule(
    "aacp.missing-dom", "error", "4.1 Positional Fields", "AACP-03", "Field 1, the DOM, is missing."
)
MISSING_RETURN = Rule(
    "aacp.missing-return",
    "error",
    "4.2 Named Fields",
    "AACP-06",
    "The field return: is missing or empty.",
)
MISSING_VERSION = Rule(
    "aacp.missing-version", "error", "4.2 Named Fields", "AACP-07", "The field aacp: is missing."
)
EMPTY_SLOT = Rule(
    "aacp.empty-slot", "error", "4 Packet Format", "AACP-05", "Nothing stands between two |."
)
NO_COLON = Rule(
    "aacp.field-without-colon",
    "error",
    "4.2 Named Fields",
    "AACP-04",
    "A named field has no colon.",
)
NO_NAME = Rule(
    "aacp.field-without-name",
    "error",
    "4.2 Named Fields",
    "AACP-04",
    "A field has no name before its colon.",
)
SEVERAL_LINES = Rule(
    "aacp.several-lines",
    "error",
    "4 Packet Format",
    "AACP-47",
    "A line breaks elsewhere than after a |.",
)
UNKNOWN_TASK = Rule(
    "aacp.unknown-task",
    "warning",
    "5.1 TASK Values",
    "AACP-13",
    "The TASK is not one of the twelve.",
)
UNKNOWN_DOM = Rule(
    "aacp.unknown-dom", "warning", "5.2 DOM Values", "AACP-14", "The DOM is not one of the seven."
)
MISSING_PRIORITY = Rule(
    "aacp.missing-priority", "warning", "7 Validation", "AACP-26", "The field p: is missing."
)
UNKNOWN_PRIORITY = Rule(
    "aacp.unknown-priority", "warning", "5.3 Priority Values", "AACP-08", "p: is not 1, 2 or 3."
)
OTHER_VERSION = Rule(
    "aacp.other-version", "warning", "13 Version Policy", "AACP-27", "The version is not 1.1."
)
NO_TONE = Rule(
    "aacp.sentiment-without-tone",
    "warning",
    "7 Validation",
    "AACP-28",
    "A sentiment: stands without a tone:.",
)
NO_CURRENCY = Rule(
    "aacp.ltv-without-ccy", "warning", "7 Validation", "AACP-29", "An ltv: stands without a ccy:."
)
UNKNOWN_KEY = Rule(
    "aacp.unknown-key",
    "warning",
    "4.3 Extended Fields",
    "AACP-11",
    "The key is not one of those the draft defines.",
)
REPEATED_KEY = Rule(
    "aacp.repeated-key",
    "warning",
    "4.2 Named Fields",
    "AACP-04",
    "A key stands more than once; the last one counts.",
)
KEY_CASE = Rule(
    "aacp.key-case", "warning", "4.2 Named Fields", "AACP-04", "A key is not written in lower case."
)
NAMED_POSITION = Rule(
    "aacp.named-position", "warning", "4.1 Positional Fields", "AACP-01",
    "TASK or DOM is written as a named field, which does not count.",
)  # fmt: skip
FIELD_LIST = Rule(
    "aacp.field-list", "info", "10.3 Findings", "AACP-38", "A list of more than four fields costs many tokens.",
    costly=True,
)  # fmt: skip
URI_POINTER = Rule(
    "aacp.uri-pointer",
    "info",
    "10.3 Findings",
    "AACP-38",
    "A URI as data pointer costs many tokens.",
    costly=True,
)
TONE_ALONE = Rule(
    "aacp.tone-needs-content", "info", "9 Compression Boundaries", "AACP-38",
    "A tone or sentiment says little without the full English beside the packet.",
)  # fmt: skip

RULES = (
    MISSING_TASK, MISSING_DOM, MISSING_RETURN, MISSING_VERSION, EMPTY_SLOT, NO_COLON, NO_NAME, SEVERAL_LINES,
    UNKNOWN_TASK, UNKNOWN_DOM, MISSING_PRIORITY, UNKNOWN_PRIORITY, OTHER_VERSION, NO_TONE, NO_CURRENCY, UNKNOWN_KEY,
    REPEATED_KEY, KEY_CASE, NAMED_POSITION, FIELD_LIST, URI_POINTER, TONE_ALONE,
)  # fmt: skip
