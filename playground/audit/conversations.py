"""The conversations of a text or of packets of a log, as pages show them.

The workbench numbers messages from 1, as in its list, and shows one at the press of a button. The
audit trail names packets by their place in the log, and leads to their entries.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from django.urls import reverse

from auditlog import text
from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese import registry
from cablese.conversation.finding import Finding
from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Conversation, Party, Supplied, Term
from cablese.message import SEVERITIES, Message
from playground.audit import packet_rows
from playground.display.sequence_diagram import Diagram, Pointed, draw
from playground.workbench.document import Reading

CONVERSATIONS = 50
FINDINGS = 20
ROWS = 40
Key = tuple[str, tuple[int, ...]]
"""What identifies a finding: its code and the indexes of its messages."""
Said = tuple[Finding, list[Pointed]]
"""A finding with its messages."""


class Thread:
    """One conversation. ``pointed`` are all messages that were gathered; findings in ``told`` are
    shown elsewhere.
    """

    def __init__(
        self, of: Conversation, pointed: Sequence[Pointed], told: frozenset[Key] = frozenset()
    ) -> None:
        self.of = of
        self._pointed = pointed
        self._findings = [found for found in of.findings if _key(found) not in told]
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

    @property
    def parties(self) -> list[tuple[Party, list[Pointed]]]:
        return [(party, self._point(party.messages)) for party in self.of.parties]

    @property
    def terms(self) -> list[tuple[Term, Pointed]]:
        return [(term, self._pointed[term.message]) for term in self.of.terms]

    @property
    def findings(self) -> list[Said]:
        return self._say(self._findings[:FINDINGS])

    def _say(self, findings: Iterable[Finding]) -> list[Said]:
        return [(found, self._point(found.messages)) for found in findings]

    def _point(self, indexes: Sequence[int]) -> list[Pointed]:
        return [self._pointed[at] for at in indexes]


class Talk(Thread):
    """One conversation of a log, with its packets."""

    def __init__(
        self, of: Conversation, pointed: Sequence[Pointed], found: Sequence[Packet]
    ) -> None:
        super().__init__(of, pointed)
        self.packets = [found[turn.index] for turn in of.turns]
        self.more = max(0, self.total - ROWS)
        """Packets beyond those that are shown."""

    def concerning(self, packet: Packet) -> list[Said]:
        """Return the findings about one packet, alone or with others."""
        places = zip(self.of.turns, self.packets, strict=True)
        at = next(turn.index for turn, one in places if one.pk == packet.pk)
        return self._say(found for found in self._findings if at in found.messages)

    @cached_property
    def rows(self) -> list[packet_rows.Row]:
        return packet_rows.draw(
            self.packets[:ROWS], [turn.message for turn in self.of.turns[:ROWS]]
        )


class _Gathered(ABC):
    """Conversations, gathered when a template draws them."""

    told: frozenset[Key] = frozenset()
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
        """In the order they begin; when there are too many, those with the worst findings."""
        worst = sorted(range(self.total), key=lambda at: _rank(self.all[at]))[:CONVERSATIONS]
        return [self.all[at] for at in sorted(worst)]

    @property
    def tally(self) -> dict[str, int]:
        tally: dict[str, int] = dict.fromkeys(SEVERITIES, 0)
        for one in self.all:
            for found in one.findings:
                tally[found.severity] += _key(found) not in self.told
        return tally


class Threads(_Gathered):
    """The conversations of a text."""

    def __init__(self, reading: Reading, told: frozenset[Key] = frozenset()) -> None:
        self._reading = reading
        self.told = told

    @cached_property
    def all(self) -> tuple[Conversation, ...]:
        if self._reading.total < 2:
            return ()
        return gather(self._reading.messages, recorded(self._reading.cuts))

    @property
    def shown(self) -> list[Thread]:
        pointed = [Pointed(at + 1) for at in range(self._reading.total)]
        return [Thread(one, pointed, self.told) for one in self._chosen]


class Talks(_Gathered):
    """The conversations of packets, in the order they were sent as far as senders say, else as they
    were received.
    """

    def __init__(
        self, found: Sequence[Packet], decoded: Mapping[int, Message] | None = None
    ) -> None:
        """``decoded`` are messages that have been decoded already, by the `seq` of packets."""
        known = decoded or {}
        self.packets = sorted(found, key=lambda packet: (_sent(packet), packet.seq))
        self.messages = [known.get(packet.seq) or packets.read(packet) for packet in self.packets]

    @cached_property
    def all(self) -> tuple[Conversation, ...]:
        return gather(self.messages, [beside(packet) for packet in self.packets])

    @property
    def unknown(self) -> int:
        """Packets of no protocol, which are in no conversation."""
        return len(self.packets) - sum(len(one.turns) for one in self.all)

    @property
    def shown(self) -> list[Talk]:
        return [Talk(one, self._pointed, self.packets) for one in self._chosen]

    def with_packet(self, packet: Packet) -> Talk | None:
        """The conversation that a packet is in."""
        at = next((at for at, one in enumerate(self.packets) if one.pk == packet.pk), None)
        found = (one for one in self.all if any(turn.index == at for turn in one.turns))
        return next((Talk(one, self._pointed, self.packets) for one in found), None)

    @cached_property
    def _pointed(self) -> list[Pointed]:
        return [
            Pointed(packet.leaf, reverse("entry", args=[packet.uid])) for packet in self.packets
        ]


def beside(packet: Packet) -> Supplied:
    """What was supplied with a packet that a conversation can use."""
    facts = text.from_json(packet.supplied)
    goal, task, thread, sender, recipient = (
        str(facts[name]) if name in facts else None
        for name in ("goal", "task", "thread", "from", "to")
    )
    line = not {"from", "to"}.isdisjoint(facts.get("from_line", ()))
    return Supplied(goal, task, thread, sender, recipient, line=line)


def _sent(packet: Packet) -> datetime:
    if packet.sent_at is None:
        return packet.received
    # A leap second is a time by RFC 3339, and none by Python.
    return datetime.fromisoformat(packet.sent_at.upper().replace(":60", ":59"))


def _key(found: Finding) -> Key:
    return found.code, found.messages


def _rank(of: Conversation) -> int:
    return min((SEVERITIES.index(found.severity) for found in of.findings), default=len(SEVERITIES))
