"""Decode the messages of a text."""

from collections.abc import Iterator, Sequence

from cablese import detection
from cablese.message import Message
from cablese.transcript import Cut
from cablese.transcript.memory import remember
from playground.http import wanted

Known = dict[tuple[str, str, tuple[str, ...]], Message]
"""Messages by protocol, raw text, and doubts about its end, all in the same dialect."""
MESSAGES, MAX_MESSAGE = 6_000, 256
"""The limit of messages that are remembered, more than the workbench shows, and of their
characters.
"""


def decode_cuts(
    cuts: Sequence[Cut], *, dialect: str | None = None, known: Known | None = None
) -> Iterator[Message]:
    """Yield the message of each cut. Equal ones are one object: messages of a log repeat.

    Those that are ``known`` are not decoded again, and the others are added to them.
    Raises registry.UnknownDialect for a message of a protocol without ``dialect``.
    """
    known = {} if known is None else known
    for cut in wanted.while_wanted(cuts):
        doubts = cut.facts.doubts
        same = (cut.protocol, cut.wire, doubts)
        message = known.get(same)
        if message is None:
            message = detection.mark_doubts(decode(cut.wire, cut.protocol, dialect), doubts)
            known[same] = message
        yield message


def decode(wire: str, protocol: str | None, dialect: str | None = None) -> Message:
    """Decode a message. Short ones are remembered: the workbench reads a text at every key."""
    read = _remembered if len(wire) <= MAX_MESSAGE else detection.decode
    return read(wire, protocol, dialect=dialect)


@remember(MESSAGES)
def _remembered(wire: str, protocol: str | None, *, dialect: str | None) -> Message:
    return detection.decode(wire, protocol, dialect=dialect)
