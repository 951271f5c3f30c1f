"""Everything that the nSLIP codec reports, with the part of the source that says so."""

from cablese.message import Rule

UNKNOWN_ACT = Rule(
    "nslip.unknown-act", "error", "Speech Acts", "NSLIP-13", "The act is not one of the eight."
)
UNKNOWN_FRAME = Rule(
    "nslip.unknown-frame", "error", "Frame Types", "NSLIP-13", "The frame is not one of the seven."
)
MISSING_BAR = Rule(
    "nslip.missing-bar",
    "error",
    "Message Structure",
    "NSLIP-14",
    "No | stands between the frame and the slots.",
)
EXTRA_BAR = Rule(
    "nslip.extra-bar", "error", "Message Structure", "NSLIP-14", "A second | stands in the message."
)
MISSING_SLASH = Rule(
    "nslip.missing-slash",
    "error",
    "Message Structure",
    "NSLIP-14",
    "No / stands between act and frame.",
)
SEVERAL_LINES = Rule(
    "nslip.several-lines", "error", "Message Structure", "NSLIP-14", "A message is one line."
)
NO_EQUALS = Rule(
    "nslip.slot-without-equals", "error", "Message Structure", "NSLIP-14", "A slot has no =."
)
NO_NAME = Rule(
    "nslip.slot-without-name", "error", "Message Structure", "NSLIP-14", "A slot has no name."
)
NOT_INTEGER = Rule(
    "nslip.not-an-integer",
    "error",
    "Standard Slots",
    "NSLIP-09",
    "An integer slot holds something else.",
)
OUT_OF_RANGE = Rule(
    "nslip.out-of-range",
    "error",
    "Standard Slots",
    "NSLIP-07",
    "An integer lies outside its slot's range.",
)
LEADING_ZERO = Rule(
    "nslip.leading-zero",
    "warning",
    "Standard Slots",
    "NSLIP-09",
    "An integer is written with leading zeros.",
)
UNKNOWN_SLOT = Rule(
    "nslip.unknown-slot",
    "warning",
    "Standard Slots",
    "NSLIP-13",
    "The slot is not one of the eight.",
)
REPEATED_SLOT = Rule(
    "nslip.repeated-slot",
    "warning",
    "Standard Slots",
    "NSLIP-06",
    "A slot stands more than once; the last one counts.",
)
BLANK = Rule(
    "nslip.blank", "warning", "Message Structure", "NSLIP-01", "A blank stands among the slots."
)
EMPTY_TEXT = Rule(
    "nslip.empty-text", "warning", "Standard Slots", "NSLIP-11", "A tag or a reason is empty."
)
NO_REASON = Rule(
    "nslip.reject-without-reason",
    "warning",
    "Standard Slots",
    "NSLIP-12",
    "A reject gives no reason.",
)
UNKNOWN_STATUS = Rule(
    "nslip.unknown-status",
    "info",
    "Standard Slots",
    "NSLIP-10",
    "The status is not one of the usual words.",
)

RULES = (
    UNKNOWN_ACT, UNKNOWN_FRAME, MISSING_BAR, EXTRA_BAR, MISSING_SLASH, SEVERAL_LINES, NO_EQUALS, NO_NAME,
    NOT_INTEGER, OUT_OF_RANGE, LEADING_ZERO, UNKNOWN_SLOT, REPEATED_SLOT, BLANK, EMPTY_TEXT, NO_REASON,
    UNKNOWN_STATUS,
)  # fmt: skip
