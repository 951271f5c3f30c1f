"""What ties the messages of an NLIP conversation, who speaks in it, and what its sides owe each
other (section 6).

    client  {…,"submessages":[{"format":"token","subformat":"conversation","content":"c-17"}]}
    server  {…,"submessages":[{"format":"token","subformat":"conversation","content":"c-17"},
                              {"format":"token","subformat":"conversation_s1","content":"x"}]}

The tokens tie, and ``exchange`` judges. NLIP carries no sender: a label that is a role tells it, or
the identity that may end the name of a token, at the message that first carries it.
"""

from collections.abc import Iterator, Sequence

from cablese.conversation.finding import Finding
from cablese.conversation.model import Course, Leg, Turn
from cablese.message import Message
from cablese.protocols.nlip.formats import CONVERSATION
from cablese.protocols.nlip.parts import tokens

from . import breaches
from .checker import examine

RULES = tuple(
    rule
    for name, rule in breaches.RULES.items()
    if name not in ("request-unanswered", "status-mismatch")
)
"""A text may end before the answer: that is no fault of the server. And it says no HTTP status."""
LABELLED = "a label says so; NLIP carries no sender"
IDENTIFIED = "it first sent the token that ends in this identity; NLIP carries no sender"
WAITS = "no other message carries its token"


def ties(message: Message) -> tuple[str, ...]:
    """Each conversation token. Subformats are compared without regard to case."""
    found = tokens(message.values, (CONVERSATION,))
    return tuple(dict.fromkeys(f"{token.subformat.lower()} {token.said}" for token in found))


def converse(turns: Sequence[Turn]) -> Course:
    """The course of a conversation: who speaks as far as it can be told, and what was owed and not
    given.
    """
    waits = len(turns) == 1 and bool(ties(turns[0].message))
    return Course(
        stage=WAITS if waits else "",
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
            yield Leg(turn.index, turn.meaning.sender, None, LABELLED)
        elif identity is not None:
            yield Leg(turn.index, identity, None, IDENTIFIED)


def _findings(turns: Sequence[Turn]) -> Iterator[Finding]:
    """What ``exchange`` finds among these messages alone, at their places in the whole text."""
    for breach in examine([turn.message for turn in turns]).findings:
        if breach.code != "nlip.request-unanswered":
            messages = tuple(turns[at].index for at in breach.messages)
            yield Finding(
                breach.code,
                breach.severity,
                breach.message,
                breach.section,
                breach.requirement,
                messages,
            )
