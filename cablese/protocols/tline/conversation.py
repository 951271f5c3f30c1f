"""What a T-line conversation keeps: running ids, and keys of its own that an S message defines.

    T|1|S|keydef=ctx:context            the first S message defines
    T|2|Q|obj=test_scope;ctx=api_auth   a key so defined
    …
    T|2147483647|S|rollover=y           ids start again at 1, and are announced to
    T|1|A|res=pass

Section "Protocol frame + semantics" rules the ids, "Payload contract" the keys. T-line carries
neither a sender nor a key of the conversation: all its messages in one text are one.
"""

from collections.abc import Iterator, Sequence

from cablese.conversation.checks import REPEATED_ID
from cablese.conversation.finding import Finding, found
from cablese.conversation.model import Course, Leg, Step, Term, Turn
from cablese.message import Message, Rule
from cablese.text import quote

from .rules import FRAME, PAYLOAD
from .vocabulary import ID_LIMIT, KEYDEF, KEYS

SAME_ID = Rule(
    "tline.repeated-id", "error", FRAME, "TLINE-11", "An id stands on more than one message."
)
GOES_BACK = Rule(
    "tline.id-goes-back", "error", FRAME, "TLINE-11", "An id is lower than one before it."
)
SKIPPED = Rule(
    "tline.id-skipped", "warning", FRAME, "TLINE-11", "Ids are left out between two messages."
)
UNANNOUNCED = Rule(
    "tline.rollover-unannounced",
    "error",
    FRAME,
    "TLINE-12",
    "Ids start again, and no S message has rollover=y.",
)
UNDECLARED_KEY = Rule(
    "tline.key-never-declared",
    "warning",
    PAYLOAD,
    "TLINE-14",
    "A key that no earlier S message of it defines.",
)
LATE_KEYDEF = Rule(
    "tline.late-keydef", "warning", PAYLOAD, "TLINE-13", "A keydef in an S message after the first."
)
REDEFINED = Rule(
    "tline.redefined-key",
    "warning",
    PAYLOAD,
    "TLINE-13",
    "A key is defined in two ways, or is a core key.",
)
RULES = (SAME_ID, GOES_BACK, SKIPPED, UNANNOUNCED, UNDECLARED_KEY, LATE_KEYDEF, REDEFINED)
EXEMPT = frozenset((REPEATED_ID.code,))
"""Ids come around again after a rollover, which only this module can tell."""

ROLLOVER = "rollover"
SIDES = {"Q": ("asker", "responder"), "C": ("asker", "responder"), "A": ("responder", "asker")}
"""An S or E message may come from either side."""
NO_SENDER = "T-line carries no sender: Q and C come from the side that asks, A from the other"


def next_id(messages: Sequence[Message]) -> int:
    """The id that the next message of this conversation should have: one more than the last, 1
    after the highest.

    At ``ID_LIMIT`` the message that announces the rollover is due (see :func:`announce_rollover`).
    """
    last = next(
        (number for message in reversed(messages) if (number := _id(message)) is not None), 0
    )
    return 1 if last >= ID_LIMIT else last + 1


def say_ambiguous(number: int) -> str:
    """The answer to what has more than one reading ("Deterministic encoding + fallback
    behavior").
    """
    return f"T|{number}|E|err=ambiguous;next=clarify"


def ask_for_detail(number: int) -> str:
    """The question for more than the short result ("Executable examples")."""
    return f"T|{number}|Q|obj=detail"


def announce_rollover() -> str:
    """The last message before ids start again at 1."""
    return f"T|{ID_LIMIT}|S|{ROLLOVER}=y"


def converse(turns: Sequence[Turn]) -> Course:
    """The course of a conversation: its ids and keys held to the rules, its definitions, and what
    may be sent next.
    """
    ids, keys = _Ids(), _Keys()
    for turn in turns:
        ids.take(turn)
        keys.take(turn)
    return Course(
        next=tuple(_steps(turns)),
        legs=tuple(_legs(turns)),
        terms=tuple(keys.terms.values()),
        findings=(*ids.findings, *keys.read()),
    )


