"""Define every diagnostic of T-line."""

from cablese.message import Rule

FRAME = "Protocol frame + semantics"
PAYLOAD = "Payload contract"
ENCODING = "Deterministic encoding + fallback behavior"

MISSING_T = Rule(
    "tline.missing-t", "error", FRAME, "TLINE-01", "The message does not start with T|."
)
MISSING_PART = Rule(
    "tline.missing-part",
    "error",
    FRAME,
    "TLINE-07",
    "The message has fewer than four parts separated by |.",
)
EXTRA_BAR = Rule(
    "tline.extra-bar",
    "error",
    FRAME,
    "TLINE-07",
    "The message has more than four parts separated by |.",
)
NOT_INTEGER = Rule(
    "tline.id-not-an-integer", "error", FRAME, "TLINE-02", "The ID must be an integer."
)
OUT_OF_RANGE = Rule(
    "tline.id-out-of-range", "error", FRAME, "TLINE-02", "The ID must be from 1 to 2147483647."
)
LEADING_ZERO = Rule(
    "tline.leading-zero", "warning", FRAME, "TLINE-02", "The ID must not have leading zeros."
)
UNKNOWN_KIND = Rule("tline.unknown-kind", "error", FRAME, "TLINE-03", "Unknown kind.")
SEVERAL_LINES = Rule(
    "tline.several-lines", "error", FRAME, "TLINE-19", "A message must be a single line."
)
EMPTY_PAYLOAD = Rule("tline.empty-payload", "error", PAYLOAD, "TLINE-10", "Empty payload.")
EMPTY_PAIR = Rule("tline.empty-pair", "error", PAYLOAD, "TLINE-04", "Empty pair.")
NO_EQUALS = Rule("tline.pair-without-equals", "error", PAYLOAD, "TLINE-04", "Missing = in a pair.")
BAD_KEY = Rule(
    "tline.bad-key", "error", PAYLOAD, "TLINE-04", "Keys must be lowercase letters, digits, and _."
)
REPEATED_CORE = Rule(
    "tline.repeated-core-key", "error", FRAME, "TLINE-06", "Duplicate obj, res, or next."
)
REPEATED_KEY = Rule(
    "tline.repeated-key", "warning", PAYLOAD, "TLINE-04", "Duplicate key. The last value is used."
)
EMPTY_VALUE = Rule("tline.empty-value", "warning", PAYLOAD, "TLINE-04", "Empty value.")
UNDECLARED = Rule(
    "tline.undeclared-key",
    "info",
    PAYLOAD,
    "TLINE-14",
    "Undeclared key: not a core key, and not defined in this message.",
)
KEYDEF_FORM = Rule(
    "tline.keydef-form", "warning", PAYLOAD, "TLINE-13", "A keydef must be <key>:<meaning>."
)
KEYDEF_PLACE = Rule(
    "tline.keydef-outside-state",
    "warning",
    PAYLOAD,
    "TLINE-13",
    "A keydef is only valid in an S message.",
)
CORE_KEYDEF = Rule(
    "tline.core-keydef", "warning", PAYLOAD, "TLINE-13", "A keydef must not redefine a core key."
)
UNENCODED = Rule(
    "tline.unencoded",
    "error",
    ENCODING,
    "TLINE-08",
    "Reserved characters must be percent-encoded.",
)
BROKEN_CODE = Rule(
    "tline.broken-code",
    "error",
    ENCODING,
    "TLINE-08",
    "Invalid percent code.",
)
NEEDLESS_CODE = Rule(
    "tline.needless-code",
    "info",
    ENCODING,
    "TLINE-09",
    "Unnecessary percent code.",
)

RULES = (
    MISSING_T,
    MISSING_PART,
    EXTRA_BAR,
    NOT_INTEGER,
    OUT_OF_RANGE,
    LEADING_ZERO,
    UNKNOWN_KIND,
    SEVERAL_LINES,
    EMPTY_PAYLOAD,
    EMPTY_PAIR,
    NO_EQUALS,
    BAD_KEY,
    REPEATED_CORE,
    REPEATED_KEY,
    EMPTY_VALUE,
    UNDECLARED,
    KEYDEF_FORM,
    KEYDEF_PLACE,
    CORE_KEYDEF,
    UNENCODED,
    BROKEN_CODE,
    NEEDLESS_CODE,
)
