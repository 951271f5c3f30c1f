import json

import pytest

from auditlog.ingest.item import Item
from auditlog.log import gap, leaf
from auditlog.models import Leaf, Log
from tests.auditlog.sending import WIRE, append, make_sender

pytestmark = pytest.mark.django_db


def test_lost_indexes_get_leaves_that_say_so() -> None:
    (stored,) = append(Item(WIRE), sender=make_sender())

    assert gap.fill("default", 4) == 3

    log = Log.objects.get(slug="default")
    assert log.end.size == 4
    gaps = list(Leaf.objects.filter(log=log, kind="gap").order_by("index"))
    assert [one.index for one in gaps] == [1, 2, 3]
    assert log.end.received is not None
    for one in gaps:
        assert json.loads(bytes(one.bytes)) == {
            "v": leaf.VERSION, "kind": "gap", "log": "default",
            "recv": leaf.format_time(log.end.received),
            "first": 1, "last": 3,
        }  # fmt: skip
        assert bytes(one.hash) == leaf.hash_leaf(bytes(one.bytes))
    (later,) = append(Item(WIRE), sender=make_sender())
    assert (stored.leaf, later.leaf) == (0, 4)


def test_a_long_gap_is_filled_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gap, "_PIECE", 10)

    assert gap.fill("default", 25) == 25

    assert list(Leaf.objects.order_by("index").values_list("index", flat=True)) == list(range(25))
    assert gap.fill("default", 25) == 0


def test_a_log_that_was_lost_is_there_again_under_its_name() -> None:
    assert gap.fill("night", 2) == 2

    log = Log.objects.get(slug="night")
    assert (log.end.size, log.origin) == (2, None)