class _Ids:
    """The ids of one conversation. ``high`` is the highest since the last start: going on from
    there is no gap.
    """

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.last = self.high = self.before = 0
        self.announced = False
        self.findings: list[Finding] = []

    def take(self, turn: Turn) -> None:
        number = _id(turn.message)
        if number is None:
            return
        if self.last == ID_LIMIT and number < ID_LIMIT:
            self._start_again(number, turn.index)
        elif self.seen:
            self._compare(number, turn.index)
        self.seen.setdefault(number, turn.index)
        self.high = max(self.high, number)
        self.last, self.before = number, turn.index
        self.announced = self.announced or _announces(turn.message)

    def _start_again(self, number: int, index: int) -> None:
        if not self.announced:
            words = (
                f"After {ID_LIMIT} comes {number}, and no S message with rollover=y announced that."
            )
            self._found(UNANNOUNCED, words, self.before, index)
        if number > 1:
            self._found(
                SKIPPED,
                f"After {ID_LIMIT} ids start again at 1; this is {number}.",
                self.before,
                index,
            )
        self.seen.clear()
        self.high = 0
        self.announced = False

    def _compare(self, number: int, index: int) -> None:
        if number in self.seen:
            self._found(SAME_ID, f"The id {number} was used before.", self.seen[number], index)
        elif number < self.last:
            words = f"The id goes back from {self.last} to {number}; ids start again only after {ID_LIMIT}."
            self._found(GOES_BACK, words, self.before, index)
        elif number not in (self.last + 1, self.high + 1):
            left = number - self.last - 1
            gone = (
                f"id {self.last + 1} is"
                if left == 1
                else f"{left:,} ids from {self.last + 1} on are"
            )
            self._found(
                SKIPPED,
                f"The id {number} follows {self.last}: {gone} left out.",
                self.before,
                index,
            )

    def _found(self, rule: Rule, words: str, *messages: int) -> None:
        self.findings.append(found(rule, words, messages))


class _Keys:
    """Which keys were defined, where, and which were used without that."""

    def __init__(self) -> None:
        self.terms: dict[str, Term] = {}
        self.first: int | None = None
        self.undeclared: dict[str, list[int]] = {}
        self.findings: list[Finding] = []

    def take(self, turn: Turn) -> None:
        payload = turn.message.values.get("payload", {})
        if turn.message.values.get("kind") == "S":
            self._state(turn, payload.get(KEYDEF, ()))
        for key in payload:
            if key not in KEYS and key not in self.terms:
                self.undeclared.setdefault(key, []).append(turn.index)

    def read(self) -> Iterator[Finding]:
        """All findings; a key that was never defined is one, whatever number of messages use it."""
        yield from self.findings
        for key, messages in self.undeclared.items():
            words = (
                f"{quote(key)} is no core key, and no earlier S message defines it with a keydef."
            )
            yield found(UNDECLARED_KEY, words, messages)

    def _state(self, turn: Turn, definitions: Sequence[str]) -> None:
        first = self.first = turn.index if self.first is None else self.first
        if definitions and first != turn.index:
            words = (
                "A keydef belongs in the first S message of a conversation; this one comes later."
            )
            self.findings.append(found(LATE_KEYDEF, words, (first, turn.index)))
        for definition in definitions:
            name, colon, meaning = definition.partition(":")
            if colon and name in KEYS:
                words = f"{quote(name)} is a core key ({KEYS[name]}). The definition {quote(meaning)} is ignored."
                self.findings.append(found(REDEFINED, words, (turn.index,)))
                continue
            before = self.terms.setdefault(name, Term(name, meaning, turn.index))
            if before.meaning != meaning:
                words = f"{quote(name)} was defined as {quote(before.meaning)} and is now {quote(meaning)}."
                self.findings.append(found(REDEFINED, words, (before.message, turn.index)))


def _id(message: Message) -> int | None:
    number = message.values.get("id")
    return number if isinstance(number, int) and 1 <= number <= ID_LIMIT else None


def _announces(message: Message) -> bool:
    return (
        message.values.get("kind") == "S" and message.values.get("payload", {}).get(ROLLOVER) == "y"
    )


def _steps(turns: Sequence[Turn]) -> Iterator[Step]:
    """Whole messages that may be sent next, and otherwise how the next one begins."""
    number = next_id([turn.message for turn in turns])
    if number == ID_LIMIT:
        yield Step(announce_rollover(), "say that ids start again at 1")
        return
    yield Step(f"T|{number}|", "any message, with the next id")
    if turns[-1].meaning.act in ("query", "command"):
        yield Step(say_ambiguous(number), "say that the message has more than one reading")
    else:
        yield Step(ask_for_detail(number), "ask for the details of the last message")


def _legs(turns: Sequence[Turn]) -> Iterator[Leg]:
    for turn in turns:
        sides = SIDES.get(turn.message.values.get("kind", ""))
        if sides is not None:
            yield Leg(turn.index, *sides, NO_SENDER)
