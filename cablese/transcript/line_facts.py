"""What a line states about its messages: before the first, between two, and after the last.

    2026-11-20 planner: REQ/TSK|g=1 executor: ACC/TSK|g=1
    [{'role': 'user', 'content': 'REQ/TSK|g=1'}, {'role': 'assistant', 'content': 'ACC/TSK|g=1'}]

In a printed list, what an object states is true of its own message only.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest

from msgspec.structs import replace

from .cut import Cut
from .facts import NOTHING, Facts
from .log_lines import incoming, log_line, parties

MAX_SAID = 400
"""Characters before and after a message on its line that are read for metadata."""

NEXT_OBJECT = re.compile(r"[})]\s*,\s*(?=[\w.]{0,64}[({])")
"""Between two objects of a list that a program printed."""
OPENED = re.compile(r"[({]")
TELLS = re.compile(r"(?<!\S)(?!(?:and|then)\s)[A-Za-z][\w.-]*\s+[a-z]+(?:\s|:)")
"""Words between two messages that may name somebody else: `and somebody answered`."""
SPEAKS = re.compile(r"""(?<!\S)(?!(?:and|then)\s?:)[A-Za-z][\w.-]{0,63}\s?:\s*["'`(]?\Z""")
"""A word before the second one: `Me:`."""


def add_facts(cut: Cut, stated: Facts) -> Cut:
    return replace(cut, facts=cut.facts.or_else(stated)) if stated else cut


def state_facts(
    text: str, cuts: list[Cut], start: int, stop: int, *, is_row: bool = False
) -> list[Cut]:
    """Return the messages of a line, perhaps a row of a table, with what it states about them."""
    begin, end = begin_of(cuts[0]), end_of(cuts[-1])
    said = max(start, begin - MAX_SAID)
    before, after = text[said:begin], text[end : min(stop, end + MAX_SAID)]
    if begin_of(cuts[-1]) == begin:
        before = _without_others(before, is_whole=said == start)
        after = _of_object(after)
        stated = log_line.read(before, after, is_row=is_row) if before or after else NOTHING
        return [add_facts(cut, stated) for cut in cuts]
    return list(_with_own_facts(text, cuts, before, after))


def _without_others(before: str, *, is_whole: bool) -> str:
    """Return what is before a message, without the objects that end before its own begins."""
    if "}" not in before and ")" not in before:
        return before
    *_, last = (None, *NEXT_OBJECT.finditer(before))
    if last is None:
        return before
    first = OPENED.search(before) if is_whole else None
    return before[: first.start() if first else 0] + before[last.end() :]


def _of_object(after: str) -> str:
    """Return what is after a message, up to the end of its object in a list."""
    following = NEXT_OBJECT.search(after) if after else None
    return after if following is None else after[: following.start() + 1]


def _with_own_facts(text: str, cuts: list[Cut], before: str, after: str) -> Iterator[Cut]:
    """Yield the messages of one line with what is stated directly before and after each.

    The names before a message are its own; the time and the rest of the prefix are for all.
    """
    line = named = log_line.read(before)
    came_in = incoming.find(before) is not None
    for cut, following in zip_longest(cuts, cuts[1:]):
        end = end_of(cut)
        last = following is None
        between = after if last else text[end : min(begin_of(following), end + MAX_SAID)]
        own = _of_object(between)
        yield add_facts(cut, log_line.read("", own, is_last=last).or_else(named))
        if last:
            return
        if len(own) < len(between):
            opened = OPENED.search(before)
            line = line if opened is None else log_line.read(before[: opened.start()])
            named = log_line.read(_without_others(between, is_whole=False)).or_else(line)
        elif (
            any(sides := parties.read_parties(between))
            or TELLS.search(between)
            or SPEAKS.search(between)
            or came_in
            or incoming.find(between)
        ):
            named = replace(line, sender=sides[0], recipient=sides[1])


def begin_of(cut: Cut) -> int:
    """Return where a message begins with its wrapper."""
    return cut.span.start if cut.carrier is None else min(cut.carrier.span.start, cut.span.start)


def end_of(cut: Cut) -> int:
    """Return where a message ends with its wrapper."""
    return cut.span.end if cut.carrier is None else max(cut.carrier.span.end, cut.span.end)
