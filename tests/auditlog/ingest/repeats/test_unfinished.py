"""Requests with an Idempotency-Key that did not end, or that run several times at once."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Any

import pytest
from django.db import OperationalError, connection

from auditlog.database.faults import Fault
from auditlog.database.unavailable import Stuck, Unavailable
from auditlog.ingest.repeats.idempotency import LEASE, Reused, Running, Unfinished
from auditlog.log import group_commit, logs, writer
from auditlog.log.commit.queue import Pending
from auditlog.models import IdempotentRequest, Packet
from auditlog.sender import Sender
from tests.auditlog.ingest.repeats.attempts import (
    begin,
    killed_after,
    lines,
    messages,
    pass_time,
    run,
    send,
    wires,
)
from tests.auditlog.sending import WIRE

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("amount", [7, 10, 13, 19])
def test_a_retry_goes_on_where_a_killed_one_ended(
    sender: Sender, amount: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = messages(20)
    killed_after(amount, body, sender, monkeypatch)
    stored = Packet.objects.count()
    assert 0 < stored < amount
    assert IdempotentRequest.objects.get().items == stored
    with pytest.raises(Running) as running:
        begin(sender)
    assert 1 <= running.value.retry_after <= LEASE.total_seconds()

    pass_time(LEASE)
    retry = begin(sender)
    answers = run(retry, body, sender)

    assert [(one["item"], one["status"], one["leaf"]) for one in answers] == [
        (n, 201, n) for n in range(20)
    ]
    assert wires() == [f"REQ/TSK|g={number},t=1" for number in range(20)]
    assert not retry.replayed
    assert send(body, sender) == answers


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small")
def test_a_retry_that_begins_otherwise_writes_nothing(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_after(13, messages(20), sender, monkeypatch)
    pass_time(LEASE)
    stored = Packet.objects.count()

    for other in ([*messages(2), *lines({"wire": WIRE}), *messages(17)], messages(stored - 1)):
        with pytest.raises(Reused):
            send(other, sender)
    assert Packet.objects.count() == stored


@pytest.mark.usefixtures("small")
def test_of_two_tries_one_writes(sender: Sender) -> None:
    one, other = begin(sender), begin(sender)
    run(one, messages(10), sender)

    with pytest.raises(Running):
        run(other, messages(10), sender)
    assert Packet.objects.count() == 10


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("before", [0, 1, 4])
@pytest.mark.usefixtures("small")
def test_a_try_that_a_fault_stopped_is_gone_on_with(
    sender: Sender, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """The fault meets the piece behind so many that were stored. Those behind it are not stored
    either.
    """
    real, calls = writer.submit, 0

    def submit(*work: Any, **more: Any) -> Pending[writer.Outcome]:
        nonlocal calls
        calls += 1
        if calls != before + 1:
            return real(*work, **more)
        done: Future[Sequence[writer.Outcome]] = Future()
        done.set_exception(Stuck(Fault("locked", "")))
        return Pending(done)

    body = messages(30)
    with monkeypatch.context() as patch:
        patch.setattr(writer, "submit", submit)
        with pytest.raises(Unavailable) as stopped:
            send(body, sender)
    assert isinstance(stopped.value, Unfinished) is bool(before)
    group_commit.stop()
    answers = send(body, sender)
    group_commit.stop()
    assert [one["status"] for one in answers] == [201] * 30
    assert [one["leaf"] for one in answers] == list(range(30))
    assert wires() == [f"REQ/TSK|g={number},t=1" for number in range(30)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small")
def test_a_slow_try_that_was_overtaken_writes_no_more(sender: Sender) -> None:
    body = messages(20)
    overtaken: list[dict[str, Any]] = []

    def slow() -> Iterator[bytes]:
        yield from body[:13]
        group_commit.stop()
        pass_time(LEASE)
        overtaken.extend(send(body, sender))
        yield from body[13:]

    with pytest.raises(Running):
        send(slow(), sender)
    assert overtaken
    group_commit.stop()
    assert wires() == [f"REQ/TSK|g={number},t=1" for number in range(20)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("amount", [1, 40])
@pytest.mark.usefixtures("small")
def test_threads_with_one_key_write_once(sender: Sender, amount: int) -> None:
    barrier = threading.Barrier(4)
    outcomes: list[list[dict[str, Any]] | Exception] = []

    def work() -> None:
        try:
            attempt = begin(sender)
            barrier.wait(10)
            outcomes.append(run(attempt, messages(amount), sender))
        except Running as running:
            outcomes.append(running)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    group_commit.stop()

    answered = [one for one in outcomes if isinstance(one, list)]
    assert len(outcomes) == 4
    assert len(answered) == 1
    assert Packet.objects.count() == amount
    assert send(messages(amount), sender) == answered[0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("amount", [1, 40])
@pytest.mark.parametrize("log", ["default", None], ids=["one log", "a log each"])
@pytest.mark.usefixtures("small")
def test_processes_with_one_key_write_once(
    sender: Sender, amount: int, log: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thread has a committer of its own, as each process has; a log each means that no lock is
    shared.
    """
    barrier, mine = threading.Barrier(4), threading.local()
    outcomes: list[list[dict[str, Any]] | Exception] = []
    for number in range(4):
        logs.create(slug=f"log-{number}")

    def submit(*work: Any, **more: Any) -> Any:
        return mine.committer.submit(*work, **more)

    def work(number: int) -> None:
        mine.committer = group_commit.Committer()
        own = Sender(
            sender.source_id, sender.source, key_id=sender.key_id, log=log or f"log-{number}"
        )
        try:
            attempt = begin(own)
            barrier.wait(10)
            outcomes.append(run(attempt, messages(amount), own))
        except (Running, OperationalError) as refused:
            outcomes.append(refused)
        finally:
            mine.committer.stop()
            connection.close()

    with monkeypatch.context() as patch:
        patch.setattr(group_commit, "submit", submit)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)

    assert len([one for one in outcomes if isinstance(one, list)]) == 1
    assert len([one for one in outcomes if isinstance(one, Running)]) == 3
    assert Packet.objects.count() == amount
