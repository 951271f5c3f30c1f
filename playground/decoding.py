"""Decoding the messages of a text."""

from collections.abc import Iterator, Sequence

from playground.server import wanted
from protocols import detect
from protocols.message import Message
from protocols.transcript import Cut


def decode_each(cuts: Sequence[Cut], *, dialect: str | None = None) -> Iterator[Message]:
    """Yield the message of each cut. Equal ones are one object: messages of a log repeat.

    Raises registry.UnknownDialect for a message of a protocol without ``dialect``.
    """
    known: dict[tuple[str, str], Message] = {}
    for cut in wanted.each(cuts):
        same = (cut.protocol, cut.wire)
        if same not in known:
            known[same] = detect.decode(cut.wire, cut.protocol, dialect=dialect)
        yield known[same]
