"""Conversations to write, made from texts."""

from collections.abc import Sequence

from cablese import detection
from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Conversation, Supplied
from cablese.transcript import split
from playground.display.sequence_diagram import Pointed

HOSTILE = "end;\"'`|<b>x</b>#59;%%{init: {}}%%]]>&lt;: a->>b\u202e\u0007"
"""A name that would be markup in Mermaid, Markdown, HTML, or XML if it were not escaped."""

Told = tuple[Sequence[Conversation], list[Pointed]]


def converse(text: str) -> Told:
    cuts = split(text).messages
    messages = [detection.decode(cut.wire, cut.protocol) for cut in cuts]
    return gather(messages, recorded(cuts)), [Pointed(at + 1) for at in range(len(cuts))]


def supply(*messages: tuple[str, str, str]) -> Told:
    """Return the conversations of messages, each a sender, a recipient, and a wire."""
    decoded = [detection.decode(wire) for _, _, wire in messages]
    supplied = [Supplied(sender=sender, recipient=recipient) for sender, recipient, _ in messages]
    return gather(decoded, supplied), [Pointed(at + 1) for at in range(len(messages))]
