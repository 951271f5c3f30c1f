"""What a live view follows: a pad, or the end of a log. Both give batches of lines that go on
behind a number.
"""

from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Struct

from playground.stream.pad import Entry, Pad, Totals
from playground.stream.summary import Gap, Row, Sieve

SHOWN = 1_000
"""Lines of a live view; what is older makes room."""

Line = Row | Gap


class Batch(Struct, frozen=True):
    """Lines behind the number ``since`` and up to the number ``to``."""

    since: int
    to: int
    lines: list[Line]
    skipped: int
    """Messages that were left out because there were more than a view shows."""
    hidden: int
    """Messages that the filter holds back."""
    messages: int
    """All messages so far, as totals go: of a pad since it was opened, of a log those of this
    batch.
    """
    tokens: int
    totals: Totals | None = None


class Feed(Protocol):
    """Numbers rise. A view begins with `read(None)` and goes on behind the `to` of each batch."""

    @property
    def ended(self) -> bool: ...

    def read(self, after: int | None) -> Batch: ...

    def wait(self, after: int, seconds: float) -> bool:
        """Until there is something behind a number, or the seconds are over: whether there is."""
        ...


@dataclass(frozen=True)
class PadFeed:
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
        self.pad.wait(after, seconds)
        return self.pad.last > after or self.pad.ended

    def _row(self, entry: Entry) -> Row:
        row = entry.drawn()
        if entry.number > self.pad.last - SHOWN:
            entry.row = row
        return row
