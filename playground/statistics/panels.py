"""The panels of the statistics page: each a chart, and a table with the same numbers and links."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from auditlog.log.draft import TOKENIZER
from auditlog.rollup.read import Counts, Span
from auditlog.rollup.values import NONE, OTHER
from cablese import amount, detection, registry
from playground.statistics import chart, queries
from playground.statistics.chart import Part
from playground.statistics.scope import Scope, add_up, cost

LABEL = 36
"""Characters of a name in a chart."""
SHOWN = 12
"""Values of a panel. All others are in one row."""
DAILY, WEEKLY = 92, 732
"""Days of the longest ranges that are drawn by day and by week. Longer ones are drawn by month."""
JSON, ENGLISH = "minified JSON", "English"


class Change(NamedTuple):
    """The difference to a baseline in percent, with the numbers that it comes from."""

    sent: int
    baseline: int

    @property
    def percent(self) -> float | None:
        """Return it, negative if tokens are saved; None without a baseline."""
        if not self.baseline:
            return None
        return round(100 * (self.sent - self.baseline) / self.baseline, 1)

    @property
    def words(self) -> str:
        """Return ``−7.1%``, or a dash without a baseline."""
        percent = self.percent
        return "–" if percent is None else f"{percent:+g}%".replace("-", "−").replace("+0%", "0%")


class Row(NamedTuple):
    """A row of a table and its bar. ``href`` is the search for it; none if no query finds it."""

    label: str
    href: str | None
    counts: Counts
    column: chart.Column
    price: Decimal | None

    @property
    def short(self) -> str:
        """Return the label as the chart has room for it."""
        return self.label if len(self.label) <= LABEL else f"{self.label[: LABEL - 1]}…"

    @property
    def valid(self) -> int:
        return self.counts.packets - self.counts.invalid

    @property
    def invalid_percent(self) -> float:
        return round(100 * self.counts.invalid / max(1, self.counts.packets), 1)

    @property
    def json(self) -> Change:
        return Change(self.counts.json_sent, self.counts.json_tokens)

    @property
    def english(self) -> Change:
        return Change(self.counts.english_sent, self.counts.english_tokens)

    @property
    def dollars(self) -> Decimal | None:
        return cost(self.counts.tokens, self.price)

    @property
    def words(self) -> str:
        """Return the bar in words, for its title."""
        counts = self.counts
        return f"{self.label}: {amount.count(counts.packets, 'packet')}, {counts.invalid:,} invalid"

    @property
    def token_words(self) -> str:
        """Return the bars of tokens in words."""
        counts = self.counts
        return (
            f"{self.label}: {counts.tokens:,} tokens sent, {counts.json_tokens:,} as {JSON}, "
            f"{counts.english_tokens:,} as {ENGLISH}"
        )


class Panel(NamedTuple):
    """A chart with its table. There are ``values`` in all; ``unstated`` packets have none."""

    name: str
    title: str
    heading: str
    rows: list[Row]
    values: int
    unstated: int

    @property
    def height(self) -> int:
        return chart.ROW * len(self.rows)


def draw_time(scope: Scope, days: Mapping[date, Counts], price: Decimal | None) -> list[Row]:
    """Return a row for each day, week, or month of the range, the oldest first."""
    steps = list(_cut(scope.span))
    counts = [_within(days, *step) for step in steps]
    columns = chart.stack([_validity(each) for each in counts])
    return [
        Row(
            _name(first, last, scope.span),
            queries.link(scope, queries.of_days(scope, first, last)),
            each,
            column,
            price,
        )
        for (first, last), each, column in zip(steps, counts, columns, strict=True)
    ]


def draw_tokens(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of days with bars of their tokens."""
    columns = chart.group(
        [
            (
                Part("sent", row.counts.tokens),
                Part("as-json", row.counts.json_tokens),
                Part("as-english", row.counts.english_tokens),
            )
            for row in rows
        ]
    )
    return [row._replace(column=column) for row, column in zip(rows, columns, strict=True)]


def find_most_tokens(row: Row) -> int:
    """Return the longest bar of a row of days."""
    counts = row.counts
    return max(counts.tokens, counts.json_tokens, counts.english_tokens)


