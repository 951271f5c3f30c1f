"""What is part of no message, and is taken out of a text before it is cut.

These are the colors of a terminal, what is between the pieces of a line that was cut or of an
answer that was streamed, line ends that are written out, and the tokens of a model between two
turns.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from cablese.message import Span
from cablese.text import trim
from cablese.transcript import encoding
from cablese.transcript.cut import Cut, Ignored, Transcript, move
from cablese.transcript.encoding import Decoded

from . import deltas, line_ends, partial_lines, turns

LINE_END = "line end"
"""Why a line end is ignored. One that follows an ignored text goes with it."""


class Layer(NamedTuple):
    """What was taken out of ``text`` for one ``reason``, and what is left."""

    text: str
    left: Decoded
    reason: str


def take_out(text: str, *, final: bool) -> tuple[str, list[Layer]]:
    """Return what is left of ``text``, and how it came to it. Only with ``final`` is the end of the
    text the end of a line.
    """
    layers = []
    if encoding.ESCAPE in text:
        layers.append(Layer(text, encoding.strip_colors(text), "color code"))
        text = layers[-1].left.text
    whole = partial_lines.take_out(text, final=final)
    if whole is not None:
        layers.append(Layer(text, whole, "between pieces"))
        text = whole.text
    answers = deltas.take_out(text, final=final)
    if answers is not None:
        layers.append(Layer(text, answers, "between pieces"))
        text = answers.text
    ends = line_ends.take_out(text, final=final)
    if ends is not None:
        layers.append(Layer(text, ends, LINE_END))
        text = ends.text
    between = turns.take_out(text)
    if between is not None:
        layers.append(Layer(text, between, "end of turn"))
        text = between.text
    return text, layers


def place_messages(layers: Sequence[Layer], cuts: Sequence[Cut]) -> list[Cut]:
    """Return the messages of what is left with their places in the text.

    A code inside a message is part of it: a string of a record is not shown in color.
    """
    for text, left, _ in reversed(layers):
        placed = [move(cut, left, 0) for cut in cuts]
        cuts = [
            replace(moved, wire=text[slice(*moved.span)]) if cut.verbatim else moved
            for cut, moved in zip(cuts, placed, strict=True)
        ]
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
