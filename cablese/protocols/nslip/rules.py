"""Define every diagnostic of nSLIP, with its section of the source."""

from cablese.message import Rule, by_code

RULES = by_code(
    Rule("nslip.unknown-act", "error", "Speech Acts", "NSLIP-13", "Unknown act."),
    Rule("nslip.unknown-frame", "error", "Frame Types", "NSLIP-13", "Unknown frame."),
    Rule(
        "nslip.missing-bar",
        "error",
        "Message Structure",
        "NSLIP-14",
        "Missing | between the frame and the slots.",
    ),
    Rule(
        "nslip.extra-bar",
        "error",
        "Message Structure",
        "NSLIP-14",
        "A message must contain only one |.",
    ),
    Rule(
        "nslip.missing-slash",
        "error",
        "Message Structure",
        "NSLIP-14",
        "Missing / between the act and the frame.",
    ),
    Rule(
        "nslip.several-lines",
        "error",
        "Message Structure",
        "NSLIP-14",
        "A message must be a single line.",
    ),
    Rule(
        "nslip.slot-without-equals",
        "error",
        "Message Structure",
        "NSLIP-14",
        "Missing = in a slot.",
    ),
    Rule("nslip.slot-without-name", "error", "Message Structure", "NSLIP-14", "Missing slot name."),
    Rule(
        "nslip.not-an-integer",
        "error",
        "Standard Slots",
        "NSLIP-09",
        "The value of an integer slot is not an integer.",
    ),
    Rule(
        "nslip.out-of-range",
        "error",
        "Standard Slots",
        "NSLIP-07",
        "The value of an integer slot is out of range.",
    ),
    Rule(
        "nslip.leading-zero",
        "warning",
        "Standard Slots",
        "NSLIP-09",
        "Integers must not have leading zeros.",
    ),
    Rule(
        "nslip.unknown-slot",
        "warning",
        "Standard Slots",
        "NSLIP-13",
        "Unknown slot.",
    ),
    Rule(
        "nslip.repeated-slot",
        "warning",
        "Standard Slots",
        "NSLIP-06",
        "Duplicate slot. The last value is used.",
    ),
    Rule(
        "nslip.blank", "warning", "Message Structure", "NSLIP-01", "Unexpected space between slots."
    ),
    Rule("nslip.empty-text", "warning", "Standard Slots", "NSLIP-11", "Empty tag or reason."),
    Rule(
        "nslip.reject-without-reason",
        "warning",
        "Standard Slots",
        "NSLIP-12",
        "A reject should give a reason.",
    ),
    Rule(
        "nslip.unknown-status",
        "info",
        "Standard Slots",
        "NSLIP-10",
        "Unknown status.",
    ),
)
