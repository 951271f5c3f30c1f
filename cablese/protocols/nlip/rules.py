"""Define every diagnostic of NLIP."""

from cablese.message import Rule

RULES = {
    rule.code.removeprefix("nlip."): rule
    for rule in (
        Rule("nlip.not-json", "error", "3 ECMA-404", "NLIP-01", "Invalid JSON (ECMA-404)."),
        Rule(
            "nlip.number-out-of-range",
            "error",
            "3 ECMA-404",
            "NLIP-01",
            "A number is not finite, or too large to be stored exactly.",
        ),
        Rule(
            "nlip.too-deep",
            "error",
            "Cablese: common to all",
            "NLIP-01",
            "JSON is nested deeper than the limit of 64 levels.",
        ),
        Rule(
            "nlip.not-an-object",
            "error",
            "5.1 First Submessage",
            "NLIP-01",
            "A message must be a JSON object.",
        ),
        Rule(
            "nlip.repeated-key",
            "error",
            "5.3 Format and Subformat",
            "NLIP-02",
            "Duplicate key. Message keys are case-insensitive.",
        ),
        Rule(
            "nlip.unknown-key",
            "warning",
            "5.1 First Submessage",
            "NLIP-10",
            "Unknown key. Its value is preserved.",
        ),
        Rule(
            "nlip.not-a-string",
            "error",
            "5.1 First Submessage",
            "NLIP-03",
            "MessageType, Format, Subformat, and Label must be strings.",
        ),
        Rule(
            "nlip.null",
            "warning",
            "5.1 First Submessage",
            "NLIP-10",
            "An optional key is null. It was read as absent.",
        ),
        Rule(
            "nlip.control-field",
            "warning",
            "6.3 Requests containing Control field",
            "NLIP-03",
            "Control field of sections 6.3 to 6.5. Section 5.1.1 defines MessageType instead.",
        ),
        Rule(
            "nlip.control-contradiction",
            "error",
            "5.1.1 MessageType field",
            "NLIP-04",
            "MessageType and the control field contradict each other.",
        ),
        Rule("nlip.missing-format", "error", "5.1.2 Format field", "NLIP-05", "Missing Format."),
        Rule(
            "nlip.missing-subformat",
            "error",
            "5.1.3 Subformat field",
            "NLIP-06",
            "Missing Subformat.",
        ),
        Rule(
            "nlip.missing-content",
            "error",
            "5.1.4 Content Field",
            "NLIP-07",
            "Content is missing or null.",
        ),
        Rule("nlip.unknown-format", "error", "5.3 Table 1", "NLIP-05", "Unknown format."),
        Rule(
            "nlip.format-not-in-dialect",
            "error",
            "ECMA-430, Table 1",
            "NLIP-17",
            "The format belongs to a different edition.",
        ),
        Rule(
            "nlip.empty-subformat", "error", "5.1.3 Subformat field", "NLIP-06", "Empty subformat."
        ),
        Rule(
            "nlip.unknown-subformat",
            "error",
            "5.3 Table 1",
            "NLIP-09",
            "Invalid subformat for this format.",
        ),
        Rule(
            "nlip.authorization-token",
            "warning",
            "5.3 Table 1",
            "NLIP-12",
            "The reserved prefix is authentication, not authorization.",
        ),
        Rule(
            "nlip.video",
            "warning",
            "5.3 Table 1",
            "NLIP-15",
            "video is in the examples of Table 1, but not in its list.",
        ),
        Rule(
            "nlip.content-type",
            "error",
            "5.1.4 Content Field",
            "NLIP-07",
            "The content has the wrong type for its format.",
        ),
        Rule(
            "nlip.not-base64",
            "warning",
            "6.4 Requests for redirection",
            "NLIP-15",
            "Binary content must be base64.",
        ),
        Rule(
            "nlip.not-a-uri",
            "error",
            "5.3 Table 1",
            "NLIP-13",
            "Structured content with the subformat uri must be a URI.",
        ),
        Rule(
            "nlip.submessages-not-a-list",
            "error",
            "5.1.5 Submessages Field",
            "NLIP-08",
            "Submessages must be an array of at least one submessage.",
        ),
        Rule(
            "nlip.submessage-not-an-object",
            "error",
            "5.2 Submessage",
            "NLIP-08",
            "A submessage must be a JSON object.",
        ),
        Rule(
            "nlip.nested-submessages",
            "warning",
            "5.2 Submessage",
            "NLIP-08",
            "A submessage must not have submessages.",
        ),
        Rule(
            "nlip.label-on-message",
            "warning",
            "5.1 First Submessage",
            "NLIP-10",
            "Only submessages can have a label.",
        ),
    )
}
"""Every rule by its code, without the protocol's name."""
