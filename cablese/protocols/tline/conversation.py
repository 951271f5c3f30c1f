"""Check a T-line conversation: its ID sequence, and the custom keys that an S message defines.

    T|1|S|keydef=ctx:context            the first S message defines
    T|2|Q|obj=test_scope;ctx=api_auth   a key defined this way
    …
    T|2147483647|S|rollover=y           announces that IDs restart at 1
    T|1|A|res=pass

IDs are ruled by the section "Protocol frame + semantics", keys by "Payload contract". T-line has
neither a sender nor a conversation ID, so all messages in one text are one conversation.
"""

from collections.abc import Iterator, Sequence

from cablese.conversation import checks
from cablese.conversation.finding import Finding, make_finding
from cablese.conversation.model import Course, Leg, Step, Term, Turn
from cablese.message import Message, Rule, by_code
from cablese.text import quote

from .rules import FRAME, PAYLOAD
from .vocabulary import ID_LIMIT, KEYDEF, KEYS, ROLLOVER

RULES = by_code(
    Rule("tline.repeated-id", "error", FRAME, "TLINE-11", "Duplicate ID."),
    Rule("tline.id-goes-back", "error", FRAME, "TLINE-11", "An ID is lower than an earlier one."),
    Rule("tline.id-skipped", "warning", FRAME, "TLINE-11", "Gap in the ID sequence."),
    Rule(
        "tline.rollover-unannounced",
        "error",
        FRAME,
        "TLINE-12",
        "IDs restart without an S message with rollover=y.",
    ),
    Rule(
        "tline.key-never-declared",
        "warning",
        PAYLOAD,
        "TLINE-14",
        "Undeclared key: no earlier S message of the conversation declares it.",
    ),
    Rule(
        "tline.late-keydef",
        "warning",
        PAYLOAD,
        "TLINE-13",
        "A keydef is only valid in the first S message.",
    ),
    Rule(
        "tline.redefined-key",
        "warning",
        PAYLOAD,
        "TLINE-13",
        "Conflicting keydef: the key is already defined, or is a core key.",
    ),
)
EXEMPT = frozenset((checks.RULES["repeated-id"].code,))
"""IDs repeat after a rollover, which only this module can recognize."""

SIDES = {"Q": ("asker", "responder"), "C": ("asker", "responder"), "A": ("responder", "asker")}
"""S and E messages may come from either side."""
NO_SENDER = "T-line messages have no sender; Q and C come from the side that asks, A from the other"


def next_id(messages: Sequence[Message]) -> int:
    """Return the ID for the next message: one more than the last, or 1 after ``ID_LIMIT``.

    At ``ID_LIMIT`` itself, the next message must announce the rollover (see
    :func:`announce_rollover`).
    """
    last = next(
        (number for message in reversed(messages) if (number := _id(message)) is not None), 0
    )
    return 1 if last >= ID_LIMIT else last + 1


def say_ambiguous(number: int) -> str:
    """Return the answer to an ambiguous message ("Deterministic encoding + fallback behavior")."""
    return f"T|{number}|E|err=ambiguous;next=clarify"


def ask_for_detail(number: int) -> str:
    """Return the query for details of a short result ("Executable examples")."""
    return f"T|{number}|Q|obj=detail"


def announce_rollover() -> str:
    """Return the last message before IDs restart at 1."""
    return f"T|{ID_LIMIT}|S|{ROLLOVER}=y"


def converse(turns: Sequence[Turn]) -> Course:
    """Return the course of a conversation: findings on IDs and keys, definitions, and next
    messages.
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
    """Track the IDs of one conversation. ``high`` is the highest since the last restart."""

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
            self._report(
                RULES["rollover-unannounced"],
                f"ID {number} follows {ID_LIMIT} without an S message with rollover=y.",
                self.before,
                index,
            )
        if number > 1:
            self._report(
                RULES["id-skipped"],
                f"Unexpected ID {number}. IDs must restart at 1 after {ID_LIMIT}.",
                self.before,
                index,
            )
        self.seen.clear()
        self.high = 0
        self.announced = False

    def _compare(self, number: int, index: int) -> None:
        if number in self.seen:
            self._report(RULES["repeated-id"], f"Duplicate ID {number}.", self.seen[number], index)
        elif number < self.last:
            self._report(
                RULES["id-goes-back"],
                f"The ID goes back from {self.last} to {number}. IDs restart only after "
                f"{ID_LIMIT}.",
                self.before,
                index,
            )
        elif number not in (self.last + 1, self.high + 1):
            left = number - self.last - 1
            gone = (
                f"ID {self.last + 1} is"
                if left == 1
                else f"{left:,} IDs starting at {self.last + 1} are"
            )
            self._report(
                RULES["id-skipped"],
                f"ID {number} follows {self.last}: {gone} missing.",
                self.before,
                index,
            )

    def _report(self, rule: Rule, message: str, *messages: int) -> None:
        self.findings.append(make_finding(rule, message, messages))


class _Keys:
    """Track which keys were defined, where, and which were used without a definition."""

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
        """Return all findings, one for each undeclared key, however many messages use it."""
        yield from self.findings
        for key, messages in self.undeclared.items():
            yield make_finding(
                RULES["key-never-declared"],
                f"Undeclared key {quote(key)}. Expected a core key, or a keydef in an earlier S "
                "message of this conversation.",
                messages,
                at=messages[0],
            )

    def _state(self, turn: Turn, definitions: Sequence[str]) -> None:
        first = self.first = turn.index if self.first is None else self.first
        if definitions and first != turn.index:
            self.findings.append(
                make_finding(
                    RULES["late-keydef"],
                    "Unexpected keydef. Expected it in the conversation’s first S message.",
                    (first, turn.index),
                )
            )
        for definition in definitions:
            name, colon, meaning = definition.partition(":")
            if colon and name in KEYS:
                self.findings.append(
                    make_finding(
                        RULES["redefined-key"],
                        f"A keydef must not redefine the core key {quote(name)} ({KEYS[name]}). "
                        f"The definition {quote(meaning)} is ignored.",
                        (turn.index,),
                    )
                )
                continue
            before = self.terms.setdefault(name, Term(name, meaning, turn.index))
            if before.meaning != meaning:
                self.findings.append(
                    make_finding(
                        RULES["redefined-key"],
                        f"Conflicting keydef: {quote(name)} was defined as {quote(before.meaning)} "
                        f"and is now {quote(meaning)}.",
                        (before.message, turn.index),
                    )
                )


def _id(message: Message) -> int | None:
    number = message.values.get("id")
    return number if isinstance(number, int) and 1 <= number <= ID_LIMIT else None


def _announces(message: Message) -> bool:
    return (
        message.values.get("kind") == "S" and message.values.get("payload", {}).get(ROLLOVER) == "y"
    )


def _steps(turns: Sequence[Turn]) -> Iterator[Step]:
    """Return complete messages that may be sent next, or else how the next one starts."""
    number = next_id([turn.message for turn in turns])
    if number == ID_LIMIT:
        yield Step(announce_rollover(), "announce that IDs restart at 1")
        return
    yield Step(f"T|{number}|", "any message with the next ID")
    if turns[-1].meaning.act in ("query", "command"):
        yield Step(say_ambiguous(number), "report that the message is ambiguous")
    else:
        yield Step(ask_for_detail(number), "ask for details of the last message")


def _legs(turns: Sequence[Turn]) -> Iterator[Leg]:
    for turn in turns:
        sides = SIDES.get(turn.message.values.get("kind", ""))
        if sides is not None:
            yield Leg(turn.index, *sides, NO_SENDER)
