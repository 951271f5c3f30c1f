"""The conversations of packets of a log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property

from django.urls import reverse
from msgspec import to_builtins

from auditlog.findings import flow
from auditlog.findings.following import position
from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese.conversation.gather import gather, group
from cablese.conversation.model import Conversation, Party, Supplied
from cablese.message import Message
from playground.audit import packet_rows
from playground.audit.marks import Mark, list_findings
from playground.display.sequence_diagram import Pointed
from playground.display.threads import (
    Gathered,
    LocatedFinding,
    Thread,
    tally_findings,
)

ROWS = 40
NAMED = 8
"""Parties in a line of a list."""


class LogThread(Thread):
    """One conversation of a log, with its packets."""

    def __init__(
        self, of: Conversation, pointed: Sequence[Pointed], packets: Sequence[Packet]
    ) -> None:
        super().__init__(of, pointed)
        self.packets = [packets[turn.index] for turn in of.turns]
        self.tally = tally_findings(of.findings)
        self.invalid = sum(not packet.valid for packet in self.packets)
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
    def stated_first(self) -> list[Party]:
        """The first parties of a line of a list. One that is only inferred is cut off first."""
        return sorted(self.of.parties, key=lambda party: party.inferred)[:NAMED]

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


class LogThreads(Gathered):
    """The conversations of packets of a log. The packets are in the order that `flow.place` states
    for each conversation.
    """

    def __init__(
        self, rows: Sequence[Packet], decoded: Mapping[tuple[int, int], Message] | None = None
    ) -> None:
        """``decoded`` are messages that are already decoded, by log ID and leaf."""
        known = decoded or {}
        stored = sorted(rows, key=lambda packet: packet.leaf)
        messages = [known.get(packet.pk) or packets.read(packet) for packet in stored]
        ordered = _order(stored, messages)
        self.packets = [stored[at] for at in ordered]
        self.messages = [messages[at] for at in ordered]

    @cached_property
    def all(self) -> tuple[Conversation, ...]:
        return gather(self.messages, _read_supplied(self.packets))

    @property
    def unknown(self) -> int:
        """Packets of no protocol, which are in no conversation."""
        return len(self.packets) - sum(len(conversation.turns) for conversation in self.all)

    @cached_property
    def shown(self) -> list[LogThread]:
        return [
            LogThread(conversation, self.places, self.packets)
            for conversation in self.worst_first[: self.most]
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


def _order(stored: Sequence[Packet], messages: Sequence[Message]) -> list[int]:
    """Return the places of packets in the order they were sent. What is known of it is known of
    each conversation, so that packets of others between its own change nothing.
    """
    grouped = group(messages, _read_supplied(stored))
    alone = set(range(len(stored))).difference(*grouped)
    places = {
        at: place
        for each in [*grouped, *([at] for at in alone)]
        for at, place in zip(each, flow.place([stored[at] for at in each]), strict=True)
    }
    return sorted(places, key=places.__getitem__)


def _read_supplied(stored: Sequence[Packet]) -> list[Supplied]:
    return [flow.read_supplied(packet.supplied) for packet in stored]
