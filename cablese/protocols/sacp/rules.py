"""Define every diagnostic of SACP, and the error code that an agent answers it with.

"8. Message Validator" asks for an ``ERR`` with a code and a reason; docs/design/protocols.md lists
them. An empty plan is answered with ``REQ_CLARIFY`` instead ("4. Operational Directives", "Error
handling").
"""

from cablese.json.jsontext import FaultKind
from cablese.message import Rule

RULES = {
    rule.code.removeprefix("sacp."): rule
    for rule in (
        Rule("sacp.syntax", "error", "2. Syntax Rules", "SACP-01", "Invalid JSON."),
        Rule(
            "sacp.repeated-key",
            "error",
            "2. Syntax Rules",
            "SACP-01",
            "Duplicate key in an object.",
        ),
        Rule(
            "sacp.too-deep",
            "error",
            "2. Syntax Rules",
            "SACP-01",
            "JSON is nested deeper than the limit of 64 levels.",
        ),
        Rule(
            "sacp.number-range",
            "error",
            "2. Syntax Rules",
            "SACP-04",
            "A number is not finite, or an integer is too large.",
        ),
        Rule(
            "sacp.not-an-object",
            "error",
            "2. Syntax Rules",
            "SACP-01",
            "A message must be a JSON object.",
        ),
        Rule(
            "sacp.unknown-key",
            "error",
            "Design Principles",
            "SACP-01",
            "Unknown key. The schema allows no other keys.",
        ),
        Rule(
            "sacp.missing-field",
            "error",
            "8. Message Validator",
            "SACP-02",
            "Missing required field: g or plan (1.0: five more), or the code of an ERR.",
        ),
        Rule(
            "sacp.bad-goal",
            "error",
            "3. Semantics",
            "SACP-02",
            "The goal g must be non-empty text.",
        ),
        Rule(
            "sacp.bad-context",
            "error",
            "3. Semantics",
            "SACP-01",
            "The context ctx must be an object.",
        ),
        Rule(
            "sacp.bad-plan",
            "error",
            "8. Message Validator",
            "SACP-03",
            "The plan must be an array of steps.",
        ),
        Rule(
            "sacp.empty-plan",
            "error",
            "4. Operational Directives",
            "SACP-17",
            "The plan has no steps. The answer is REQ_CLARIFY.",
        ),
        Rule(
            "sacp.bad-step",
            "error",
            "8. Message Validator",
            "SACP-09",
            'A step must be [verb, tool, params] or {"parallel":[…]}; in 1.0, an object.',
        ),
        Rule(
            "sacp.bad-params",
            "error",
            "8. Message Validator",
            "SACP-04",
            "The params of a step must be an object.",
        ),
        Rule("sacp.null-param", "warning", "8. Message Validator", "SACP-04", "A param is null."),
        Rule(
            "sacp.missing-join",
            "warning",
            "2. Syntax Rules",
            "SACP-11",
            "A parallel must be followed by a join.",
        ),
        Rule(
            "sacp.join-without-parallel",
            "warning",
            "2. Syntax Rules",
            "SACP-11",
            "A join must follow a parallel.",
        ),
        Rule(
            "sacp.bad-out-fmt",
            "error",
            "1. Lexical Components",
            "SACP-06",
            "Unknown out_fmt. Expected human, raw, or summary.",
        ),
        Rule("sacp.bad-state", "error", "1. Lexical Components", "SACP-07", "Unknown state."),
        Rule(
            "sacp.bad-lifecycle",
            "error",
            "8. Message Validator",
            "SACP-05",
            "msg_id, reply_to, and proto_ver must be text.",
        ),
        Rule(
            "sacp.bad-subtask",
            "error",
            "5. Extensibility",
            "SACP-14",
            "A subtask must be a SACP message.",
        ),
        Rule(
            "sacp.bad-test-mode",
            "error",
            "5. Extensibility",
            "SACP-15",
            "test_mode must be true or false.",
        ),
        Rule(
            "sacp.test-modes-differ",
            "warning",
            "5. Extensibility",
            "SACP-15",
            "The message and its ctx have different values of test_mode.",
        ),
        Rule(
            "sacp.version",
            "info",
            "5. Extensibility",
            "SACP-13",
            "The message states a different version from the one it was read as.",
        ),
        Rule(
            "sacp.unknown-status",
            "error",
            "8. Message Validator",
            "SACP-08",
            "Unknown status. Expected VALID, ERR, or REQ_CLARIFY.",
        ),
        Rule(
            "sacp.bad-reply",
            "error",
            "8. Message Validator",
            "SACP-08",
            "The fields of a reply must be text.",
        ),
        Rule(
            "sacp.unknown-error-code",
            "warning",
            "8. Message Validator",
            "SACP-08",
            "Unknown error code.",
        ),
        Rule(
            "sacp.missing-details",
            "warning",
            "8. Message Validator",
            "SACP-08",
            "An ERR or REQ_CLARIFY should give a reason.",
        ),
        Rule(
            "sacp.unnamed-step",
            "info",
            "8. Message Validator",
            "SACP-09",
            "An ERR about the plan should name the step.",
        ),
        Rule(
            "sacp.bad-version",
            "error",
            "1.0: 4.2, 12",
            "SACP-34",
            "The proto_ver of SACP 1.0 must be 1.0.0.",
        ),
        Rule(
            "sacp.bad-name",
            "error",
            "1.0: 4.2",
            "SACP-34",
            "Message and agent names must be 1 to 128 letters, digits, or . _ : -.",
        ),
        Rule(
            "sacp.bad-time",
            "error",
            "1.0: 4.2",
            "SACP-34",
            "ts must be an RFC 3339 date and time that ends with Z.",
        ),
        Rule(
            "sacp.bad-policy",
            "error",
            "1.0: 6.2",
            "SACP-35",
            "Invalid timeout_ms, retry, on_error, fallback_step, or output_key of a step.",
        ),
        Rule("sacp.repeated-step", "error", "1.0: 6.1", "SACP-36", "Duplicate step ID."),
        Rule(
            "sacp.unknown-step",
            "error",
            "1.0: 6.2",
            "SACP-36",
            "A step depends on, or falls back to, an unknown step.",
        ),
        Rule(
            "sacp.cycle", "error", "1.0: 6.3", "SACP-36", "Steps depend on each other in a cycle."
        ),
        Rule(
            "sacp.later-step",
            "warning",
            "1.0: 6.1",
            "SACP-36",
            "A step depends on a later step in the plan.",
        ),
        Rule(
            "sacp.missing-outcome",
            "error",
            "1.0: 5.3",
            "SACP-37",
            "DONE must have a result, and FAILED an error.",
        ),
        Rule(
            "sacp.two-outcomes",
            "error",
            "1.0: 4.3",
            "SACP-37",
            "A message must not have both a result and an error.",
        ),
        Rule("sacp.bad-result", "error", "1.0: 7.1", "SACP-38", "Invalid result format."),
        Rule("sacp.bad-error", "error", "1.0: 7.2", "SACP-38", "Invalid error format."),
        Rule(
            "sacp.absent-step",
            "warning",
            "1.0: 7",
            "SACP-38",
            "A result or an error names an unknown step.",
        ),
        Rule("sacp.bad-trace", "error", "1.0: 11", "SACP-39", "Invalid trace format."),
        Rule(
            "sacp.bad-extension",
            "error",
            "1.0: 4.2",
            "SACP-39",
            "The keys of ext must have a namespace: org.name.",
        ),
    )
}
"""Every rule by its code, without the protocol's name."""
OF_FAULT: dict[FaultKind, Rule] = {
    "syntax": RULES["syntax"],
    "repeated-key": RULES["repeated-key"],
    "too-deep": RULES["too-deep"],
    "not-finite": RULES["number-range"],
    "integer-range": RULES["number-range"],
}
"""Other faults are common to all protocols: too many fields, and text that cannot be stored."""

