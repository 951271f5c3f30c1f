"""Who speaks in a chat that was copied from its window: a name and a time above the messages.

    coordinator 09:42                      coordinator  APP  9:42 AM
    REQ/TSK|g=12,t=1                       REQ/TSK|g=12,t=1

    planner — Today at 09:44               [20/11/2026 09:44] planner
    PRO/PLN|g=12,t=1                       PRO/PLN|g=12,t=1

A heading holds until the next one or an empty line. One alone may be any word before a time, so a
text needs two. Their times often have no date, so they are not stated.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable

from cablese.message import Span
from cablese.transcript.cut import Cut, Ignored
from cablese.transcript.facts import Facts
from cablese.transcript.line_facts import add_facts, begin_of

from .log_line import NAME, is_party

_TIME = (
    r"(?:(?:Today|Yesterday),? (?:at )?|\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? )?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
)
_HEADING = re.compile(
    rf"({NAME})(?: {{1,2}}(?:APP|BOT))? {{0,2}}[ \t—–-] {{0,2}}[\[(]?{_TIME}[\])]?"
    rf"|[\[(]{_TIME}[\])] {{1,2}}({NAME}):?"
)
_EMPTY_LINE = re.compile(r"(?:\A|\n)[ \t\r]*\n")
MIN_HEADINGS = 2
MAX_HEADING = 120
"""Characters of a line that may be a heading."""


class Headings:
    """The headings of ``text`` among its ``ignored`` lines, which are in the order of the text.

    Those among the ``earlier`` lines, which are before the text, count too.
    """

    def __init__(self, text: str, ignored: Iterable[Ignored], earlier: Iterable[str] = ()) -> None:
        self.text = text
        self.found: list[tuple[Span, str, str]] = [
            (Span(0, 0), line, name) for line in earlier if (name := _name(line))
        ]
        """Where each is, its line, and its name."""
        self.found += [
            (line.span, line.text, name)
            for line in ignored
            if len(line.text) <= MAX_HEADING and ":" in line.text and (name := _name(line.text))
        ]

    def name_senders(self, cuts: list[Cut]) -> list[Cut]:
        """Return the messages with the sender that the heading above them names, where they name
        none. ``cuts`` are in the order of the text.
        """
        if len(self.found) < MIN_HEADINGS:
            return cuts
        starts = [span.end for span, _, _ in self.found]
        edges = [*(span.start for span, _, _ in self.found[1:]), len(self.text)]
        ends = [_end(self.text, *place) for place in zip(starts, edges, strict=True)]
        named = []
        for cut in cuts:
            begin = begin_of(cut)
            at = bisect_right(starts, begin) - 1
            if at >= 0 and begin < ends[at]:
                cut = add_facts(cut, Facts(sender=self.found[at][2]))
            named.append(cut)
        return named

    def holding(self, end: int) -> list[str]:
        """Return the last headings before ``end`` if the last one holds there."""
        lines = [(span, line) for span, line, _ in self.found if span.end <= end]
        if not lines or _end(self.text, lines[-1][0].end, end) < end:
            return []
        return [line for _, line in lines[-MIN_HEADINGS:]]


def _name(line: str) -> str | None:
    heading = _HEADING.fullmatch(line)
    name = heading and (heading[1] or heading[2])
    return name if name and is_party(name) else None


def _end(text: str, start: int, following: int) -> int:
    """Return how far a heading that ends at ``start`` holds, at most to the one ``following``."""
    empty = _EMPTY_LINE.search(text, start, following)
    return following if empty is None else empty.start()
