"""Who speaks in a chat that was copied from its window: a name and a time above the messages.

    coordinator 09:42                      coordinator  APP  9:42 AM
    REQ/TSK|g=12,t=1                       REQ/TSK|g=12,t=1

    planner — Today at 09:44               [20/11/2026 09:44] planner
    PRO/PLN|g=12,t=1                       PRO/PLN|g=12,t=1

A heading holds until the next one or an empty line. One alone may be any word before a time, so a
text needs two. Their times often have no date, so they are not stated.

AutoGen prints headings of its own. One is enough, and it holds until the next one or a line:

    planner (to executor):                 ---------- TextMessage (planner) ----------
                                           REQ/TSK|g=12,t=1
    REQ/TSK|g=12,t=1
    ------------------------------
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

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
_PRINTED = re.compile(
    rf"({NAME}) \(to ({NAME})\):|-{{5,20}} [A-Z]\w{{0,40}}(?:Message|Event) \(({NAME})\) -{{5,20}}"
)
_EMPTY_LINE = re.compile(r"(?:\A|\n)[ \t\r]*\n")
_RULE = re.compile(r"(?:\A|\n)-{20,200}[ \t\r]*(?:\n|\Z)")
MIN_HEADINGS = 2
MAX_HEADING = 140
"""Characters of a line that may be a heading."""


class _Heading(NamedTuple):
    """Where a heading is, its line, and whom it names; whether it was ``printed`` by a program."""

    span: Span
    line: str
    sender: str
    recipient: str | None
    printed: bool


class Headings:
    """The headings of ``text`` among its ``ignored`` lines, which are in the order of the text.

    Those among the ``earlier`` lines, which are before the text, count too.
    """

    def __init__(self, text: str, ignored: Iterable[Ignored], earlier: Iterable[str] = ()) -> None:
        self.text = text
        lines = [*((Span(0, 0), line) for line in earlier)]
        lines += [
            (line.span, line.text)
            for line in ignored
            if len(line.text) <= MAX_HEADING and (":" in line.text or ") -" in line.text)
        ]
        self.found = [heading for span, line in lines if (heading := _read(span, line)) is not None]

    def name_senders(self, cuts: list[Cut]) -> list[Cut]:
        """Return the messages with the sender that the heading above them names, where they name
        none. ``cuts`` are in the order of the text.
        """
        is_chat = sum(not heading.printed for heading in self.found) >= MIN_HEADINGS
        found = [heading for heading in self.found if heading.printed or is_chat]
        if not found:
            return cuts
        starts = [heading.span.end for heading in found]
        edges = [*(heading.span.start for heading in found[1:]), len(self.text)]
        ends = [self._end(*place) for place in zip(found, edges, strict=True)]
        named = []
        for cut in cuts:
            begin = begin_of(cut)
            at = bisect_right(starts, begin) - 1
            if at >= 0 and begin < ends[at]:
                cut = add_facts(cut, Facts(sender=found[at].sender, recipient=found[at].recipient))
            named.append(cut)
        return named

    def holding(self, end: int) -> list[str]:
        """Return the last headings before ``end`` if the last one holds there."""
        before = [heading for heading in self.found if heading.span.end <= end]
        if not before or self._end(before[-1], end) < end:
            return []
        return [heading.line for heading in before[-MIN_HEADINGS:]]

    def _end(self, heading: _Heading, following: int) -> int:
        """Return how far a heading holds, at most to the one ``following``."""
        ending = _RULE if heading.printed else _EMPTY_LINE
        end = ending.search(self.text, heading.span.end, following)
        return following if end is None else end.start()


def _read(span: Span, line: str) -> _Heading | None:
    printed = _PRINTED.fullmatch(line)
    if printed is not None and all(map(is_party, filter(None, printed.groups()))):
        return _Heading(span, line, printed[1] or printed[3], printed[2], printed=True)
    heading = _HEADING.fullmatch(line)
    name = heading and (heading[1] or heading[2])
    return _Heading(span, line, name, None, printed=False) if name and is_party(name) else None
