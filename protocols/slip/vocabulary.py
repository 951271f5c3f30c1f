"""The words of SLIP v3: twelve Forces, which are all there are, and the core Objects, to which anybody may add.

The facts are those of the package slipcore 3.1.1, the reference implementation; the readings in English are ours.
"""

import re

from protocols.meaning import Act

PREFIX = "SLIP"
VERSION = "v3"
AGENT_LIMIT = 20
TOKEN_LIMIT = 30
REF_LIMIT = 16
PAYLOAD_LIMIT = 20

FORCES: dict[str, Act] = {
    "Observe": "inform", "Inform": "inform", "Ask": "query", "Request": "request", "Propose": "propose",
    "Commit": "accept", "Eval": "evaluate", "Meta": "control", "Accept": "accept", "Reject": "reject",
    "Error": "error", "Fallback": "control",
}  # fmt: skip
OBJECTS = {
    "State": "the state", "Change": "a change", "Error": "an error", "Result": "a result", "Status": "the status",
    "Complete": "completion", "Blocked": "a blockage", "Progress": "progress", "Clarify": "clarification",
    "Permission": "permission", "Resource": "a resource", "Task": "a task", "Plan": "a plan", "Review": "a review",
    "Help": "help", "Cancel": "a cancellation", "Priority": "a change of priority", "Alternative": "an alternative",
    "Rollback": "a rollback", "Deadline": "a deadline", "Approve": "approval", "NeedsWork": "need of more work",
    "Ack": "receipt", "Sync": "a synchronization", "Handoff": "a handoff", "Escalate": "an escalation",
    "Abort": "an abort", "Condition": "a condition", "Defer": "a deferral", "Timeout": "a timeout",
    "Validation": "a failed validation", "Generic": "",
}  # fmt: skip

WORD = re.compile(r"[A-Za-z0-9]+")
JOINED = re.compile(rf"({'|'.join(FORCES)})({'|'.join(OBJECTS)})")
