"""Who waits for a commit of this process is woken by it."""

import threading

import pytest

from auditlog.ingest.item import Item
from auditlog.log import group_commit, notify, writer
from tests.auditlog.sending import WIRE, make_drafts, make_sender


def test_waiting_ends_with_the_time_when_nothing_is_committed() -> None:
    seen = notify.count()

    assert notify.wait(seen, 0.01) == seen


def test_a_commit_that_came_meanwhile_is_not_waited_for() -> None:
    seen = notify.count()
    notify.mark()

    assert notify.wait(seen, 60) == seen + 1


@pytest.mark.django_db(transaction=True)
def test_the_commit_of_a_packet_wakes_whoever_waits() -> None:
    drafts = make_drafts(Item(WIRE), sender=make_sender())
    seen = notify.count()
    woken: list[int] = []
    waiting = threading.Thread(target=lambda: woken.append(notify.wait(seen, 60)))
    waiting.start()

    writer.append(drafts)
    waiting.join(30)
    group_commit.stop()

    assert woken
    assert woken[0] > seen
