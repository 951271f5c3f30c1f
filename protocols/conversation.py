"""Messages that belong together, who speaks in them, where they stand, and what may come next.

A codec sees its own part as turns and answers with a :class:`Course`: what its protocol alone knows. ``thread`` makes
the :class:`Conversation` from that and from what holds whatever the protocol.
"""

from typing import Final

from msgspec import Struct

from .finding import Finding
from .meaning import Meaning
from .message import Message


class Turn(Struct, frozen=True, gc=False):
    """One message of a conversation. ``index`` is its place in the sequence that was gathered, from 0."""

    index: int
    message: Message
    meaning: Meaning


class Leg(Struct, frozen=True, gc=False):
    """From whom to whom a message goes. With a ``reason`` it is inferred: the wire does not say it."""

    message: int
    sender: str | None = None
    recipient: str | None = None
    reason: str = ""


class Party(Struct, frozen=True, gc=False):
    """Somebody who takes part. With a ``reason`` the name is inferred. ``messages`` are those that it sends."""

    name: str
    reason: str = ""
    messages: tuple[int, ...] = ()

    @property
    def inferred(self) -> bool:
        return self.reason != ""


class Step(Struct, frozen=True, gc=False):
    """What may come next: how it is written as far as that is certain, what it does, and who would send it."""

    form: str
    words: str
    sender: str | None = None
    recipient: str | None = None


class Term(Struct, frozen=True, gc=False):
    """A word that the conversation defines for itself, and the message that does."""

    name: str
    meaning: str
    message: int


class Course(Struct, frozen=True):
    """What a protocol says of one conversation. A codec whose protocol says nothing gives an empty one.

    ``complete`` is None when it is told by unanswered requests alone. ``legs`` are known by their message; ``parties``
    are those beside the senders and recipients.
    """

    stage: str = ""
    complete: bool | None = None
    missing: tuple[str, ...] = ()
    next: tuple[Step, ...] = ()
    legs: tuple[Leg, ...] = ()
    parties: tuple[Party, ...] = ()
    terms: tuple[Term, ...] = ()
    findings: tuple[Finding, ...] = ()


EMPTY: Final = Course()


class Conversation(Struct, frozen=True):
    """Messages of one protocol that belong together, in the order they came, and everything to say of them as a whole.

    ``key`` is what ties them, in words; it is empty when nothing does but their neighbourhood. ``complete`` is None
    when the protocol has no notion of it. There is one leg a turn. ``missing`` are the steps to completion.
    """

    protocol: str
    key: str
    turns: tuple[Turn, ...]
    legs: tuple[Leg, ...]
    parties: tuple[Party, ...]
    stage: str
    complete: bool | None
    missing: tuple[str, ...]
    next: tuple[Step, ...]
    terms: tuple[Term, ...]
    findings: tuple[Finding, ...]