EMPTY_PLAN = "sacp.empty-plan"
NOT_JSON = {
    "sacp.syntax",
    "sacp.repeated-key",
    "sacp.too-deep",
    "sacp.number-range",
    "sacp.not-an-object",
}
"""These are answered first: the text is not a valid JSON object, so its fields may be misread."""

ERROR_CODES = (
    "MALFORMED_MESSAGE",
    "MISSING_FIELD",
    "MALFORMED_PLAN",
    "BAD_PARAM",
    "BAD_LIFECYCLE",
    "UNKNOWN_VERB",
    "UNKNOWN_TOOL",
    "VERB_TOOL_MISMATCH",
)
STEP_CODES = ("MALFORMED_PLAN", "BAD_PARAM", "UNKNOWN_VERB", "UNKNOWN_TOOL", "VERB_TOOL_MISMATCH")
ANSWERED_WITH = {
    "sacp.missing-field": "MISSING_FIELD",
    "sacp.bad-plan": "MALFORMED_PLAN",
    "sacp.bad-step": "MALFORMED_PLAN",
    "sacp.bad-params": "BAD_PARAM",
    "sacp.bad-state": "BAD_LIFECYCLE",
    "sacp.bad-lifecycle": "BAD_LIFECYCLE",
    "sacp.bad-version": "BAD_LIFECYCLE",
    "sacp.bad-name": "BAD_LIFECYCLE",
    "sacp.bad-time": "BAD_LIFECYCLE",
    "sacp.bad-policy": "MALFORMED_PLAN",
    "sacp.repeated-step": "MALFORMED_PLAN",
    "sacp.unknown-step": "MALFORMED_PLAN",
    "sacp.cycle": "MALFORMED_PLAN",
    "sacp.missing-outcome": "MISSING_FIELD",
}
"""Every other error is a MALFORMED_MESSAGE."""
