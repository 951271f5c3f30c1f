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
    """All messages so far: of a pad since it was opened, of a log those of this batch."""
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
        # First the lines, then the totals: a view may count a message just before it shows it.
        lines = self.pad.after(since)
        passing = [
            line
            for line in lines
            if isinstance(line, Gap) or self.sieve.passes(line.item, line.glance)
        ]
        newest = passing[-SHOWN:]
        totals = self.pad.totals
        return Batch(
            since=since,
            to=lines[-1].number if lines else since,
            lines=[line if isinstance(line, Gap) else self._row(line) for line in newest],
            skipped=len(passing) - len(newest),
            hidden=len(lines) - len(passing),
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
