"""Define every diagnostic of SLIP v3."""

from cablese.message import Rule

GRAMMAR = "slipcore 3.1.1, wire grammar"
FALLBACK = "slipcore 3.1.1, Fallback variant"
FORCE = "slipcore 3.1.1, Force vocabulary"
PAIRS = "slipcore 3.1.1, semantic reference, section 4"
ANCHORS = "slipcore 3.1.1, semantic reference, anchors"
INVARIANTS = "slipcore 3.1.1, protocol invariants"

BAD_PREFIX = Rule(
    "slip.bad-prefix", "error", GRAMMAR, "SLIP-01", "The message does not start with SLIP."
)
UNSUPPORTED = Rule(
    "slip.unsupported-version", "error", GRAMMAR, "SLIP-01", "The version is not v3."
)
MISSING = Rule(
    "slip.missing-part",
    "error",
    GRAMMAR,
    "SLIP-01",
    "One of the six required parts is missing.",
)
BAD_AGENT = Rule(
    "slip.bad-agent", "error", GRAMMAR, "SLIP-02", "src and dst must be 1 to 20 letters or digits."
)
UNKNOWN_FORCE = Rule("slip.unknown-force", "error", FORCE, "SLIP-03", "Unknown Force.")
JOINED_WORDS = Rule(
    "slip.joined", "error", FORCE, "SLIP-03", "The Force and the Object must be separate words."
)
BAD_OBJECT = Rule(
    "slip.bad-object", "error", GRAMMAR, "SLIP-04", "The Object must be 1 to 30 letters or digits."
)
BAD_PAYLOAD = Rule(
    "slip.bad-payload",
    "error",
    GRAMMAR,
    "SLIP-05",
    "Payload tokens must be 1 to 30 letters or digits.",
)
LONG_PAYLOAD = Rule(
    "slip.too-many-tokens", "error", GRAMMAR, "SLIP-05", "The payload has more than 20 tokens."
)
NO_REF = Rule(
    "slip.fallback-without-ref", "error", FALLBACK, "SLIP-06", "A Fallback must have a ref."
)
BAD_REF = Rule(
    "slip.bad-ref",
    "error",
    FALLBACK,
    "SLIP-06",
    "The ref of a Fallback must be 1 to 16 letters or digits.",
)
SEVERAL_LINES = Rule(
    "slip.several-lines", "error", GRAMMAR, "SLIP-01", "A message must be a single line."
)
BLANK = Rule(
    "slip.blank",
    "warning",
    GRAMMAR,
    "SLIP-01",
    "Parts must be separated by exactly one space.",
)
ODD_FALLBACK = Rule(
    "slip.fallback-object",
    "warning",
    PAIRS,
    "SLIP-06",
    "A Fallback must have the Object Generic.",
)
NO_CONDITION = Rule(
    "slip.missing-condition",
    "warning",
    ANCHORS,
    "SLIP-05",
    "Accept Condition must state the condition in its payload.",
)
ODD_PAIR = Rule(
    "slip.odd-pair", "info", PAIRS, "SLIP-04", "slipcore recommends another Force and Object."
)
LOWER_OBJECT = Rule(
    "slip.lowercase-object",
    "info",
    INVARIANTS,
    "SLIP-04",
    "Objects must start with a capital letter.",
)

RULES = (
    BAD_PREFIX,
    UNSUPPORTED,
    MISSING,
    BAD_AGENT,
    UNKNOWN_FORCE,
    JOINED_WORDS,
    BAD_OBJECT,
    BAD_PAYLOAD,
    LONG_PAYLOAD,
    NO_REF,
    BAD_REF,
    SEVERAL_LINES,
    BLANK,
    ODD_FALLBACK,
    NO_CONDITION,
    ODD_PAIR,
    LOWER_OBJECT,
)
