"""Check the output discipline ("4. Operational Directives"): most agents must answer with data.

Prose is allowed from Interface and Formatter agents, and from any agent whose request has
``out_fmt`` human. An orchestrator rejects all other prose; a violation has the answer to give.
"""

from typing import Any

from msgspec import Struct

from cablese.message import Message
from cablese.protocols.sacp.agents.answer import answer
from cablese.protocols.sacp.agents.registry import Role

SPEAKERS: tuple[Role, ...] = ("Interface", "Formatter")


class Violation(Struct, frozen=True):
    """A reply that breaks the output rules, and the ERR that rejects it."""

    words: str
    answer: dict[str, Any]


def judge(reply: Message, *, role: Role, asked: Message | None = None) -> Violation | None:
    """Return how ``reply`` breaks the output rules; None if it does not. ``asked`` is the request
    that it answers; without one, ``out_fmt`` is ``raw``.
    """
    wanted = "raw" if asked is None else str(asked.values.get("out_fmt", "raw"))
    is_data = reply.protocol == "sacp" and reply.valid
    if role in SPEAKERS or wanted == "human" or is_data:
        return None
    error = answer(reply)
    reason = (
        f"The reply is not a valid SACP message: {error['details']}"
        if reply.protocol == "sacp"
        else f"Agents with the role {role} must answer with SACP unless out_fmt is human. Here it "
        f"is {wanted}."
    )
    return Violation(
        reason,
        {"status": "ERR", "code": error.get("code", "MALFORMED_PLAN"), "details": reason},
    )
