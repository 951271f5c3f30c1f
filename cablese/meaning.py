"""The protocol-neutral meaning of a message, which search and translation use.

docs/design/protocols.md lists the terms of each protocol.
"""

from typing import Literal

from msgspec import Struct

Act = Literal[
    "request", "propose", "inform", "evaluate", "accept", "reject", "query", "confirm",
    "command", "answer", "state", "error", "control", "data",
]  # fmt: skip


class Meaning(Struct, frozen=True, omit_defaults=True, gc=False):
    """The common terms. A term is None, and ``tags`` is empty, if the protocol does not state it.

    Goals, tasks, and IDs are text even if a protocol writes numbers, so that one search finds both.
    """

    act: Act
    topic: str | None = None
    object: str | None = None
    goal: str | None = None
    task: str | None = None
    id: str | None = None
    reply_to: str | None = None
    thread: str | None = None
    sender: str | None = None
    recipient: str | None = None
    answer_to: str | None = None
    tags: tuple[str, ...] = ()
    priority: int | None = None
    status: str | None = None
    score: int | None = None
    reason: str | None = None
    result: str | None = None
    next: str | None = None
