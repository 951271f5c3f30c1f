"""The histogram as a picture: where its bars are, what each is called, and where it leads."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from auditlog.search.facets import times
from auditlog.search.facets.edit import QueryText
from auditlog.search.facets.shapes import Bar, Facets
from cablese import amount
from playground.audit.facets.links import Links

WIDTH, HEIGHT = 600, 28
"""The picture's own units. It is stretched to the width of the page."""
GAP = 1
"""Between two bars."""
FEWEST = 12
"""Bars that the picture has room for, so that a single one is not as wide as the page."""
LOWEST = 1.5
"""The height of the lowest bar, so that a single packet can be seen."""
_MINUTE, _DAY = 60, 86_400
_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True)
class DrawnBar:
    """A bar with its place in the picture. ``low`` and ``high`` are what is before and after the
    dots of ``ts:``.
    """

    x: str
    width: str
    slot: str
    """The width with the gap, which can be pointed at."""
    top: str
    height: str
    invalid: str
    """The height of the part for invalid packets, at the bottom."""
    invalid_top: str
    count: int
    invalid_count: int
    low: str
    high: str
    begins: str
    ends: str
    name: str
    link: str | None

    @property
    def title(self) -> str:
        return f"{self.name} UTC: {say_counts(self.count, self.invalid_count)}"


class Bars:
    """All bars, what they show together, and the query without a range of time."""

    def __init__(self, found: Facets, query: QueryText, links: Links, now: datetime) -> None:
        self.found = found
        rest = query.without_time()
        self._query = None if rest is None else QueryText(rest)
        self.base = None if self._query is None else self._query.base
        """What a range of time is appended to; None if a query has no room for it."""
        self.all_times = links.lead_to(rest) if query.has_time and rest is not None else None
        self.address = links.lead_to("")
        """The address of the list, for a script that sets its query."""
        self._links = links
        self._now = now
        self.drawn = list(self._draw())

    @property
    def size(self) -> str:
        return f"0 0 {WIDTH} {HEIGHT}"

    @property
    def slots(self) -> int:
        """How many bars have room."""
        return max(len(self.found.histogram.bars), FEWEST)

    @property
    def fills(self) -> bool:
        """Whether the bars reach the right edge, where the end of the last one is written."""
        return len(self.drawn) == self.slots

    @property
    def height(self) -> int:
        return HEIGHT

    @property
    def last(self) -> DrawnBar:
        return self.drawn[-1]

    @property
    def title(self) -> str:
        """What the whole picture shows, in words."""
        if not self.drawn:
            return "No packets to show over time"
        invalid = sum(bar.invalid_count for bar in self.drawn)
        number = sum(bar.count for bar in self.drawn)
        name = f"{self.drawn[0].begins} – {self.drawn[-1].ends}"
        return f"{name} UTC: {say_counts(number, invalid)}"

    def _draw(self) -> Iterator[DrawnBar]:
        bars = self.found.histogram.bars
        most = max((bar.count for bar in bars), default=1)
        slot = WIDTH / self.slots
        for at, bar in enumerate(bars):
            height = max(LOWEST, HEIGHT * bar.count / most) if bar.count else 0
            invalid = height * bar.invalid / bar.count if bar.invalid else 0
            low, high = times.name_start(bar.start), times.name_end(bar.end)
            yield DrawnBar(
                _units(at * slot), _units(max(slot - GAP, slot / 2)), _units(slot),
                _units(HEIGHT - height), _units(height), _units(invalid), _units(HEIGHT - invalid),
                bar.count, bar.invalid, low, high,
                self._say(bar.start), self._say_end(bar.end), self._name(bar),
                self._lead(low, high),
            )  # fmt: skip

    def _lead(self, low: str, high: str) -> str | None:
        query = None if self._query is None else self._query.append(f"ts:{low}..{high}")
        return None if query is None else self._links.lead_to(query)

    def _name(self, bar: Bar) -> str:
        begins = self._say(bar.start)
        if self.found.histogram.width == _DAY:
            return begins
        if bar.start.date() == (bar.end - _INSTANT).date():
            last = self._say(bar.end).rpartition(" ")[2]
            return f"{begins}–{last if bar.start.date() == bar.end.date() else '24:00'}"
        return f"{begins} – {self._say_end(bar.end)}"

    def _say_end(self, at: datetime) -> str:
        """Return the end of a bar in words; of whole days the last one."""
        return self._say(at - _INSTANT if not self.found.histogram.width % _DAY else at)

    def _say(self, at: datetime) -> str:
        """Return a moment in words, as exact as the bars are: ``Nov 20 10:00``."""
        day = f"{at:%b} {at.day}" if at.year == self._now.year else f"{at:%b} {at.day}, {at.year}"
        if not self.found.histogram.width % _DAY:
            return day
        return (
            f"{day} {at:%H:%M:%S}" if self.found.histogram.width < _MINUTE else f"{day} {at:%H:%M}"
        )


def say_counts(number: int, invalid: int) -> str:
    return f"{amount.count(number, 'packet')}, {invalid:,} invalid"


def _units(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
