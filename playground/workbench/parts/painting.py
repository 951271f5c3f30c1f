"""What the editor shows of the messages in view: highlights, and a state and a cost at each line.

Offsets are UTF-16 units of the whole text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from cablese import tokens
from cablese.message import Message
from cablese.transcript import Cut
from cablese.transcript.memory import remember
from playground.display.highlight import (
    DIAGNOSTICS,
    FIELDS,
    hues_of,
    root_of,
    visible_span,
    worst,
)
from playground.display.offsets import Places
from playground.http.decoding import MAX_MESSAGE, decode

MESSAGES = 300
REMEMBERED = 1_000
"""Short messages whose hues are remembered: those in view are painted at every key."""
Mark = tuple[int, int, int] | tuple[int, int, str, str]
"""``start, end, hue`` of a field, or ``start, end, severity, message:number`` of a diagnostic."""
LineEnd = tuple[int, str, int, str]
"""``start, severity, tokens, protocol`` of a message. The severity is empty without problems, and
the protocol if all messages of the text have the same.
"""


class Painting:
    """The first MESSAGES messages of a text that are at least partly in ``view``."""

    def __init__(
        self,
        cuts: Sequence[Cut],
        messages: Sequence[Message],
        places: Places,
        view: tuple[int, int],
        tokenizer: str,
    ) -> None:
        """``view`` is the visible part of the text."""
        self._cuts = cuts
        self._messages = messages
        self._places = places
        self._tokenizer = tokenizer
        top, bottom = (places.point(unit) for unit in view)
        first = bisect_right(cuts, top, key=lambda cut: cut.span.end)
        last = bisect_left(cuts, bottom, key=lambda cut: cut.span.start)
        self._seen = range(first, min(last, first + MESSAGES))

    @cached_property
    def marks(self) -> list[Mark]:
        """Return the highlights of fields and problems."""
        return [mark for at in self._seen for mark in self._marks(at)]

    @cached_property
    def ends(self) -> list[LineEnd]:
        """Return what stands beside each message."""
        is_mixed = len({message.protocol for message in self._messages}) > 1
        wires = [self._messages[at].wire for at in self._seen]
        counts = tokens.count_batch(wires, self._tokenizer)
        return [
            (
                self._places.unit(self._cuts[at].span.start),
                worst(self._messages[at]),
                count.count,
                self._messages[at].protocol if is_mixed else "",
            )
            for at, count in zip(self._seen, counts, strict=True)
        ]

    @property
    def marks_json(self) -> str:
        return msgspec.json.encode(self.marks).decode()

    @property
    def ends_json(self) -> str:
        return msgspec.json.encode(self.ends).decode()

    def _marks(self, at: int) -> Iterator[Mark]:
        cut, message = self._cuts[at], self._messages[at]
        if not cut.verbatim:
            return
        unit, base = self._places.unit, cut.span.start
        for start, end, hue in _hued(message):
            yield unit(base + start), unit(base + end), hue
        for number, diagnostic in enumerate(message.diagnostics[:DIAGNOSTICS], 1):
            start, end = visible_span(diagnostic.span, len(message.wire))
            yield unit(base + start), unit(base + end), diagnostic.severity, f"{at + 1}:{number}"


Hue = tuple[int, int, int]
"""``start, end, hue`` of a field, in code points of its message."""


def _hued(message: Message) -> tuple[Hue, ...]:
    """Return the first FIELDS fields of a message that have a hue."""
    if len(message.wire) > MAX_MESSAGE:
        return _find_hues(message)
    return _remembered_hues(message.wire, message.protocol)


@remember(REMEMBERED)
def _remembered_hues(wire: str, protocol: str) -> tuple[Hue, ...]:
    return _find_hues(decode(wire, protocol))


def _find_hues(message: Message) -> tuple[Hue, ...]:
    fields = message.fields
    hues = hues_of(message, fields)
    found = ((*field.span, hues.get(root_of(field.name))) for field in fields[:FIELDS])
    return tuple((start, end, hue) for start, end, hue in found if hue is not None)
