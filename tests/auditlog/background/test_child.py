"""A process starts when there is work for it, is woken, and starts again if it ends."""

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError

from auditlog.background.child import Child

pytestmark = pytest.mark.django_db(transaction=True)


class Started:
    """The processes that were started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.all: list[subprocess.Popen[bytes]] = []
        start = subprocess.Popen

        def note(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
            self.all.append(start(*arguments, **options))
            return self.all[-1]

        monkeypatch.setattr(subprocess, "Popen", note)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    started = Started(monkeypatch)
    yield started
    for process in started.all:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)


def make(*, again: float = 60.0, work: bool = True) -> Child:
    return Child("tests.auditlog.background.ends", does="ends", has_work=lambda: work, again=again)


def test_it_does_not_start_without_work(started: Started) -> None:
    make(work=False).attend()
    assert started.all == []


def test_it_does_not_start_while_the_database_does_not_answer(started: Started) -> None:
    def fail() -> bool:
        raise OperationalError

    Child("tests.auditlog.background.ends", does="ends", has_work=fail, again=0).attend()
    assert started.all == []


def test_one_that_runs_is_woken_and_one_that_failed_waits(
    started: Started, caplog: pytest.LogCaptureFixture
) -> None:
    ends = make()
    ends.attend()
    (process,) = started.all
    assert process.poll() is None

    ends.attend()
    assert process.wait(10) == 3
    ends.attend()
    assert caplog.messages == ["The process that ends ended with status 3."]
    assert started.all == [process]


def test_one_that_failed_starts_again_after_a_while(started: Started) -> None:
    ends = make(again=0)
    ends.attend()
    ends.attend()
    started.all[0].wait(10)
    ends.attend()
    assert len(started.all) == 2


def test_one_that_did_its_work_starts_again_at_once(started: Started) -> None:
    done = make()
    done.attend()
    (first,) = started.all
    assert first.stdin is not None
    first.stdin.close()
    assert first.wait(10) == 0

    done.attend()
    assert len(started.all) == 2


def test_one_that_cannot_start_is_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_arguments: Any, **_options: Any) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    make().attend()
    assert caplog.messages == [
        "The process that ends cannot start: Resource temporarily unavailable"
    ]
