"""Everything that can be wrong with a SACP message, each with the error code an agent answers it with.

"8. Message Validator" asks for an ``ERR`` with a code and a reason; PROTOCOLS lists the codes. An empty plan is
answered with ``REQ_CLARIFY`` instead ("4. Operational Directives", "Error handling").
"""

from protocols.jsontext import FaultKind
from protocols.message import Rule

SYNTAX = Rule("sacp.syntax", "error", "2. Syntax Rules", "SACP-01", "The text is not correct JSON.")
REPEATED_KEY = Rule("sacp.repeated-key", "error", "2. Syntax Rules", "SACP-01", "An object holds a key twice.")
TOO_DEEP = Rule("sacp.too-deep", "error", "2. Syntax Rules", "SACP-01", "More than 64 levels are nested.")
NUMBER_RANGE = Rule(
    "sacp.number-range", "error", "2. Syntax Rules", "SACP-04", "A number is not finite, or an integer is too large."
)
NOT_AN_OBJECT = Rule("sacp.not-an-object", "error", "2. Syntax Rules", "SACP-01", "A message is one JSON object.")
UNKNOWN_KEY = Rule(
    "sacp.unknown-key", "error", "Design Principles", "SACP-01", "The schema is strict: no other keys are allowed."
)
MISSING_FIELD = Rule(
    "sacp.missing-field", "error", "8. Message Validator", "SACP-02", "A message needs g and plan; an ERR needs a code."
)
BAD_GOAL = Rule("sacp.bad-goal", "error", "3. Semantics", "SACP-02", "The goal g is text that is not empty.")
BAD_CONTEXT = Rule("sacp.bad-context", "error", "3. Semantics", "SACP-01", "The context ctx is an object.")
BAD_PLAN = Rule("sacp.bad-plan", "error", "8. Message Validator", "SACP-03", "The plan is an array of steps.")
EMPTY_PLAN = Rule(
    "sacp.empty-plan", "error", "4. Operational Directives", "SACP-17", "A plan without steps: REQ_CLARIFY is answered."
)
BAD_STEP = Rule(
    "sacp.bad-step", "error", "8. Message Validator", "SACP-09", 'A step is [verb, tool, params] or {"parallel":[…]}.'
)
BAD_PARAMS = Rule("sacp.bad-params", "error", "8. Message Validator", "SACP-04", "The params of a step are an object.")
NULL_PARAM = Rule("sacp.null-param", "warning", "8. Message Validator", "SACP-04", "A param is null.")
NO_JOIN = Rule("sacp.missing-join", "warning", "2. Syntax Rules", "SACP-11", "No join follows a parallel.")
LONE_JOIN = Rule("sacp.join-without-parallel", "warning", "2. Syntax Rules", "SACP-11", "A join follows no parallel.")
BAD_FORMAT = Rule(
    "sacp.bad-out-fmt", "error", "1. Lexical Components", "SACP-06", "out_fmt is one of human, raw, summary."
)
BAD_STATE = Rule(
    "sacp.bad-state", "error", "1. Lexical Components", "SACP-07", "state is PENDING, IN_PROGRESS, DONE or FAILED."
)
BAD_LIFECYCLE = Rule(
    "sacp.bad-lifecycle", "error", "8. Message Validator", "SACP-05", "msg_id, reply_to and proto_ver are text."
)
BAD_SUBTASK = Rule("sacp.bad-subtask", "error", "5. Extensibility", "SACP-14", "A subtask is a SACP message itself.")
BAD_TEST_MODE = Rule("sacp.bad-test-mode", "error", "5. Extensibility", "SACP-15", "test_mode is true or false.")
TEST_MODES = Rule(
    "sacp.test-modes-differ", "warning", "5. Extensibility", "SACP-15", "The message and its ctx disagree on test_mode."
)
VERSION = Rule("sacp.version", "info", "5. Extensibility", "SACP-13", "The message names another version than 0.1.")
UNKNOWN_STATUS = Rule(
    "sacp.unknown-status", "error", "8. Message Validator", "SACP-08", "A reply is VALID, ERR or REQ_CLARIFY."
)
BAD_REPLY = Rule("sacp.bad-reply", "error", "8. Message Validator", "SACP-08", "The fields of a reply are text.")
UNKNOWN_CODE = Rule(
    "sacp.unknown-error-code", "warning", "8. Message Validator", "SACP-08", "The error code is not one of the eight."
)
NO_DETAILS = Rule(
    "sacp.missing-details", "warning", "8. Message Validator", "SACP-08", "An ERR or REQ_CLARIFY does not say why."
)
NO_STEP = Rule(
    "sacp.unnamed-step", "info", "8. Message Validator", "SACP-09", "An ERR about the plan does not name the step."
)

RULES = (
    SYNTAX, REPEATED_KEY, TOO_DEEP, NUMBER_RANGE, NOT_AN_OBJECT, UNKNOWN_KEY, MISSING_FIELD, BAD_GOAL, BAD_CONTEXT,
    BAD_PLAN, EMPTY_PLAN, BAD_STEP, BAD_PARAMS, NULL_PARAM, NO_JOIN, LONE_JOIN, BAD_FORMAT, BAD_STATE, BAD_LIFECYCLE,
    BAD_SUBTASK, BAD_TEST_MODE, TEST_MODES, VERSION, UNKNOWN_STATUS, BAD_REPLY, UNKNOWN_CODE, NO_DETAILS, NO_STEP,
)  # fmt: skip
OF_FAULT: dict[FaultKind, Rule] = {
    "syntax": SYNTAX, "repeated-key": REPEATED_KEY, "too-deep": TOO_DEEP, "not-finite": NUMBER_RANGE,
    "integer-range": NUMBER_RANGE,
}  # fmt: skip
"""The other faults are common to all protocols: too many fields, and text that cannot be stored."""

NOT_JSON = frozenset(rule.code for rule in (SYNTAX, REPEATED_KEY, TOO_DEEP, NUMBER_RANGE, NOT_AN_OBJECT))
"""What is answered before anything else: the text is no proper JSON object, so its fields may be misread."""

ERROR_CODES = (
    "MALFORMED_MESSAGE", "MISSING_FIELD", "MALFORMED_PLAN", "BAD_PARAM", "BAD_LIFECYCLE", "UNKNOWN_VERB",
    "UNKNOWN_TOOL", "VERB_TOOL_MISMATCH",
)  # fmt: skip
STEP_CODES = ("MALFORMED_PLAN", "BAD_PARAM", "UNKNOWN_VERB", "UNKNOWN_TOOL", "VERB_TOOL_MISMATCH")
ANSWERED_WITH = {
    MISSING_FIELD.code: "MISSING_FIELD", BAD_PLAN.code: "MALFORMED_PLAN", BAD_STEP.code: "MALFORMED_PLAN",
    BAD_PARAMS.code: "BAD_PARAM", BAD_STATE.code: "BAD_LIFECYCLE", BAD_LIFECYCLE.code: "BAD_LIFECYCLE",
}  # fmt: skip
"""Every other error is a MALFORMED_MESSAGE."""
