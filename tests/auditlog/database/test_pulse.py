"""What the committer saw last: a change is logged once, and failures are counted."""

import logging

import pytest

from auditlog.database.faults import Fault
from auditlog.database.pulse import Pulse

FULL = Fault("full", "OperationalError SQLITE_FULL: database or disk is full")
LOCKED = Fault("locked", "OperationalError SQLITE_BUSY: database is locked")


def test_it_remembers_the_last_commit() -> None:
    pulse = Pulse()
    assert pulse.read().committed is None
    pulse.succeed()
    first = pulse.read().committed
    pulse.succeed()
    assert first is not None
    assert (pulse.read().committed or first) > first


def test_a_failure_is_logged_once_and_then_counted(caplog: pytest.LogCaptureFixture) -> None:
    pulse = Pulse()
    pulse.succeed()
    for _ in range(3):
        pulse.fail(FULL)
    beat = pulse.read()
    assert (beat.fault, beat.failures) == (FULL, 3)
    assert beat.committed is not None
    assert beat.failed is not None
    assert beat.since is not None
    assert beat.since < beat.failed
    assert [record.getMessage() for record in caplog.records] == [
        f"No packet can be stored (full): {FULL.reason}"
    ]


def test_another_kind_of_failure_is_logged_too(caplog: pytest.LogCaptureFixture) -> None:
    pulse = Pulse()
    for fault in (FULL, LOCKED, LOCKED):
        pulse.fail(fault)
    assert len(caplog.records) == 2
    assert LOCKED.reason in caplog.records[1].getMessage()


def test_it_says_when_commits_work_again(caplog: pytest.LogCaptureFixture) -> None:
    pulse = Pulse()
    pulse.fail(FULL)
    pulse.fail(FULL)
    caplog.clear()
    pulse.succeed()
    pulse.succeed()
    assert pulse.read().fault is None
    assert pulse.read().failures == 0
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "Failed attempts: 2 in" in record.getMessage()


def test_a_lock_that_is_gone_is_no_commit() -> None:
    pulse = Pulse()
    pulse.fail(LOCKED)
    pulse.succeed(committed=False)
    assert pulse.read().fault is None
    assert pulse.read().committed is None
