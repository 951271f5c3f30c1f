"""What the careful reading of NLIP reports."""

from cablese.message import Rule

NOT_JSON = Rule(
    "nlip.not-json",
    "error",
    "3 ECMA-404",
    "NLIP-01",
    "The text is not JSON as ECMA-404 defines it.",
)
NUMBER = Rule(
    "nlip.number-out-of-range",
    "error",
    "3 ECMA-404",
    "NLIP-01",
    "A number is not finite, or too large to be kept exactly.",
)
TOO_DEEP = Rule(
    "nlip.too-deep",
    "error",
    "Cablese: common to all",
    "NLIP-01",
    "JSON is nested more than 64 levels deep.",
)
NOT_OBJECT = Rule(
    "nlip.not-an-object",
    "error",
    "5.1 First Submessage",
    "NLIP-01",
    "A message is one JSON object.",
)
REPEATED_KEY = Rule(
    "nlip.repeated-key", "error", "5.3 Format and Subformat", "NLIP-02",
    "A key stands twice; keys of a message that differ only in case are the same key.",
)  # fmt: skip
UNKNOWN_KEY = Rule(
    "nlip.unknown-key",
    "warning",
    "5.1 First Submessage",
    "NLIP-10",
    "NLIP does not define the key; it is kept.",
)
NOT_TEXT = Rule(
    "nlip.not-a-string", "error", "5.1 First Submessage", "NLIP-03",
    "MessageType, Format, Subformat and Label are JSON strings.",
)  # fmt: skip
NULL = Rule(
    "nlip.null", "warning", "5.1 First Submessage", "NLIP-10",
    "An optional key is null, as a library writes it; it is read as absent.",
)  # fmt: skip
CONTROL_FIELD = Rule(
    "nlip.control-field", "warning", "6.3 Requests containing Control field", "NLIP-03",
    "A control field as sections 6.3 to 6.5 speak of it; section 5.1.1 defines MessageType instead.",
)  # fmt: skip
CONTRADICTION = Rule(
    "nlip.control-contradiction", "error", "5.1.1 MessageType field", "NLIP-04",
    "MessageType and a control field say different things.",
)  # fmt: skip
MISSING_FORMAT = Rule(
    "nlip.missing-format", "error", "5.1.2 Format field", "NLIP-05", "Format is required."
)
MISSING_SUBFORMAT = Rule(
    "nlip.missing-subformat", "error", "5.1.3 Subformat field", "NLIP-06", "Subformat is required."
)
MISSING_CONTENT = Rule(
    "nlip.missing-content",
    "error",
    "5.1.4 Content Field",
    "NLIP-07",
    "Content is required and not null.",
)
UNKNOWN_FORMAT = Rule(
    "nlip.unknown-format",
    "error",
    "5.3 Table 1",
    "NLIP-05",
    "The format is not one of those in Table 1.",
)
NOT_IN_DIALECT = Rule(
    "nlip.format-not-in-dialect", "error", "ECMA-430, Table 1", "NLIP-17",
    "The format is in another edition than the one that was chosen.",
)  # fmt: skip
EMPTY_SUBFORMAT = Rule(
    "nlip.empty-subformat", "error", "5.1.3 Subformat field", "NLIP-06", "The subformat is empty."
)
SUBFORMAT = Rule(
    "nlip.unknown-subformat",
    "error",
    "5.3 Table 1",
    "NLIP-09",
    "The format does not have this subformat.",
)
AUTHORIZATION = Rule(
    "nlip.authorization-token", "warning", "5.3 Table 1", "NLIP-12",
    "The reserved prefix is authentication; a library writes authorization.",
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
    "The content is not what its format asks for.",
)
NOT_BASE64 = Rule(
    "nlip.not-base64",
    "warning",
    "6.4 Requests for redirection",
    "NLIP-15",
    "Binary content is base64.",
)
NOT_URI = Rule(
    "nlip.not-a-uri",
    "error",
    "5.3 Table 1",
    "NLIP-13",
    "Structured content with the subformat uri is a URI.",
)
SUBMESSAGES = Rule(
    "nlip.submessages-not-a-list", "error", "5.1.5 Submessages Field", "NLIP-08",
    "Submessages is an array of one or more submessages.",
)  # fmt: skip
SUBMESSAGE = Rule(
    "nlip.submessage-not-an-object",
    "error",
    "5.2 Submessage",
    "NLIP-08",
    "A submessage is a JSON object.",
)
NESTED = Rule(
    "nlip.nested-submessages",
    "warning",
    "5.2 Submessage",
    "NLIP-08",
    "A submessage has no submessages of its own.",
)
TOP_LABEL = Rule(
    "nlip.label-on-message",
    "warning",
    "5.1 First Submessage",
    "NLIP-10",
    "Only submessages have a label.",
)

RULES = (
    NOT_JSON, NUMBER, TOO_DEEP, NOT_OBJECT, REPEATED_KEY, UNKNOWN_KEY, NOT_TEXT, NULL, CONTROL_FIELD, CONTRADICTION,
    MISSING_FORMAT, MISSING_SUBFORMAT, MISSING_CONTENT, UNKNOWN_FORMAT, NOT_IN_DIALECT, EMPTY_SUBFORMAT, SUBFORMAT,
    AUTHORIZATION, VIDEO, CONTENT, NOT_BASE64, NOT_URI, SUBMESSAGES, SUBMESSAGE, NESTED, TOP_LABEL,
)  # fmt: skip
