"""The English of packets is counted in one version for all of them."""

import pytest

from auditlog.findings.versions import ENGLISH
from auditlog.ingest.item import Item
from auditlog.models import FindingPosition, Rollup, RollupPosition
from auditlog.rollup.tally import ENGLISH_COUNTERS
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.sending import append, make_sender
from tests.benchmarks import corpus

pytestmark = pytest.mark.django_db


def count() -> tuple[int, ...]:
    row = Rollup.objects.get(dimension="all", source=0, period="m")
    return tuple(getattr(row, name) for name in ENGLISH_COUNTERS)


def send() -> None:
    append(*[Item(one.wire) for one in corpus.mixed(300)], sender=make_sender())


def test_who_changes_the_english_of_a_packet_raises_its_version() -> None:
    """Otherwise, self-checks would find that what was counted before is wrong."""
    send()
    follow()
    assert (ENGLISH, count()) == ("english/2", (300, 299, 8334, 7681))


def test_another_version_counts_all_packets_again() -> None:
    send()
    follow()
    before = count()
    Rollup.objects.update(english_tokens=0)
    older = "flow/2 injection/1 repeated/1 sensitive/1"
    FindingPosition.objects.update(versions=older)

    follow()

    assert count() == before
    assert not RollupPosition.objects.exists()
