"""What is part of no message, and is taken out of a text before it is cut.

These are a byte order mark, the colors of a terminal, what is between the pieces of a line that was
cut or of an answer that was streamed, line ends that are written out, the tokens of a model between
two turns, and the mark of an edited message.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from cablese.message import Span
from cablese.text import trim
from cablese.transcript import encoding
from cablese.transcript.cut import Cut, Ignored, Transcript, move
from cablese.transcript.encoding import Decoded

from . import deltas, edited, line_ends, partial_lines, string_pieces, turns, yaml_lines

COLOR = "color code"
"""Why a code is ignored. In a string of a record it is part of the message, where none is shown in
color.
"""
MARK = "\ufeff"
"""Excel writes it before CSV, and Windows before any text."""
LINE_END = "line end"
"""Why a line end is ignored. One that follows an ignored text goes with it."""


_TAKEN_OUT: tuple[tuple[str, Callable[[str, bool], Decoded | None]], ...] = (
    (
        "byte order mark",
        lambda text, _: encoding.replace(text, [(0, 1, "")]) if text.startswith(MARK) else None,
    ),
    (
        COLOR,
        lambda text, _: encoding.strip_colors(text) if encoding.ESCAPE in text else None,
    ),
    (
        COLOR,
        lambda text, _: (
            encoding.strip_written_colors(text)
            if any(map(text.__contains__, encoding.WRITTEN_ESCAPES))
            else None
        ),
    ),
    ("between pieces", lambda text, final: partial_lines.take_out(text, final=final)),
    ("between pieces", lambda text, final: deltas.take_out(text, final=final)),
    ("between pieces", lambda text, final: string_pieces.take_out(text, final=final)),
    ("between pieces", lambda text, final: yaml_lines.take_out(text, final=final)),
    (LINE_END, lambda text, final: line_ends.take_out(text, final=final)),
    ("end of turn", lambda text, _: turns.take_out(text)),
    ("mark of an edit", lambda text, _: edited.take_out(text)),
)
"""Each reason, and what takes out what is ignored for it, in this order."""
_SIGN = re.compile(r"[^\t -\"$-%'-;=-\[\]_-~]")
"""A line end, one of ``#&<^`` and a backslash, or a sign that is not in ASCII or not printed. From
a text without any of these, as most strings of a record are, nothing is taken out.
"""


class Layer(NamedTuple):
    """What was taken out of ``text`` for one ``reason``, and what is left."""

    text: str
    left: Decoded
    reason: str


def take_out(text: str, *, final: bool) -> tuple[str, list[Layer]]:
    """Return what is left of ``text``, and how it came to it. Only with ``final`` is the end of the
    text the end of a line.
    """
    layers: list[Layer] = []
    if _SIGN.search(text) is None:
        return text, layers
    for reason, take in _TAKEN_OUT:
        left = take(text, final)
        if left is not None:
            layers.append(Layer(text, left, reason))
            text = left.text
    return text, layers


def place_messages(layers: Sequence[Layer], cuts: Sequence[Cut]) -> list[Cut]:
    """Return the messages of what is left with their places in the text, a string of a record."""
    for text, left, reason in reversed(layers):
        placed = [move(cut, left, 0) for cut in cuts]
        if reason == COLOR:
            placed = [
                replace(moved, wire=text[slice(*moved.span)]) if cut.verbatim else moved
                for cut, moved in zip(cuts, placed, strict=True)
            ]
        cuts = placed
    return list(cuts)


def place_in(layers: Sequence[Layer], found: Transcript) -> Transcript:
    """Return what was found in what is left with its places in the text. What was taken out between
    it is ignored.
    """
    for layer in reversed(layers):
        found = _place_in(layer, found)
    return found


def _place_in(layer: Layer, found: Transcript) -> Transcript:
    text, left, reason = layer
    messages = tuple(move(cut, left, 0) for cut in found.messages)
    end = len(text) if found.end == len(left.text) else left.starts[found.end]
    moved = [(Span(*left.place(*skipped.span)), skipped) for skipped in found.ignored]
    reasons = {span.start: skipped for span, skipped in moved}
    ignored: list[Ignored] = []
    at = 0
    spans = sorted([*(cut.span for cut in messages), *(span for span, _ in moved)])
    for span in (*spans, Span(end, end)):
        gap = trim(text, at, span.start)
        if gap.start < gap.end and reason == LINE_END and ignored and ignored[-1].span.end == at:
            whole = Span(ignored[-1].span.start, gap.end)
            ignored[-1] = replace(ignored[-1], span=whole, text=text[slice(*whole)])
        elif gap.start < gap.end:
            ignored.append(Ignored(gap, text[slice(*gap)], reason))
        if span.start in reasons and span.start < span.end:
            skipped = reasons[span.start]
            ignored.append(Ignored(span, text[slice(*span)], skipped.reason, skipped.resembles))
        at = span.end
    return Transcript(messages, tuple(ignored), end, found.context)
