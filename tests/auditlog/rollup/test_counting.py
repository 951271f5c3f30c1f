from collections.abc import Iterator
from random import Random

import pytest
from django.db import connection, transaction

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet, Rollup
from auditlog.rollup import counting
from auditlog.rollup.tally import Group, Tally, pack
from auditlog.rollup.values import NONE, NOTHING, OTHER, Values
from cablese import detection
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.rollup import oracle
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

ONE = pack(valid=True, tokens=9, baseline=12)


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    counting.forget()
    yield
    counting.forget()


def add(tally: Tally) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        counting.add(cursor, tally)


def of_names(*names: str, day: str = "2026-11-20") -> Tally:
    tally = Tally()
    for name in names:
        tally.add(Group(1, day, 3), "nslip", Values("request", (name,), (NONE,)), ONE)
    return tally


@pytest.mark.parametrize("seed", range(3))
def test_it_has_what_the_packets_have(seed: int) -> None:
    dice = Random(seed)
    logs.create(slug="second")
    senders = [make_sender("one"), make_sender("two")]
    oracle.send(dice, 12, senders, ("default", "second"))

    follow()

    assert oracle.stored() == oracle.count()
    assert Packet.objects.filter(valid=False).exists()
    assert Rollup.objects.filter(period="d").values("start").distinct().count() > 2


def test_duplicates_and_conflicts_are_not_counted() -> None:
    sender = make_sender()
    append(Item("REQ/TSK|g=1", event_id="e"), sender=sender)

    append(Item("REQ/TSK|g=1", event_id="e"), sender=sender)
    append(Item("REQ/TSK|g=2", event_id="e"), sender=sender)

    (packets,) = Rollup.objects.filter(dimension="all", source=0, period="m").values_list("packets")
    assert packets == (1,)


def test_what_was_added_is_subtracted() -> None:
    oracle.send(Random(5), 4, [make_sender()], ("default",))
    before, extra = oracle.stored(), of_names("a", "b", "a")
    add(extra)
    assert oracle.stored() != before

    with transaction.atomic(), connection.cursor() as cursor:
        counting.subtract(cursor, extra)

    assert oracle.stored() == before


def test_a_rolled_back_transaction_counts_nothing() -> None:
    with transaction.atomic():
        add(of_names("a"))
        transaction.set_rollback(True)

    assert oracle.stored() == {}


def test_names_beyond_the_limit_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST", {"d": 2, "m": 3})
    add(of_names("a", "b"))
    add(of_names("c", "d", "a"))
    counting.forget()  # as another process
    add(of_names("e", "b", day="2026-11-21"))

    def names(period: str, start: str) -> dict[str, int]:
        rows = Rollup.objects.filter(dimension="from", source=3, period=period, start=start)
        return dict(rows.values_list("value", "packets"))

    assert names("d", "2026-11-20") == {"a": 2, "b": 1, OTHER: 2}
    assert names("d", "2026-11-21") == {"b": 1, "e": 1}
    assert names("m", "2026-11-01") == {"a": 2, "b": 2, "c": 1, OTHER: 2}
    whole = Rollup.objects.get(dimension="act", source=0, period="m")
    assert whole.packets == 7


def test_large_tallies_need_several_statements() -> None:
    tally = Tally()
    for day in range(1, 29):
        for source in range(1, 40):
            tally.add(Group(1, f"2026-11-{day:02}", source), "nslip", NOTHING, ONE)

    add(tally)

    assert Rollup.objects.count() > 2_000
    total = Rollup.objects.get(dimension="all", source=0, period="m")
    assert (total.packets, total.tokens, total.json_tokens) == (28 * 39, 28 * 39 * 9, 28 * 39 * 12)


def test_a_packet_that_cannot_be_described_is_counted_without_english(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    append(Item("REQ/TSK|g=1"), Item("REQ/TSK|g=2"), sender=make_sender())
    monkeypatch.setattr(detection, "decode", lambda *_, **__: 1 / 0)

    follow()

    row = Rollup.objects.get(dimension="all", source=0, period="m")
    assert (row.packets, row.english_read, row.english_packets) == (2, 2, 0)
    assert "Leaf 1 of the log with ID 1 cannot be described: ZeroDivisionError" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_names_of_a_batch_that_was_not_stored_take_no_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "MOST", dict.fromkeys(counting.MOST, 2))
    with transaction.atomic(), connection.cursor() as cursor:
        counting.add(cursor, of_names("one", "two"))
        transaction.set_rollback(True)

    add(of_names("three"))

    assert Rollup.objects.filter(dimension="from", value="three").exists()
