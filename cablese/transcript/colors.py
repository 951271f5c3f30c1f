"""The colors of a terminal in a text, which are part of no message."""

from collections.abc import Sequence

from msgspec.structs import replace

from cablese.message import Span
from cablese.text import trim

from .cut import Cut, Ignored, Transcript, move
from .encoding import Decoded


def place_messages(text: str, plain: Decoded, cuts: Sequence[Cut]) -> list[Cut]:
    """Return the messages of ``plain``, ``text`` without colors, with their places in ``text``.

    A code inside a message is part of it: a string of a record is not shown in color.
    """
    placed = [move(cut, plain, 0) for cut in cuts]
    return [
        replace(moved, wire=text[slice(*moved.span)]) if cut.verbatim else moved
        for cut, moved in zip(cuts, placed, strict=True)
    ]


def place_in(text: str, plain: Decoded, found: Transcript) -> Transcript:
    """Return what was found in ``plain``, which is ``text`` without colors, with its places in
    ``text``. The codes between what was found are ignored.
    """
    messages = tuple(move(cut, plain, 0) for cut in found.messages)
    end = len(text) if found.end == len(plain.text) else plain.starts[found.end]
    moved = [(Span(*plain.place(*skipped.span)), skipped) for skipped in found.ignored]
    reasons = {span.start: skipped for span, skipped in moved}
    ignored, at = [], 0
    spans = sorted([*(cut.span for cut in messages), *(span for span, _ in moved)])
    for span in (*spans, Span(end, end)):
        gap = trim(text, at, span.start)
        if gap.start < gap.end:
            ignored.append(Ignored(gap, text[slice(*gap)], "color code"))
        if span.start in reasons and span.start < span.end:
            skipped = reasons[span.start]
            ignored.append(Ignored(span, text[slice(*span)], skipped.reason, skipped.resembles))
        at = span.end
    return Transcript(messages, tuple(ignored), end, found.context)
