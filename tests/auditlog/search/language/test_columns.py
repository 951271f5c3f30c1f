"""Times, token counts, event IDs, and diagnostic codes as tokens, and the ranges that find them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditlog.ingest.item import Item
from auditlog.search.language import columns
from auditlog.search.number import Cut
from cablese.message import Diagnostic, Span

MOMENTS = st.datetimes(timezones=st.just(UTC))
NEAR = st.timedeltas(timedelta(microseconds=-3), timedelta(hours=26))
MOST = 600
"""Tokens of a range that both engines still read within milliseconds."""


def holds(cuts: list[Cut], tokens: str) -> bool:
    return any(
        token.startswith(cut.token) if cut.prefix else token == cut.token
        for cut in cuts
        for token in tokens.split()
    )


def test_the_facts_of_a_packet_are_tokens() -> None:
    item = Item("", sent_at="2026-11-20T10:15:30.00025+01:00", event_id="Run 17-42")
    codes = ["leading-zero", "leading-zero", "bad-act"]
    found = [Diagnostic(f"nslip.{code}", "warning", Span(0, 0), "", "") for code in codes]

    assert columns.write(120, item, found).split() == [
        "!tok.c=#c1", "!tok=#c120", "!at.y=2026", "!at.m=202611", "!at.d=20261120",
        "!at.x=20261120091", "!at.s=20261120091530.000250", "!has=event", "!ev=run", "!ev=17-42",
        "!code=nslip.leading-zero", "!code=leading-zero", "!code=nslip.bad-act", "!code=bad-act",
        "!is=warning",
    ]  # fmt: skip


def test_a_packet_without_them_has_a_count_and_no_event() -> None:
    assert columns.write(7, Item("")) == "!tok=#a7"


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("2026-11-20T10:00:01Z", "20261120100001.000000"),
        ("2026-11-20t10:00:01z", "20261120100001.000000"),
        ("2026-11-20T10:00:01.1234567Z", "20261120100001.123456"),
        ("2026-11-20T00:30:00+01:00", "20261119233000.000000"),
        ("2026-11-20T10:00:01+00:00", "20261120100001.000000"),
        ("2026-11-20T10:00:01.5-00:00", "20261120100001.500000"),
        ("2026-11-20 10:00:01.25+05:30", "20261120043001.250000"),
        ("2016-12-31T23:59:60Z", "20161231235959.000000"),
        ("2017-01-01T00:59:60.5+01:00", "20161231235959.500000"),
        ("0001-01-01T00:00:00+01:00", "00010101000000.000000"),
        ("9999-12-31T23:59:59-01:00", "99991231235959.999999"),
    ],
)
def test_a_time_is_an_instant_of_utc(text: str, stamp: str) -> None:
    assert columns.write(1, Item("", sent_at=text)).split()[-1] == f"!at.s={stamp}"


@given(start=MOMENTS | st.none(), length=NEAR | st.timedeltas(), apart=NEAR, at=MOMENTS)
def test_a_range_of_times_finds_exactly_what_is_in_it(
    start: datetime | None, length: timedelta, apart: timedelta, at: datetime
) -> None:
    try:
        end = None if start is None else start + length
        places = [at, *([] if start is None or end is None else [start + apart, end - apart, end])]
    except OverflowError:
        return
    cuts = columns.sent_between(start, end)

    assert len(cuts) <= MOST
    for place in places:
        inside = (start is None or place >= start) and (end is None or place < end)
        tokens = columns.write(1, Item("", sent_at=place.isoformat()))
        assert holds(cuts, tokens) == inside, place


def test_the_last_days_of_all_are_found() -> None:
    first, last = datetime(9999, 12, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)
    cuts = columns.sent_between(first, last)

    for moment, inside in ((first, True), (last - timedelta(seconds=1), True), (last, False)):
        tokens = columns.write(1, Item("", sent_at=moment.isoformat()))
        assert holds(cuts, tokens) == inside


def test_a_day_is_one_token_and_common_years_are_no_prefix() -> None:
    day = datetime(2026, 11, 20, tzinfo=UTC)

    assert columns.sent_between(day, day + timedelta(days=1)) == [
        Cut("!at.d=20261120", prefix=False)
    ]
    assert Cut("!at.y=2026", prefix=False) in columns.sent_between(None, None)


@given(
    low=st.integers(0, 10**6) | st.integers(0, 200),
    length=st.none() | st.integers(0, 300) | st.integers(0, 10**6),
    count=st.integers(0, 10**6),
)
def test_a_range_of_counts_finds_exactly_what_is_in_it(
    low: int, length: int | None, count: int
) -> None:
    high = None if length is None else low + length
    cuts = columns.count_between(low, high)

    for one in {count, low, low - 1, low + 1, *([] if high is None else [high, high + 1])}:
        if one >= 0:
            inside = low <= one and (high is None or one <= high)
            assert holds(cuts, columns.write(one, Item(""))) == inside, one


@pytest.mark.parametrize("text", [(10, 20), (100, None), (0, 99), (120, 120)])
def test_common_counts_are_found_without_prefixes(text: tuple[int, int | None]) -> None:
    short = [cut for cut in columns.count_between(*text) if cut.token[-2:-1] != "#"]

    assert not any(cut.prefix for cut in short)
