"""Everything that can be wrong with a SACP message, each with the error code an agent answers it
with.

"8. Message Validator" asks for an ``ERR`` with a code and a reason; docs/design/protocols.md names
them. An empty plan is answered with ``REQ_CLARIFY`` instead ("4. Operational Directives", "Error
handling").
"""

from cablese.json.jsontext import FaultKind
from cablese.message import Rule

SYNTAX = Rule("sacp.syntax", "error", "2. Syntax Rules", "SACP-01", "Invalid JSON.")
REPEATED_KEY = Rule(
    "sacp.repeated-key", "error", "2. Syntax Rules", "SACP-01", "Duplicate key in an object."
)
TOO_DEEP = Rule(
    "sacp.too-deep",
    "error",
    "2. Syntax Rules",
    "SACP-01",
    "JSON is nested deeper than the limit of 64 levels.",
)
NUMBER_RANGE = Rule(
    "sacp.number-range",
    "error",
    "2. Syntax Rules",
    "SACP-04",
    "A number is not finite, or an integer is too large.",
)
NOT_AN_OBJECT = Rule(
    "sacp.not-an-object", "error", "2. Syntax Rules", "SACP-01", "A message must be a JSON object."
)
UNKNOWN_KEY = Rule(
    "sacp.unknown-key",
    "error",
    "Design Principles",
    "SACP-01",
    "Unknown key. The schema allows no other keys.",
)
MISSING_FIELD = Rule(
    "sacp.missing-field",
    "error",
    "8. Message Validator",
    "SACP-02",
    "Missing required field: g or plan (1.0: five more), or the code of an ERR.",
)
BAD_GOAL = Rule(
    "sacp.bad-goal", "error", "3. Semantics", "SACP-02", "The goal g must be non-empty text."
)
BAD_CONTEXT = Rule(
    "sacp.bad-context", "error", "3. Semantics", "SACP-01", "The context ctx must be an object."
)
BAD_PLAN = Rule(
    "sacp.bad-plan",
    "error",
    "8. Message Validator",
    "SACP-03",
    "The plan must be an array of steps.",
)
EMPTY_PLAN = Rule(
    "sacp.empty-plan",
    "error",
    "4. Operational Directives",
    "SACP-17",
    "The plan has no steps. The answer is REQ_CLARIFY.",
)
BAD_STEP = Rule(
    "sacp.bad-step",
    "error",
    "8. Message Validator",
    "SACP-09",
    'A step must be [verb, tool, params] or {"parallel":[…]}; in 1.0, an object.',
)
BAD_PARAMS = Rule(
    "sacp.bad-params",
    "error",
    "8. Message Validator",
    "SACP-04",
    "The params of a step must be an object.",
)
NULL_PARAM = Rule(
    "sacp.null-param", "warning", "8. Message Validator", "SACP-04", "A param is null."
)
NO_JOIN = Rule(
    "sacp.missing-join",
    "warning",
    "2. Syntax Rules",
    "SACP-11",
    "A parallel must be followed by a join.",
)
LONE_JOIN = Rule(
    "sacp.join-without-parallel",
    "warning",
    "2. Syntax Rules",
    "SACP-11",
    "A join must follow a parallel.",
)
BAD_FORMAT = Rule(
    "sacp.bad-out-fmt",
    "error",
    "1. Lexical Components",
    "SACP-06",
    "Unknown out_fmt. Expected human, raw, or summary.",
)
BAD_STATE = Rule(
    "sacp.bad-state",
    "error",
    "1. Lexical Components",
    "SACP-07",
    "Unknown state.",
)
BAD_LIFECYCLE = Rule(
    "sacp.bad-lifecycle",
    "error",
    "8. Message Validator",
    "SACP-05",
    "msg_id, reply_to, and proto_ver must be text.",
)
BAD_SUBTASK = Rule(
    "sacp.bad-subtask",
    "error",
    "5. Extensibility",
    "SACP-14",
    "A subtask must be a SACP message.",
)
BAD_TEST_MODE = Rule(
    "sacp.bad-test-mode", "error", "5. Extensibility", "SACP-15", "test_mode must be true or false."
)
TEST_MODES = Rule(
    "sacp.test-modes-differ",
    "warning",
    "5. Extensibility",
    "SACP-15",
    "The message and its ctx have different values of test_mode.",
)
VERSION = Rule(
    "sacp.version",
    "info",
    "5. Extensibility",
    "SACP-13",
    "The message states a different version from the one it was read as.",
)
UNKNOWN_STATUS = Rule(
    "sacp.unknown-status",
    "error",
    "8. Message Validator",
    "SACP-08",
    "Unknown status. Expected VALID, ERR, or REQ_CLARIFY.",
)
BAD_REPLY = Rule(
    "sacp.bad-reply",
    "error",
    "8. Message Validator",
    "SACP-08",
    "The fields of a reply must be text.",
)
UNKNOWN_CODE = Rule(
    "sacp.unknown-error-code",
    "warning",
    "8. Message Validator",
    "SACP-08",
    "Unknown error code.",
)
NO_DETAILS = Rule(
    "sacp.missing-details",
    "warning",
    "8. Message Validator",
    "SACP-08",
    "An ERR or REQ_CLARIFY should give a reason.",
)
NO_STEP = Rule(
    "sacp.unnamed-step",
    "info",
    "8. Message Validator",
    "SACP-09",
    "An ERR about the plan should name the step.",
)

