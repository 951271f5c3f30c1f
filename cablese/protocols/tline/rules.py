"""Define every diagnostic of T-line."""

from cablese.message import Rule, by_code

FRAME = "Protocol frame + semantics"
PAYLOAD = "Payload contract"
ENCODING = "Deterministic encoding + fallback behavior"

RULES = by_code(
    Rule("tline.missing-t", "error", FRAME, "TLINE-01", "The message does not start with T|."),
    Rule(
        "tline.missing-part",
        "error",
        FRAME,
        "TLINE-07",
        "The message has fewer than four parts separated by |.",
    ),
    Rule(
        "tline.extra-bar",
        "error",
        FRAME,
        "TLINE-07",
        "The message has more than four parts separated by |.",
    ),
    Rule("tline.id-not-an-integer", "error", FRAME, "TLINE-02", "The ID must be an integer."),
    Rule(
        "tline.id-out-of-range", "error", FRAME, "TLINE-02", "The ID must be from 1 to 2147483647."
    ),
    Rule("tline.leading-zero", "warning", FRAME, "TLINE-02", "The ID must not have leading zeros."),
    Rule("tline.unknown-kind", "error", FRAME, "TLINE-03", "Unknown kind."),
    Rule("tline.several-lines", "error", FRAME, "TLINE-19", "A message must be a single line."),
    Rule("tline.empty-payload", "error", PAYLOAD, "TLINE-10", "Empty payload."),
    Rule("tline.empty-pair", "error", PAYLOAD, "TLINE-04", "Empty pair."),
    Rule("tline.pair-without-equals", "error", PAYLOAD, "TLINE-04", "Missing = in a pair."),
    Rule(
        "tline.bad-key",
        "error",
        PAYLOAD,
        "TLINE-04",
        "Keys must be lowercase letters, digits, and _.",
    ),
    Rule("tline.repeated-core-key", "error", FRAME, "TLINE-06", "Duplicate obj, res, or next."),
    Rule(
        "tline.repeated-key",
        "warning",
        PAYLOAD,
        "TLINE-04",
        "Duplicate key. The last value is used.",
    ),
    Rule("tline.empty-value", "warning", PAYLOAD, "TLINE-04", "Empty value."),
    Rule(
        "tline.undeclared-key",
        "info",
        PAYLOAD,
        "TLINE-14",
        "Custom key: an earlier S message must declare it.",
    ),
    Rule("tline.keydef-form", "warning", PAYLOAD, "TLINE-13", "A keydef must be <key>:<meaning>."),
    Rule(
        "tline.keydef-outside-state",
        "warning",
        PAYLOAD,
        "TLINE-13",
        "A keydef is only valid in an S message.",
    ),
    Rule(
        "tline.core-keydef",
        "warning",
        PAYLOAD,
        "TLINE-13",
        "A keydef must not redefine a core key.",
    ),
    Rule(
        "tline.rollover-outside-state",
        "warning",
        FRAME,
        "TLINE-12",
        "A rollover is only valid in an S message.",
    ),
    Rule(
        "tline.early-rollover",
        "warning",
        FRAME,
        "TLINE-12",
        "IDs restart only after 2147483647.",
    ),
    Rule(
        "tline.unencoded",
        "error",
        ENCODING,
        "TLINE-08",
        "Reserved characters must be percent-encoded.",
    ),
    Rule(
        "tline.broken-code",
        "error",
        ENCODING,
        "TLINE-08",
        "Invalid percent code.",
    ),
    Rule(
        "tline.needless-code",
        "info",
        ENCODING,
        "TLINE-09",
        "Unnecessary percent code.",
    ),
)
