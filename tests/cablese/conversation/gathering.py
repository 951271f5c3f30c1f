"""Conversations from lines of text, as tests write them."""

import json

from cablese import detection, registry
from cablese.conversation.gather import gather
from cablese.conversation.model import Conversation, Supplied
from tests.cablese.hostile import wires


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
    return [(finding.code, finding.messages) for finding in of.findings]


KNOWN = [
    (codec.name, wire)
    for codec in registry.all_codecs()
    for wire in wires(codec.name)
    if len(wire) < 2000
]


def sacp(id_: str | None = None, reply_to: str | None = None, **more: object) -> str:
    named = {"msg_id": id_, "reply_to": reply_to}
    plan = [] if "status" in more else [["search", "HOTELS", {}]]
    base = {} if "status" in more else {"g": "FIND_HOTEL", "plan": plan}
    return json.dumps(base | {key: value for key, value in named.items() if value} | more)


def supplied(*pairs: tuple[str, Supplied]) -> list[Conversation]:
    return list(
        gather([detection.decode(wire) for wire, _ in pairs], [beside for _, beside in pairs])
    )
