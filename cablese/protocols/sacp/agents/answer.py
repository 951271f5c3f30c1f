"""Answer a message as a SACP agent does, before anything is executed ("8. Message Validator").

VALID         there is no error
ERR           with one of the eight codes, and details that name the step, counted from 1; also for
              what is not SACP at all ("7. Specification Usage")
REQ_CLARIFY   the plan has no steps ("4. Operational Directives", "Error handling")

Messages of 1.0 are answered in the same short form, which is our ruling: 1.0 has none. A plan
without steps is an ERR.
"""

from typing import Any

from cablese.message import Diagnostic, Message
from cablese.protocols.sacp.rules import ANSWERED_WITH, EMPTY_PLAN, NOT_JSON
from cablese.protocols.sacp.schema import V10


def answer(message: Message) -> dict[str, Any]:
    """Return the reply to ``message``, as the values of a reply."""
    if message.protocol != "sacp":
        return {
            "status": "ERR",
            "code": "MALFORMED_MESSAGE",
            "details": "The text is not a SACP message.",
        }
    first = min(
        (diagnostic for diagnostic in message.diagnostics if diagnostic.severity == "error"),
        key=_rank,
        default=None,
    )
    if first is None:
        return {"status": "VALID"}
    if first.code != EMPTY_PLAN:
        return {
            "status": "ERR",
            "code": ANSWERED_WITH.get(first.code, "MALFORMED_MESSAGE"),
            "details": first.message,
        }
    if message.dialect == V10:
        return {"status": "ERR", "code": "MALFORMED_PLAN", "details": f"Step 1: {first.message}"}
    return {"status": "REQ_CLARIFY", "details": "The plan has no steps."}


def _rank(diagnostic: Diagnostic) -> int:
    """Return the rank of an answer: invalid JSON first, an empty plan last."""
    return 0 if diagnostic.code in NOT_JSON else 2 if diagnostic.code == EMPTY_PLAN else 1
