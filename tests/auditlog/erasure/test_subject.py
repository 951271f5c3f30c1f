"""Everything that a search finds is erased, and nothing else."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from auditlog.erasure import erase, redaction, subject
from auditlog.erasure.erase import BadErasure
from auditlog.erasure.tables import Erasure
from auditlog.ingest.item import Item
from auditlog.log import group_commit
from auditlog.models import Leaf, Log, Packet
from auditlog.rollup import counting
from auditlog.search import index
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from tests.auditlog.erasure.orders import ORDER, erase_leaves
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.rollup import oracle
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> None:
    index.forget()
    counting.forget()


@pytest.fixture
def committed() -> Iterator[None]:
    yield
    group_commit.stop()
    index.forget()


def fill(number: int = 9) -> Log:
    """Store packets of which every third is about Anna."""
    names = ("anna", "bob", "carl")
    items = [Item(f"INF/OBS|g={at},@={names[at % 3]}") for at in range(number)]
    append(*items, sender=make_sender())
    return Log.objects.get(slug="default")


def left() -> list[int]:
    return list(Packet.objects.order_by("leaf").values_list("leaf", flat=True))


def test_what_was_previewed_is_erased_and_later_packets_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(erase, "TOGETHER", 2)
    log = fill()
    found = subject.preview(log, "@anna")
    append(Item("INF/OBS|g=1,@=anna"), sender=make_sender("late"))

    steps = list(
        subject.run(log=log, query="@anna", size=found.size, order=ORDER, expected=found.number)
    )

    assert (found.size, found.number, list(found.leaves)) == (9, 3, [6, 3, 0])
    assert steps == [(0, 3), (2, 3), (3, 3)]
    assert left() == [1, 2, 4, 5, 7, 8, 9]
    assert Leaf.objects.filter(kind="redaction").count() == 3


def test_another_number_than_in_the_preview_is_refused() -> None:
    log = fill()
    found = subject.preview(log, "@anna")
    erase_leaves(3)

    with pytest.raises(subject.Changed, match="finds 2 packets now"):
        list(subject.run(log=log, query="@anna", size=found.size, order=ORDER, expected=3))

    assert left() == [0, 1, 2, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("query", "size", "error"),
    [
        ("", None, BadErasure),
        ("   ", None, BadErasure),
        ("nokey:1", None, QueryError),
        ("@anna", 99, BadPin),
        ("@anna", "x", BadPin),
    ],
)
def test_a_search_that_cannot_be_answered_is_refused(
    query: str, size: Any, error: type[Exception]
) -> None:
    log = fill()

    with pytest.raises(error):
        subject.preview(log, query, size=size)


@pytest.mark.parametrize("query", ["@anna", "@nobody"])
def test_an_order_without_a_reason_is_refused_before_anything_is_found(query: str) -> None:
    log = fill()

    with pytest.raises(BadErasure, match="Enter a reason"):
        next(subject.run(log=log, query=query, size=9, order=erase.Order(erase.By(), " ")))

    assert len(left()) == 9


@pytest.mark.parametrize(("limit", "is_refused"), [(3, False), (2, True)])
def test_a_search_that_finds_more_than_the_limit_is_refused(
    limit: int, *, is_refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = fill()
    monkeypatch.setattr(subject, "LIMIT", limit)

    if is_refused:
        with pytest.raises(BadErasure, match="more packets than the limit of 2"):
            subject.preview(log, "@anna")
    else:
        assert subject.preview(log, "@anna").number == 3


@pytest.mark.parametrize(("limit", "erased"), [(-1, 0), (0, 0), (1, 1), (2, 2), (4, 3)])
def test_no_more_packets_are_erased_than_asked_for(limit: int, erased: int) -> None:
    log = fill()

    steps = list(subject.run(log=log, query="@anna", size=9, order=ORDER, limit=limit))

    assert len(left()) == 9 - erased
    assert steps[-1] == (erased, 3)


def test_the_command_finds_one_packet() -> None:
    fill()
    out = StringIO()

    call_command("erase", "leaf:0", stdout=out)

    assert "found\t1 packet in log default at size 9" in out.getvalue()


def test_the_command_previews_and_then_erases() -> None:
    fill()
    out = StringIO()

    call_command("erase", "@anna", stdout=out)
    assert "3 packets in log default at size 9" in out.getvalue()
    assert len(left()) == 9
    with pytest.raises(CommandError, match="reason"):
        call_command("erase", "@anna", "--at", "9", "--yes", stdout=out)
    assert len(left()) == 9


def test_the_command_previews_the_copy_without_a_field() -> None:
    fill()
    packet = Packet.objects.get(leaf=0)
    out = StringIO()

    call_command("erase", "--packet", packet.uid, "--field", "@", stdout=out)
    with pytest.raises(CommandError, match="does not have the field"):
        call_command("erase", "--packet", packet.uid, "--field", "@@", stdout=out)

    [copy] = [line for line in out.getvalue().splitlines() if line.startswith("copy")]
    assert json.loads(copy.removeprefix("copy\t"))["wire"].endswith(f"@={redaction.MARK}")
    assert len(left()) == 9


@pytest.mark.parametrize(
    "given",
    [
        [], ["@anna", "--packet", "x"], ["--packet", "x", "--yes", "--reason", "y"],
        ["@anna", "--field", "g"], ["@anna", "--log", "none"], ["nokey:1"], ["@anna", "--at", "10"],
    ],
)  # fmt: skip
def test_the_command_refuses_what_it_cannot_do(given: list[str]) -> None:
    fill()

    with pytest.raises(CommandError):
        call_command("erase", *given, stdout=StringIO())

    assert len(left()) == 9


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_the_command_erases_one_packet_and_everything_about_a_subject() -> None:
    fill()
    packet = Packet.objects.get(leaf=1)
    out = StringIO()

    call_command("erase", "--packet", packet.uid, "--yes", "--reason", "asked", stdout=out)
    call_command("erase", "@anna", "--at", "9", "--yes", "--reason", "asked", stdout=out)

    assert left() == [2, 4, 5, 7, 8]
    assert "erased\t3 of 3" in out.getvalue()
    assert "Backups contain it" in out.getvalue()
    assert list(Erasure.objects.values_list("source", flat=True).distinct()) == ["manage.py erase"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_two_people_at_once_erase_each_packet_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase, "TOGETHER", 3)
    log = fill(60)
    start = threading.Barrier(3)

    def work(what: str) -> None:
        start.wait()
        if what == "send":
            for at in range(5):
                append(Item(f"INF/OBS|g={at},@=anna"), sender=make_sender(f"bot{at}"))
        else:
            list(subject.run(log=log, query="@anna", size=60, order=ORDER))
        connection.close()

    with ThreadPoolExecutor(3) as threads:
        for done in [threads.submit(work, what) for what in ("erase", "erase", "send")]:
            done.result()

    assert Erasure.objects.count() == 20
    assert Packet.objects.count() == 45
    indexes = list(Leaf.objects.order_by("index").values_list("index", flat=True))
    assert indexes == list(range(85))
    follow()
    assert oracle.stored() == oracle.count()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_it_continues_after_a_kill_in_the_middle() -> None:
    log = fill(900)
    group_commit.stop()
    name = connection.settings_dict["NAME"]
    command = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        f"connection.settings_dict['NAME'] = {str(name)!r}\n"
        "from auditlog.erasure import erase, subject\n"
        "from auditlog.models import Log\n"
        "erase.TOGETHER = 5\n"
        "order = erase.Order(erase.By(), 'asked')\n"
        "log = Log.objects.get(slug='default')\n"
        "for step in subject.run(log=log, query='@anna', size=900, order=order):\n"
        "    print(step.done, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", command], stdout=subprocess.PIPE)
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 50:
            break
    time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()

    done = Erasure.objects.count()
    assert 50 <= done < 300
    assert Leaf.objects.filter(kind="redaction").count() == done == 900 - Packet.objects.count()
    assert subject.preview(log, "@anna", size=900).number == 300 - done
    list(subject.run(log=log, query="@anna", size=900, order=ORDER))

    assert Erasure.objects.count() == 300
    assert not Packet.objects.filter(leaf__in=range(0, 900, 3)).exists()
    assert len(left()) == 600
