"""A log's tiles grow with its leaves, whatever the batches, and never in another way."""

import random
from contextlib import suppress
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from auditlog.log import gap, triggers
from auditlog.models import Leaf, Log, Tile
from auditlog.tree import hashes
from cablese.tlog import merkle, tile
from tests.auditlog.tree.leaves import add, expected_hashes, expected_root

pytestmark = pytest.mark.django_db

ALL = expected_hashes(300)


def log_id() -> int:
    return Log.objects.get(slug="default").pk


def read_tiles() -> list[tuple[int, int, bytes]]:
    stored = Tile.objects.order_by("level", "number")
    return [(row.level, row.number, bytes(row.hashes)) for row in stored]


@pytest.mark.parametrize("seed", range(5))
def test_every_tree_up_to_300_leaves_has_its_root_and_its_proofs(seed: int) -> None:
    random.seed(seed)
    size = 0
    while size < 300:
        number = min(300 - size, random.choice([1, 1, 2, 5, 17, 40, 64, 90]))
        add(number, first=size)
        size += number
        for at in range(1, size + 1):
            assert hashes.root(log_id(), at) == expected_root(ALL[:at])
    read = hashes.reader(log_id(), 300)
    for index in range(300):
        proof = merkle.prove_inclusion(index, 300, read)
        merkle.verify_inclusion(ALL[index], index, 300, proof, expected_root(ALL))


@pytest.mark.parametrize("batch", [1, 255, 256, 257, 511, 600, 1_025])
def test_the_tiles_are_those_of_the_leaves(batch: int) -> None:
    size = 1_100
    for first in range(0, size, batch):
        add(min(batch, size - first), first=first)

    leaves = expected_hashes(size)
    full = [leaves[at : at + 256] for at in range(0, 1_024, 256)]
    assert read_tiles() == [
        *((0, number, b"".join(one)) for number, one in enumerate(full)),
        (1, 0, b"".join(map(merkle.hash_perfect, full))),
    ]
    assert hashes.root(log_id(), size) == expected_root(leaves)


def test_levels_grow_above_levels() -> None:
    gap.fill("default", 256 * 256 + 300)

    leaves = [bytes(row) for row in Leaf.objects.order_by("index").values_list("hash", flat=True)]
    assert [len(row[2]) // 32 for row in read_tiles() if row[0]] == [256, 1, 1]
    for size in (65_535, 65_536, 65_537, len(leaves)):
        assert hashes.root(log_id(), size) == expected_root(leaves[:size])


def test_a_transaction_that_is_undone_leaves_no_tile() -> None:
    add(250)
    with suppress(ZeroDivisionError), transaction.atomic():
        add(300, first=250)
        assert len(read_tiles()) == 3
        raise ZeroDivisionError

    assert read_tiles() == []
    add(50, first=250)
    assert hashes.root(log_id(), 300) == expected_root(ALL)


def test_logs_have_trees_of_their_own() -> None:
    gap.fill("night", 10)
    add(300)
    add(290, "night", 1_000)

    night = Log.objects.get(slug="night").pk
    assert hashes.root(log_id(), 300) == expected_root(ALL)
    stored = Leaf.objects.filter(log_id=night).order_by("index").values_list("hash", flat=True)
    assert hashes.root(night, 300) == expected_root(list(map(bytes, stored)))


def test_a_tile_is_served_as_wide_as_asked() -> None:
    add(300)

    first = b"".join(ALL[:256])
    assert hashes.tile(log_id(), tile.Tile(0, 0)) == first
    assert hashes.tile(log_id(), tile.Tile(0, 0, 3)) == first[:96]
    assert hashes.tile(log_id(), tile.Tile(0, 1, 44)) == b"".join(ALL[256:])
    assert hashes.tile(log_id(), tile.Tile(0, 1, 45)) is None
    assert hashes.tile(log_id(), tile.Tile(0, 1)) is None
    assert hashes.tile(log_id(), tile.Tile(1, 0, 1)) == merkle.hash_perfect(ALL[:256])
    assert hashes.tile(log_id(), tile.Tile(1, 0, 2)) is None
    assert hashes.tile(log_id(), tile.Tile(2, 0, 1)) is None


def test_the_migration_builds_the_tiles_of_logs_that_have_leaves() -> None:
    gap.fill("default", 256 * 256 + 600)
    gap.fill("small", 20)
    before = read_tiles()
    triggers.take(connection)
    Tile.objects.all().delete()
    migration = import_module("auditlog.migrations.0007_tree")
    migration.build_tiles(apps, SimpleNamespace(connection=connection))

    assert read_tiles() == before
    assert len(before) == 258 + 2 + 1


def refused(statement: str, *values: bytes) -> str:
    with (
        pytest.raises(DatabaseError) as error,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, values)
    return str(error.value).partition("\n")[0]


def test_the_database_lets_a_tile_only_grow() -> None:
    add(600)

    update = "UPDATE auditlog_tile SET hashes = %s WHERE level = 1"
    (stored,) = [row[2] for row in read_tiles() if row[0] == 1]
    assert len(stored) == 64
    for wrong in (stored[:32], stored, b"", bytes(96), bytes(1) + stored[1:] + bytes(32)):
        assert refused(update, wrong) == "a tile only grows"
    assert refused("UPDATE auditlog_tile SET number = number + 1") == "a tile only grows"
    assert refused("DELETE FROM auditlog_tile") == "a tile is never deleted"
    with connection.cursor() as cursor:
        cursor.execute(update, [stored + bytes(32)])


def test_the_database_refuses_to_change_a_checkpoint() -> None:
    insert = (
        "INTO auditlog_checkpoint (log_id, size, root, signed, note)"
        f" VALUES ({log_id()}, 3, %s, '2026-11-20 10:00:00', 'note')"
    )
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT {insert}", [bytes(32)])
    if connection.vendor == "sqlite":
        words = "a checkpoint is never replaced"
        assert refused(f"INSERT OR REPLACE {insert}", bytes(32)) == words
    changed = refused("UPDATE auditlog_checkpoint SET note = ''")
    assert changed == "a checkpoint is never changed"
    assert refused("DELETE FROM auditlog_checkpoint") == "a checkpoint is never deleted"


def test_the_triggers_come_and_go_in_groups() -> None:
    for groups in ((triggers.TREE,), (triggers.LEAVES,), ()):
        triggers.take(connection, *groups)
        triggers.put(connection, *groups)
    add(300)
    assert refused("DELETE FROM auditlog_leaf") == "a leaf is never deleted"


def test_a_lost_leaf_or_tile_stops_no_writer() -> None:
    add(600)
    triggers.take(connection)
    Leaf.objects.filter(index=520).delete()
    Tile.objects.filter(level=1).delete()
    triggers.put(connection)

    add(300, first=600)

    with pytest.raises(tile.BadTile):
        hashes.root(log_id(), 1_000)
    assert hashes.root(log_id(), 900) != expected_root(expected_hashes(900))
