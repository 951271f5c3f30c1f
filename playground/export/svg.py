"""Conversations as one SVG file, drawn as on the page, one below another.

Colors and fonts are attributes, not styles: a file that is opened from its address, under a policy
that allows nothing, looks the same. It has no script, link, or font of its own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from cablese import amount
from cablese.conversation.model import Conversation
from playground.display.glyphs import visible
from playground.display.sequence_diagram import Diagram, Pointed, draw
from playground.export.mermaid import entitle

CONVERSATIONS = 20
TITLE, GAP, LETTER, LONGEST = 28, 20, 7, 90
"""Pixels above and below a diagram and of a letter, and the letters of a title."""
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML cannot have, not even escaped."""


@dataclass(frozen=True)
class Figure:
    """One conversation, and where its picture begins."""

    title: str
    diagram: Diagram
    y: int

    @property
    def notes(self) -> list[tuple[int, str]]:
        """Return the lines below the diagram, with their places."""
        unsure, more = self.diagram.unsure, self.diagram.more
        told = (
            f"Italic names and dashed arrows are {unsure}." if unsure else "",
            f"{amount.count(more, 'more message is', 'more messages are')} not shown."
            if more
            else "",
        )
        return [
            (self.diagram.height + 8 + GAP * at, note) for at, note in enumerate(filter(None, told))
        ]

    @property
    def end(self) -> int:
        return self.y + TITLE + self.diagram.height + GAP * len(self.notes)

    @property
    def width(self) -> int:
        longest = max(len(text) for text in (self.title, *(note for _, note in self.notes)))
        return max(self.diagram.width, LETTER * longest + 2 * GAP)


def write(conversations: Sequence[Conversation], places: Sequence[Pointed]) -> str:
    """Return the file. ``places`` are those of all gathered messages."""
    figures = tuple(_place(conversations[:CONVERSATIONS], places))
    more = len(conversations) - len(figures)
    height = max((figure.end for figure in figures), default=GAP) + (2 * GAP if more else GAP)
    context = {
        "figures": figures,
        "width": max((figure.width for figure in figures), default=GAP),
        "height": height,
        "more": more,
        "foot": height - GAP,
    }
    lines = render_to_string("export/sequence.svg", context).splitlines()
    drawn = "\n".join(line for line in lines if line.strip())
    return _FORBIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", drawn) + "\n"


def _place(conversations: Sequence[Conversation], places: Sequence[Pointed]) -> Iterator[Figure]:
    y = 0
    for conversation in conversations:
        diagram = draw(conversation, places, least=1)
        assert diagram is not None
        title = visible(entitle(conversation))
        figure = Figure(title if len(title) <= LONGEST else f"{title[: LONGEST - 1]}…", diagram, y)
        yield figure
        y = figure.end
