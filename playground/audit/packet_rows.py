"""Packets of a log as rows of a list: what each says, when it was sent, and its marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from auditlog.findings import flow
from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese.message import Message
from playground.audit.marks import Mark, list_marks
from playground.display.glyphs import visible

LENGTH = 300
"""Characters of a text in a row."""
REVIEWED = {"reviewed": "✓", "flagged": "⚑"}
_SUPPLIED = {"sender": "from", "recipient": "to"}


@dataclass(frozen=True)
class PacketRow:
    """A packet of a list with its record and message. Each part is made when a template draws it.

    What the packet says of its sender, goal, and so on comes before what was supplied with it.
    """

    record: dict[str, Any]
    packet: Packet
    message: Message

    @cached_property
    def marks(self) -> list[Mark]:
        return list_marks(
            valid=self.packet.valid,
            diagnostics=self.packet.diagnostics,
            findings=self.record["findings"],
        )

    @property
    def all_marks(self) -> list[Mark]:
        """The marks, and those of its damage and its review."""
        marks = [*self.marks]
        if self.record["damaged"]:
            marks.append(Mark("damaged", "✖", f"Damaged: {' '.join(self.record['damaged'])}"))
        if review := self.record["review"]:
            state = review["state"]
            title = f"{state.capitalize()} by {review['who']}"
            marks.append(Mark(state, REVIEWED.get(state, "○"), title))
        return marks

    @cached_property
    def english(self) -> str:
        """What the packet says, or the beginning of a text of no protocol."""
        return say(self.message)

    @cached_property
    def raw(self) -> str:
        """The beginning of the raw text, in one line."""
        return _cut(self.message.wire)

    @cached_property
    def sent(self) -> datetime:
        """The sender's time in UTC, or the time received if none is stated."""
        return sent_time(self.packet)

    @property
    def act(self) -> str:
        return self._term("act")

    @cached_property
    def parties(self) -> tuple[str, str]:
        return self._term("sender"), self._term("recipient")

    @cached_property
    def goal(self) -> str:
        """The goal and the task, as `42/1`."""
        goal, task = self._term("goal"), self._term("task")
        return f"{goal or '–'}/{task}" if task else goal

    @property
    def thread(self) -> str:
        return self._term("thread")

    @property
    def tags(self) -> str:
        said, supplied = self.record["meaning"], self.record["supplied"]
        tags = dict.fromkeys([*said.get("tags", ()), *supplied.get("tags", ())])
        return " ".join(f"@{visible(tag)}" for tag in tags)

    def _term(self, name: str) -> str:
        supplied: Mapping[str, Any] = self.record["supplied"]
        value = self.record["meaning"].get(name) or supplied.get(_SUPPLIED.get(name, name))
        return "" if value is None else _cut(str(value))


def say(message: Message) -> str:
    """Return a message in English, or the beginning of a text of no protocol, in one line."""
    return _cut(packets.describe(message)) or f"No protocol: {_cut(message.wire)}"


def sent_time(packet: Packet) -> datetime:
    """Return the sender's time in UTC, or the time received if none is stated."""
    sent = flow.read_sent(packet)
    if sent is None:
        return packet.received
    try:
        return sent.astimezone(UTC)
    except OverflowError:  # the first or last day of the calendar, in another zone
        return packet.received


def _cut(text: str) -> str:
    return visible(text if len(text) <= LENGTH else f"{text[:LENGTH]}…").replace("\n", "⏎")


def draw(stored: Sequence[Packet], messages: Sequence[Message] = ()) -> list[PacketRow]:
    """Return a row for each packet; decode the packets unless ``messages`` are given."""
    read = messages or [packets.read(packet) for packet in stored]
    return [
        PacketRow(record, packet, message)
        for record, packet, message in zip(packets.records(stored), stored, read, strict=True)
    ]
