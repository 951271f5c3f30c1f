"""A clock that is accepted begins a segment, and a search by time looks in each."""

import threading
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from auditlog.continuity import segments
from auditlog.continuity.clock import Behind
from auditlog.ingest.item import Item
from auditlog.log import logs, writer
from auditlog.models import Log, LogEnd, Packet, Segment
from auditlog.search.find import find
from tests.auditlog.continuity.noted import kinds, said, shown, times
from tests.auditlog.machine import NOON, Machine
from tests.auditlog.sending import WIRE, append, make_drafts, make_sender

pytestmark = pytest.mark.django_db


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

    assert kinds() == ["packet", "forward", "packet", "accepted", "packet"]
    future = NOON + timedelta(hours=1, days=3650)
    accepted = said()[3]
    assert accepted == {
        "v": 2, "kind": "clock", "state": "accepted", "log": "default",
        "recv": shown(NOON + timedelta(hours=2)), "clock": shown(NOON + timedelta(hours=2)),
        "newest": shown(future),
    }  # fmt: skip
    assert times()[4] == shown(NOON + timedelta(hours=3))
    assert list(Segment.objects.values_list("log__slug", "leaf")) == [("default", 3)]
    assert segments.bounds(Log.objects.get(slug="default")) == [(0, 3), (3, 5)]
    end = LogEnd.objects.get()
    assert (end.behind, end.received) == (None, NOON + timedelta(hours=3))
    assert Packet.objects.get(leaf=4).received == NOON + timedelta(hours=3)


def test_it_is_accepted_again_and_again(machine: Machine) -> None:
    in_the_future(machine, years=10)
    in_the_future(machine, years=5)

    assert segments.bounds(Log.objects.get(slug="default")) == [(0, 3), (3, 8), (8, 10)]
    assert kinds().count("accepted") == 2
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
        ("other", 0),
        ("default", 0),
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
    everything = list(Packet.objects.order_by("-leaf").values_list("leaf", flat=True))
    day = datetime(2026, 11, 20, tzinfo=UTC)
    today = list(
        Packet.objects.filter(received__lt=day + timedelta(days=1))
        .order_by("-leaf")
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

    assert kinds() == ["packet", "behind"] + ["packet"] * 4 + ["accepted"] + ["packet"] * 4
    assert Segment.objects.count() == 1
    assert LogEnd.objects.get().size == len(said())


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
    assert kinds("other") == ["packet", "accepted", "packet"]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()
