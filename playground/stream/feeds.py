"""Feeds of a live view: a pad, or the end of a log. Both return batches of lines after a number."""

from dataclasses import dataclass, field

from msgspec import Struct

from playground.stream.pad import Entry, Pad, Totals
from playground.stream.summary import Gap, Row, Sieve

SHOWN = 1_000
"""The limit of lines in a live view."""

Line = Row | Gap


class Batch(Struct, frozen=True):
    """Lines after the number ``since``, up to the number ``to``."""

    since: int
    to: int
    lines: list[Line]
    skipped: int
    """Messages omitted over the limit of a view."""
    hidden: int
    """Messages hidden by the filter."""
    messages: int
    """All messages so far, as totals go: of a pad since it was opened, of a log those of this
    batch.
    """
    tokens: int
    totals: Totals | None = None


@dataclass(frozen=True)
class PadFeed:
    """The lines of a pad. Numbers increase. A view starts with `read(None)` and continues after
    `to` of each batch.
    """

    pad: Pad
    sieve: Sieve = field(default_factory=Sieve)

    @property
    def ended(self) -> bool:
        return self.pad.ended

    def read(self, after: int | None) -> Batch:
        since = after or 0
        # First the lines and then the totals: a view that counts a message too early shows it a
        # moment later.
        found = self.pad.after(since)
        wanted = [
            one for one in found if isinstance(one, Gap) or self.sieve.passes(one.item, one.seen)
        ]
        shown = wanted[-SHOWN:]
        totals = self.pad.totals
        return Batch(
            since=since,
            to=found[-1].number if found else since,
            lines=[one if isinstance(one, Gap) else self._row(one) for one in shown],
            skipped=len(wanted) - len(shown),
            hidden=len(found) - len(wanted),
            messages=totals.messages,
            tokens=totals.tokens,
            totals=totals,
        )

    def wait(self, after: int, seconds: float) -> bool:
        """Wait for a line after a number, or ``seconds``; return whether there is one."""
        self.pad.wait(after, seconds)
        return self.pad.last > after or self.pad.ended

    def _row(self, entry: Entry) -> Row:
        row = entry.drawn()
        if entry.number > self.pad.last - SHOWN:
            entry.row = row
        return row
