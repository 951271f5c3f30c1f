"""Output discipline ("4. Operational Directives"): agents answer with data, and only some of them
with prose.

Prose is allowed from Interface and Formatter agents, and from any agent whose request said
``out_fmt`` human. An orchestrator rejects every other; the answer to give is part of what is found.
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
    """Whether ``reply`` breaks the discipline. ``asked`` is the request it answers; without one
    ``raw`` is assumed.
    """
    wanted = "raw" if asked is None else str(asked.values.get("out_fmt", "raw"))
    if role in SPEAKERS or wanted == "human":
        return None
    if reply.protocol != "sacp":
        return _reject(
            f"Agents with the role {role} must answer with SACP unless out_fmt is human. Here it "
            f"is {wanted}.",
            "MALFORMED_MESSAGE",
        )
    if not reply.valid:
        found = answer(reply)
        return _reject(
            f"The reply is not a valid SACP message: {found['details']}",
            found.get("code", "MALFORMED_PLAN"),
        )
    return None


def _reject(words: str, code: str) -> Violation:
    return Violation(words, {"status": "ERR", "code": code, "details": words})
