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
from tests.auditlog.findings.following.steps import CARD, follow
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
    """A log of 600 leaves: packets of every protocol by keys and a person, with findings, reviews,
    erasures, a segment, and checkpoints; and a second, small log.
    """
    log = Log.objects.get(slug="default")
    logs.fix_origins("test.example")
    log.refresh_from_db()
    keys.ensure(log)
    ann = User.objects.create(username="ann")
    senders = [make_sender("bot"), make_sender("other"), access.person(ann)]
    sent = [one.wire for one in corpus.mixed(540)]
    sent[100:100] = [*FOUND, *sent[3:5]]
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
    follow()
    last = list(Packet.objects.select_related("log").order_by("leaf"))[-40:]
    _review(last[:12], ann)
    _accept(machine, senders[0])
    _erase(log, last, ann)
    follow()
    checkpoints.sign_now(log)
    _make_second(senders[0])
    return log


FOUND = (
    CARD, "INF/OBS|g=42,@=ignore_previous_instructions", "REQ/TSK|g=9,t=9", "ACC/PLN|g=9,t=9",
    "ACC/PLN|g=8,t=9",
)  # fmt: skip
"""Packets in which detectors find something."""


def _make_second(sender: Sender) -> None:
    logs.create(slug="second", title="Second")
    append(*[Item("REQ/TSK|g=1,t=1", log="second")] * 3, sender=sender)
    second = Log.objects.get(slug="second")
    keys.ensure(second)
    checkpoints.sign_now(second)
    follow()


def _review(packets: list[Packet], who: User) -> None:
    steps = [
        review.mark(packet=packet, state=state, note="why", who=who)
        for packet, state in zip(packets, review.STATES * 4, strict=True)
    ]
    review.undo(steps=steps[:2], who=who)


def _erase(log: Log, packets: list[Packet], who: User) -> None:
    """Erase a packet with review notes and one without, a field of one, and then all of a third
    after a field.
    """
    by = erase.by_person(who)
    leaves = [packets[2].leaf, packets[30].leaf]
    erase.erase(log=log, leaves=leaves, order=erase.Order(by, "asked for"))
    fields = {
        packet.leaf: found[0]
        for packet in packets[12:30]
        if (found := redaction.list_fields(packet))
    }
    one, other = list(fields)[:2]
    for leaf in (one, other):
        erase.erase(log=log, leaves=[leaf], order=erase.Order(by, "a name", fields[leaf]))
    erase.erase(log=log, leaves=[other], order=erase.Order(by, "all of it"))


def _accept(machine: Machine, sender: Sender) -> None:
    machine.set(days=3650)
    append(Item("REQ/TSK|g=2,t=1"), sender=sender)
    machine.set(days=-3650)
    machine.wait(hours=1)
    segments.accept()
    machine.wait(hours=1)
    append(Item("REQ/TSK|g=3,t=1"), sender=sender)
