"""The machine's clock set back and forward: what a log notes, refuses, and takes again."""

import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from auditlog import review
from auditlog.continuity import clock
from auditlog.continuity.clock import Behind
from auditlog.ingest.body import Piece
from auditlog.ingest.item import Item
from auditlog.ingest.receive import Interrupted, receive
from auditlog.log import gap, group_commit, log_end, logs, writer
from auditlog.log.leaf import canonical
from auditlog.models import Leaf, Log, Packet
from tests.auditlog.continuity.noted import kinds, said, shown, times
from tests.auditlog.machine import NOON, Machine
from tests.auditlog.sending import WIRE, append, keep, make_drafts, make_sender

pytestmark = pytest.mark.django_db


def test_a_log_that_is_empty_notes_nothing(machine: Machine) -> None:
    keep(Item(WIRE))

    assert kinds() == ["packet"]
    assert times() == [shown(NOON)]


@pytest.mark.parametrize("seconds", [-4, -5])
def test_a_clock_that_is_set_back_a_little_is_not_noted(machine: Machine, seconds: int) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.set(seconds=seconds)
    append(Item(WIRE), sender=sender)

    assert kinds() == ["packet", "packet"]
    assert times() == [shown(NOON)] * 2


def test_within_the_limit_it_is_noted_once_and_once_more_when_it_is_right(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.set(seconds=-60)
    append(Item(WIRE), Item(WIRE), sender=sender)
    machine.restart()
    machine.wait(seconds=30)
    append(Item(WIRE), sender=sender)
    machine.wait(seconds=31)
    append(Item(WIRE), sender=sender)

    assert kinds() == ["packet", "behind", "packet", "packet", "packet", "right", "packet"]
    assert times() == [shown(NOON)] * 5 + [shown(machine.now)] * 2
    behind, right = (one for one in said() if one["kind"] == "clock")
    assert behind == {
        "v": 2, "kind": "clock", "log": "default", "state": "behind", "recv": shown(NOON),
        "newest": shown(NOON),
        "clock": shown(NOON - timedelta(seconds=60)),
    }  # fmt: skip
    assert (right["clock"], right["newest"]) == (shown(machine.now), shown(NOON))
    assert [row.bytes for row in Leaf.objects.filter(kind="clock", index=1)] == [canonical(behind)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_each_change_is_logged_once(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    sender = make_sender()
    with caplog.at_level(logging.WARNING, "auditlog.log.log_end"):
        append(Item(WIRE), sender=sender)
        machine.set(seconds=-60)
        append(Item(WIRE), sender=sender)
        append(Item(WIRE), sender=sender)
        machine.wait(seconds=60)
        append(Item(WIRE), sender=sender)

    assert [
        record.getMessage() for record in caplog.records if record.name == "auditlog.log.log_end"
    ] == [
        (
            'This machine\'s clock is 60 s behind the newest leaf of the log "default". '
            "New packets get its time."
        ),
        'This machine\'s clock is no longer behind the log "default".',
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_beyond_the_limit_a_log_takes_nothing_and_notes_it_once(machine: Machine) -> None:
    logs.create(slug="other")
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.set(days=-3)
    for _ in range(2):
        with pytest.raises(
            Behind, match=r'newest leaf of the log "default" is 3 days ahead'
        ) as caught:
            append(Item(WIRE), sender=sender)
        group_commit.stop()  # the note is on its way meanwhile
        machine.restart()
    append(Item(WIRE, log="other"), sender=sender)
    group_commit.stop()

    assert caught.value.retry_after == clock.LATER
    assert kinds() == ["packet", "behind"]
    assert (kinds("other"), times("other")) == (["packet"], [shown(machine.now)])


def test_a_log_takes_packets_again_when_its_newest_leaf_is_within_the_limit(
    machine: Machine,
) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.set(seconds=-400)
    with pytest.raises(Behind) as caught:
        append(Item(WIRE), sender=sender)
    machine.wait(seconds=caught.value.retry_after)
    append(Item(WIRE), sender=sender)

    assert kinds() == ["packet", "behind", "packet"]


def test_the_limit_is_a_setting(machine: Machine, settings: Any) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.set(seconds=-60)
    settings.CLOCK_LIMIT = 50

    with pytest.raises(Behind, match="The limit is 50 s"):
        append(Item(WIRE), sender=sender)


def test_a_clock_that_is_set_back_before_the_commit_is_refused_there(machine: Machine) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    drafts = make_drafts(Item(WIRE), sender=sender)
    machine.set(days=-3)

    with pytest.raises(Behind):
        writer.append(drafts)
    assert kinds() == ["packet"]


def test_a_draft_of_a_time_that_is_no_longer_shown_gets_the_time_of_its_commit(
    machine: Machine,
) -> None:
    sender = make_sender()
    machine.set(days=3)
    drafts = make_drafts(Item(WIRE), sender=sender)
    machine.set(days=-3)
    writer.append(drafts)

    assert times() == [shown(NOON)]


def test_a_batch_says_from_where_on_nothing_was_kept(machine: Machine) -> None:
    def pieces() -> Iterator[Piece]:
        yield Piece([Item(WIRE), Item(WIRE)])
        machine.set(days=-3)
        yield Piece([Item(WIRE)])

    with pytest.raises(Interrupted, match="2 items were stored") as told:
        receive(pieces(), sender=make_sender())

    assert [one.status for one in told.value.results] == [201, 201]
    assert kinds() == ["packet", "packet", "behind"]


def test_a_review_is_refused_too(machine: Machine) -> None:
    packet = keep(Item(WIRE))
    machine.set(days=-3)

    with pytest.raises(Behind):
        review.mark(packet=packet, state="flagged", note="", who=User.objects.create_user("ada"))


def test_lost_leaves_become_gaps_whatever_the_clock_shows(machine: Machine) -> None:
    keep(Item(WIRE))
    machine.set(days=-3)
    gap.fill("default", 3)

    assert kinds() == ["packet", "gap", "gap"]


def test_a_step_forward_is_noted_once_and_not_refused(machine: Machine) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.wait(minutes=10)
    expected = machine.now
    machine.set(days=400)
    append(Item(WIRE), sender=sender)
    append(Item(WIRE), sender=sender)
    machine.restart()
    append(Item(WIRE), sender=sender)

    assert kinds() == ["packet", "forward", "packet", "packet", "packet"]
    forward = said()[1]
    assert (forward["expected"], forward["clock"], forward["recv"]) == (
        shown(expected), shown(machine.now), shown(machine.now),
    )  # fmt: skip


def test_time_that_passes_is_no_step(machine: Machine) -> None:
    sender = make_sender()
    for _ in range(3):
        append(Item(WIRE), sender=sender)
        machine.wait(days=400)

    assert kinds() == ["packet"] * 3
    assert clock.step() is None


def test_a_step_is_noted_by_a_log_that_was_idle_for_long(machine: Machine) -> None:
    logs.create(slug="other")
    sender = make_sender()
    append(Item(WIRE), Item(WIRE, log="other"), sender=sender)
    machine.set(minutes=6)
    append(Item(WIRE), sender=sender)
    machine.wait(days=2)
    append(Item(WIRE, log="other"), sender=sender)
    append(Item(WIRE, log="other"), Item(WIRE), sender=sender)

    assert kinds("other") == ["packet", "forward", "packet", "packet"]
    assert kinds() == ["packet", "forward", "packet", "packet"]


def test_the_state_names_the_log_and_the_difference(machine: Machine) -> None:
    assert clock.state() == clock.State(None, timedelta(), refused=False, stopped=False, step=None)
    logs.create(slug="other")
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.wait(seconds=10)
    append(Item(WIRE, log="other"), sender=sender)
    machine.wait(seconds=2)

    newest = Packet.objects.get(log__slug="other").received
    assert clock.state() == clock.State(
        "other", timedelta(seconds=-2), refused=False, stopped=False, step=None, newest=newest
    )
    assert not clock.state().behind
    machine.set(seconds=-60)
    assert clock.state() == clock.State(
        "other", timedelta(seconds=58), refused=False, stopped=False, step=None, newest=newest
    )
    assert clock.state().behind
    machine.set(days=-1)
    assert (clock.state().refused, clock.state().stopped) == (True, True)
    logs.create(slug="third")
    assert (clock.state().refused, clock.state().stopped) == (True, False)
    machine.set(days=2)
    found = clock.state()
    assert (found.behind, found.refused) == (False, False)
    assert found.step is not None
    assert found.step.shown - found.step.expected == timedelta(days=2)
    machine.wait(hours=2)
    assert clock.state().step is None


@pytest.mark.django_db(transaction=True)
def test_the_state_does_not_wait_for_a_writer(machine: Machine) -> None:
    holding, done = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            log_end.hold(cursor, Log.objects.values_list("pk", flat=True))
            holding.set()
            done.wait(30)
        connection.close()

    writing = threading.Thread(target=write)
    writing.start()
    assert holding.wait(30)
    try:
        assert clock.state().log is None
    finally:
        done.set()
        writing.join()