BAD_VERSION = Rule(
    "sacp.bad-version",
    "error",
    "1.0: 4.2, 12",
    "SACP-34",
    "The proto_ver of SACP 1.0 must be 1.0.0.",
)
BAD_NAME = Rule(
    "sacp.bad-name", "error", "1.0: 4.2", "SACP-34",
    "Message and agent names must be 1 to 128 letters, digits, or . _ : -.",
)  # fmt: skip
BAD_TIME = Rule(
    "sacp.bad-time",
    "error",
    "1.0: 4.2",
    "SACP-34",
    "ts must be an RFC 3339 date and time that ends with Z.",
)
BAD_POLICY = Rule(
    "sacp.bad-policy", "error", "1.0: 6.2", "SACP-35",
    "Invalid timeout_ms, retry, on_error, fallback_step, or output_key of a step.",
)  # fmt: skip
REPEATED_STEP = Rule("sacp.repeated-step", "error", "1.0: 6.1", "SACP-36", "Duplicate step ID.")
UNKNOWN_STEP = Rule(
    "sacp.unknown-step",
    "error",
    "1.0: 6.2",
    "SACP-36",
    "A step depends on, or falls back to, an unknown step.",
)
CYCLE = Rule("sacp.cycle", "error", "1.0: 6.3", "SACP-36", "Steps depend on each other in a cycle.")
LATER_STEP = Rule(
    "sacp.later-step",
    "warning",
    "1.0: 6.1",
    "SACP-36",
    "A step depends on a later step in the plan.",
)
NO_OUTCOME = Rule(
    "sacp.missing-outcome",
    "error",
    "1.0: 5.3",
    "SACP-37",
    "DONE must have a result, and FAILED an error.",
)
TWO_OUTCOMES = Rule(
    "sacp.two-outcomes",
    "error",
    "1.0: 4.3",
    "SACP-37",
    "A message must not have both a result and an error.",
)
BAD_RESULT = Rule(
    "sacp.bad-result",
    "error",
    "1.0: 7.1",
    "SACP-38",
    "Invalid result format.",
)
BAD_ERROR = Rule(
    "sacp.bad-error",
    "error",
    "1.0: 7.2",
    "SACP-38",
    "Invalid error format.",
)
ABSENT_STEP = Rule(
    "sacp.absent-step",
    "warning",
    "1.0: 7",
    "SACP-38",
    "A result or an error names an unknown step.",
)
BAD_TRACE = Rule("sacp.bad-trace", "error", "1.0: 11", "SACP-39", "Invalid trace format.")
BAD_EXTENSION = Rule(
    "sacp.bad-extension",
    "error",
    "1.0: 4.2",
    "SACP-39",
    "The keys of ext must have a namespace: org.name.",
)

RULES = (
    SYNTAX,
    REPEATED_KEY,
    TOO_DEEP,
    NUMBER_RANGE,
    NOT_AN_OBJECT,
    UNKNOWN_KEY,
    MISSING_FIELD,
    BAD_GOAL,
    BAD_CONTEXT,
    BAD_PLAN,
    EMPTY_PLAN,
    BAD_STEP,
    BAD_PARAMS,
    NULL_PARAM,
    NO_JOIN,
    LONE_JOIN,
    BAD_FORMAT,
    BAD_STATE,
    BAD_LIFECYCLE,
    BAD_SUBTASK,
    BAD_TEST_MODE,
    TEST_MODES,
    VERSION,
    UNKNOWN_STATUS,
    BAD_REPLY,
    UNKNOWN_CODE,
    NO_DETAILS,
    NO_STEP,
    BAD_VERSION,
    BAD_NAME,
    BAD_TIME,
    BAD_POLICY,
    REPEATED_STEP,
    UNKNOWN_STEP,
    CYCLE,
    LATER_STEP,
    NO_OUTCOME,
    TWO_OUTCOMES,
    BAD_RESULT,
    BAD_ERROR,
    ABSENT_STEP,
    BAD_TRACE,
    BAD_EXTENSION,
)
OF_FAULT: dict[FaultKind, Rule] = {
    "syntax": SYNTAX,
    "repeated-key": REPEATED_KEY,
    "too-deep": TOO_DEEP,
    "not-finite": NUMBER_RANGE,
    "integer-range": NUMBER_RANGE,
}
"""The other faults are common to all protocols: too many fields, and text that cannot be stored."""

NOT_JSON = frozenset(
    rule.code for rule in (SYNTAX, REPEATED_KEY, TOO_DEEP, NUMBER_RANGE, NOT_AN_OBJECT)
)
"""What is answered before anything else: the text is no proper JSON object, so its fields may be
misread.
"""

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
    MISSING_FIELD.code: "MISSING_FIELD",
    BAD_PLAN.code: "MALFORMED_PLAN",
    BAD_STEP.code: "MALFORMED_PLAN",
    BAD_PARAMS.code: "BAD_PARAM",
    BAD_STATE.code: "BAD_LIFECYCLE",
    BAD_LIFECYCLE.code: "BAD_LIFECYCLE",
    BAD_VERSION.code: "BAD_LIFECYCLE",
    BAD_NAME.code: "BAD_LIFECYCLE",
    BAD_TIME.code: "BAD_LIFECYCLE",
    BAD_POLICY.code: "MALFORMED_PLAN",
    REPEATED_STEP.code: "MALFORMED_PLAN",
    UNKNOWN_STEP.code: "MALFORMED_PLAN",
    CYCLE.code: "MALFORMED_PLAN",
    NO_OUTCOME.code: "MISSING_FIELD",
}
"""Every other error is a MALFORMED_MESSAGE."""
