"""The words of T-line: five kinds and seven keys. Every other key is a team's own, which a
``keydef`` may explain.
"""

import re

from cablese.meaning import Act

ID_LIMIT = 2**31 - 1

KINDS = {"Q": "query", "A": "answer", "C": "command", "S": "state", "E": "error"}
MEANT: dict[str, Act] = {"Q": "query", "A": "answer", "C": "command", "S": "state", "E": "error"}
KEYS = {
    "obj": "objective", "res": "result", "err": "error", "next": "next step",
    "keydef": "definition of a key", "rollover": "ids start again",
}  # fmt: skip
ONCE = ("obj", "res", "next")
KEYDEF = "keydef"
ROLLOVER = "rollover"
ROLLOVER_IDS = 1_000
"""The last IDs before the limit at which an announcement of the rollover is not early."""
DETAIL = "detail"

KEY = re.compile(r"[a-z][a-z0-9_]*")
