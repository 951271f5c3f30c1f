"""Everything that the SLIP v3 codec reports."""

from cablese.message import Rule

GRAMMAR = "slipcore 3.1.1, wire grammar"
FALLBACK = "slipcore 3.1.1, Fallback variant"
FORCE = "slipcore 3.1.1, Force vocabulary"
PAIRS = "slipcore 3.1.1, semantic reference, section 4"
ANCHORS = "slipcore 3.1.1, semantic reference, anchors"
INVARIANTS = "slipcore 3.1.1, protocol invariants"

BAD_PREFIX = Rule(
    "slip.bad-prefix", "error", GRAMMAR, "SLIP-01", "The message does not begin with SLIP."
)
UNSUPPORTED = Rule(
    "slip.unsupported-version", "error", GRAMMAR, "SLIP-01", "The version is not v3."
)
MISSING = Rule(
    "slip.missing-part",
    "error",
    GRAMMAR,
    "SLIP-01",
    "One of the six parts that open a message is missing.",
)
BAD_AGENT = Rule(
    "slip.bad-agent", "error", GRAMMAR, "SLIP-02", "src or dst is not 1 to 20 letters or digits."
)
UNKNOWN_FORCE = Rule(
    "slip.unknown-force", "error", FORCE, "SLIP-03", "The Force is not one of the twelve."
)
JOINED_WORDS = Rule(
    "slip.joined", "error", FORCE, "SLIP-03", "Force and Object are written as one word."
)
BAD_OBJECT = Rule(
    "slip.bad-object", "error", GRAMMAR, "SLIP-04", "The Object is not 1 to 30 letters or digits."
)
BAD_PAYLOAD = Rule(
    "slip.bad-payload",
    "error",
    GRAMMAR,
    "SLIP-05",
    "A payload token is not 1 to 30 letters or digits.",
)
LONG_PAYLOAD = Rule(
    "slip.too-many-tokens", "error", GRAMMAR, "SLIP-05", "The payload has more than 20 tokens."
)
NO_REF = Rule("slip.fallback-without-ref", "error", FALLBACK, "SLIP-06", "A Fallback names no ref.")
BAD_REF = Rule(
    "slip.bad-ref",
    "error",
    FALLBACK,
    "SLIP-06",
    "The ref of a Fallback is not 1 to 16 letters or digits.",
)
SEVERAL_LINES = Rule("slip.several-lines", "error", GRAMMAR, "SLIP-01", "A message is one line.")
BLANK = Rule(
    "slip.blank",
    "warning",
    GRAMMAR,
    "SLIP-01",
    "Something other than one space stands between two parts.",
)
ODD_FALLBACK = Rule(
    "slip.fallback-object",
    "warning",
    PAIRS,
    "SLIP-06",
    "A Fallback has an Object other than Generic.",
)
NO_CONDITION = Rule(
    "slip.missing-condition",
    "warning",
    ANCHORS,
    "SLIP-05",
    "Accept Condition has no payload that states the condition.",
)
ODD_PAIR = Rule(
    "slip.odd-pair", "info", PAIRS, "SLIP-04", "The Force and the Object do not fit together."
)
LOWER_OBJECT = Rule(
    "slip.lowercase-object",
    "info",
    INVARIANTS,
    "SLIP-04",
    "The Object begins with a lowercase letter.",
)

RULES = (
    BAD_PREFIX, UNSUPPORTED, MISSING, BAD_AGENT, UNKNOWN_FORCE, JOINED_WORDS, BAD_OBJECT, BAD_PAYLOAD, LONG_PAYLOAD,
    NO_REF, BAD_REF, SEVERAL_LINES, BLANK, ODD_FALLBACK, NO_CONDITION, ODD_PAIR, LOWER_OBJECT,
)  # fmt: skip
