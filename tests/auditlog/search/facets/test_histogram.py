"""Bars over time, and ranges of time as a query names them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditlog.search import moment
from auditlog.search.facets import histogram, times
from auditlog.search.facets.edit import QueryText
from tests import fuzz

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
DAY = 86_400
MOMENTS = st.datetimes().map(lambda at: at.replace(tzinfo=UTC))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@fuzz.examples(100)
@given(st.lists(st.tuples(st.none() | MOMENTS, st.booleans()), max_size=20))
def test_every_packet_is_in_one_bar(received: list[tuple[datetime | None, bool]]) -> None:
    drawn = histogram.draw(received)

    dated = [(moment, valid) for moment, valid in received if moment is not None]
    assert drawn.undated == len(received) - len(dated)
    assert len(drawn.bars) <= histogram.MAX_BARS
    for before, after in zip(drawn.bars, drawn.bars[1:], strict=False):
        assert before.end == after.start
    for bar in drawn.bars:
        inside = [
            valid for moment, valid in dated
            if bar.start <= moment < bar.end or bar.end == times.LAST == moment
        ]  # fmt: skip
        assert (bar.count, bar.invalid) == (len(inside), inside.count(False))
    assert sum(bar.count for bar in drawn.bars) == len(dated)


@pytest.mark.parametrize(
    ("apart", "width"),
    [
        (0, 1), (59, 1), (60, 2), (3_599, 60), (DAY - 1, 1_800), (7 * DAY, 6 * 3_600),
        (30 * DAY, DAY), (365 * DAY, 7 * DAY), (3_000 * 365 * DAY, 36_400 * DAY),
    ],
)  # fmt: skip
def test_the_width_suits_the_range(apart: int, width: int) -> None:
    start = at("2026-11-16T00:00:00")
    drawn = histogram.draw([(start, True), (start + timedelta(seconds=apart), False)])

    assert drawn.width == width
    assert (drawn.bars[0].count, drawn.bars[-1].invalid) == (1 if apart else 2, 1)


def test_weeks_begin_on_mondays_and_days_at_midnight() -> None:
    drawn = histogram.draw([(at("2026-01-01T10:00:00"), True), (at("2026-11-20T10:00:00"), True)])

    assert drawn.width == 7 * DAY
    assert {bar.start.weekday() for bar in drawn.bars} == {0}
    assert {bar.start.hour for bar in drawn.bars} == {0}


def test_the_range_of_a_query_is_shown_as_a_whole() -> None:
    packet = [(at("2026-11-20T10:00:00"), True)]

    drawn = histogram.draw(packet, at("2026-11-19T00:00:00"), at("2026-11-21T00:00:00"))

    assert (drawn.bars[0].start, drawn.bars[-1].end) == (
        at("2026-11-19T00:00:00"),
        at("2026-11-21T00:00:00"),
    )
    assert len(drawn.bars) == 48


def test_without_packets_there_are_no_bars() -> None:
    assert histogram.draw([], NOW, NOW + timedelta(1)).bars == ()


@fuzz.examples(100)
@given(MOMENTS, st.sampled_from(histogram.WIDTHS))
def test_a_bar_is_named_as_a_query_reads_it(received: datetime, width: int) -> None:
    far = received + timedelta(seconds=width) if received.year < 5_000 else received
    for bar in histogram.draw([(received, True), (far, True)]).bars:
        low, high = times.name_start(bar.start), times.name_end(bar.end)

        start = moment.parse(low, NOW) if low else None
        end = moment.parse(high, NOW) if high else None
        assert (start.start if start else times.FIRST) == bar.start
        assert (end.end if end else times.LAST) == bar.end


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("goal:42", None, None),
        ("since:2h", "2026-11-20T10:30:00", "2026-11-20T12:30:00"),
        ("since:2026-11-19", "2026-11-19T00:00:00", "2026-11-20T12:30:00"),
        ("until:2026-11-18", None, "2026-11-19T00:00:00"),
        ("until:2030-01-01", None, "2026-11-20T12:30:00"),
        ("ts:2026-11-18", "2026-11-18T00:00:00", "2026-11-19T00:00:00"),
        ("ts:2026-11-20", "2026-11-20T00:00:00", "2026-11-20T12:30:00"),
        ("ts:>2026-11-17 ts:<2026-11-19", "2026-11-18T00:00:00", "2026-11-19T00:00:00"),
        ("ts:2026-11-01..2026-11-18 since:3d", "2026-11-17T12:30:00", "2026-11-19T00:00:00"),
        ("ts:2026-11-01 ts:2026-11-18", None, None),
        ("-since:2h", None, None),
        ("since:2h OR goal:42", None, None),
    ],
)
def test_the_range_of_a_query(text: str, start: str | None, end: str | None) -> None:
    assert times.find_range(QueryText(text).times, NOW) == (
        start and at(start),
        end and at(end),
    )
