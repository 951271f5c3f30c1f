"""What a line states about its messages: before the first, between two, and after the last."""

from collections.abc import Iterator
from itertools import zip_longest

from msgspec.structs import replace

from .cut import Cut
from .facts import NOTHING, Facts
from .log_lines import log_line

MAX_SAID = 400
"""Characters before and after a message on its line that are read for metadata."""


def add_facts(cut: Cut, stated: Facts) -> Cut:
    return replace(cut, facts=cut.facts.or_else(stated)) if stated else cut


def state_facts(text: str, cuts: list[Cut], start: int, stop: int) -> list[Cut]:
    """Return the messages of a line with what the line states about them."""
    begin, end = begin_of(cuts[0]), end_of(cuts[-1])
    before = text[max(start, begin - MAX_SAID) : begin]
    after = text[end : min(stop, end + MAX_SAID)]
    if begin_of(cuts[-1]) == begin:
        stated = log_line.read(before, after) if before or after else NOTHING
        return [add_facts(cut, stated) for cut in cuts]
    return list(_with_own_facts(text, cuts, before, after))


def _with_own_facts(text: str, cuts: list[Cut], before: str, after: str) -> Iterator[Cut]:
    """Yield the messages of one line with what is stated directly before and after each.

    The names before a message are its own; the time and the rest of the prefix are for all.
    """
    line = named = log_line.read(before)
    for cut, following in zip_longest(cuts, cuts[1:]):
        end = end_of(cut)
        last = following is None
        between = after if last else text[end : min(begin_of(following), end + MAX_SAID)]
        yield add_facts(cut, log_line.read("", between).or_else(named))
        sender, recipient = (None, None) if last else log_line.read_parties(between)
        if sender or recipient:
            named = replace(line, sender=sender, recipient=recipient)


def begin_of(cut: Cut) -> int:
    """Return where a message begins with its wrapper."""
    return cut.span.start if cut.carrier is None else min(cut.carrier.span.start, cut.span.start)


def end_of(cut: Cut) -> int:
    """Return where a message ends with its wrapper."""
    return cut.span.end if cut.carrier is None else max(cut.carrier.span.end, cut.span.end)