def draw_values(
    scope: Scope, name: str, title: str, heading: str, total: int, price: Decimal | None
) -> Panel:
    """Return the panel of a dimension: its most frequent values, and all others in one row."""
    found = scope.read_sources() if name == "source" else scope.read_values(name)
    unstated = found.pop(NONE, Counts()).packets
    if name == "act":
        unstated = total - sum(counts.packets for counts in found.values())
    named = {value: counts for value, counts in found.items() if value != OTHER}
    shown, beyond = list(named)[:SHOWN], list(named)[SHOWN:]
    labels = [
        (_label(name, value), queries.of_value(scope, name, value), named[value]) for value in shown
    ]
    others = add_up([found[value] for value in beyond] + [found.get(OTHER, Counts())])
    if others.packets:
        labels.append(("Other", queries.of_others(scope, name, shown), others))
    columns = chart.lay_out([_validity(counts) for _, _, counts in labels])
    rows = [
        Row(label, queries.link(scope, query), counts, column, price)
        for (label, query, counts), column in zip(labels, columns, strict=True)
    ]
    return Panel(name, title, heading, rows, len(named), unstated)


def sum_up(rows: Sequence[Row], price: Decimal | None) -> Row:
    """Return the sum of all rows."""
    total = add_up([row.counts for row in rows])
    return Row("Total", None, total, chart.Column(0, 0, ()), price)


def describe_costs(total: Row) -> list[dict[str, Any]]:
    """Return what the packets cost as sent, and what their baselines would have cost.

    A baseline is compared with the packets that have it.
    """
    counts, price = total.counts, total.price
    sides = (
        (JSON, counts.json_packets, counts.json_sent, counts.json_tokens),
        (ENGLISH, counts.english_packets, counts.english_sent, counts.english_tokens),
    )
    return [
        {
            "title": title,
            "packets": packets,
            "sent": sent,
            "tokens": tokens,
            "cost": cost(sent, price),
            "baseline_cost": cost(tokens, price),
            "saved": cost(tokens - sent, price),
        }
        for title, packets, sent, tokens in sides
    ]


def summarize(total: Row, scope: Scope, sources: int) -> str:
    """Return the counts of everything in one sentence."""
    packets = total.counts.packets
    origin = scope.source.name if scope.source else amount.count(sources, "source")
    text = amount.count(packets, "packet")
    if packets:
        text = f"{text} from {origin}; {total.invalid_percent:g}% invalid"
    compared = ", ".join(_compare(total))
    return f"{text}; {compared} ({TOKENIZER})" if compared else text


def _compare(total: Row) -> list[str]:
    """Return ``31% fewer tokens than minified JSON`` for each baseline there is."""
    found = []
    for change, baseline in ((total.json, JSON), (total.english, ENGLISH)):
        percent = change.percent
        if percent is not None:
            less = "fewer" if percent < 0 else "more"
            amount = f"{abs(percent):g}% {less} tokens than" if percent else "as many tokens as"
            found.append(f"{amount} {baseline}")
    return found


def _validity(counts: Counts) -> tuple[Part, Part]:
    return Part("valid", counts.packets - counts.invalid), Part("invalid", counts.invalid)


def _cut(span: Span) -> Iterator[tuple[date, date]]:
    """Yield the days, weeks, or months of a range, each within it."""
    first = span.first
    while first <= span.last:
        if span.days <= DAILY:
            after = first + timedelta(1)
        elif span.days <= WEEKLY:
            after = first + timedelta(7 - first.weekday())
        else:
            after = (first.replace(day=1) + timedelta(32)).replace(day=1)
        yield first, min(after - timedelta(1), span.last)
        first = after


def _within(days: Mapping[date, Counts], first: date, last: date) -> Counts:
    number = (last - first).days + 1
    found = (days.get(first + timedelta(at)) for at in range(number))
    return add_up([counts for counts in found if counts is not None])


def _name(first: date, last: date, span: Span) -> str:
    if first == last:
        return str(first)
    if span.days > WEEKLY and first.day == 1 and (last + timedelta(1)).day == 1:
        return f"{first:%Y-%m}"
    return f"{first} to {last}"


def _label(name: str, value: str) -> str:
    if name != "protocol" or value == detection.UNKNOWN:
        return value
    return registry.get(value).title if value in registry.get_names() else value
