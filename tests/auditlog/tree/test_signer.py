"""The thread that signs: after a time, sooner after many leaves, and no other way."""

import logging
from types import SimpleNamespace

import pytest
from django.conf import settings

from auditlog.log import gap
from auditlog.models import Checkpoint, Log
from auditlog.tree import checkpoints, incidents, signer
from auditlog.tree.signer import Signer
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The monotonic clock, which stands still until it is set."""
    now = [1_000.0]
    monkeypatch.setattr(signer, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def sizes() -> list[int]:
    return list(Checkpoint.objects.order_by("size").values_list("size", flat=True))


def test_a_log_that_grew_is_signed_after_some_seconds(log: Log, moment: list[float]) -> None:
    signing = Signer()
    signing.step()
    assert sizes() == [1]
    add(5)
    for passed in (1, settings.CHECKPOINT_SECONDS - 2):
        moment[0] += passed
        signing.step()
        assert sizes() == [1]
    moment[0] += 1
    signing.step()
    signing.step()
    assert sizes() == [1, 6]
    moment[0] += 1_000
    signing.step()
    assert sizes() == [1, 6]


def test_many_leaves_are_signed_sooner(log: Log, moment: list[float]) -> None:
    signing = Signer()
    signing.step()
    gap.fill("default", 1_001)
    signing.step()
    assert sizes() == [1, 1_001]


def test_an_incident_stops_it_and_nothing_else(log: Log, moment: list[float]) -> None:
    signing = Signer()
    signing.step()
    incidents.record(log, "faults", size=1, found=1)
    moment[0] += 100
    signing.step()
    assert sizes() == [1]
    incidents.accept(log)
    moment[0] += 100
    signing.step()
    assert sizes() == [1, 4]


def test_what_fails_is_reported_once(
    log: Log, moment: list[float], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def fail(_log: Log, **_: object) -> None:
        raise OSError("The disk is full.")

    monkeypatch.setattr(checkpoints, "sign", fail)
    signing = Signer()
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            moment[0] += 100
            signing.step()
    assert [record.getMessage() for record in caplog.records] == [
        'The log "default" cannot be signed: The disk is full.'
    ]
