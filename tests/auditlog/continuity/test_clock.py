"""The machine's clock set back and forward: what a log notes, refuses, and takes again."""

import json
import logging
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from auditlog import review
from auditlog.continuity import clock, segments
from auditlog.continuity.clock import Behind
from auditlog.ingest.body import Piece
from auditlog.ingest.item import Item
from auditlog.ingest.receive import Interrupted, receive
from auditlog.log import gap, group_commit, log_end, logs, writer
from auditlog.log.leaf import canonical, format_time
from auditlog.models import Leaf, Log, Packet, Segment
from auditlog.search import index
from auditlog.search.find import find
from tests.auditlog.machine import NOON, Machine
from tests.auditlog.sending import WIRE, append, keep, make_drafts, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def committed() -> Iterator[None]:
    """For tests that really commit: afterwards no thread and no remembered search key is left."""
    yield
    group_commit.stop()
    index.forget()


def said(log: str = "default") -> list[dict[str, Any]]:
    """What each leaf of a log says."""
    rows = Leaf.objects.filter(log__slug=log).order_by("index")
    return [json.loads(bytes(row.bytes)) for row in rows]


def kinds(log: str = "default") -> list[str]:
    return [one.get("state") or one.get("act") or one["kind"] for one in said(log)]


def times(log: str = "default") -> list[str]:
    return [one["recv"] for one in said(log)]


def shown(moment: datetime) -> str:
    return format_time(moment)


def test_a_log_that_is_empty_notes_nothing(machine: Machine) -> None:
    keep(Item(WIRE))

    assert kinds() == ["packet"]
    assert times() == [shown(NOON)]


def test_a_clock_that_is_set_back_a_little_is_not_noted(machine: Machine) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.set(seconds=-4)
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
        "v": 1, "kind": "clock", "log": "default", "state": "behind", "recv": shown(NOON),
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


def in_the_future(machine: Machine, years: int = 10) -> None:
    """Packets `a` now and `b` in the future; then the clock is right again and accepted, and `c`
    comes.
    """
    sender = make_sender("future")
    append(Item("REQ/TSK|g=1,t=1,@=a"), sender=sender)
    machine.wait(hours=1)
    machine.set(days=365 * years)
    append(Item("REQ/TSK|g=2,t=1,@=b"), sender=sender)
    machine.set(days=-365 * years)
    machine.wait(hours=1)
    segments.accept()
    machine.wait(hours=1)
    append(Item("REQ/TSK|g=3,t=1,@=c"), sender=sender)


def test_a_clock_that_is_accepted_begins_a_segment(machine: Machine) -> None:
    in_the_future(machine)

    assert kinds() == ["packet", "forward", "packet", "clock.accept", "packet"]
    future = NOON + timedelta(hours=1, days=3650)
    accepted = said()[3]
    assert accepted == {
        "v": 1, "kind": "admin", "act": "clock.accept", "log": "default",
        "recv": shown(NOON + timedelta(hours=2)), "newest": shown(future),
    }  # fmt: skip
    assert times()[4] == shown(NOON + timedelta(hours=3))
    assert list(Segment.objects.values_list("log__slug", "leaf")) == [("default", 3)]
    assert segments.bounds(Log.objects.get(slug="default")) == [(0, 3), (3, 5)]
    log = Log.objects.get(slug="default")
    assert (log.behind, log.received) == (None, NOON + timedelta(hours=3))
    assert Packet.objects.get(leaf=4).received == NOON + timedelta(hours=3)


def test_it_is_accepted_again_and_again(machine: Machine) -> None:
    in_the_future(machine, years=10)
    in_the_future(machine, years=5)

    assert segments.bounds(Log.objects.get(slug="default")) == [(0, 3), (3, 8), (8, 10)]
    assert kinds().count("clock.accept") == 2
    assert segments.accept() == []


def query(text: str, machine: Machine, *, limit: int = 50) -> list[int]:
    """The leaves that a query finds, newest first, page by page."""
    found: list[int] = []
    cursor = None
    while True:
        page = find(["default"], text, limit=limit, cursor=cursor, now=machine.now)
        found += [packet.leaf for packet in page.rows]
        cursor = page.next
        if cursor is None:
            assert page.count.value == len(found)
            return found


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("", [4, 2, 0]),
        ("since:90m", [4, 2]),
        ("since:30m", [4, 2]),
        ("until:2026-11-20", [4, 0]),
        ("until:2026-11-20T12:30", [0]),
        ("ts:2026-11-20", [4, 0]),
        ("ts:2026-11-20T14:00..2026-11-20T16:00", [4]),
        ("ts:2026-11-20T12:00..2026-11-20T12:30", [0]),
        ("ts:2030-01-01..2040-01-01", [2]),
        ("since:2027-01-01", [2]),
        ("ts:2027-01-01..2028-01-01", []),
        ("-ts:2026-11-20", [2]),
        ("ts:2026-11-20 @c", [4]),
        ("ts:2026-11-20 OR @b", [4, 2, 0]),
        ("leaf:2..3", [2]),
    ],
)
def test_a_search_by_time_looks_in_each_segment(
    machine: Machine, text: str, leaves: list[int]
) -> None:
    in_the_future(machine)

    assert query(text, machine) == leaves
    assert query(text, machine, limit=1) == leaves


