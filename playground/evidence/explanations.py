"""What a report says of packets to explain them: sentences in English, and diagrams.

They are not in the log, and are made only of what the exporter does not withhold.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese import detection
from playground.audit.conversations import LogThreads
from playground.export import svg
from playground.export.mermaid import entitle

CONVERSATIONS = 50
_LEAST = 2
"""Messages of a conversation that is drawn."""


def write(rows: Sequence[Packet], withheld: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Yield the lines of explanations of the packets of a report."""
    if "raw" in withheld:
        return
    messages = {packet.pk: packets.read(packet) for packet in rows}
    for packet in rows:
        message = messages[packet.pk]
        if message.protocol != detection.UNKNOWN:
            yield {"leaf": packet.leaf, "sentence": packets.describe(message)}
    if "index" in withheld:
        return
    threads = LogThreads(rows, messages)
    drawn = [one for one in threads.worst_first if len(one.turns) >= _LEAST][:CONVERSATIONS]
    for conversation in drawn:
        yield {
            "title": entitle(conversation),
            "leaves": [threads.packets[turn.index].leaf for turn in conversation.turns],
            "svg": svg.write([conversation], threads.places),
        }
