"""Packets of a log as rows of a list."""

from collections.abc import Sequence
from typing import Any

from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese.message import Message

Row = tuple[dict[str, Any], Packet, Message]
"""The record of a packet, the packet, and its message."""


def draw(stored: Sequence[Packet], messages: Sequence[Message] = ()) -> list[Row]:
    """Return a row for each packet; decode the packets unless ``messages`` are given."""
    read = messages or [packets.read(packet) for packet in stored]
    return list(zip(packets.records(stored), stored, read, strict=True))
