"""What counting gives: facets with their values, and bars over time. The API writes these types."""

from datetime import datetime

from msgspec import Struct


class Value(Struct, frozen=True):
    """A value of a facet and the number of packets with it: a minimum if not all were counted."""

    text: str
    count: int


class Facet(Struct, frozen=True):
    """The most frequent values of a search field, at most 100, most frequent first. ``distinct``
    counts all of them.
    """

    key: str
    values: tuple[Value, ...]
    distinct: int


class Bar(Struct, frozen=True):
    """The packets received from ``start`` up to ``end``, which is not included."""

    start: datetime
    end: datetime
    count: int
    invalid: int


class Histogram(Struct, frozen=True):
    """Bars of ``width`` seconds without a gap between them, oldest first. ``undated`` packets have
    an unreadable receive time.
    """

    width: int
    bars: tuple[Bar, ...]
    undated: int


class Facets(Struct, frozen=True):
    """The facets and the histogram of the newest ``counted`` packets that a query finds. If not
    ``exact``, there are more of them, and every count is a minimum.
    """

    counted: int
    exact: bool
    facets: tuple[Facet, ...]
    histogram: Histogram
