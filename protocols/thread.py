"""Messages into conversations, and what is wrong with a conversation.

    0  REQ/TSK|g=42,t=1           goal 42, task 1
    1  SLIP v3 a b Ask Status     a and b
    2  PRO/PLN|g=42,t=1           goal 42, task 1
    3  SLIP v3 b a Inform Done    a and b

Each codec says what ties its messages (``Codec.ties``): a thread, ids and replies, two names. Ties join, so a chain of
replies is one conversation however long. A message that has none goes to the latest conversation of its protocol about
the same goal, or, when it names no goal, to the latest one. Then the codec says what its protocol expects
(``Codec.converse``), and ``etiquette`` adds what holds for all. Linear in the messages; nothing here knows a protocol.
"""

from collections.abc import Sequence

from . import registry
from .codec import Codec
from .conversation import Conversation, Course, Leg, Party, Step, Turn
from .etiquette import UNDECIDED, UNFINISHED, UNMATCHED, Report, check
from .finding import Finding, found
from .message import Message
from .words import quote


def gather(messages: Sequence[Message]) -> tuple[Conversation, ...]:
    """The conversations of ``messages``, which are given in the order they were sent; the one that begins first leads.

    A message of no protocol is in none. Indexes everywhere are places in ``messages``. Never raises.
    """
    known = set(registry.get_names())
    groups = _Groups()
    for index, message in enumerate(messages):
        if message.protocol in known:
            codec = registry.get(message.protocol)
            groups.add(codec, Turn(index, message, codec.meaning(message)))
    return tuple(_conversation(registry.get(turns[0].message.protocol), key, turns) for key, turns in groups.read())


class _Groups:
    """Turns joined by their ties, as a forest in which every turn knows an earlier one of its group."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.keys: list[str] = []
        self.parents: list[int] = []
        self.tied: dict[tuple[str, str], int] = {}
        self.about: dict[tuple[str, str], int] = {}
        self.latest: dict[str, int] = {}

    def add(self, codec: Codec, turn: Turn) -> None:
        at = len(self.turns)
        ties = codec.ties(turn.message, turn.meaning)
        goal = turn.meaning.goal
        self.turns.append(turn)
        self.keys.append(ties[0] if ties else "" if goal is None else f"goal {goal}")
        self.parents.append(at)
        for tie in ties:
            self._join(self.tied.setdefault((codec.name, tie), at), at)
        if not ties:
            near = self.latest.get(codec.name) if goal is None else self.about.get((codec.name, goal))
            self._join(at if near is None else near, at)
        if goal is not None:
            self.about[codec.name, goal] = at
        self.latest[codec.name] = at

    def read(self) -> list[tuple[str, list[Turn]]]:
        """The key and the turns of each group."""
        groups: dict[int, list[Turn]] = {}
        for at, turn in enumerate(self.turns):
            groups.setdefault(self._root(at), []).append(turn)
        return [(self.keys[root], turns) for root, turns in groups.items()]

    def _root(self, at: int) -> int:
        while self.parents[at] != at:
            self.parents[at] = at = self.parents[self.parents[at]]
        return at

    def _join(self, one: int, other: int) -> None:
        """The earlier root stays, so a group is named by its first message."""
        first, second = sorted((self._root(one), self._root(other)))
        self.parents[second] = first


def _conversation(codec: Codec, key: str, turns: Sequence[Turn]) -> Conversation:
    course = codec.converse(turns)
    report = check(codec, turns)
    complete = _complete(codec, course, report)
    said = {leg.message: leg for leg in course.legs}
    legs = tuple(said.get(turn.index) or _leg(turn) for turn in turns)
    findings = (*course.findings, *report.findings, *_unfinished(course, report, turns, complete=complete))
    return Conversation(
        protocol=codec.name,
        key=key,
        turns=tuple(turns),
        legs=legs,
        parties=_parties(legs, (*course.parties, *_expecting(turns))),
        stage=course.stage,
        complete=complete,
        missing=course.missing,
        next=course.next or _awaited(codec, report),
        terms=course.terms,
        findings=tuple(sorted(findings, key=lambda one: one.messages[-1:])),
    )


def _complete(codec: Codec, course: Course, report: Report) -> bool | None:
    if course.complete is not None:
        return course.complete
    if report.halted is not None:
        return False
    return None if report.open is None or UNMATCHED.code in codec.exempt else not report.open


def _unfinished(course: Course, report: Report, turns: Sequence[Turn], *, complete: bool | None) -> tuple[Finding, ...]:
    """An end without completion, unless an unanswered message has said so already."""
    if complete is not False or any(one.code in (UNMATCHED.code, UNDECIDED.code) for one in report.findings):
        return ()
    where = course.stage or (f"the last status is {quote(report.halted)}" if report.halted else "")
    words = f"The conversation ends before it is complete{': ' if where else ''}{where}."
    return (found(UNFINISHED, words, (turns[-1].index,)),)


def _leg(turn: Turn) -> Leg:
    return Leg(turn.index, turn.meaning.sender, turn.meaning.recipient)


def _expecting(turns: Sequence[Turn]) -> tuple[Party, ...]:
    """Those to whom an answer is to go, though they may never speak."""
    return tuple(Party(name) for name in dict.fromkeys(turn.meaning.answer_to for turn in turns) if name)


def _parties(legs: Sequence[Leg], others: Sequence[Party]) -> tuple[Party, ...]:
    """Everybody once, in the order they appear. A name that any message says is not inferred."""
    reasons = {one.name: one.reason for one in others if one.inferred}
    sent: dict[str, list[int]] = {name: [] for name in reasons}
    for leg in legs:
        for name in (leg.sender, leg.recipient):
            if name is not None:
                sent.setdefault(name, [])
                reasons[name] = leg.reason and reasons.get(name, leg.reason)
        if leg.sender is not None:
            sent[leg.sender].append(leg.message)
    for one in others:
        sent.setdefault(one.name, [])
    return tuple(Party(name, reasons.get(name, ""), tuple(messages)) for name, messages in sent.items())


def _awaited(codec: Codec, report: Report) -> tuple[Step, ...]:
    """What the open turns wait for, once each kind: the protocol itself says nothing of what comes next."""
    if UNMATCHED.code in codec.exempt:
        return ()
    waiting = dict.fromkeys((turn.meaning.act, turn.meaning.sender) for turn in report.open or ())
    return tuple(
        Step("", "a decision on the proposal" if act == "propose" else f"an answer to the {act}", recipient=sender)
        for act, sender in waiting
    )
