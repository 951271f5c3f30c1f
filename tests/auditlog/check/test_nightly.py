"""Logs are checked once a night, and when somebody asks; what did not end is continued."""

import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from auditlog.check import nightly, run
from auditlog.check.table import SelfCheck
from auditlog.ingest.item import Item
from auditlog.models import Log
from tests.auditlog.sending import WIRE, append, make_sender

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("beside")]

NIGHT = datetime(2026, 11, 20, 3, 10, tzinfo=UTC)


def asked() -> list[str]:
    return [row.log.slug for row in nightly.find_work(NIGHT)]


def test_a_log_is_checked_once_a_night() -> None:
    append(Item(WIRE), sender=make_sender())
    nightly.ask_nightly(NIGHT - timedelta(hours=1), 3)
    assert asked() == []

    nightly.ask_nightly(NIGHT, 3)
    assert asked() == ["default"]

    SelfCheck.objects.update(asked=None, began=NIGHT, ended=NIGHT)
    nightly.ask_nightly(NIGHT + timedelta(minutes=20), 3)
    assert asked() == []
    nightly.ask_nightly(NIGHT + timedelta(days=1), 3)
    assert asked() == ["default"]


def test_an_empty_log_is_left_alone() -> None:
    nightly.ask_nightly(NIGHT, 3)
    assert asked() == []


def test_a_log_is_not_checked_by_day_if_it_was_not_at_night() -> None:
    append(Item(WIRE), sender=make_sender())

    nightly.ask_nightly(NIGHT + timedelta(minutes=51), 3)
    assert asked() == []

    nightly.ask_nightly(NIGHT + timedelta(minutes=50), 3)
    assert asked() == ["default"]


@pytest.mark.parametrize(("busy", "rests"), [(-1.0, {0.25}), (3600.0, set())])
def test_a_self_check_rests_after_each_time_of_work(
    busy: float, rests: set[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=slept.append)
    monkeypatch.setattr("auditlog.check.nightly.time", clock)
    append(Item(WIRE), sender=make_sender())
    run.ask(Log.objects.get(slug="default"), full=True)

    nightly.work(busy, 0.25)

    assert set(slept) == rests
    assert SelfCheck.objects.get().ended is not None


def test_what_did_not_end_is_continued_once_nobody_does_it() -> None:
    log = Log.objects.get(slug="default")
    row = SelfCheck.objects.create(log=log, began=NIGHT, touched=NIGHT, size=9)
    assert nightly.find_work(NIGHT + timedelta(seconds=30)) == []
    assert nightly.find_work(NIGHT + timedelta(minutes=3)) == [row]


def test_who_asks_twice_gets_one() -> None:
    log = Log.objects.get(slug="default")
    first = run.ask(log, full=True)
    assert run.ask(log, full=False).asked == first.asked
    append(Item(WIRE), sender=make_sender())

    nightly.work(1.0, 0.0)
    row = SelfCheck.objects.get(log=log)
    assert (row.asked, row.faults, row.size, row.full) == (None, 0, 1, True)
    assert row.ended is not None
