"""Findings, statistics, and completion of a sound log differ from its packets in nothing, whatever
happens while it is checked; and what was changed is found beyond their limits, too.
"""

from collections.abc import Callable

import pytest
from django.db import connection

from auditlog.check import run as running
from auditlog.check.fault import Fault
from auditlog.check.made import again
from auditlog.check.made.offered import Offered
from auditlog.check.run import Run
from auditlog.check.table import SelfCheck
from auditlog.check.terms import readings
from auditlog.erasure import erase
from auditlog.ingest.item import Item
from auditlog.models import Finding, Log
from auditlog.rollup import counting, recount
from auditlog.search import index
from auditlog.search.completion import counts
from auditlog.search.keys import TERMS
from tests.auditlog.check.checking import check
from tests.auditlog.check.tables import run
from tests.auditlog.findings.following.steps import CARD, follow
from tests.auditlog.sending import append, make_sender

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("beside")]

ORDER = erase.Order(erase.By(), "asked for")


@pytest.fixture
def log() -> Log:
    """A log of 200 packets from many senders, with findings."""
    send(0, 200)
    follow()
    return Log.objects.get(slug="default")


def send(first: int, last: int) -> None:
    wires = [f"FETCH|Agent{n}|return:HR{n % 9}|p:1|aacp:1.1|n:{n}" for n in range(first, last)]
    items = [Item(wire, from_=f"agent {n}") for n, wire in enumerate(wires)]
    append(*items, Item(CARD), Item(wires[0]), sender=make_sender())


def interrupt(log: Log, act: Callable[[], object]) -> list[Fault]:
    """Check a log, and do something halfway."""
    SelfCheck.objects.filter(log=log).delete()
    check = Run(SelfCheck.objects.create(log=log, full=True))
    for step in check.steps():
        if step.bar == "terms" and step.done > 0:
            act()
            act = int
    return check.faults.named


def add() -> None:
    send(200, 220)


def add_and_follow() -> None:
    add()
    follow()


def remove() -> None:
    erase.erase(log=Log.objects.get(slug="default"), leaves=[3, 190], order=ORDER)


def count_again() -> None:
    for log in Log.objects.all():
        recount.begin(log.pk)


@pytest.mark.parametrize("act", [add, add_and_follow, remove, count_again, follow])
def test_a_log_may_be_in_use(log: Log, act: Callable[[], object]) -> None:
    send(300, 310)  # The follower is behind.
    assert interrupt(log, act) == []
    assert check(log) == []


def test_what_came_in_meanwhile_is_compared_too(log: Log) -> None:
    def act() -> None:
        add()
        run("UPDATE auditlog_rollup SET packets = packets + 1 WHERE dimension = 'all'")

    assert {(one.row, one.at[:6]) for one in interrupt(log, act)} == {
        ("rollup", "all/d/"), ("rollup", "all/m/"),
    }  # fmt: skip


def test_a_check_that_continues_compares_findings(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "STORE", 0.0)
    row = SelfCheck.objects.create(log=log, full=True)
    steps = Run(row).steps()
    while (step := next(steps)).bar != "terms" or not step.done:
        pass
    next(steps)
    Finding.objects.filter(leaf=200).delete()

    continued = Run(SelfCheck.objects.get(log=log))
    for _ in continued.steps():
        pass

    assert [(one.row, one.at) for one in continued.faults.named] == [("finding", "200")]


@pytest.mark.parametrize("detector", ["sensitive", "repeated"])
def test_a_finding_without_its_detector_is_found(log: Log, detector: str) -> None:
    leaf = Finding.objects.filter(detector=detector).values_list("leaf", flat=True)[0]
    Finding.objects.filter(detector=detector, leaf=leaf).delete()
    assert [(one.row, one.at, one.part) for one in check(log)] == [("finding", str(leaf), detector)]


def test_a_packet_may_repeat_one_that_was_erased(log: Log) -> None:
    assert Finding.objects.filter(detector="repeated", leaf=201, other=0).exists()
    erase.erase(log=log, leaves=[0], order=ORDER)
    assert check(log) == []


