"""Decode the messages of a text."""

from collections.abc import Iterator, Sequence

from cablese import detection
from cablese.message import Message
from cablese.transcript import Cut
from playground.http import wanted

Known = dict[tuple[str, str], Message]
"""Messages by protocol and raw text, all in the same dialect."""


def decode_cuts(
    cuts: Sequence[Cut], *, dialect: str | None = None, known: Known | None = None
) -> Iterator[Message]:
    """Yield the message of each cut. Equal ones are one object: messages of a log repeat.

    Those that are ``known`` are not decoded again, and the others are added to them.
    Raises registry.UnknownDialect for a message of a protocol without ``dialect``.
    """
    known = {} if known is None else known
    for cut in wanted.while_wanted(cuts):
        same = (cut.protocol, cut.wire)
        if same not in known:
            known[same] = detection.decode(cut.wire, cut.protocol, dialect=dialect)
        yield known[same]
