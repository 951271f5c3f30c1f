"""What the careful reading of NLIP reports."""

from cablese.message import Rule

NOT_JSON = Rule(
    "nlip.not-json",
    "error",
    "3 ECMA-404",
    "NLIP-01",
    "Invalid JSON (ECMA-404).",
)
NUMBER = Rule(
    "nlip.number-out-of-range",
    "error",
    "3 ECMA-404",
    "NLIP-01",
    "A number is not finite, or too large to be stored exactly.",
)
TOO_DEEP = Rule(
    "nlip.too-deep",
    "error",
    "Cablese: common to all",
    "NLIP-01",
    "JSON is nested deeper than the limit of 64 levels.",
)
NOT_OBJECT = Rule(
    "nlip.not-an-object",
    "error",
    "5.1 First Submessage",
    "NLIP-01",
    "A message must be a JSON object.",
)
REPEATED_KEY = Rule(
    "nlip.repeated-key", "error", "5.3 Format and Subformat", "NLIP-02",
    "Duplicate key. Message keys are case-insensitive.",
)  # fmt: skip
UNKNOWN_KEY = Rule(
    "nlip.unknown-key",
    "warning",
    "5.1 First Submessage",
    "NLIP-10",
    "Unknown key. Its value is preserved.",
)
NOT_TEXT = Rule(
    "nlip.not-a-string", "error", "5.1 First Submessage", "NLIP-03",
    "MessageType, Format, Subformat, and Label must be strings.",
)  # fmt: skip
NULL = Rule(
    "nlip.null", "warning", "5.1 First Submessage", "NLIP-10",
    "An optional key is null. It was read as absent.",
)  # fmt: skip
CONTROL_FIELD = Rule(
    "nlip.control-field", "warning", "6.3 Requests containing Control field", "NLIP-03",
    "Control field of sections 6.3 to 6.5. Section 5.1.1 defines MessageType instead.",
)  # fmt: skip
CONTRADICTION = Rule(
    "nlip.control-contradiction", "error", "5.1.1 MessageType field", "NLIP-04",
    "MessageType and the control field contradict each other.",
)  # fmt: skip
MISSING_FORMAT = Rule(
    "nlip.missing-format", "error", "5.1.2 Format field", "NLIP-05", "Missing Format."
)
MISSING_SUBFORMAT = Rule(
    "nlip.missing-subformat", "error", "5.1.3 Subformat field", "NLIP-06", "Missing Subformat."
)
MISSING_CONTENT = Rule(
    "nlip.missing-content",
    "error",
    "5.1.4 Content Field",
    "NLIP-07",
    "Content is missing or null.",
)
UNKNOWN_FORMAT = Rule(
    "nlip.unknown-format",
    "error",
    "5.3 Table 1",
    "NLIP-05",
    "Unknown format.",
)
NOT_IN_DIALECT = Rule(
    "nlip.format-not-in-dialect", "error", "ECMA-430, Table 1", "NLIP-17",
    "The format belongs to a different edition.",
)  # fmt: skip
EMPTY_SUBFORMAT = Rule(
    "nlip.empty-subformat", "error", "5.1.3 Subformat field", "NLIP-06", "Empty subformat."
)
SUBFORMAT = Rule(
    "nlip.unknown-subformat",
    "error",
    "5.3 Table 1",
    "NLIP-09",
    "Invalid subformat for this format.",
)
AUTHORIZATION = Rule(
    "nlip.authorization-token", "warning", "5.3 Table 1", "NLIP-12",
    "The reserved prefix is authentication, not authorization.",
)  # fmt: skip
VIDEO = Rule(
    "nlip.video",
    "warning",
    "5.3 Table 1",
    "NLIP-15",
    "video is in the examples of Table 1, but not in its list.",
)
CONTENT = Rule(
    "nlip.content-type",
    "error",
    "5.1.4 Content Field",
    "NLIP-07",
    "The content has the wrong type for its format.",
)
NOT_BASE64 = Rule(
    "nlip.not-base64",
    "warning",
    "6.4 Requests for redirection",
    "NLIP-15",
    "Binary content must be base64.",
)
NOT_URI = Rule(
    "nlip.not-a-uri",
    "error",
    "5.3 Table 1",
    "NLIP-13",
    "Structured content with the subformat uri must be a URI.",
)
SUBMESSAGES = Rule(
    "nlip.submessages-not-a-list", "error", "5.1.5 Submessages Field", "NLIP-08",
    "Submessages must be an array of at least one submessage.",
)  # fmt: skip
SUBMESSAGE = Rule(
    "nlip.submessage-not-an-object",
    "error",
    "5.2 Submessage",
    "NLIP-08",
    "A submessage must be a JSON object.",
)
NESTED = Rule(
    "nlip.nested-submessages",
    "warning",
    "5.2 Submessage",
    "NLIP-08",
    "A submessage must not have submessages.",
)
TOP_LABEL = Rule(
    "nlip.label-on-message",
    "warning",
    "5.1 First Submessage",
    "NLIP-10",
    "Only submessages can have a label.",
)

RULES = (
    NOT_JSON,
    NUMBER,
    TOO_DEEP,
    NOT_OBJECT,
    REPEATED_KEY,
    UNKNOWN_KEY,
    NOT_TEXT,
    NULL,
    CONTROL_FIELD,
    CONTRADICTION,
    MISSING_FORMAT,
    MISSING_SUBFORMAT,
    MISSING_CONTENT,
    UNKNOWN_FORMAT,
    NOT_IN_DIALECT,
    EMPTY_SUBFORMAT,
    SUBFORMAT,
    AUTHORIZATION,
    VIDEO,
    CONTENT,
    NOT_BASE64,
    NOT_URI,
    SUBMESSAGES,
    SUBMESSAGE,
    NESTED,
    TOP_LABEL,
)
