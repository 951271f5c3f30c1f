"""One of the two texts: its messages in order and, on request, the other lines between them."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import islice

import msgspec

from cablese import registry
from cablese.message import Message
from playground.workbench.document import Reading

PARTS = 10_000
"""The limit of messages and lines of a text."""


@dataclass(frozen=True, slots=True)
class Part:
    """A message, or a line that is not a message.

    Parts with an equal ``key`` are the same. Parts with an equal ``kin`` are probably two versions
    of one message: of the same act about the same thing. ``act`` and ``about`` are its halves.
    """

    line: int
    text: str
    key: Hashable
    kin: Hashable
    act: Hashable
    about: Hashable
    message: Message | None = None

    @property
    def title(self) -> str:
        return registry.get(self.message.protocol).title if self.message else ""


class Side:
    """A text as it is compared."""

    def __init__(self, text: str, *, protocol: str | None, tokenizer: str, lines: bool) -> None:
        self.reading = Reading(text, protocol=protocol, tokenizer=tokenizer)
        placed = [*self._messages(), *(islice(self._lines(), PARTS + 1) if lines else ())]
        placed.sort(key=lambda each: each[0])
        self.parts = [part for _, part in placed[:PARTS]]
        self.is_cut = len(placed) > PARTS or self.reading.left > 0
        """Whether a part is beyond the limit, and so not compared."""

    def _messages(self) -> Iterator[tuple[int, Part]]:
        reading = self.reading
        known: dict[int, tuple[Hashable, ...]] = {}
        pairs = zip(reading.cuts, reading.messages, strict=True)
        for cut, message in pairs:
            if id(message) not in known:  # Equal messages are one object.
                known[id(message)] = _keys(message)
            key, kin, act, about = known[id(message)]
            place = reading.places.line(cut.span.start)
            yield cut.span.start, Part(place, message.wire, key, kin, act, about, message)

    def _lines(self) -> Iterator[tuple[int, Part]]:
        for fragment in self.reading.ignored:
            at = fragment.span.start
            for line in fragment.text.split("\n"):
                if line.strip():
                    text = line.strip()
                    yield at, Part(self.reading.places.line(at), text, ("", text), "", "", "")
                at += len(line) + 1


def _keys(message: Message) -> tuple[Hashable, ...]:
    """Return the key, the kin, the act, and what the message is about."""
    codec = registry.get(message.protocol)
    meaning = codec.meaning(message)
    about = (meaning.thread, meaning.goal, meaning.task, meaning.topic, meaning.object)
    return (
        (message.protocol, _content(message)),
        (message.protocol, meaning.act, *about),
        (message.protocol, meaning.act),
        (message.protocol, *about),
    )


def _content(message: Message) -> Hashable:
    """Return the values whatever their order, as the comparison of fields does, or the wire if a
    part of it could not be read.
    """
    if not message.valid:
        return message.wire
    try:
        return msgspec.json.encode(message.values, order="sorted")
    except UnicodeEncodeError:
        return message.wire
