"""Every form of a time is read, and what could be two times is left alone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from cablese.transcript import times
from cablese.transcript.facts import Time

NAIVE = datetime.fromisoformat("2026-11-20T10:00:01")
KNOWN = NAIVE.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-20T10:00:01Z", KNOWN),
        ("2026-11-20T10:00:01.123456789Z", KNOWN.replace(microsecond=123456)),
        ("2026-11-20T10:00:01.123456789012Z", KNOWN.replace(microsecond=123456)),
        ("2026-11-20 10:00:01,123", NAIVE.replace(microsecond=123000)),
        ("2026/11/20 10:00:01", NAIVE),
        ("20/Nov/2026:10:00:01 +0000", KNOWN),
        ("Friday, November 20, 2026 at 10:00:01 AM", NAIVE),
        ("20 November 2026 at 10:00:01", NAIVE),
        ("Fri Nov 20 10:00:01 2026", NAIVE),
        ("Fri Nov 20 10:00:01 UTC 2026", KNOWN),
        ("Fri Nov 20 10:00:01 AM GMT 2026", KNOWN),
        ("Fri Nov 20 10:00:01 EST 2026", NAIVE.replace(tzinfo=timezone(timedelta(hours=-5)))),
        ("20.11.2026 10:00:01", NAIVE),
        ("20/11/2026, 10:00:01 PM", NAIVE.replace(hour=22)),
        ("20261120T100001Z", KNOWN),
        ("2026-11-20 10:00:60Z", KNOWN.replace(second=59)),
    ],
)
def test_it_reads_each_form(text: str, moment: datetime) -> None:
    time = times.parse(text)
    assert time is not None
    assert (time.moment, time.has_year) == (moment, True)


@pytest.mark.parametrize(
    "text",
    ["Nov 20 10:00:01 host", "I1120 10:00:01.000000 7", "11-20 10:00:01.123 1200 1201 I Bus"],
)
def test_it_reads_a_time_without_a_year(text: str) -> None:
    result = times.find(text)
    assert result is not None
    moment = result[0].moment
    assert (moment.month, moment.day, moment.hour, result[0].has_year) == (11, 20, 10, False)


@pytest.mark.parametrize(
    "text",
    [
        "01/02/2026 10:00:01", "11.31.2026 10:00:01", "2026-13-20T10:00:01Z", "10:00:01",
        "Fri Nov 20 10:00:01 CET 2026", "Fri Nov 20 10:00:01 CST 2026",
        "Fri Nov 20 10:00:01 PM CET 2026",
        "2026-11-20 10:00:01 Europe/Berlin",
    ],
)  # fmt: skip
def test_it_leaves_alone_what_is_not_one_moment(text: str) -> None:
    assert times.find(text) is None


PLANNED = "2026-12-01T00:00:00Z"


@pytest.mark.parametrize(
    "text",
    [
        f"10:00:01 [deadline {PLANNED}] ", f"(due: {PLANNED}) ", f"expires at {PLANNED} ",
        f"valid until {PLANNED}: ", f"ETA {PLANNED} ", f"next retry at {PLANNED}: ",
        f"scheduled for {PLANNED} ", "due Tue, 1 Dec 2026 10:00:00 GMT ", f"deadline={PLANNED} ",
    ],
)  # fmt: skip
def test_a_time_that_is_to_come_is_not_that_of_the_line(text: str) -> None:
    assert times.find(text) is None
    found = times.find(f"{text} 2026-11-20T10:00:01Z planner: ")
    assert found is not None
    assert found[0].moment == KNOWN


@pytest.mark.parametrize("word", ["sent", "at", "overdue", "residue", "context", "next-agent"])
def test_other_words_before_a_time_do_not_matter(word: str) -> None:
    found = times.find(f"{word} 2026-11-20T10:00:01Z planner: ")
    assert found is not None
    assert found[0].moment == KNOWN


def test_a_long_number_after_a_comma_is_the_next_value_of_the_row() -> None:
    found = times.find("2026-11-20 10:00:01,1763632801123,planner,")
    assert found is not None
    assert (found[0].text, found[0].moment) == ("2026-11-20 10:00:01", NAIVE)


def test_a_day_that_is_no_month_settles_the_order() -> None:
    time = times.parse("02/13/2026 10:00:01")
    assert time is not None
    assert (time.moment.month, time.moment.day) == (2, 13)


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("GMT", 0),
        ("EST", -5),
        ("EDT", -4),
        ("CDT", -5),
        ("PDT", -7),
        ("+0530", 5.5),
        ("-08:00", -8),
    ],
)
def test_it_reads_offsets_and_the_zones_of_mail(zone: str, hours: float) -> None:
    time = times.parse(f"2026-11-20 10:00:01 {zone}")
    assert time is not None
    assert time.moment == NAIVE.replace(tzinfo=timezone(timedelta(hours=hours)))


@pytest.mark.parametrize(
    "word", ["START", "SENT", "ALERT", "AGENT", "GET", "POST", "Agents/Planner"]
)
def test_a_word_after_a_time_is_no_zone(word: str) -> None:
    found = times.find(f"2026-11-20 10:00:01 {word} x")
    assert found is not None
    assert found[0].moment == NAIVE


@pytest.mark.parametrize("zone", ["JST", "IST", "CST", "CEST", "MSK", "AEDT", "BRT", "CT"])
def test_a_zone_with_several_meanings_gives_no_time(zone: str) -> None:
    assert times.find(f"2026-11-20 10:00:01 {zone}") is None


@pytest.mark.parametrize(
    "digits", ["1795168801.5", "1795168801500", "1795168801500000", "1795168801500000000"]
)
def test_the_number_of_digits_tells_the_unit(digits: str) -> None:
    time = times.parse_number(digits)
    assert time is not None
    assert time.moment == KNOWN.replace(microsecond=500000)


@pytest.mark.parametrize(
    "digits", ["179516880", "17951688015", "0795168801", "1795168801500.5", "1e9", "nan", ""]
)
def test_other_numbers_are_not_times(digits: str) -> None:
    assert times.parse_number(digits) is None


@pytest.mark.parametrize(
    ("text", "received", "sent"),
    [
        ("Dec 31 23:59:59", datetime(2027, 1, 1, tzinfo=UTC), "2026-12-31T23:59:59+00:00"),
        ("Jan 1 00:00:01", datetime(2026, 12, 31, 23, tzinfo=UTC), "2027-01-01T00:00:01+00:00"),
        ("Feb 29 10:00:01", datetime(2027, 3, 1, tzinfo=UTC), "2024-02-29T10:00:01+00:00"),
    ],
)
def test_a_missing_year_is_the_latest_that_fits(text: str, received: datetime, sent: str) -> None:
    time = times.parse(text)
    assert time is not None
    assert time.sent_at(received=received, zone=UTC) == sent


@pytest.mark.parametrize(("length", "is_read"), [(400, True), (401, False)])
def test_a_time_in_very_many_brackets_is_not_one(*, length: int, is_read: bool) -> None:
    text = "2026-11-20T10:00:01Z".ljust(length, "]")
    assert (times.parse(text) is not None) == is_read


def test_a_missing_zone_is_the_one_given() -> None:
    time = Time("2026-11-20 10:00:01", NAIVE)
    assert time.assumed
    assert (
        time.sent_at(received=KNOWN, zone=timezone(timedelta(hours=2)))
        == "2026-11-20T10:00:01+02:00"
    )


def test_each_form_is_found_by_its_part() -> None:
    texts = (
        "2026-11-20T10:00:01Z", "20261120T100001Z", "20/Nov/2026:10:00:01 +0000",
        "November 20, 2026 at 10:00 AM", "Nov 20 10:00:01 UTC 2026", "20.11.2026 10:00:01",
        "11-20 10:00:01.123 1200 1201 I Bus", "I20261120 10:00:01.000000", "I1120 10:00:01",
    )  # fmt: skip

    for text, (form, part) in zip(texts, times.FORMS, strict=True):
        match = form.search(text)
        assert match is not None, text
        assert part.search(match[0]) is not None, text
