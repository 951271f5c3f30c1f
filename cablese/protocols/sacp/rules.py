"""Everything that can be wrong with a SACP message, each with the error code an agent answers it
with.

"8. Message Validator" asks for an ``ERR`` with a code and a reason; PROTOCOLS lists the codes. An
empty plan is answered with ``REQ_CLARIFY`` instead ("4. Operational Directives", "Error handling").
"""

from cablese.json.jsontext import FaultKind
from cablese.message import Rule

SYNTAX = Rule("sacp.syntax", "error", "2. Syntax Rules", "SACP-01", "The text is not correct JSON.")
REPEATED_KEY = Rule(
    "sacp.repeated-key", "error", "2. Syntax Rules", "SACP-01", "An object holds a key twice."
)
TOO_DEEP = Rule(
    "sacp.too-deep", "error", "2. Syntax Rules", "SACP-01", "More than 64 levels are nested."
)
NUMBER_RANGE = Rule(
    "sacp.number-range",
    "error",
    "2. Syntax Rules",
    "SACP-04",
    "A number is not finite, or an integer is too large.",
)
NOT_AN_OBJECT = Rule(
    "sacp.not-an-object", "error", "2. Syntax Rules", "SACP-01", "A message is one JSON object."
)
UNKNOWN_KEY = Rule(
    "sacp.unknown-key",
    "error",
    "Design Principles",
    "SACP-01",
    "The schema is strict: no other keys are allowed.",
)
MISSING_FIELD = Rule(
    "sacp.missing-field",
    "error",
    "8. Message Validator",
    "SACP-02",
    "A message needs g and plan (1.0: five more); an ERR needs a code.",
)
BAD_GOAL = Rule(
    "sacp.bad-goal", "error", "3. Semantics", "SACP-02", "The goal g is text that is not empty."
)
BAD_CONTEXT = Rule(
    "sacp.bad-context", "error", "3. Semantics", "SACP-01", "The context ctx is an object."
)
BAD_PLAN = Rule(
    "sacp.bad-plan", "error", "8. Message Validator", "SACP-03", "The plan is an array of steps."
)
EMPTY_PLAN = Rule(
    "sacp.empty-plan",
    "error",
    "4. Operational Directives",
    "SACP-17",
    "A plan without steps: REQ_CLARIFY is answered.",
)
BAD_STEP = Rule(
    "sacp.bad-step",
    "error",
    "8. Message Validator",
    "SACP-09",
    'A step is [verb, tool, params] or {"parallel":[…]}; in 1.0 an object.',
)
BAD_PARAMS = Rule(
    "sacp.bad-params",
    "error",
    "8. Message Validator",
    "SACP-04",
    "The params of a step are an object.",
)
NULL_PARAM = Rule(
    "sacp.null-param", "warning", "8. Message Validator", "SACP-04", "A param is null."
)
NO_JOIN = Rule(
    "sacp.missing-join", "warning", "2. Syntax Rules", "SACP-11", "No join follows a parallel."
)
LONE_JOIN = Rule(
    "sacp.join-without-parallel",
    "warning",
    "2. Syntax Rules",
    "SACP-11",
    "A join follows no parallel.",
)
BAD_FORMAT = Rule(
    "sacp.bad-out-fmt",
    "error",
    "1. Lexical Components",
    "SACP-06",
    "out_fmt is one of human, raw, summary.",
)
BAD_STATE = Rule(
    "sacp.bad-state",
    "error",
    "1. Lexical Components",
    "SACP-07",
    "state is one of the four of 0.1, or seven of 1.0.",
)
BAD_LIFECYCLE = Rule(
    "sacp.bad-lifecycle",
    "error",
    "8. Message Validator",
    "SACP-05",
    "msg_id, reply_to and proto_ver are text.",
)
BAD_SUBTASK = Rule(
    "sacp.bad-subtask",
    "error",
    "5. Extensibility",
    "SACP-14",
    "A subtask is a SACP message itself.",
)
BAD_TEST_MODE = Rule(
    "sacp.bad-test-mode", "error", "5. Extensibility", "SACP-15", "test_mode is true or false."
)
TEST_MODES = Rule(
    "sacp.test-modes-differ",
    "warning",
    "5. Extensibility",
    "SACP-15",
    "The message and its ctx disagree on test_mode.",
)
VERSION = Rule(
    "sacp.version",
    "info",
    "5. Extensibility",
    "SACP-13",
    "The message names another version than it is read as.",
)
UNKNOWN_STATUS = Rule(
    "sacp.unknown-status",
    "error",
    "8. Message Validator",
    "SACP-08",
    "A reply is VALID, ERR or REQ_CLARIFY.",
)
BAD_REPLY = Rule(
    "sacp.bad-reply", "error", "8. Message Validator", "SACP-08", "The fields of a reply are text."
)
UNKNOWN_CODE = Rule(
    "sacp.unknown-error-code",
    "warning",
    "8. Message Validator",
    "SACP-08",
    "The error code is not one of its version’s.",
)
NO_DETAILS = Rule(
    "sacp.missing-details",
    "warning",
    "8. Message Validator",
    "SACP-08",
    "An ERR or REQ_CLARIFY does not say why.",
)
NO_STEP = Rule(
    "sacp.unnamed-step",
    "info",
    "8. Message Validator",
    "SACP-09",
    "An ERR about the plan does not name the step.",
)

