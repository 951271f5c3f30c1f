"""Packets of a log as rows of a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese.message import Message
from playground.display.highlight import Run, brief_runs


@dataclass(frozen=True, slots=True)
class Row:
    """A packet in a list: its record, and its highlighted wire."""

    record: dict[str, Any]
    received: datetime
    runs: list[Run]


def draw(found: Sequence[Packet], messages: Sequence[Message] = ()) -> list[Row]:
    """Return a row for each packet; decode the packets unless ``messages`` are given."""
    read = messages or [packets.read(packet) for packet in found]
    return [
        Row(record, packet.received, brief_runs(message))
        for record, packet, message in zip(packets.records(found), found, read, strict=True)
    ]
