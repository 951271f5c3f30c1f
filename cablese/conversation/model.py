"""A conversation: its messages, agents, state, and possible next steps.

A codec sees its own part as turns and answers with a :class:`Course`: what its protocol alone
knows. ``gather`` makes the :class:`Conversation` from that and from what holds whatever the
protocol.
"""

from typing import Final

from msgspec import Struct, structs

from cablese.meaning import Meaning
from cablese.message import Message
from cablese.outcome import Outcome

from .finding import Finding

ALL: Final = "all messages"
"""The tie of a protocol whose messages are one conversation, unless something beside them tells
them apart.
"""
SUPPLIED = "from the metadata"
RECORDED = "from the record around the message"
FROM_LINE = "from the log line"


class Supplied(Struct, frozen=True, gc=False):
    """Metadata of a message. What the wire itself says takes precedence.

    The names are ``roles`` where a record of a chat gives them, such as user and assistant: they
    tell who speaks, and neither tie messages nor keep one from answering another, since a chat may
    quote a whole conversation in one turn. With ``line`` a log line gives them. ``call`` is the id
    of the tool call that the message, or its result, comes in.
    """

    goal: str | None = None
    task: str | None = None
    thread: str | None = None
    sender: str | None = None
    recipient: str | None = None
    roles: bool = False
    line: bool = False
    call: str | None = None

    @property
    def reason(self) -> str:
        return RECORDED if self.roles else FROM_LINE if self.line else SUPPLIED


NOTHING: Final = Supplied()


class Turn(Struct, frozen=True, gc=False):
    """One message of a conversation. ``index`` is its place in the sequence that was gathered, from
    0.

    ``outcome`` is how its task ended, as the message says.
    """

    index: int
    message: Message
    meaning: Meaning
    supplied: Supplied = NOTHING
    outcome: Outcome | None = None

    @property
    def known(self) -> Meaning:
        """Return the meaning, completed with what was supplied."""
        meaning, more = self.meaning, self.supplied
        if more is NOTHING:
            return meaning
        names = {} if more.roles else {"sender": more.sender, "recipient": more.recipient}
        defaults = {"goal": more.goal, "task": more.task, "thread": more.thread, **names}
        return structs.replace(
            meaning,
            **{name: value for name, value in defaults.items() if getattr(meaning, name) is None},
        )


class Leg(Struct, frozen=True, gc=False):
    """The sender and the recipient of a message. With a ``reason``, the wire does not state them:
    they are ``supplied`` or inferred.
    """

    message: int
    sender: str | None = None
    recipient: str | None = None
    reason: str = ""
    supplied: bool = False


class Party(Struct, frozen=True, gc=False):
    """An agent of the conversation. ``messages`` are those that it sends. With a ``reason``, no
    wire states the name: it is ``supplied`` or inferred.
    """

    name: str
    reason: str = ""
    messages: tuple[int, ...] = ()
    supplied: bool = False

    @property
    def inferred(self) -> bool:
        return self.reason != "" and not self.supplied


class Step(Struct, frozen=True, gc=False):
    """What can come next: its form as far as that is certain, what it does, and who sends it."""

    form: str
    words: str
    sender: str | None = None
    recipient: str | None = None


class Term(Struct, frozen=True, gc=False):
    """A term that the conversation defines, and the defining message."""

    name: str
    meaning: str
    message: int


class Plan(Struct, frozen=True, gc=False):
    """What a message says of the steps of its task: the name of each with its description, and the
    names of those that it reports as failed.
    """

    steps: tuple[tuple[str, str], ...] = ()
    failed: tuple[str, ...] = ()


NO_PLAN: Final = Plan()


class Course(Struct, frozen=True):
    """What a protocol says of one conversation. A codec whose protocol says nothing gives an empty
    one.

    ``complete`` is None when it is told by unanswered requests alone. ``legs`` are known by their
    message; ``parties`` are those beside the senders and recipients.
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


class Conversation(Course, frozen=True, kw_only=True):
    """Messages of one protocol that belong together, in order, and everything to say of them.

    ``key`` says in words what ties them; it is empty when they are only neighbors. ``complete`` is
    None when the protocol has no notion of it, and False when a task ``failed`` and was not
    resumed. There is one leg a turn, and one place in ``answered``: the message that it answers.
    """

    protocol: str
    key: str
    turns: tuple[Turn, ...]
    answered: tuple[int | None, ...]
    failed: bool
