"""Who waits for a commit of this process is woken by it."""

import threading

import pytest

from auditlog import arrivals, commits, writer
from auditlog.ingest.item import Item
from tests.auditlog.sending import WIRE, make_drafts, make_sender


def test_waiting_ends_with_the_time_when_nothing_is_committed() -> None:
    seen = arrivals.count()

    assert arrivals.wait(seen, 0.01) == seen


def test_a_commit_that_came_meanwhile_is_not_waited_for() -> None:
    seen = arrivals.count()
    arrivals.mark()

    assert arrivals.wait(seen, 60) == seen + 1


@pytest.mark.django_db(transaction=True)
def test_the_commit_of_a_packet_wakes_whoever_waits() -> None:
    drafts = make_drafts(Item(WIRE), sender=make_sender())
    seen = arrivals.count()
    woken: list[int] = []
    waiting = threading.Thread(target=lambda: woken.append(arrivals.wait(seen, 60)))
    waiting.start()

    writer.append(drafts)
    waiting.join(30)
    commits.stop()

    assert woken
    assert woken[0] > seen
