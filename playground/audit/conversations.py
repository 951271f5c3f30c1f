"""The conversations of a text or of packets of a log, as pages show them.

The workbench numbers messages from 1, as in its list, and shows one at the press of a button. The
trail names packets by their place in the log, and leads to their entries.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from django.urls import reverse
from msgspec import to_builtins

from auditlog.findings import flow
from auditlog.findings.following import position
from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese import registry
from cablese.conversation.finding import Finding
from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Conversation, Party, Term
from cablese.message import SEVERITIES, Message
from playground.audit import packet_rows
from playground.audit.marks import Mark, list_findings
from playground.display import state_table
from playground.display.sequence_diagram import Diagram, Pointed, draw
from playground.workbench.document import Reading

CONVERSATIONS = 50
FINDINGS = 20
ROWS = 40
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


class LogThread(Thread):
    """One conversation of a log, with its packets."""

    def __init__(
        self, of: Conversation, pointed: Sequence[Pointed], packets: Sequence[Packet]
    ) -> None:
        super().__init__(of, pointed)
        self.packets = [packets[turn.index] for turn in of.turns]
        self.tally = tally_findings(of.findings)
        self.more = max(0, self.total - ROWS)
        """Packets beyond those that are shown."""

    def concerning(self, packet: Packet) -> list[LocatedFinding]:
        """Return the findings about one packet, alone or with others."""
        places = zip(self.of.turns, self.packets, strict=True)
        at = next(turn.index for turn, other in places if other.pk == packet.pk)
        return self._say(finding for finding in self._findings if at in finding.messages)

    @property
    def opening(self) -> str:
        """What its first packet says."""
        return packet_rows.say(self.of.turns[0].message)

    @property
    def agents(self) -> str:
        return ", ".join(party.name for party in self.of.parties)

    @property
    def first(self) -> str:
        """The leaf index of its first packet, for an address."""
        return str(self.packets[0].leaf)

    @property
    def last_sent(self) -> datetime:
        return packet_rows.sent_time(self.packets[-1])

    @cached_property
    def rows(self) -> list[packet_rows.PacketRow]:
        return packet_rows.draw(
            self.packets[:ROWS], [turn.message for turn in self.of.turns[:ROWS]]
        )


class _Gathered(ABC):
    """Conversations, gathered when a template draws them."""

    shown_elsewhere: frozenset[Key] = frozenset()
    """The findings that are shown elsewhere on the page."""

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
        return max(0, self.total - CONVERSATIONS)

    @property
    def _chosen(self) -> list[Conversation]:
        """Return the conversations in order, or those with the worst findings of too many."""
        worst = sorted(range(self.total), key=lambda at: _rank(self.all[at]))[:CONVERSATIONS]
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


class Threads(_Gathered):
    """The conversations of a text."""

    def __init__(self, reading: Reading, shown_elsewhere: frozenset[Key] = frozenset()) -> None:
        self._reading = reading
        self.shown_elsewhere = shown_elsewhere

    @cached_property
    def all(self) -> tuple[Conversation, ...]:
        if self._reading.total < 2:
            return ()
        return gather(self._reading.messages, recorded(self._reading.cuts))

    @property
    def shown(self) -> list[Thread]:
        pointed = [Pointed(at + 1) for at in range(self._reading.total)]
        return [
            Thread(conversation, pointed, self.shown_elsewhere) for conversation in self._chosen
        ]


class LogThreads(_Gathered):
    """The conversations of packets, ordered by the sender's time if stated, otherwise by the time
    received.
    """

    def __init__(
        self, rows: Sequence[Packet], decoded: Mapping[tuple[int, int], Message] | None = None
    ) -> None:
        """``decoded`` are messages that are already decoded, by log ID and leaf."""
        known = decoded or {}
        self.packets = sorted(rows, key=flow.sent_order)
        self.messages = [known.get(packet.pk) or packets.read(packet) for packet in self.packets]

    @cached_property
    def all(self) -> tuple[Conversation, ...]:
        return gather(
            self.messages, [flow.read_supplied(packet.supplied) for packet in self.packets]
        )

    @property
    def unknown(self) -> int:
        """Packets of no protocol, which are in no conversation."""
        return len(self.packets) - sum(len(conversation.turns) for conversation in self.all)

    @cached_property
    def shown(self) -> list[LogThread]:
        return [
            LogThread(conversation, self.places, self.packets)
            for conversation in self.worst_first[:CONVERSATIONS]
        ]

    @property
    def listed(self) -> list[tuple[LogThread, list[Mark]]]:
        """Return the conversations that are shown, with the marks of the findings in them."""
        stored = position.find_stored(self.packets)
        return [
            (
                thread,
                list_findings(
                    to_builtins(finding)
                    for packet in thread.packets
                    for finding in stored.get(packet.pk, ())
                ),
            )
            for thread in self.shown
        ]

    def choose(self, leaf: int | None) -> list[LogThread]:
        """Return the conversation with a packet, or the one with the worst findings; none of
        none.
        """
        with_packet = [
            thread for thread in self.shown if any(one.leaf == leaf for one in thread.packets)
        ]
        return (with_packet or self.shown)[:1]

    def with_packet(self, packet: Packet) -> LogThread | None:
        """Return the conversation that contains a packet."""
        at = next((at for at, other in enumerate(self.packets) if other.pk == packet.pk), None)
        for conversation in self.all:
            if any(turn.index == at for turn in conversation.turns):
                return LogThread(conversation, self.places, self.packets)
        return None

    @cached_property
    def places(self) -> list[Pointed]:
        """Where each of the packets is shown."""
        return [
            Pointed(packet.leaf, reverse("entry", args=[packet.log.slug, packet.uid]))
            for packet in self.packets
        ]


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
