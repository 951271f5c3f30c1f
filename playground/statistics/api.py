"""Statistics of a log, by day or by the values of its packets."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from msgspec import Struct, field
from ninja import Query, Router
from pydantic import Field as Parameter

from auditlog.log.draft import TOKENIZER
from auditlog.models import Log, Rollup, Source
from auditlog.rollup import read
from auditlog.rollup.read import Counts
from auditlog.rollup.values import NONE, OTHER
from cablese.text import quote
from playground.rest.body import write_json
from playground.rest.choices import LogParameter
from playground.rest.keys import Key, read_log, sender
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.statistics import panels, queries
from playground.statistics.scope import (
    MOST_DAYS,
    MOST_DOLLARS,
    BadRange,
    Scope,
    add_up,
    choose,
    cost,
)

router = Router(tags=["Log"], auth=Key())

MOST_ROWS = 1_000
By = Literal["day", "protocol", "act", "from", "to", "source"]
FirstDay = Annotated[
    date | None,
    Query(alias="from", description="The first day, in UTC. Default: 30 days with the last."),
]
LastDay = Annotated[
    date | None,
    Query(alias="to", description=f"The last day. A range has at most {MOST_DAYS:,} days."),
]
Price = Annotated[
    float,
    Parameter(ge=0, le=MOST_DOLLARS, description="US dollars per million tokens."),
]


class Baseline(Struct, frozen=True):
    """The tokens of a baseline, and those as sent of the packets that have it.

    ``counted`` packets were looked at so far: English is counted shortly after a packet is stored.
    ``saved`` dollars are negative if the baseline costs less; null without a price.
    """

    counted: int
    packets: int
    sent: int
    tokens: int
    change_percent: float | None
    saved: float | None


class StatisticsRow(Struct, frozen=True):
    """The packets of a day or a value. ``query`` finds them; null for a total.

    ``value`` is null for packets whose values are counted together, as beyond the limit of rows.
    """

    value: str | None
    packets: int
    invalid: int
    tokens: int
    dollars: float | None
    json: Baseline
    english: Baseline
    query: str | None


class Statistics(Struct, frozen=True):
    """The counts of a log for a range of days, by receive time in UTC, both days included.

    ``uncounted`` leaves of the log are not counted yet after an upgrade. Senders and recipients are
    named as search compares them: without case and accents.
    """

    log: str
    from_: str = field(name="from")
    to: str
    source: str | None
    by: By
    tokenizer: str
    uncounted: int
    total: StatisticsRow
    rows: list[StatisticsRow]


@router.get(
    "/statistics",
    summary="Get statistics",
    openapi_extra=described(answer=Statistics, problems=(401, 403, 404, 422)),
)
def statistics(
    request: HttpRequest,
    log: LogParameter | None = None,
    first: FirstDay = None,
    last: LastDay = None,
    source: Annotated[str | None, Query(max_length=100)] = None,
    by: By = "day",
    price: Price | None = None,
) -> HttpResponse:
    """Return how many packets a log has, how many are invalid, and their tokens against JSON and
    English: by day, or by protocol, act, sender, recipient, or source, with most packets first.
    """
    found = read_log(request, sender(request, "read"), log)
    scope = _choose(found, source, first, last)
    days = scope.read_days()
    dollars = None if price is None else Decimal(str(price))
    total = add_up(days.values())
    rows = _by_day(scope, days, dollars) if by == "day" else _by_value(scope, by, dollars)
    return write_json(
        Statistics(
            found.slug, str(scope.span.first), str(scope.span.last), source, by, TOKENIZER,
            read.count_left(scope.log.pk), _row(None, total, None, dollars), rows,
        )
    )  # fmt: skip


def _choose(log: Log, name: str | None, first: date | None, last: date | None) -> Scope:
    """Return what is asked for. Raises Problem 422."""
    # PostgreSQL refuses to compare text with NUL.
    named = Source.objects.filter(name=(name or "").replace("\0", "\ufffd"))
    # One that sends to other logs only is unknown here: a key may be limited to this log.
    here = Rollup.objects.filter(log=log, dimension="all").values("source")
    source = None if name is None else named.filter(pk__in=here).first()
    if name is not None and source is None:
        expected = f"Expected the name of a source with packets in the log {log.slug}."
        raise Problem(422, f"Unknown source {quote(name)}. {expected}", "/source")
    try:
        return choose(log, source, first, last, datetime.now(UTC).date())
    except BadRange as bad:
        raise Problem(422, str(bad), f"/{bad.name}") from None


def _by_day(
    scope: Scope, days: Mapping[date, Counts], price: Decimal | None
) -> list[StatisticsRow]:
    return [
        _row(str(day), counts, queries.of_days(scope, day, day), price)
        for day, counts in sorted(days.items())
    ]


def _by_value(scope: Scope, by: str, price: Decimal | None) -> list[StatisticsRow]:
    found = scope.read_sources() if by == "source" else scope.read_values(by)
    named = {value: counts for value, counts in found.items() if value not in (OTHER, NONE)}
    shown, beyond = [*named][:MOST_ROWS], [*named][MOST_ROWS:]
    rows = [_row(value, named[value], queries.of_value(scope, by, value), price) for value in shown]
    others = add_up([*(found[value] for value in beyond), found.get(OTHER, Counts())])
    return [*rows, _row(None, others, None, price)] if others.packets else rows


def _row(
    value: str | None, counts: Counts, query: str | None, price: Decimal | None
) -> StatisticsRow:
    return StatisticsRow(
        value,
        counts.packets,
        counts.invalid,
        counts.tokens,
        _dollars(counts.tokens, price),
        _baseline(counts.packets, counts.json_packets, counts.json_sent, counts.json_tokens, price),
        _baseline(
            counts.english_read,
            counts.english_packets,
            counts.english_sent,
            counts.english_tokens,
            price,
        ),
        query,
    )


def _baseline(
    counted: int, packets: int, sent: int, tokens: int, price: Decimal | None
) -> Baseline:
    change = panels.Change(sent, tokens).percent
    return Baseline(counted, packets, sent, tokens, change, _dollars(tokens - sent, price))


def _dollars(tokens: int, price: Decimal | None) -> float | None:
    dollars = cost(tokens, price)
    return None if dollars is None else float(dollars)
