"""The conversations of a text, as the workbench shows them: messages are numbered from 1, as in its list."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from playground.reading import Reading
from protocols import registry
from protocols.conversation import Conversation, Party, Step, Term
from protocols.finding import Finding
from protocols.thread import gather

CONVERSATIONS = 50
FINDINGS = 20
NUMBERS = 40
SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Numbers:
    """The messages to point at, and how many more there are."""

    shown: tuple[int, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Said:
    """A finding and the numbers of its messages."""

    found: Finding
    messages: Numbers


@dataclass(frozen=True, slots=True)
class Player:
    """A party and the numbers of the messages that it sends."""

    party: Party
    messages: Numbers


class Thread:
    """One conversation."""

    def __init__(self, of: Conversation) -> None:
        self._of = of
        self.title = registry.get(of.protocol).title
        self.key = of.key or "messages without a key"
        self.total = len(of.turns)
        self.messages = _numbers([turn.index for turn in of.turns])
        self.stage = of.stage
        self.complete = of.complete
        self.missing = of.missing
        self.next: tuple[Step, ...] = of.next
        self.left = max(0, len(of.findings) - FINDINGS)
        """Findings beyond those that are shown."""

    @property
    def parties(self) -> list[Player]:
        return [Player(party, _numbers(party.messages)) for party in self._of.parties]

    @property
    def terms(self) -> list[tuple[Term, int]]:
        return [(term, term.message + 1) for term in self._of.terms]

    @property
    def findings(self) -> list[Said]:
        return [Said(found, _numbers(found.messages)) for found in self._of.findings[:FINDINGS]]


class Threads:
    """All conversations of a text, found when a page asks: what only wants more rows does not."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @cached_property
    def _all(self) -> tuple[Conversation, ...]:
        return gather(self._reading.messages) if self._reading.total > 1 else ()

    @property
    def total(self) -> int:
        return len(self._all)

    @property
    def left(self) -> int:
        """Conversations beyond those that are shown."""
        return max(0, self.total - CONVERSATIONS)

    @property
    def tally(self) -> dict[str, int]:
        tally = dict.fromkeys(SEVERITIES, 0)
        for one in self._all:
            for found in one.findings:
                tally[found.severity] += 1
        return tally

    @property
    def shown(self) -> list[Thread]:
        """In the order of the text; when there are too many, those with the worst findings."""
        worst = sorted(range(self.total), key=lambda at: _rank(self._all[at]))[:CONVERSATIONS]
        return [Thread(self._all[at]) for at in sorted(worst)]


def _rank(of: Conversation) -> int:
    return min((SEVERITIES.index(found.severity) for found in of.findings), default=len(SEVERITIES))


def _numbers(indexes: Sequence[int]) -> Numbers:
    return Numbers(tuple(at + 1 for at in indexes[:NUMBERS]), max(0, len(indexes) - NUMBERS))
