"""Conversations as pages show them, whatever their messages come from.

The workbench numbers messages from 1, as in its list, and shows one at the press of a button. The
trail names packets by their place in the log, and leads to their entries.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property

from cablese import registry
from cablese.conversation.finding import Finding
from cablese.conversation.model import Conversation, Party, Term
from cablese.message import SEVERITIES
from playground.display import state_table
from playground.display.sequence_diagram import Diagram, Pointed, draw

CONVERSATIONS = 50
FINDINGS = 20
Key = tuple[str, tuple[int, ...]]
"""What identifies a finding: its code and the indexes of its messages."""
LocatedFinding = tuple[Finding, list[Pointed]]
"""A finding, and the messages that it concerns."""


class Thread:
    """One conversation. ``pointed`` are all messages that were gathered; findings in
    ``shown_elsewhere`` are left out.
    """

    def __init__(
        self,
        of: Conversation,
        pointed: Sequence[Pointed],
        shown_elsewhere: frozenset[Key] = frozenset(),
    ) -> None:
        self.of = of
        self._pointed = pointed
        self._findings = [
            finding for finding in of.findings if _key(finding) not in shown_elsewhere
        ]
        self.title = registry.get(of.protocol).title
        self.key = of.key or "messages with no conversation ID"
        self.total = len(of.turns)
        self.messages = self._point([turn.index for turn in of.turns])
        self.elsewhere = len(of.findings) - len(self._findings)
        self.left = max(0, len(self._findings) - FINDINGS)
        """Findings beyond those that are shown."""

    @cached_property
    def diagram(self) -> Diagram | None:
        return draw(self.of, self._pointed)

    @cached_property
    def states(self) -> state_table.StateTable | None:
        return state_table.draw(self.of, self._pointed)

    @property
    def parties(self) -> list[tuple[Party, list[Pointed]]]:
        return [(party, self._point(party.messages)) for party in self.of.parties]

    @property
    def terms(self) -> list[tuple[Term, Pointed]]:
        return [(term, self._pointed[term.message]) for term in self.of.terms]

    @property
    def findings(self) -> list[LocatedFinding]:
        return self._say(self._findings[:FINDINGS])

    def _say(self, findings: Iterable[Finding]) -> list[LocatedFinding]:
        return [(finding, self._point(finding.messages)) for finding in findings]

    def _point(self, indexes: Sequence[int]) -> list[Pointed]:
        return [self._pointed[at] for at in indexes]


class Gathered(ABC):
    """Conversations, gathered when a template draws them."""

    shown_elsewhere: frozenset[Key] = frozenset()
    """The findings that are shown elsewhere on the page."""
    most = CONVERSATIONS
    """Conversations that are shown."""

    @cached_property
    @abstractmethod
    def all(self) -> tuple[Conversation, ...]:
        """Gather them."""

    @property
    def total(self) -> int:
        return len(self.all)

    @property
    def left(self) -> int:
        """Conversations beyond those that are shown."""
        return max(0, self.total - self.most)

    @property
    def chosen(self) -> list[Conversation]:
        """Return the conversations in order, or those with the worst findings of too many."""
        worst = sorted(range(self.total), key=lambda at: _rank(self.all[at]))[: self.most]
        return [self.all[at] for at in sorted(worst)]

    @property
    def worst_first(self) -> list[Conversation]:
        """Return those with errors first, then those with warnings; of these, most findings."""
        return sorted(self.all, key=lambda one: (_rank(one), -len(one.findings)))

    @property
    def tally(self) -> dict[str, int]:
        return tally_findings(
            finding
            for conversation in self.all
            for finding in conversation.findings
            if _key(finding) not in self.shown_elsewhere
        )


def tally_findings(findings: Iterable[Finding]) -> dict[str, int]:
    """Return how many findings have each severity."""
    tally: dict[str, int] = dict.fromkeys(SEVERITIES, 0)
    for finding in findings:
        tally[finding.severity] += 1
    return tally


def _key(finding: Finding) -> Key:
    return finding.code, finding.messages


def _rank(of: Conversation) -> int:
    return min(
        (SEVERITIES.index(finding.severity) for finding in of.findings), default=len(SEVERITIES)
    )