BAD_VERSION = Rule(
    "sacp.bad-version", "error", "1.0: 4.2, 12", "SACP-34", "The proto_ver of SACP 1.0 is 1.0.0."
)
BAD_NAME = Rule(
    "sacp.bad-name", "error", "1.0: 4.2", "SACP-34",
    "Names of messages and agents are 1 to 128 letters, digits and the signs . _ : - alone.",
)  # fmt: skip
BAD_TIME = Rule(
    "sacp.bad-time",
    "error",
    "1.0: 4.2",
    "SACP-34",
    "ts is a date and time of RFC 3339 that ends with Z.",
)
BAD_POLICY = Rule(
    "sacp.bad-policy", "error", "1.0: 6.2", "SACP-35",
    "A step’s timeout_ms, retry, on_error, fallback_step or output_key is wrong.",
)  # fmt: skip
REPEATED_STEP = Rule(
    "sacp.repeated-step", "error", "1.0: 6.1", "SACP-36", "Two steps have the same id."
)
UNKNOWN_STEP = Rule(
    "sacp.unknown-step",
    "error",
    "1.0: 6.2",
    "SACP-36",
    "A step waits for, or falls back on, a step that is not there.",
)
CYCLE = Rule("sacp.cycle", "error", "1.0: 6.3", "SACP-36", "Steps wait for each other in a circle.")
LATER_STEP = Rule(
    "sacp.later-step",
    "warning",
    "1.0: 6.1",
    "SACP-36",
    "A step waits for one that stands behind it in the plan.",
)
NO_OUTCOME = Rule(
    "sacp.missing-outcome",
    "error",
    "1.0: 5.3",
    "SACP-37",
    "DONE comes without a result, or FAILED without an error.",
)
TWO_OUTCOMES = Rule(
    "sacp.two-outcomes", "error", "1.0: 4.3", "SACP-37", "A message holds a result and an error."
)
BAD_RESULT = Rule(
    "sacp.bad-result",
    "error",
    "1.0: 7.1",
    "SACP-38",
    "The result, or a part of it, has not its form.",
)
BAD_ERROR = Rule(
    "sacp.bad-error",
    "error",
    "1.0: 7.2",
    "SACP-38",
    "The error, or a part of it, has not its form.",
)
ABSENT_STEP = Rule(
    "sacp.absent-step",
    "warning",
    "1.0: 7",
    "SACP-38",
    "A result or an error names a step that is not in the plan.",
)
BAD_TRACE = Rule(
    "sacp.bad-trace", "error", "1.0: 11", "SACP-39", "The trace, or a part of it, has not its form."
)
BAD_EXTENSION = Rule(
    "sacp.bad-extension",
    "error",
    "1.0: 4.2",
    "SACP-39",
    "ext is an object whose keys have a name space: org.name.",
)

RULES = (
    SYNTAX, REPEATED_KEY, TOO_DEEP, NUMBER_RANGE, NOT_AN_OBJECT, UNKNOWN_KEY, MISSING_FIELD, BAD_GOAL, BAD_CONTEXT,
    BAD_PLAN, EMPTY_PLAN, BAD_STEP, BAD_PARAMS, NULL_PARAM, NO_JOIN, LONE_JOIN, BAD_FORMAT, BAD_STATE, BAD_LIFECYCLE,
    BAD_SUBTASK, BAD_TEST_MODE, TEST_MODES, VERSION, UNKNOWN_STATUS, BAD_REPLY, UNKNOWN_CODE, NO_DETAILS, NO_STEP,
    BAD_VERSION, BAD_NAME, BAD_TIME, BAD_POLICY, REPEATED_STEP, UNKNOWN_STEP, CYCLE, LATER_STEP, NO_OUTCOME,
    TWO_OUTCOMES, BAD_RESULT, BAD_ERROR, ABSENT_STEP, BAD_TRACE, BAD_EXTENSION,
)  # fmt: skip
OF_FAULT: dict[FaultKind, Rule] = {
    "syntax": SYNTAX, "repeated-key": REPEATED_KEY, "too-deep": TOO_DEEP, "not-finite": NUMBER_RANGE,
    "integer-range": NUMBER_RANGE,
}  # fmt: skip
"""The other faults are common to all protocols: too many fields, and text that cannot be stored."""

NOT_JSON = frozenset(
    rule.code for rule in (SYNTAX, REPEATED_KEY, TOO_DEEP, NUMBER_RANGE, NOT_AN_OBJECT)
)
"""What is answered before anything else: the text is no proper JSON object, so its fields may be
misread.
"""

ERROR_CODES = (
    "MALFORMED_MESSAGE", "MISSING_FIELD", "MALFORMED_PLAN", "BAD_PARAM", "BAD_LIFECYCLE", "UNKNOWN_VERB",
    "UNKNOWN_TOOL", "VERB_TOOL_MISMATCH",
)  # fmt: skip
STEP_CODES = ("MALFORMED_PLAN", "BAD_PARAM", "UNKNOWN_VERB", "UNKNOWN_TOOL", "VERB_TOOL_MISMATCH")
ANSWERED_WITH = {
    MISSING_FIELD.code: "MISSING_FIELD", BAD_PLAN.code: "MALFORMED_PLAN", BAD_STEP.code: "MALFORMED_PLAN",
    BAD_PARAMS.code: "BAD_PARAM", BAD_STATE.code: "BAD_LIFECYCLE", BAD_LIFECYCLE.code: "BAD_LIFECYCLE",
    BAD_VERSION.code: "BAD_LIFECYCLE", BAD_NAME.code: "BAD_LIFECYCLE", BAD_TIME.code: "BAD_LIFECYCLE",
    BAD_POLICY.code: "MALFORMED_PLAN", REPEATED_STEP.code: "MALFORMED_PLAN", UNKNOWN_STEP.code: "MALFORMED_PLAN",
    CYCLE.code: "MALFORMED_PLAN", NO_OUTCOME.code: "MISSING_FIELD",
}  # fmt: skip
"""Every other error is a MALFORMED_MESSAGE."""