def test_beyond_the_limit_of_names_sums_are_compared(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(counting.MOST, counting.DAY, 4)
    count_again()
    for _ in recount.run():
        pass
    assert check(log) == []

    run("UPDATE auditlog_rollup SET packets = packets + 1 WHERE dimension = 'from' AND value = ''")

    assert {(one.row, one.at[:7]) for one in check(log)} == {("rollup", "from/d/")}


def test_some_findings_of_a_long_log_are_compared(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "SUMMED", 100)
    monkeypatch.setattr(again, "DRAWN", 60)
    monkeypatch.setattr(running, "PIECE", 10)
    assert all(check(log) == [] for _ in range(5)), "it may begin anywhere"

    forged = Finding.objects.filter(detector="sensitive").values()[0]
    run("DELETE FROM auditlog_finding")
    Finding.objects.bulk_create([Finding(**forged | {"leaf": leaf}) for leaf in range(200)])
    found = [check(log) for _ in range(8)]

    places = [[int(one.at) for one in faults] for faults in found]
    assert all(one.row == "finding" for faults in found for one in faults)
    assert len(set(map(tuple, places))) > 1, "others each time"
    assert all(max(few) - min(few) < 60 + 2 * 10 for few in places)


def test_statistics_of_a_long_log_are_not_compared(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("UPDATE auditlog_rollup SET tokens = 0 WHERE dimension = 'all'")
    assert {one.row for one in check(log)} == {"rollup"}

    monkeypatch.setattr(again, "SUMMED", 100)

    assert check(log) == []


def test_beyond_the_limit_of_values_there_may_be_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MAX_VALUES", 20)
    send(0, 200)
    follow()
    log = Log.objects.get(slug="default")
    assert check(log) == []

    assert run("SELECT COUNT(*) FROM auditlog_searchvalue WHERE key = 'from'")[0][0] <= 21
    run("UPDATE auditlog_searchvalue SET packets = 0 WHERE key = 'proto'")
    run("INSERT INTO auditlog_searchvalue VALUES (%s, 'from', 'forged', 1)", log.pk)
    found = [(one.row, one.at) for one in check(log)]
    assert found == [("searchvalue", "from"), ("searchvalue", "proto")]


def test_a_field_that_no_packet_has_is_found(log: Log) -> None:
    statement = "INSERT INTO auditlog_searchkey (log_id, protocol, key) VALUES (%s, %s, %s)"
    run(statement, log.pk, "aacp", "forged")
    assert [(one.row, one.at) for one in check(log)] == [("searchkey", "aacp/forged")]


@pytest.mark.django_db(transaction=True)
def test_sums_are_compared_in_one_state_of_the_database(log: Log) -> None:
    """Outside of the transaction of a test, the snapshot is one of its own."""
    assert check(log) == []
    run("UPDATE auditlog_rollup SET tokens = tokens + 1 WHERE dimension = 'source'")
    assert {(one.row, one.at[:9]) for one in check(log)} == {
        ("rollup", "source/d/"), ("rollup", "source/m/"),
    }  # fmt: skip
    assert not connection.in_atomic_block


def test_the_values_of_a_field_are_missed_after_erasures(log: Log) -> None:
    """Five erased packets may have had values of more fields than the limit."""
    erase.erase(log=log, leaves=[10, 11, 12, 13, 14], order=ORDER)
    assert check(log) == []
    keys = {key for (key,) in run("SELECT DISTINCT key FROM auditlog_searchvalue")}
    key = min(keys - TERMS.keys())

    run("DELETE FROM auditlog_searchvalue WHERE key = %s", key)

    assert [(one.row, one.at) for one in check(log)] == [("searchvalue", key)]


NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")


def send_fields() -> Log:
    """Send packets that have a field of their own each."""
    wires = [f"FETCH|HR|return:HR|p:1|aacp:1.1|{name}:sales" for name in NAMES]
    append(*map(Item, wires), sender=make_sender())
    follow()
    return Log.objects.get(slug="default")


def test_beyond_the_limit_of_fields_values_need_not_be_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counts, "MAX_KEYS", 2)
    log = send_fields()
    keys = {key for (key,) in run("SELECT key FROM auditlog_searchvalue")} - TERMS.keys()

    assert len(keys) == 2
    assert check(log) == []


def test_beyond_the_limit_of_fields_a_name_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "MAX_KEYS", 3)
    index.forget()
    log = send_fields()

    assert run("SELECT COUNT(*) FROM auditlog_searchkey")[0][0] == 3
    assert check(log) == []


def test_what_completion_does_not_have_is_remembered_up_to_its_limits(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "MAX_KEYS", 4)
    monkeypatch.setattr(counts, "MAX_VALUES", 5)
    offered = Offered(log.pk)

    for key in range(20):
        for value in range(20):
            offered._count(f"other{key}:{value}", 1)

    assert len(offered._absent) == 2 * 4 + 1
    assert {len(absent) for absent in offered._absent.values()} == {5 + 1}


def test_what_came_in_meanwhile_is_added_in_pieces(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "PIECE", 60)

    pieces = list(again._cut(log.pk, 0, 202))

    assert pieces == [(0, 60), (60, 120), (120, 180), (180, 202)]
