"""Status and outcome of a task, in words that belong to no protocol.

    nSLIP s=failed, frame ERR · AACP status:failed · T-line kind E, err · SLIP Error
    SACP FAILED · NLIP error

all say ``failed``. A codec reads its own words into these (``Codec.outcome``) and writes these in
its own spelling, so that no translation, meaning or conversation turns a failure into a success.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, get_args

Status = Literal[
    "pending",
    "accepted",
    "in_progress",
    "waiting",
    "blocked",
    "partial",
    "done",
    "failed",
    "cancelled",
]
Outcome = Literal["done", "failed"]

STATUSES: Final[tuple[Status, ...]] = get_args(Status)
ENDS: Final[dict[str, Outcome]] = {"done": "done", "failed": "failed", "cancelled": "failed"}
"""The statuses that end a task, and how."""

# Free text that says the same, as a whole: "payment_failed_over" is not in here, and nothing is
# guessed.
SYNONYMS: Final[dict[str, Outcome]] = ENDS | {
    "complete": "done", "completed": "done", "finished": "done", "success": "done",
    "succeeded": "done",
    "successful": "done", "canceled": "failed", "fail": "failed", "failure": "failed",
    "error": "failed",
    "errored": "failed", "aborted": "failed", "unsuccessful": "failed", "timed_out": "failed",
    "timeout": "failed",
}  # fmt: skip
JOINT = re.compile(r"[\s\-]+")


def judge(text: str | None) -> Outcome | None:
    """Return the outcome of the status ``text``, in any spelling; None if it is not an end."""
    return None if text is None else SYNONYMS.get(JOINT.sub("_", text.strip()).casefold())


def spell(status: str | None, outcome: Outcome | None, words: Mapping[str, str]) -> str | None:
    """Return the word for a status and an outcome, from ``words`` by status; None without one.

    A failure has precedence over a status that says something else.
    """
    if outcome == "failed" and ENDS.get(status or "") != "failed":
        return words.get("failed")
    return words.get(outcome or "" if status is None else status)
