"""Define every diagnostic of AACP, with its section of draft-mackay-aacp-00."""

from cablese.message import Rule

MISSING_TASK = Rule(
    "aacp.missing-task",
    "error",
    "4.1 Positional Fields",
    "AACP-02",
    "Missing TASK, the first field.",
)
MISSING_DOM = Rule(
    "aacp.missing-dom",
    "error",
    "4.1 Positional Fields",
    "AACP-03",
    "Missing DOM, the second field.",
)
MISSING_RETURN = Rule(
    "aacp.missing-return",
    "error",
    "4.2 Named Fields",
    "AACP-06",
    "Missing or empty return field.",
)
MISSING_VERSION = Rule(
    "aacp.missing-version",
    "error",
    "4.2 Named Fields",
    "AACP-07",
    "Missing aacp field (the version).",
)
EMPTY_SLOT = Rule("aacp.empty-slot", "error", "4 Packet Format", "AACP-05", "Empty field.")
NO_COLON = Rule(
    "aacp.field-without-colon",
    "error",
    "4.2 Named Fields",
    "AACP-04",
    "Missing colon in a named field.",
)
NO_NAME = Rule(
    "aacp.field-without-name",
    "error",
    "4.2 Named Fields",
    "AACP-04",
    "Missing key before the colon.",
)
SEVERAL_LINES = Rule(
    "aacp.several-lines",
    "error",
    "4 Packet Format",
    "AACP-47",
    "Line breaks are only valid after a |.",
)
UNKNOWN_TASK = Rule(
    "aacp.unknown-task",
    "warning",
    "5.1 TASK Values",
    "AACP-13",
    "Unknown TASK.",
)
UNKNOWN_DOM = Rule("aacp.unknown-dom", "warning", "5.2 DOM Values", "AACP-14", "Unknown DOM.")
MISSING_PRIORITY = Rule(
    "aacp.missing-priority", "warning", "7 Validation", "AACP-26", "Missing p field (the priority)."
)
UNKNOWN_PRIORITY = Rule(
    "aacp.unknown-priority",
    "warning",
    "5.3 Priority Values",
    "AACP-08",
    "Unknown priority. Expected 1, 2, or 3.",
)
OTHER_VERSION = Rule(
    "aacp.other-version", "warning", "13 Version Policy", "AACP-27", "Version other than 1.1."
)
NO_TONE = Rule(
    "aacp.sentiment-without-tone",
    "warning",
    "7 Validation",
    "AACP-28",
    "A sentiment field needs a tone field.",
)
NO_CURRENCY = Rule(
    "aacp.ltv-without-ccy", "warning", "7 Validation", "AACP-29", "An ltv field needs a ccy field."
)
UNKNOWN_KEY = Rule(
    "aacp.unknown-key",
    "warning",
    "4.3 Extended Fields",
    "AACP-11",
    "Unknown key.",
)
REPEATED_KEY = Rule(
    "aacp.repeated-key",
    "warning",
    "4.2 Named Fields",
    "AACP-04",
    "Duplicate key. The last value is used.",
)
KEY_CASE = Rule(
    "aacp.key-case", "warning", "4.2 Named Fields", "AACP-04", "Keys must be lowercase."
)
NAMED_POSITION = Rule(
    "aacp.named-position", "warning", "4.1 Positional Fields", "AACP-01",
    "TASK and DOM are positional. The named field is ignored.",
)  # fmt: skip
FIELD_LIST = Rule(
    "aacp.field-list",
    "info",
    "10.3 Findings",
    "AACP-38",
    "A list of more than four fields uses many tokens.",
    costly=True,
)
URI_POINTER = Rule(
    "aacp.uri-pointer",
    "info",
    "10.3 Findings",
    "AACP-38",
    "A URI as data pointer uses many tokens.",
    costly=True,
)
TONE_ALONE = Rule(
    "aacp.tone-needs-content", "info", "9 Compression Boundaries", "AACP-38",
    "A tone or sentiment needs the full English sent with the packet.",
)  # fmt: skip

RULES = (
    MISSING_TASK,
    MISSING_DOM,
    MISSING_RETURN,
    MISSING_VERSION,
    EMPTY_SLOT,
    NO_COLON,
    NO_NAME,
    SEVERAL_LINES,
    UNKNOWN_TASK,
    UNKNOWN_DOM,
    MISSING_PRIORITY,
    UNKNOWN_PRIORITY,
    OTHER_VERSION,
    NO_TONE,
    NO_CURRENCY,
    UNKNOWN_KEY,
    REPEATED_KEY,
    KEY_CASE,
    NAMED_POSITION,
    FIELD_LIST,
    URI_POINTER,
    TONE_ALONE,
)
