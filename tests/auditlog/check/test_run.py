"""A self-check of a sound log finds nothing, stores its result, and continues where it was."""

import json

import pytest

from auditlog.check import run
from auditlog.check.run import Overtaken, Run
from auditlog.check.table import SelfCheck
from auditlog.models import Leaf, Log, Tile
from tests.auditlog.check.checking import check, check_all

pytestmark = pytest.mark.django_db


def test_a_sound_log_has_no_faults(world: Log) -> None:
    assert check_all() == []
    assert check_all() == []  # with the leaves of the first self-checks


def test_the_result_is_a_leaf(world: Log) -> None:
    size = world.end.size
    check(world)
    row = SelfCheck.objects.get(log=world)
    assert row.result is not None
    data = json.loads(bytes(Leaf.objects.get(log=world, index=row.result).bytes))
    assert (data["kind"], data["size"], data["faults"]) == ("check", size, 0)
    assert len(data["root"]) == 44


def test_a_self_check_continues_where_it_was(world: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "STORE", 0.0)
    for stops in ("leaves", "terms"):
        SelfCheck.objects.filter(log=world).delete()
        row = SelfCheck.objects.create(log=world, full=True)
        steps = Run(row).steps()
        while next(steps).bar != stops:
            pass
        next(steps)
        again = SelfCheck.objects.get(log=world)
        assert getattr(again, stops) > 0
        seen = [(step.bar, step.done) for step in Run(again).steps()]
        assert (stops, getattr(row, stops)) < seen[0] or stops == "terms"
        assert again.ended is not None
        assert again.faults == 0
        with pytest.raises(Overtaken):
            list(steps)


def test_a_hash_beyond_the_leaves_is_found(world: Log) -> None:
    tile = Tile.objects.get(log=world, level=1)
    Tile.objects.filter(log=world, level=1).update(hashes=bytes(tile.hashes) + bytes(32))

    assert [(one.row, one.at, one.message) for one in check(world)] == [
        ("tile", "tile/1/000", "The tile has too many hashes.")
    ]
