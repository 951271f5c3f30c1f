"""The words of SLIP v3: the twelve Forces, a closed set, and the core Objects, an open one.

From the package slipcore 3.1.1, the reference implementation; the English is ours.
"""

import re

from cablese.meaning import Act

PREFIX = "SLIP"
VERSION = "v3"
AGENT_LIMIT = 20
TOKEN_LIMIT = 30
REF_LIMIT = 16
PAYLOAD_LIMIT = 20

FORCES: dict[str, Act] = {
    "Observe": "inform",
    "Inform": "inform",
    "Ask": "query",
    "Request": "request",
    "Propose": "propose",
    "Commit": "accept",
    "Eval": "evaluate",
    "Meta": "control",
    "Accept": "accept",
    "Reject": "reject",
    "Error": "error",
    "Fallback": "control",
}
OBJECTS = {
    "State": "the state",
    "Change": "a change",
    "Error": "an error",
    "Result": "a result",
    "Status": "the status",
    "Complete": "completion",
    "Blocked": "a blockage",
    "Progress": "progress",
    "Clarify": "clarification",
    "Permission": "permission",
    "Resource": "a resource",
    "Task": "a task",
    "Plan": "a plan",
    "Review": "a review",
    "Help": "help",
    "Cancel": "a cancellation",
    "Priority": "a change of priority",
    "Alternative": "an alternative",
    "Rollback": "a rollback",
    "Deadline": "a deadline",
    "Approve": "approval",
    "NeedsWork": "the need for more work",
    "Ack": "receipt",
    "Sync": "a synchronization",
    "Handoff": "a handoff",
    "Escalate": "an escalation",
    "Abort": "an abort",
    "Condition": "a condition",
    "Defer": "a deferral",
    "Timeout": "a timeout",
    "Validation": "validation",
    "Generic": "",
}

ODD_PAIRS: dict[str, dict[str, tuple[str, ...]]] = {
    "Observe": {
        "Task": ("Observe Change", "Inform Status"),
        "Plan": ("Observe State", "Observe Change"),
        "Complete": ("Observe Change", "Inform Complete"),
    },
    "Inform": {
        "Task": ("Inform Status", "Inform Complete", "Inform Result"),
        "Clarify": ("Inform Result",),
        "Permission": ("Accept Generic", "Error Permission"),
    },
    "Ask": {"Task": ("Request Task",), "Complete": ("Ask Status",), "Result": ("Ask Status",)},
    "Request": {
        "State": ("Ask Status", "Request Task"),
        "Result": ("Request Task",),
        "Complete": ("Request Task",),
    },
    "Propose": {
        "Task": ("Propose Plan", "Propose Change"),
        "Status": ("Inform Status", "Ask Status"),
    },
    "Commit": {"Review": ("Commit Task",), "Approve": ("Eval Approve",)},
    "Eval": {"Task": ("Eval Approve", "Eval NeedsWork", "Eval Review"), "Status": ("Eval Review",)},
    "Meta": {},
    "Accept": {"Task": ("Accept Generic", "Commit Task")},
    "Reject": {"Task": ("Reject Generic",)},
    "Error": {"Task": ("Error Generic", "Error Timeout", "Error Validation")},
    "Fallback": {},
}
"""Objects that do not fit a Force, and the pairs that slipcore recommends instead."""

WORD = re.compile(r"[A-Za-z0-9]+")
JOINED = re.compile(rf"({'|'.join(FORCES)})({'|'.join(OBJECTS)})")
