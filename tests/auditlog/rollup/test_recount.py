from io import StringIO
from random import Random

import pytest
from django.core.management import call_command

from auditlog.findings.following import position
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log, Packet, Rollup, RollupPosition
from auditlog.rollup import counting, english, recount, stored
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.rollup import oracle
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


def fill(seed: int = 1) -> None:
    counting.forget()
    if not Log.objects.filter(slug="second").exists():
        logs.create(slug="second")
    senders = [make_sender("one"), make_sender("two")]
    oracle.send(Random(seed), 8, senders, ("default", "second"))


def test_it_counts_a_log_again_exactly() -> None:
    fill()
    follow()
    before = oracle.stored()
    Rollup.objects.update(packets=7, english_tokens=1)

    out = StringIO()
    call_command("rollup", "--all", stdout=out)

    assert oracle.stored() == before == oracle.count()
    assert "second: counted" in out.getvalue()
    assert not RollupPosition.objects.exists()


def test_it_continues_while_packets_come_and_the_follower_is_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recount, "PIECE", 5)
    fill()
    follow()
    append(Item("REQ/TSK|g=1"), sender=make_sender("late"))  # its English is not counted yet
    recount.begin(Log.objects.get(slug="default").pk)
    next(recount.run())  # and it is killed
    append(Item("REQ/TSK|g=2"), sender=make_sender("later"))

    follow()

    assert oracle.stored() == oracle.count()


def test_a_piece_is_counted_once_by_two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    fill()
    follow()
    log_id = Log.objects.get(slug="default").pk
    recount.begin(log_id)
    read = stored.read

    def read_late(*given: int) -> tuple[list[stored.Stored], int]:
        monkeypatch.setattr(stored, "read", read)
        assert recount.step(log_id)  # the other process is quicker
        return read(*given)

    monkeypatch.setattr(stored, "read", read_late)

    assert not recount.step(log_id)

    assert oracle.stored() == oracle.count()


def test_findings_that_are_made_again_do_not_count_english_again() -> None:
    fill()
    follow()
    position.make_again()

    assert follow() > 0

    assert oracle.stored() == oracle.count()


def test_a_piece_of_findings_that_was_stored_already_counts_no_english() -> None:
    append(Item("REQ/TSK|g=1"), sender=make_sender())
    counted = {"english_read": 1, "english_packets": 1}
    follow()
    piece = position.Piece(1, 0, 1, is_again=False, rows=[], described=english.count(1, 0, 1))
    assert not position.store(piece)

    row = Rollup.objects.get(dimension="all", source=0, period="m")
    assert {name: getattr(row, name) for name in counted} == counted


def test_nothing_to_count_is_said() -> None:
    out = StringIO()

    call_command("rollup", stdout=out)

    assert out.getvalue().startswith("Every packet is counted.")


def test_a_damaged_packet_is_left_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recount, "PIECE", 2)
    append(*[Item(f"REQ/TSK|g={n}") for n in range(6)], sender=make_sender())
    Packet.objects.filter(leaf__in=(2, 3)).update(meaning="{")

    call_command("rollup", "--all", stdout=StringIO())

    assert Rollup.objects.get(dimension="all", source=0, period="m").packets == 4
    assert "Leaf 3 of the log with ID 1 is damaged, and not counted." in caplog.text
