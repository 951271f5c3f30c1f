"""The words of nSLIP: the source's tables "Speech Acts", "Frame Types" and "Standard Slots"."""

from cablese.codec import INTEGER_LIMIT
from cablese.meaning import Act

ACTS = {
    "REQ": "REQUEST", "PRO": "PROPOSE", "INF": "INFORM", "EVL": "EVAL",
    "ACC": "ACCEPT", "REJ": "REJECT", "QRY": "QUERY", "CFM": "CONFIRM",
}  # fmt: skip
FRAMES = {
    "TSK": "TASK", "PLN": "PLAN", "OBS": "OBSERVATION", "EVL": "EVALUATION",
    "RSC": "RESOURCE", "CST": "CONSTRAINT", "ERR": "ERROR",
}  # fmt: skip
SLOTS = {
    "g": "goal",
    "t": "task",
    "r": "result",
    "p": "priority",
    "s": "status",
    "sc": "score",
    "@": "tag",
    "!": "reason",
}
INTEGERS = {
    "g": (0, INTEGER_LIMIT),
    "t": (0, INTEGER_LIMIT),
    "r": (0, INTEGER_LIMIT),
    "p": (1, 3),
    "sc": (0, 10),
}
STATUSES = ("done", "in_progress", "blocked", "waiting", "partial", "failed")
PRIORITIES = {1: "high", 2: "medium", 3: "low"}
MEANT: dict[str, Act] = {
    "REQ": "request", "PRO": "propose", "INF": "inform", "EVL": "evaluate",
    "ACC": "accept", "REJ": "reject", "QRY": "query", "CFM": "confirm",
}  # fmt: skip
LABELS = {
    "act": "act",
    "frame": "frame",
    "g": "goal ID",
    "t": "task ID",
    "r": "result ID",
    "p": "priority",
    "s": "status",
    "sc": "score",
    "@": "tag (for people only)",
    "!": "reason",
}
