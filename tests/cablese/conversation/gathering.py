"""Conversations from lines of text, as tests write them."""

from cablese import detection
from cablese.conversation.gather import gather
from cablese.conversation.model import Conversation


def conversations(*wires: str, protocol: str | None = None) -> tuple[Conversation, ...]:
    """What ``gather`` makes of messages sent in this order, each of which is detected unless
    ``protocol`` is given.
    """
    return gather([detection.decode(wire, protocol) for wire in wires])


def conversation(*wires: str, protocol: str | None = None) -> Conversation:
    """The only conversation of these messages."""
    (only,) = conversations(*wires, protocol=protocol)
    return only


def told(of: Conversation) -> list[tuple[str, tuple[int, ...]]]:
    """The code of each finding and the messages it concerns."""
    return [(found.code, found.messages) for found in of.findings]