def test_a_search_in_several_logs_looks_in_each_segment_of_each(machine: Machine) -> None:
    logs.create(slug="other")
    append(Item(WIRE, log="other"), sender=make_sender())
    in_the_future(machine)

    found = find(["default", "other"], "ts:2026-11-20", now=machine.now).rows
    assert [(packet.log.slug, packet.leaf) for packet in found] == [
        ("default", 4),
        ("default", 0),
        ("other", 0),
    ]
    found = find(["default", "other"], "since:2030-01-01", now=machine.now).rows
    assert [(packet.log.slug, packet.leaf) for packet in found] == [("default", 2)]


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_over_many_segments_leave_out_and_repeat_nothing(
    machine: Machine, limit: int
) -> None:
    sender = make_sender()
    for round_ in range(4):
        append(*[Item(f"REQ/TSK|g={round_},t={n}") for n in range(5)], sender=sender)
        machine.wait(minutes=1)
        machine.set(days=100)
        append(*[Item(f"REQ/TSK|g={round_},t={n}") for n in range(5)], sender=sender)
        machine.set(days=-100)
        segments.accept()
    everything = list(Packet.objects.order_by("-seq").values_list("leaf", flat=True))
    day = datetime(2026, 11, 20, tzinfo=UTC)
    today = list(
        Packet.objects.filter(received__lt=day + timedelta(days=1))
        .order_by("-seq")
        .values_list("leaf", flat=True)
    )

    assert query("", machine, limit=limit) == everything
    assert query("ts:2026-11-20", machine, limit=limit) == today
    assert query("-ts:2026-11-20", machine, limit=limit) == [
        leaf for leaf in everything if leaf not in today
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_two_writers_note_a_change_and_begin_a_segment_once(machine: Machine) -> None:
    sender = make_sender()
    append(Item(WIRE), sender=sender)
    machine.set(seconds=-60)
    at_once([lambda: write(Item(WIRE), sender=sender)] * 4)
    machine.set(days=-3)
    at_once([segments.accept] * 4)
    at_once([lambda: write(Item(WIRE), sender=sender)] * 4)

    assert kinds() == ["packet", "behind"] + ["packet"] * 4 + ["clock.accept"] + ["packet"] * 4
    assert Segment.objects.count() == 1
    assert Log.objects.get(slug="default").size == len(said())


def write(item: Item, *, sender: Any) -> None:
    """Write as a process of its own does, without the committer of this one."""
    drafts = make_drafts(item, sender=sender)
    with transaction.atomic(), connection.cursor() as cursor:
        writer.write(cursor, drafts)


def at_once(works: list[Any]) -> None:
    failures: list[BaseException] = []

    def run(work: Any) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised below, on the thread of the test
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_command_shows_and_accepts(machine: Machine) -> None:
    logs.create(slug="other")
    sender = make_sender()
    append(Item(WIRE), Item(WIRE, log="other"), sender=sender)
    with pytest.raises(CommandError, match="Nothing to accept"):
        run("clock", "accept")
    machine.set(days=-3)

    assert run("clock").splitlines() == [
        f"clock\t{shown(machine.now)}",
        f"default\t{shown(NOON)}\t3 days ahead, accepts no packets",
        f"other\t{shown(NOON)}\t3 days ahead, accepts no packets",
    ]
    assert run("clock", "accept", "--log", "other") == (
        'The log "other" uses this machine\'s time from leaf 1 on, '
        "3 days earlier than the leaf before.\n"
    )
    append(Item(WIRE, log="other"), sender=sender)
    with pytest.raises(Behind):
        append(Item(WIRE), sender=sender)
    with pytest.raises(CommandError, match="Unknown log nowhere"):
        run("clock", "accept", "--log", "nowhere")
    run("clock", "accept")
    append(Item(WIRE), sender=sender)
    assert kinds("other") == ["packet", "clock.accept", "packet"]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()
