"""What a log line says beside its message becomes facts of the item, marked as such."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditlog.ingest import zones
from auditlog.ingest.item import Item, check
from auditlog.ingest.logged import correct, move, to_item
from cablese.message import Span
from cablese.transcript import Cut, Facts, Time, split
from tests import fuzz

WIRE = "REQ/TSK|g=42,t=1"
RECEIVED = datetime(2026, 11, 22, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def at(written: str) -> datetime:
    """A time without a zone."""
    return datetime.fromisoformat(written)


def item_of(facts: Facts, zone: ZoneInfo = zones.UTC, received: datetime = RECEIVED) -> Item:
    return to_item(
        Cut(Span(0, len(WIRE)), WIRE, "nslip", facts=facts), received=received, zone=zone
    )


def test_a_line_that_says_nothing_gives_the_wire_alone() -> None:
    assert item_of(Facts()) == Item(WIRE, "nslip")


def test_what_a_line_says_is_marked_as_its_own() -> None:
    moment = datetime(2026, 11, 20, 10, 0, 1, tzinfo=timezone(timedelta(hours=1)))
    facts = Facts(
        Time("20/Nov/2026:10:00:01 +0100", moment), "planner", "executor", "42/1", {"level": "INFO"}
    )
    item = item_of(facts, BERLIN)
    assert item == Item(
        WIRE,
        "nslip",
        sent_at="2026-11-20T10:00:01+01:00",
        sent_text="20/Nov/2026:10:00:01 +0100",
        from_="planner",
        to="executor",
        thread="42/1",
        attributes={"level": "INFO"},
        from_line=["attributes", "from", "sent_at", "thread", "to"],
    )
    assert check(item) is item


@pytest.mark.parametrize(
    ("written", "sent_at"),
    [
        (at("2026-07-01T10:00:00"), "2026-07-01T10:00:00+02:00"),
        (at("2026-10-25T02:30:00"), "2026-10-25T02:30:00+02:00"),
        (at("2026-03-29T02:30:00"), "2026-03-29T02:30:00+01:00"),
    ],
    ids=["summer", "twice: the earlier", "skipped: the offset before"],
)
def test_a_time_without_a_zone_is_in_the_given_one(written: datetime, sent_at: str) -> None:
    item = item_of(Facts(Time("written", written)), BERLIN)
    assert (item.sent_at, item.sent_zone, item.from_line) == (sent_at, "Europe/Berlin", ["sent_at"])


def test_a_time_without_a_year_has_that_of_its_receipt() -> None:
    facts = Facts(Time("Dec 31 23:59:59", at("2000-12-31T23:59:59"), has_year=False))
    assert (
        item_of(facts, received=datetime(2027, 1, 1, 0, 0, 5, tzinfo=UTC)).sent_at
        == "2026-12-31T23:59:59+00:00"
    )


def test_a_fraction_of_very_many_digits_is_stored_to_the_microsecond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = f"2026-11-20T10:00:01.{'123456789' * 4}+01:00"
    monkeypatch.setattr(Time, "sent_at", lambda *_, **__: written)
    item = item_of(Facts(Time(written, datetime.fromisoformat(written))))
    assert (item.sent_at, item.sent_text) == ("2026-11-20T10:00:01.123456+01:00", written)


def test_a_time_that_is_written_at_length_is_cut() -> None:
    item = item_of(Facts(Time("x" * 201, at("2026-11-20T10:00:01"))))
    assert item.sent_text == "x" * 200
    assert check(item) is item


def test_what_a_wrapper_says_is_from_the_line_too() -> None:
    (cut,) = split(json.dumps({"role": "user", "name": "ada", "content": WIRE})).messages
    item = to_item(cut, received=RECEIVED, zone=zones.UTC)
    assert (item.from_, item.from_line) == ("ada", ["from"])


def test_a_name_that_is_too_long_is_not_one() -> None:
    assert item_of(Facts(sender="x" * 1001, recipient="b")).from_line == ["to"]


def test_a_time_is_moved_to_another_zone_only_where_the_line_names_none() -> None:
    assumed = item_of(Facts(Time("2026-11-20 10:00:01", at("2026-11-20T10:00:01"))))
    known = item_of(
        Facts(Time("2026-11-20T10:00:01Z", datetime(2026, 11, 20, 10, 0, 1, tzinfo=UTC)))
    )
    moved = move(assumed, BERLIN)
    assert (moved.sent_at, moved.sent_zone) == ("2026-11-20T10:00:01+01:00", "Europe/Berlin")
    assert move(moved, zones.UTC) == assumed
    assert move(known, BERLIN) == known


def test_what_a_person_corrects_is_no_longer_from_the_line() -> None:
    item = item_of(Facts(Time("10:00", at("2026-11-20T10:00:00")), "planner", "executor"))
    corrected = correct(item, from_="Planner", to="executor", sent_at="2026-11-20T09:00:00Z")
    assert (corrected.from_, corrected.to, corrected.from_line) == ("Planner", "executor", ["to"])
    assert (corrected.sent_at, corrected.sent_zone, corrected.sent_text) == (
        "2026-11-20T09:00:00Z",
        None,
        "10:00",
    )
    assert check(corrected) is corrected
    cleared = correct(corrected, to=None, sent_at=None)
    assert cleared == Item(WIRE, "nslip", from_="Planner")


NAME = st.none() | st.text(max_size=20) | st.sampled_from(["a\udcff", "x" * 1001])
ZONES = (
    st.none()
    | st.timezones()
    | st.builds(timezone, st.timedeltas(timedelta(hours=-23), timedelta(hours=23)))
)
TIME = st.builds(Time, st.text(max_size=250), st.datetimes(timezones=ZONES), st.booleans())
VALUE: Any = st.none() | st.text() | st.integers() | st.floats()


@given(
    st.builds(Facts, st.none() | TIME, NAME, NAME, NAME, st.dictionaries(st.text(), VALUE)),
    st.timezones(),
)
@fuzz.examples(40)
def test_nothing_that_a_line_says_keeps_its_message_from_being_stored(
    facts: Facts, zone: ZoneInfo
) -> None:
    item = item_of(facts, zone if zone.key in zones.NAMES else zones.UTC)
    assert check(item) is item
    assert check(move(item, zones.UTC)).wire == WIRE


def test_a_leap_second_is_moved_like_the_second_before_it() -> None:
    item = Item(WIRE, sent_at="2016-12-31T23:59:60Z", sent_text="23:59:60", sent_zone="UTC")
    assert move(item, BERLIN).sent_at == "2016-12-31T23:59:59+01:00"
