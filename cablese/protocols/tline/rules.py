"""Everything that the T-line codec reports."""

from cablese.message import Rule

FRAME = "Protocol frame + semantics"
PAYLOAD = "Payload contract"
ENCODING = "Deterministic encoding + fallback behavior"

MISSING_T = Rule(
    "tline.missing-t", "error", FRAME, "TLINE-01", "The message does not begin with T and |."
)
MISSING_PART = Rule(
    "tline.missing-part", "error", FRAME, "TLINE-07", "Fewer than four parts with | between them."
)
EXTRA_BAR = Rule(
    "tline.extra-bar", "error", FRAME, "TLINE-07", "More than four parts with | between them."
)
NOT_INTEGER = Rule(
    "tline.id-not-an-integer", "error", FRAME, "TLINE-02", "The id is not an integer."
)
OUT_OF_RANGE = Rule(
    "tline.id-out-of-range", "error", FRAME, "TLINE-02", "The id is not 1 to 2147483647."
)
LEADING_ZERO = Rule(
    "tline.leading-zero", "warning", FRAME, "TLINE-02", "The id is written with leading zeros."
)
UNKNOWN_KIND = Rule(
    "tline.unknown-kind", "error", FRAME, "TLINE-03", "The kind is not Q, A, C, S or E."
)
SEVERAL_LINES = Rule("tline.several-lines", "error", FRAME, "TLINE-19", "A message is one line.")
EMPTY_PAYLOAD = Rule(
    "tline.empty-payload", "error", PAYLOAD, "TLINE-10", "The payload holds nothing."
)
EMPTY_PAIR = Rule(
    "tline.empty-pair", "error", PAYLOAD, "TLINE-04", "Nothing stands where a pair was expected."
)
NO_EQUALS = Rule("tline.pair-without-equals", "error", PAYLOAD, "TLINE-04", "A pair has no =.")
BAD_KEY = Rule(
    "tline.bad-key", "error", PAYLOAD, "TLINE-04", "A key is not lower-case letters, digits and _."
)
REPEATED_CORE = Rule(
    "tline.repeated-core-key", "error", FRAME, "TLINE-06", "obj, res or next stands more than once."
)
REPEATED_KEY = Rule(
    "tline.repeated-key", "warning", PAYLOAD, "TLINE-04", "A key stands more than once."
)
EMPTY_VALUE = Rule("tline.empty-value", "warning", PAYLOAD, "TLINE-04", "A value is empty.")
UNDECLARED = Rule(
    "tline.undeclared-key",
    "info",
    PAYLOAD,
    "TLINE-14",
    "A key outside the core that this message does not define.",
)
KEYDEF_FORM = Rule(
    "tline.keydef-form", "warning", PAYLOAD, "TLINE-13", "A keydef is not <key>:<meaning>."
)
KEYDEF_PLACE = Rule(
    "tline.keydef-outside-state", "warning", PAYLOAD, "TLINE-13", "A keydef outside an S message."
)
CORE_KEYDEF = Rule(
    "tline.core-keydef", "warning", PAYLOAD, "TLINE-13", "A keydef defines a core key."
)
UNENCODED = Rule(
    "tline.unencoded",
    "error",
    ENCODING,
    "TLINE-08",
    "A reserved character is not written as a code.",
)
BROKEN_CODE = Rule(
    "tline.broken-code",
    "error",
    ENCODING,
    "TLINE-08",
    "A percent code is not two hex digits or UTF-8.",
)
NEEDLESS_CODE = Rule(
    "tline.needless-code",
    "info",
    ENCODING,
    "TLINE-09",
    "A character that may stand for itself is written as a code.",
)

RULES = (
    MISSING_T, MISSING_PART, EXTRA_BAR, NOT_INTEGER, OUT_OF_RANGE, LEADING_ZERO, UNKNOWN_KIND, SEVERAL_LINES,
    EMPTY_PAYLOAD, EMPTY_PAIR, NO_EQUALS, BAD_KEY, REPEATED_CORE, REPEATED_KEY, EMPTY_VALUE, UNDECLARED, KEYDEF_FORM,
    KEYDEF_PLACE, CORE_KEYDEF, UNENCODED, BROKEN_CODE, NEEDLESS_CODE,
)  # fmt: skip
