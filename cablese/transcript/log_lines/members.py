r"""Records with a line for each member: YAML, `\G` of MySQL, `\x` of psql, exports of journald.

    - id: 7                              created: 2026-11-20 10:00:01
      from: planner                         from: planner
      wire: REQ/TSK|g=42,t=1                wire: REQ/TSK|g=42,t=1

    <from>planner</from>               (inform :sender planner
    <wire>REQ/TSK|g=42,t=1</wire>         :content "REQ/TSK|g=42,t=1")

An empty line, a line of another kind, and a new item end a record. Where one has a key twice, or a
message in two members, its other members are of none.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from msgspec import Struct

from cablese.message import Span
from cablese.transcript.cut import MESSAGE_KEYS, Cut
from cablese.transcript.facts import NOTHING, Facts
from cablese.transcript.line_facts import add_facts, begin_of, end_of
from cablese.transcript.records import record

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


def name_parties(text: str, cuts: list[Cut]) -> list[Cut]:
    """Return the messages with what the other members of their records state."""
    begins: list[int] = []
    named = cuts
    for at, cut in enumerate(cuts):
        start = cut.span.start
        if start == 0 or (text[start - 1] == "\n" and cut.carrier is None):
            continue  # Most messages are lines of their own.
        own = _own(text, cut)
        if own is not None:
            if named is cuts:
                named, begins = [*cuts], [begin_of(each) for each in cuts]
            named[at] = add_facts(cut, _read(text, cut, own, begins))
    return named


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


def _read(text: str, cut: Cut, own: _Member, begins: Sequence[int]) -> Facts:
    """Return what the members of the record of a message state."""
    if own.key.lower() not in MESSAGE_KEYS and is_party(own.key):
        return Facts(sender=own.key) if own.value else NOTHING
    below: Iterable[Span] = () if own.is_last else _below(text, end_of(cut))
    if own.value:
        below = dropwhile(lambda line: _indent(text, line) > own.column, below)
    above = () if own.is_item else _above(text, own.start)
    members: dict[str, str] = {}
    for member in (*_siblings(text, own, above), *_siblings(text, own, below, ends=True)):
        at = bisect_left(begins, member.start)
        holds_message = at < len(begins) and begins[at] < _line(text, member.start).end
        if holds_message or member.key in (own.key, *members):
            return NOTHING
        members[member.key] = member.value
    flat = record.flatten(members)
    found = record.collect([flat], free=[flat], skip=(own.key,))
    return found if found.sender or found.recipient or found.time or found.thread else NOTHING


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


def _above(text: str, start: int) -> Iterator[Span]:
    """Yield the lines above the one that begins at ``start``, the nearest first."""
    for _ in range(MAX_LINES):
        if start == 0:
            return
        end = start - 1
        start = text.rfind("\n", max(0, end - MAX_LINE), end) + 1
        if start < end - MAX_LINE:
            return
        yield _line(text, start)


def _below(text: str, at: int) -> Iterator[Span]:
    """Yield the lines below the one at ``at``."""
    for _ in range(MAX_LINES):
        at = text.find("\n", at) + 1
        if at == 0:
            return
        yield _line(text, at)


def _indent(text: str, line: Span) -> int:
    content = text[line.start : line.end]
    return len(content) - len(content.lstrip(" \t"))
