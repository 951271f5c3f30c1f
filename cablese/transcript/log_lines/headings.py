"""Who speaks in a chat that was copied from its window: a name and a time above the messages.

    coordinator 09:42                      coordinator  APP  9:42 AM
    REQ/TSK|g=12,t=1                       REQ/TSK|g=12,t=1

    planner — Today at 09:44               [20/11/2026 09:44] planner
    PRO/PLN|g=12,t=1                       PRO/PLN|g=12,t=1

    planner                                planner
    4:39 PM                                APP  9:42 AM
    PRO/PLN|g=12,t=1                       PRO/PLN|g=12,t=1

A heading holds until the next one, an empty line, or a line of a log. One alone may be any word
before a time, so a text needs two. A time without a day is not stated.

AutoGen, LangChain, and .NET print headings of their own, and models have tokens for them. One is
enough, and it holds until the next one or a line. Only `---------- planner ----------` could be any
section of any report, so it takes two:

    planner (to executor):                 ---------- TextMessage (planner) ----------
                                           REQ/TSK|g=12,t=1
    REQ/TSK|g=12,t=1
    ------------------------------         ================ Ai Message ================
                                           Name: planner
    ---------- planner ----------
    REQ/TSK|g=12,t=1                       REQ/TSK|g=12,t=1

    <|im_start|>user                       [09:44] planner → executor
    REQ/TSK|g=12,t=1<|im_end|>             REQ/TSK|g=12,t=1

A label is a word alone, as a title of Markdown, in bold, in brackets, or before a colon. It may
also say what kind of example is below it. So a text needs two right above messages, which are roles
of a chat, or one of which comes again. It holds up to an empty line below a message:

    planner:                               **planner**
                                           REQ/TSK|g=12,t=1
    REQ/TSK|g=12,t=1

What names the sender of a message on its own line also holds for the lines right below it, as long
as they have nothing but messages:

    planner: REQ/TSK|g=12,t=1
    REQ/TSK|g=12,t=2
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from cablese import registry
from cablese.message import Span
from cablese.transcript.cut import Cut, Ignored
from cablese.transcript.facts import Facts
from cablese.transcript.line_facts import add_facts, begin_of, end_of

from . import incoming, titles
from .titles import Kind, Title

_EMPTY_LINE = re.compile(r"(?:\A|\n)[ \t\r]*\n")
_HEADERS = re.compile(r"(?:[ \t\r]*\n[A-Za-z-]{1,30}: [^\n]*)*+")
_EMPTY_LINE_BELOW = re.compile(r"\S[^\n]*\n[ \t\r]*\n")
_EMPTY_BETWEEN = re.compile(r"\n[ \t\r]*\n")
_RULE = re.compile(r"(?:\A|\n)-{20,200}[ \t\r]*(?:\n|\Z)")
_LINE_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
_BARE = re.compile(r"[ \t`\"'*]*(?:\r?\n)?(?:[ \t`\"'>*+•-]|\d{1,3}[.)])*")
"""What is between two lines of messages alone: perhaps a mark of a list, or a quote."""
_BETWEEN = " \t\r\n`\"'>"
"""What may be between a label and its message: a fence of Markdown, or a quote."""
_BELOW: frozenset[Kind] = frozenset(("route", "mail", "label"))
"""Kinds that hold for the lines below them up to an empty one."""
_UNTIL_LOG: frozenset[Kind] = frozenset(("chat", "section", "route", "label"))
"""Kinds that end at a line of a log. The others say where they end, or are above all of a mail."""
_SURE: frozenset[Kind] = frozenset(("printed", "route", "mail"))
MIN_HEADINGS = 2
HELD = 8
"""Headings of one piece of a file that are known in the next."""
ENDED = "-" * 20
"""Says in the next piece that the last heading has ended."""
SHARED = " "
"""Follows a heading there if a message is on its line."""
MAX_HEADING = 140
"""Characters of a line that may be a heading."""
MAX_INDENT = 20
"""Characters before a time on its line."""
MAX_QUOTING = 20
"""Characters before a message of a mail that quotes it."""
_HEADERS_ABOVE = 8
"""Headers of a mail above the one that names its sender."""
_NEAR = 300
"""Characters between two lines of the headers of a mail."""


class Headings:
    """The headings of ``text`` among its ``ignored`` lines, which are in the order of the text.

    Those among the ``earlier`` lines, which `holding` gave for the piece before, count too.
    """

    def __init__(self, text: str, ignored: Iterable[Ignored], earlier: Iterable[str] = ()) -> None:
        self.text = text
        self.found: list[Title] = []
        self._cuts: list[Cut] = []
        self._begins: list[int] = []
        for line in earlier:
            self._note(Span(0, 0), line)
        for one in ignored:
            if len(one.text) <= MAX_HEADING and titles.may_be(one.text):
                self._note(one.span, one.text)
            elif self.found:
                self._note_log(one.span, one.text)

    def _note(self, span: Span, line: str) -> None:
        """Add the heading that a line is, or the end of the one above it."""
        if line == ENDED:
            self.found.append(Title(span, line, None, None, "printed"))
            return
        name = line.rstrip(SHARED)
        title = (
            self._read_below(span, name)
            or self._read_with_name(span, name)
            or self._read_alone(span, name)
        )
        # Of a program, `else:` is not at the beginning of its line.
        if title is None or (title.kind == "label" and not self._is_first(span)):
            self._note_log(span, line)
            return
        is_shared = line != name if span.end == 0 else not _LINE_END.match(self.text, span.end)
        self.found.append(title._replace(is_shared=is_shared))

    def _note_log(self, span: Span, line: str) -> None:
        """End a heading at a line of a log, which states its own time and parties or none."""
        is_open = bool(self.found) and self.found[-1].kind in _UNTIL_LOG
        if is_open and titles.is_of_log(line) and self._is_first(span):
            self.found.append(Title(span, ENDED, None, None, "printed"))

    def _is_first(self, span: Span) -> bool:
        return self.text[max(0, span.start - 1) : span.start] in ("", "\n", "\r")

    def name_senders(self, cuts: list[Cut]) -> list[Cut]:
        """Return the messages with the sender that the heading above them names, where they name
        none. ``cuts`` are in the order of the text.
        """
        self._cuts, self._begins = cuts, [begin_of(cut) for cut in cuts]
        self._drop_others(self._begins)
        found = self._list_sure()
        if not found:
            return cuts
        starts = [heading.span.end for heading in found]
        edges = [*(heading.span.start for heading in found[1:]), len(self.text)]
        ends = [self._end(*place) for place in zip(found, edges, strict=True)]
        named = []
        for cut in cuts:
            begin = begin_of(cut)
            at = bisect_right(starts, begin) - 1
            holds = at >= 0 and begin < ends[at] and self._may_hold(found[at], begin)
            named.append(_add_title(cut, found[at]) if holds else cut)
        return named

    def _may_hold(self, heading: Title, begin: int) -> bool:
        """Return whether a heading may hold for the message that begins at ``begin``. What is after
        a key on its line is a member of a record, see `members`. Who received it is not its sender.
        """
        line = self.text[max(0, begin - MAX_HEADING) : begin].rpartition("\n")[2]
        if line.strip() and incoming.find(line) is not None:
            return False
        if heading.kind != "mail":
            return True
        before = self.text[max(0, begin - MAX_QUOTING) : begin]
        stem = before.rstrip(" \t>")
        depth, around = before[len(stem) :].count(">"), _depth(heading.line)
        # A reply quotes with one more sign than it has, and what it quotes with more is of others.
        is_own = depth == around + 1 if around else depth <= 1
        return is_own and stem[-1:] in ("", "\n")

    def holding(self, end: int) -> list[str]:
        """Return the last headings before ``end``, and whether the last one ended there."""
        before = [heading for heading in self.found if heading.span.end <= end]
        lines = [
            heading.line + SHARED * heading.is_shared
            for heading in before[-HELD:]
            if heading.line != ENDED
        ]
        if not lines:
            return []
        has_ended = before[-1].line == ENDED or self._end(before[-1], end) < end
        return [*lines, ENDED] if has_ended else lines

    def _drop_others(self, begins: Sequence[int]) -> None:
        """Drop labels that are not above a message, and lists of arrows. ``begins`` is where the
        messages begin.
        """
        self.found = [
            heading
            for at, heading in enumerate(self.found)
            if not (heading.kind == "route" and self._is_listed(at))
            and (heading.kind != "label" or self._is_direct(heading, begins))
        ]

    def _list_sure(self) -> list[Title]:
        """Return the headings that name senders in this text."""
        found = self.found
        kinds = Counter(heading.kind for heading in found)
        labels = Counter(heading.sender for heading in found if heading.kind == "label")
        roles = [name for name in labels if name and name.lower() in titles.ROLES]
        labels.pop(None, None)
        if len(roles) < MIN_HEADINGS and max(labels.values(), default=0) < MIN_HEADINGS:
            kinds.pop("label", None)
        return [one for one in found if one.kind in _SURE or kinds[one.kind] >= MIN_HEADINGS]

    def _is_direct(self, heading: Title, begins: Sequence[int]) -> bool:
        """Return whether a heading is right above a message, or ends what one above it says."""
        end = heading.span.end
        if end == 0 or heading.sender is None:
            return True
        at = bisect_right(begins, end)
        below = begins[at] if at < len(begins) else len(self.text)
        return not self.text[end:below].strip(_BETWEEN)

    def _read_below(self, span: Span, line: str) -> Title | None:
        """Return the heading that a line makes of the one above it."""
        if not self.found or self.found[-1].kind not in ("mail", "printed"):
            return None
        above = self.found[-1]
        between = self.text[above.span.end : span.start]
        if between.strip() and (len(between) > _NEAR or _EMPTY_BETWEEN.search(between)):
            return None
        return titles.read_below(span, line, above, directly=not between.strip())

    def _read_alone(self, span: Span, line: str) -> Title | None:
        """Return the heading that a line is, for a mail with what the headers above it state."""
        title, begin = titles.read(span, line), span.start
        if title is None and line[0] == ">" and line[-1] == ":":
            title = titles.read(span, line.lstrip("> \t"))
            return title._replace(line=line) if title and title.kind == "mail" else None
        if title is None or title.kind != "mail":
            return title
        for _ in range(_HEADERS_ABOVE):
            above, begin = self._line_above(begin)
            if not titles.is_header(above):
                break
            title = titles.add_header(title, above) or title
        return title

    def _read_with_name(self, span: Span, line: str) -> Title | None:
        """Return the heading that a time makes with the name on the line above it."""
        if not titles.is_time(line):
            return None
        above, begin = self._line_above(span.start)
        if above in titles.DASHES:
            above, _ = self._line_above(begin)
        return titles.read(span, f"{above} {line}") if above else None

    def _line_above(self, at: int) -> tuple[str, int]:
        """Return the line above the one that begins at ``at``, and where it begins; an empty one if
        there is none, if it is long, or if something is before ``at``.
        """
        end = self.text.rfind("\n", max(0, at - MAX_INDENT), at)
        if end < 0 or self.text[end:at].strip():
            return "", 0
        begin = self.text.rfind("\n", max(0, end - MAX_HEADING), end) + 1
        is_long = begin == 0 and end > MAX_HEADING
        return ("", 0) if is_long else (self.text[begin:end].strip(), begin)

    def _end(self, heading: Title, following: int) -> int:
        """Return how far a heading holds, at most to the one ``following``."""
        if heading.is_shared:
            return self._end_of_run(heading.span.end, following)
        if heading.kind in _BELOW:
            headers = _HEADERS.match(self.text, heading.span.end, following)
            assert headers is not None, "it may be empty"
            found = _EMPTY_LINE_BELOW.search(self.text, headers.end(), following)
            return following if found is None else found.end()
        ending = _EMPTY_LINE if heading.kind == "chat" else _RULE
        found = ending.search(self.text, heading.span.end, following)
        return following if found is None else found.start()

    def _end_of_run(self, at: int, limit: int) -> int:
        """Return where the lines of messages alone end that begin at ``at``."""
        for number in range(bisect_left(self._begins, at), len(self._begins)):
            begin = self._begins[number]
            if begin >= limit or _BARE.fullmatch(self.text, at, begin) is None:
                break
            at = end_of(self._cuts[number])
        return at if self.text[at:limit].strip() else limit

    def _is_listed(self, at: int) -> bool:
        """Return whether a heading is one of several lines that say who speaks to whom."""
        near = self.found[max(0, at - 1) : at + 2]
        return any(self._are_listed(*pair) for pair in pairwise(near))

    def _are_listed(self, one: Title, other: Title) -> bool:
        between = self.text[one.span.end : other.span.start]
        return one.span.end > 0 and one.kind == other.kind == "route" and not between.strip()


def _depth(line: str) -> int:
    """Return with how many signs a line is quoted."""
    return line[: len(line) - len(line.lstrip("> \t"))].count(">")


def _add_title(cut: Cut, title: Title) -> Cut:
    """Return a message with what the title above it states, where it names no sender itself."""
    if _names_sender(cut):
        return add_facts(cut, Facts(time=title.time))
    return add_facts(cut, Facts(time=title.time, sender=title.sender, recipient=title.recipient))


def _names_sender(cut: Cut) -> bool:
    """Return whether a message names its sender itself."""
    codec = registry.get(cut.protocol)
    return codec.meaning(codec.decode(cut.wire)).sender is not None
