"""Tie the messages of an NLIP conversation, name their senders, and check what its sides owe each
other (section 6).

    client  {…,"submessages":[{"format":"token","subformat":"conversation","content":"c-17"}]}
    server  {…,"submessages":[{"format":"token","subformat":"conversation","content":"c-17"},
                              {"format":"token","subformat":"conversation_s1","content":"x"}]}

Tokens tie messages, and ``checker`` checks them. NLIP carries no sender: a label that is a role
names it, or the identity at the end of a token's subformat, in the message that sends it first.
"""

from collections.abc import Iterator, Sequence

from cablese.conversation.finding import Finding
from cablese.conversation.model import Course, Leg, Turn
from cablese.message import Message
from cablese.protocols.nlip.formats import CONVERSATION
from cablese.protocols.nlip.parts import tokens

from . import breaches
from .checker import examine
from .sides import alternate

RULES = tuple(
    rule
    for name, rule in breaches.RULES.items()
    if name not in ("request-unanswered", "status-mismatch")
)
"""A text may end before the answer, which is not a fault of the server, and it has no HTTP status.
"""


def ties(message: Message) -> tuple[str, ...]:
    """Return each conversation token. Subformats are compared without regard to case."""
    return tuple(
        dict.fromkeys(
            f"{token.subformat.lower()} {token.text}"
            for token in tokens(message.values, (CONVERSATION,))
        )
    )


def converse(turns: Sequence[Turn]) -> Course:
    """Return the senders of a conversation, as far as they are known, and the findings of the
    exchange.
    """
    waits = len(turns) == 1 and bool(ties(turns[0].message))
    return Course(
        stage="no other message carries its token" if waits else "",
        complete=False if waits else None,
        legs=tuple(_legs(turns)),
        findings=tuple(_findings(turns)),
    )


def _legs(turns: Sequence[Turn]) -> Iterator[Leg]:
    seen: set[str] = set()
    for turn in turns:
        fresh = [
            token
            for token in tokens(turn.message.values, (CONVERSATION,))
            if token.identity not in seen
        ]
        seen.update(token.identity for token in fresh)
        identity = next((token.identity for token in fresh if token.identity), None)
        if turn.meaning.sender is not None:
            yield Leg(
                turn.index,
                turn.meaning.sender,
                reason="a label says so; NLIP carries no sender",
            )
        elif identity is not None:
            yield Leg(
                turn.index,
                identity,
                reason="it first sent the token that ends in this identity; NLIP carries no sender",
            )


def _findings(turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield what ``examine`` finds among these messages, at their places in the whole text."""
    if not alternate(turn.supplied for turn in turns):
        return
    for breach in examine([turn.message for turn in turns]).findings:
        if breach.code != "nlip.request-unanswered":
            yield Finding(
                breach.code,
                breach.severity,
                breach.message,
                breach.section,
                breach.requirement,
                tuple(turns[at].index for at in breach.messages),
                turns[breach.at].index,
            )
