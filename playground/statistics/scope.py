"""What statistics are asked for: a log, a range of days, a source, and a price. For pages and the
API.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from auditlog.models import Log, Source
from auditlog.rollup import read
from auditlog.rollup.counting import ALL_SOURCES
from auditlog.rollup.read import Counts, Span

MOST_DAYS = 3_660
YEARS = 1970, 9998
"""The first and the last year of a range."""
MOST_DOLLARS = 100_000
USUAL_DAYS = 30


class BadRange(ValueError):
    """A range of days that cannot be read; ``name`` is the parameter to change."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True)
class Scope:
    """A log, the days of a range, and one source or all of them. ``newest`` is the log's last day;
    none if it is empty.
    """

    log: Log
    span: Span
    source: Source | None
    newest: date | None

    @property
    def source_id(self) -> int:
        return ALL_SOURCES if self.source is None else self.source.pk

    def read_days(self) -> dict[date, Counts]:
        """Return the counts of each day that has any."""
        return read.read_days(self.log.pk, self.span, source=self.source_id)

    def read_values(self, dimension: str) -> dict[str, Counts]:
        """Return the counts of each value of a dimension, most packets first."""
        if self.newest is None:
            return {}
        return read.read_values(
            self.log.pk, dimension, self.span, newest=self.newest, source=self.source_id
        )

    def read_sources(self) -> dict[str, Counts]:
        """Return the counts of each source by name, most packets first."""
        if self.source is not None:
            total = add_up(self.read_days().values())
            return {self.source.name: total} if total.packets else {}
        counts = self.read_values("source")
        names = dict(Source.objects.filter(pk__in=map(int, counts)).values_list("pk", "name"))
        return {names.get(int(key), f"source {key}"): each for key, each in counts.items()}


def choose(
    log: Log, source: Source | None, first: date | None, last: date | None, today: date
) -> Scope:
    """Return the scope for a range of which either end may be missing: the last 30 days by default.

    Raises BadRange.
    """
    whole = read.find_span(log.pk)
    last = last or (today if first is None or first <= today else first)
    first = first or max(date.min + timedelta(USUAL_DAYS), last) - timedelta(USUAL_DAYS - 1)
    span = Span(first, last)
    for name, day in (("from", first), ("to", last)):
        if not YEARS[0] <= day.year <= YEARS[1]:
            raise BadRange(name, f"Expected a year from {YEARS[0]} to {YEARS[1]}.")
    if span.days < 1:
        raise BadRange("to", "The range ends before it starts.")
    if span.days > MOST_DAYS:
        raise BadRange("from", f"The range is longer than the limit of {MOST_DAYS:,} days.")
    return Scope(log, span, source, whole.last if whole else None)


def add_up(counts: Collection[Counts]) -> Counts:
    """Return the sum of all counts."""
    return Counts(*map(sum, zip(*counts, strict=True))) if counts else Counts()


def cost(tokens: int, price: Decimal | None) -> Decimal | None:
    """Return dollars for tokens at a price per million; None without a price."""
    return None if price is None else tokens * price / 1_000_000
