"""A log with everything that a self-check looks at, and the files beside its database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test.utils import override_settings

from auditlog import access, review
from auditlog.continuity import high_water, segments
from auditlog.erasure import erase, redaction
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log, Packet
from auditlog.sender import Sender
from auditlog.tree import checkpoints, keys
from tests.auditlog.machine import Machine
from tests.auditlog.sending import append, make_sender
from tests.benchmarks import corpus


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The files beside the database: marks, keys, and what was signed last."""
    monkeypatch.setattr(high_water, "_marks", high_water.Marks(tmp_path / "leaves"))
    with override_settings(DATA=tmp_path):
        yield tmp_path


@pytest.fixture
def world(machine: Machine, beside: Path) -> Log:
    """A log of 600 leaves: packets of every protocol by keys and a person, reviews, a segment, and
    checkpoints; and a second, small log.
    """
    log = Log.objects.get(slug="default")
    logs.fix_origins("test.example")
    log.refresh_from_db()
    keys.ensure(log)
    ann = User.objects.create(username="ann")
    senders = [make_sender("bot"), make_sender("other"), access.person(ann)]
    sent = [one.wire for one in corpus.mixed(560)]
    for at in range(0, len(sent), 40):
        items = [
            Item(
                wire, event_id=f"e{at + n}" if n % 3 == 0 else None, content="x" if n % 5 else None
            )
            for n, wire in enumerate(sent[at : at + 40])
        ]
        append(*items, sender=senders[at // 40 % len(senders)])
        machine.wait(minutes=5)
        if at % 160 == 0:
            checkpoints.sign_now(log)
    _review(ann)
    _accept(machine, senders[0])
    _erase(log, ann)
    checkpoints.sign_now(log)
    logs.create(slug="second", title="Second")
    append(*[Item("REQ/TSK|g=1,t=1", log="second")] * 3, sender=senders[0])
    second = Log.objects.get(slug="second")
    keys.ensure(second)
    checkpoints.sign_now(second)
    return log


def _review(who: User) -> None:
    packets = list(Packet.objects.select_related("log").order_by("leaf")[:12])
    steps = [
        review.mark(packet=packet, state=state, note="why", who=who)
        for packet, state in zip(packets, review.STATES * 4, strict=True)
    ]
    review.undo(steps=steps[:2], who=who)


def _erase(log: Log, who: User) -> None:
    """Erase a packet with review notes, a field of one, and then all of a third after a field."""
    by = erase.by_person(who)
    erase.erase(log=log, leaves=[2, 40], order=erase.Order(by, "asked for"))
    fields = {
        leaf: redaction.list_fields(Packet.objects.get(log=log, leaf=leaf))[0] for leaf in (50, 60)
    }
    for leaf, field in fields.items():
        erase.erase(log=log, leaves=[leaf], order=erase.Order(by, "a name", field))
    erase.erase(log=log, leaves=[60], order=erase.Order(by, "all of it"))


def _accept(machine: Machine, sender: Sender) -> None:
    machine.set(days=3650)
    append(Item("REQ/TSK|g=2,t=1"), sender=sender)
    machine.set(days=-3650)
    machine.wait(hours=1)
    segments.accept()
    machine.wait(hours=1)
    append(Item("REQ/TSK|g=3,t=1"), sender=sender)
