"""Define every diagnostic of nSLIP, with its section of the source."""

from cablese.message import Rule

UNKNOWN_ACT = Rule("nslip.unknown-act", "error", "Speech Acts", "NSLIP-13", "Unknown act.")
UNKNOWN_FRAME = Rule("nslip.unknown-frame", "error", "Frame Types", "NSLIP-13", "Unknown frame.")
MISSING_BAR = Rule(
    "nslip.missing-bar",
    "error",
    "Message Structure",
    "NSLIP-14",
    "Missing | between the frame and the slots.",
)
EXTRA_BAR = Rule(
    "nslip.extra-bar",
    "error",
    "Message Structure",
    "NSLIP-14",
    "A message must contain only one |.",
)
MISSING_SLASH = Rule(
    "nslip.missing-slash",
    "error",
    "Message Structure",
    "NSLIP-14",
    "Missing / between the act and the frame.",
)
SEVERAL_LINES = Rule(
    "nslip.several-lines",
    "error",
    "Message Structure",
    "NSLIP-14",
    "A message must be a single line.",
)
NO_EQUALS = Rule(
    "nslip.slot-without-equals", "error", "Message Structure", "NSLIP-14", "Missing = in a slot."
)
NO_NAME = Rule(
    "nslip.slot-without-name", "error", "Message Structure", "NSLIP-14", "Missing slot name."
)
NOT_INTEGER = Rule(
    "nslip.not-an-integer",
    "error",
    "Standard Slots",
    "NSLIP-09",
    "The value of an integer slot is not an integer.",
)
OUT_OF_RANGE = Rule(
    "nslip.out-of-range",
    "error",
    "Standard Slots",
    "NSLIP-07",
    "The value of an integer slot is out of range.",
)
LEADING_ZERO = Rule(
    "nslip.leading-zero",
    "warning",
    "Standard Slots",
    "NSLIP-09",
    "Integers must not have leading zeros.",
)
UNKNOWN_SLOT = Rule(
    "nslip.unknown-slot",
    "warning",
    "Standard Slots",
    "NSLIP-13",
    "Unknown slot.",
)
REPEATED_SLOT = Rule(
    "nslip.repeated-slot",
    "warning",
    "Standard Slots",
    "NSLIP-06",
    "Duplicate slot. The last value is used.",
)
BLANK = Rule(
    "nslip.blank", "warning", "Message Structure", "NSLIP-01", "Unexpected space between slots."
)
EMPTY_TEXT = Rule(
    "nslip.empty-text", "warning", "Standard Slots", "NSLIP-11", "Empty tag or reason."
)
NO_REASON = Rule(
    "nslip.reject-without-reason",
    "warning",
    "Standard Slots",
    "NSLIP-12",
    "A reject should give a reason.",
)
UNKNOWN_STATUS = Rule(
    "nslip.unknown-status",
    "info",
    "Standard Slots",
    "NSLIP-10",
    "Unknown status.",
)

RULES = (
    UNKNOWN_ACT,
    UNKNOWN_FRAME,
    MISSING_BAR,
    EXTRA_BAR,
    MISSING_SLASH,
    SEVERAL_LINES,
    NO_EQUALS,
    NO_NAME,
    NOT_INTEGER,
    OUT_OF_RANGE,
    LEADING_ZERO,
    UNKNOWN_SLOT,
    REPEATED_SLOT,
    BLANK,
    EMPTY_TEXT,
    NO_REASON,
    UNKNOWN_STATUS,
)
