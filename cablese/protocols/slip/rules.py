"""Define every diagnostic of SLIP v3."""

from cablese.message import Rule, by_code

GRAMMAR = "slipcore 3.1.1, wire grammar"
FALLBACK = "slipcore 3.1.1, Fallback variant"
FORCE = "slipcore 3.1.1, Force vocabulary"
PAIRS = "slipcore 3.1.1, semantic reference, section 4"

RULES = by_code(
    Rule("slip.bad-prefix", "error", GRAMMAR, "SLIP-01", "The message does not start with SLIP."),
    Rule("slip.unsupported-version", "error", GRAMMAR, "SLIP-01", "The version is not v3."),
    Rule(
        "slip.missing-part",
        "error",
        GRAMMAR,
        "SLIP-01",
        "One of the six required parts is missing.",
    ),
    Rule(
        "slip.bad-agent",
        "error",
        GRAMMAR,
        "SLIP-02",
        "src and dst must be 1 to 20 letters or digits.",
    ),
    Rule("slip.unknown-force", "error", FORCE, "SLIP-03", "Unknown Force."),
    Rule(
        "slip.joined", "error", FORCE, "SLIP-03", "The Force and the Object must be separate words."
    ),
    Rule(
        "slip.bad-object",
        "error",
        GRAMMAR,
        "SLIP-04",
        "The Object must be 1 to 30 letters or digits.",
    ),
    Rule(
        "slip.bad-payload",
        "error",
        GRAMMAR,
        "SLIP-05",
        "Payload tokens must be 1 to 30 letters or digits.",
    ),
    Rule(
        "slip.too-many-tokens", "error", GRAMMAR, "SLIP-05", "The payload has more than 20 tokens."
    ),
    Rule("slip.fallback-without-ref", "error", FALLBACK, "SLIP-06", "A Fallback must have a ref."),
    Rule(
        "slip.bad-ref",
        "error",
        FALLBACK,
        "SLIP-06",
        "The ref of a Fallback must be 1 to 16 letters or digits.",
    ),
    Rule("slip.several-lines", "error", GRAMMAR, "SLIP-01", "A message must be a single line."),
    Rule(
        "slip.blank",
        "warning",
        GRAMMAR,
        "SLIP-01",
        "Parts must be separated by exactly one space.",
    ),
    Rule(
        "slip.fallback-object",
        "warning",
        PAIRS,
        "SLIP-06",
        "A Fallback must have the Object Generic.",
    ),
    Rule(
        "slip.missing-condition",
        "warning",
        "slipcore 3.1.1, semantic reference, anchors",
        "SLIP-05",
        "Accept Condition must state the condition in its payload.",
    ),
    Rule(
        "slip.odd-pair", "info", PAIRS, "SLIP-04", "slipcore recommends another Force and Object."
    ),
    Rule(
        "slip.lowercase-object",
        "info",
        "slipcore 3.1.1, protocol invariants",
        "SLIP-04",
        "Objects must start with a capital letter.",
    ),
)
