r"""Records with a line for each member: YAML, `\G` of MySQL, `\x` of psql, exports of journald.

    - id: 7                              created: 2026-11-20 10:00:01
      from: planner                         from: planner
      wire: REQ/TSK|g=42,t=1                wire: REQ/TSK|g=42,t=1

    <from>planner</from>               (inform :sender planner
    <wire>REQ/TSK|g=42,t=1</wire>         :content "REQ/TSK|g=42,t=1")

An empty line, a line of another kind, and a new item end a record. Where one has a key twice, or a
message in two members, its other members are of none.

While more of a text is to come, the record at its end may go on. Then its lines are held back, and
are read again with those that follow.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain, dropwhile

from msgspec import Struct

from cablese.message import Span
from cablese.transcript.cut import MESSAGE_KEYS, Cut
from cablese.transcript.facts import NOTHING, Facts
from cablese.transcript.line_facts import add_facts, begin_of, end_of
from cablese.transcript.records import record

from .lines import Unfinished
from .names import is_party

MAX_LINES = 40
"""Lines before and after a message that are read."""
MAX_LINE = 400
"""Characters of a line that may be a member."""
MAX_LEAD = 80
"""Characters before a message on its line that may name its member."""
_KEY = (
    r"""([ \t]*(?:[-*](?=[ \t])|[\[(]*[{]))?[ \t]*"""
    r"""(?:["']([@A-Za-z_][\w.@-]{0,40})["']|\[([@A-Za-z_][\w.@-]{0,40})\]"""
    r"""|([@A-Za-z_][\w.@-]{0,40}))[ \t]*"""
)
_MEMBER = re.compile(rf"{_KEY}(=>?|:(?=[ \t]|\Z)|(?<=[ \t])\|(?=[ \t]))[ \t]*(.*)")
_LEAD = re.compile(rf"""{_KEY}(=>?|[:|])[ \t]*["'`]?()""")
_ELEMENT = re.compile(r"([ \t]*)<([A-Za-z_][\w.-]{0,40})>([^<>]*)</\2>[ \t]*")
_TAG = re.compile(r"([ \t]*)<([A-Za-z_][\w.-]{0,40})>()")
_SLOT = re.compile(
    r"([ \t]*(?:\([A-Za-z-]+[ \t]+)?):([A-Za-z][\w-]{0,40})[ \t]+"
    r"(?:\((?:set[ \t]+\()?agent-identifier[ \t]+:name[ \t]+)?([^\s()]+).*"
)
_SLOT_LEAD = re.compile(r'([ \t]*):([A-Za-z][\w-]{0,40})[ \t]+"()')
"""A parameter of KQML and FIPA ACL (SC00070). An agent has a name inside its identifier."""
_BLOCK = re.compile(r"[|>][+-]?")
"""What a key of YAML has instead of its value, which is indented below it."""
_AFTER = " \t\r\"'`,"
"""What may follow a value on its line."""
_CLOSERS = f"{_AFTER}}})]"
MAX_HELD = 100
"""Messages of records that are held back. More of them are hostile, or have nothing between them.
"""
GOES_ON = "…"
"""Says of a piece of a text that what is at its beginning may belong to a record above it."""


class _Lost(Exception):
    """A record begins above this piece of the text."""


class _Member(Struct, frozen=True, gc=False):
    """A member, where its line begins, and the columns of its key and of its mark.

    An item, or what a bracket opens before, begins a record. What one closes after is the last.
    """

    start: int
    key: str
    value: str
    column: int
    mark: int
    is_item: bool
    is_last: bool


class Records:
    """The records of ``text``, and its messages, the ``cuts``.

    It was read up to ``end`` if more is to come. With ``is_below`` it goes on with a record.
    """

    def __init__(
        self, text: str, cuts: list[Cut], end: int | None, *, is_below: bool = False
    ) -> None:
        self.text = text
        self._cuts = cuts
        self._begins: list[int] = []
        self._end = end
        self._is_below = is_below
        self._open = len(cuts)
        """The first message whose record may go on."""

    def name_parties(self) -> list[Cut]:
        """Return the messages with what the other members of their records state."""
        text, named = self.text, self._cuts
        for at, cut in enumerate(self._cuts):
            start = cut.span.start
            if start == 0 or (text[start - 1] == "\n" and cut.carrier is None):
                continue  # Most messages are lines of their own.
            own = _own(text, cut)
            if own is not None:
                if named is self._cuts:
                    named, self._begins = [*named], [begin_of(each) for each in named]
                try:
                    named[at] = add_facts(cut, self._read(cut, own))
                except _Lost:
                    continue
                except Unfinished:
                    self._open = min(self._open, at)
        return named

    def find_held(self) -> int | None:
        """Return from where the text is held back: at most from ``end`` on, as far as a record may
        go on there. None if that is too much.
        """
        assert self._end is not None
        text, cuts = self.text, self._cuts
        begin = min((line.start for line in _near(text, self._end)), default=self._end)
        if self._open < len(cuts):
            begin = min(begin, _line_begin(text, begin_of(cuts[self._open])))
        held = 0
        for cut in reversed(cuts):
            if end_of(cut) <= begin:
                break
            if begin_of(cut) < begin:
                begin = _line_begin(text, begin_of(cut))
            own = _own(text, cut)
            if own is None:
                continue
            held += 1
            if held > MAX_HELD:
                return None
            begin = min(begin, _first_line(text, own))
        return begin

    def _read(self, cut: Cut, own: _Member) -> Facts:
        """Return what the members of the record of a message state."""
        text, begins = self.text, self._begins
        if own.key.lower() not in MESSAGE_KEYS and is_party(own.key):
            return Facts(sender=own.key) if own.value else NOTHING
        below: Iterable[Span] = () if own.is_last else _below(text, end_of(cut), self._end)
        if own.value:
            below = dropwhile(lambda line: _indent(text, line) > own.column, below)
        above = () if own.is_item else _above(text, own.start, is_below=self._is_below)
        members: dict[str, str] = {}
        siblings = _siblings(text, own, above), _siblings(text, own, below, ends=True)
        for member in chain.from_iterable(siblings):
            at = bisect_left(begins, member.start)
            holds_message = at < len(begins) and begins[at] < _line(text, member.start).end
            if holds_message or member.key in (own.key, *members):
                return NOTHING
            members[member.key] = member.value
        flat = record.flatten(members)
        found = record.collect([flat], free=[flat], skip=(own.key,))
        return found if found.sender or found.recipient or found.time or found.thread else NOTHING


def _own(text: str, cut: Cut) -> _Member | None:
    """Return the member whose value a message is, or is in a block of."""
    begin, end = begin_of(cut), end_of(cut)
    start = text.rfind("\n", max(0, begin - MAX_LEAD), begin) + 1
    if start < begin - MAX_LEAD:
        return None
    lead = text[start:begin]
    if lead.isspace():
        around = (line for line in _above(text, start) if _indent(text, line) < len(lead))
        member = _member(text, next(around, Span(0, 0)))
        return member if member is not None and _BLOCK.fullmatch(member.value) else None
    after = text[end : _line(text, end).end].strip(_AFTER)
    if (tag := _TAG.fullmatch(lead)) is not None:
        return _make_named(start, tag) if after == f"</{tag[2]}>" else None
    if (slot := _SLOT_LEAD.fullmatch(lead)) is not None:
        return _make_named(start, slot)
    match = _LEAD.fullmatch(lead)
    if match is None or after.strip(_CLOSERS):
        return None
    return _make(start, match, is_last="}" in after)


def _siblings(
    text: str, own: _Member, lines: Iterable[Span], *, ends: bool = False
) -> Iterator[_Member]:
    """Yield the members of the record on the lines, and of those around it.

    Where an item ``ends`` the record it is the next one; otherwise it is the first of this one.
    Programs that align the marks indent each key differently.
    """
    column, is_aligned = own.column, True
    for line in lines:
        member = _member(text, line)
        if member is None:
            return
        if member.is_last and not ends:
            return
        is_aligned = is_aligned and member.value != "" and member.mark == own.mark
        if member.column > column and not is_aligned:
            continue
        if ends and member.is_item:
            return
        column = min(column, member.column)
        if member.value:
            yield member
        if member.is_item or (ends and member.is_last):
            return


def _member(text: str, line: Span) -> _Member | None:
    if line.end - line.start > MAX_LINE:
        return None
    if (match := _MEMBER.fullmatch(text, *line)) is not None:
        return _make(line.start, match)
    named = _ELEMENT.fullmatch(text, *line) or _SLOT.fullmatch(text, *line)
    return None if named is None else _make_named(line.start, named)


def _make_named(start: int, match: re.Match[str]) -> _Member:
    """Return an element or a parameter, whose key comes first."""
    opens = match[1].lstrip(" \t")
    column, value = len(match[1]) - len(opens), match[3].strip(' "')
    is_item = opens != ""
    is_last = match[0].count(")") >= match[0].count("(") + (not is_item)
    return _Member(start, match[2], value, column, column, is_item, is_last)


def _make(start: int, match: re.Match[str], *, is_last: bool = False) -> _Member:
    item, quoted, bracketed, plain, _, rest = match.groups()
    content = rest.rstrip(_CLOSERS)
    is_last = is_last or "}" in rest[len(content) :]
    value = content if is_last else rest.rstrip(_AFTER)
    base = match.start()
    return _Member(
        start,
        quoted or bracketed or plain,
        value[1:] if value[:1] in ("'", '"') else value,
        max(match.start(2), match.start(3), match.start(4)) - base,
        match.start(5) - base,
        item is not None,
        is_last,
    )


def _line(text: str, at: int) -> Span:
    """Return where the line from ``at`` on ends, or a part of it that is too long for a member."""
    limit = at + MAX_LINE + 2
    end = text.find("\n", at, limit)
    if end < 0:
        return Span(at, min(limit, len(text)))
    return Span(at, end - (end > at and text[end - 1] == "\r"))


def _above(text: str, start: int, *, is_below: bool = False) -> Iterator[Span]:
    """Yield the lines above the one that begins at ``start``, the nearest first. Raises _Lost at
    the beginning of a text that ``is_below`` others.
    """
    for _ in range(MAX_LINES):
        if start == 0:
            if is_below:
                raise _Lost
            return
        end = start - 1
        start = text.rfind("\n", max(0, end - MAX_LINE), end) + 1
        if start < end - MAX_LINE:
            return
        yield _line(text, start)


def _below(text: str, at: int, end: int | None) -> Iterator[Span]:
    """Yield the lines below the one at ``at``. Raises Unfinished when they come to ``end``, where
    more is to come.
    """
    for _ in range(MAX_LINES):
        at = text.find("\n", at) + 1
        if at == 0:
            if end is not None:
                raise Unfinished
            return
        if end is not None and text.find("\n", at, min(end, at + MAX_LINE + 2)) < 0:
            if end - at <= MAX_LINE + 2:
                raise Unfinished
            return  # A longer line cannot be a member.
        yield _line(text, at)


def _near(text: str, end: int) -> Iterator[Span]:
    """Yield the lines up to ``end`` that may belong to the record of a message below them."""
    start = _line_begin(text, end)
    last = (Span(start, end - (text[end - 1] == "\r")),) if start < end else ()
    for line in chain(last, _above(text, start)):
        indent = _indent(text, line)
        if _member(text, line) is None and not 0 < indent < line.end - line.start:
            return
        yield line


def _first_line(text: str, own: _Member) -> int:
    """Return where the first line begins that a record is read from, or one above it."""
    begin, column = own.start, own.column
    for line in () if own.is_item else _above(text, own.start):
        member = _member(text, line)
        if member is None:
            break
        begin = line.start
        if member.is_item and member.column <= column:
            break
        column = min(column, member.column)
    return begin


def _line_begin(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _indent(text: str, line: Span) -> int:
    content = text[line.start : line.end]
    return len(content) - len(content.lstrip(" \t"))
