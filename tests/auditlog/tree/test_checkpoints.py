"""Checkpoints say what the tree is, and none is signed of a tree that lost what was signed."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from auditlog.log import gap, logs, triggers
from auditlog.models import Checkpoint, Leaf, Log, LogEnd, Tile
from auditlog.tree import checkpoints, hashes, incidents, keys, memory, publication
from auditlog.witness import asking
from cablese.tlog.checkpoint import open_checkpoint
from cablese.tlog.note import BadNote
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db


def test_a_checkpoint_has_the_size_and_the_root(log: Log) -> None:
    add(300)
    signed = checkpoints.sign_now(log)

    found = open_checkpoint(signed.note, keys.verifiers(log), "example.com/log/default")
    assert (found.size, found.root) == (301, hashes.root(log.pk, 301))
    assert (signed.size, bytes(signed.root)) == (found.size, found.root)
    assert memory.read("default") == signed.note
    assert checkpoints.sign_now(log) == signed
    assert checkpoints.latest(log) == signed


def test_a_leaf_is_covered_by_the_first_checkpoint_after_it(log: Log) -> None:
    for number in (4, 5):
        add(number)
        checkpoints.sign_now(log)
    sizes = [found and found.size for leaf in (0, 4, 5, 9, 10)
             if (found := checkpoints.covering(log, leaf)) or True]  # fmt: skip
    assert sizes == [5, 5, 10, 10, None]


def test_both_keys_sign_until_the_older_is_retired(log: Log) -> None:
    first = checkpoints.sign_now(log)
    (old,) = keys.history(log)
    new = keys.add(log)
    both = checkpoints.sign_now(log)
    keys.retire(log, old.key_id)
    last = checkpoints.sign_now(log)

    for note, known in ((first.note, old), (both.note, old), (both.note, new), (last.note, new)):
        open_checkpoint(note, [known.verifier])
    with pytest.raises(BadNote):
        open_checkpoint(last.note, [old.verifier])
    for note in (first.note, both.note, last.note):
        open_checkpoint(note, keys.verifiers(log))


def test_an_empty_log_has_no_checkpoint(data: Path) -> None:
    log = Log.objects.get(slug="default")
    with pytest.raises(checkpoints.NotSigned):
        checkpoints.sign_now(log)


def test_a_log_whose_key_is_elsewhere_is_not_signed(log: Log, data: Path) -> None:
    for place in (data / "signing-keys").iterdir():
        place.unlink()
    with pytest.raises(keys.NoKey):
        checkpoints.sign_now(log)


def test_two_do_not_sign_at_once(log: Log) -> None:
    with memory.held("default", wait=False) as held:
        assert held
        assert checkpoints.sign(log, wait=False) is None
        done: list[bool] = []
        thread = threading.Thread(target=lambda: done.append(_hold()))
        thread.start()
        thread.join(0.2)
        assert done == []
    thread.join(10)
    assert done == [True]


def _hold() -> bool:
    with memory.held("default", wait=True) as held:
        return held


def change_leaf(log: Log) -> None:
    Leaf.objects.filter(log=log, index=290).update(hash=bytes(32))


def change_upper_tile(log: Log) -> None:
    Tile.objects.filter(log=log, level=1).update(hashes=bytes(32))


def remove_tile(log: Log) -> None:
    Tile.objects.filter(log=log, level=1).delete()


def remove_leaf(log: Log) -> None:
    Leaf.objects.filter(log=log, index=290).delete()


def swap_leaves(log: Log) -> None:
    one, other = (Leaf.objects.get(log=log, index=at) for at in (280, 281))
    for at, leaf in ((280, other), (281, one)):
        Leaf.objects.filter(log=log, index=at).update(bytes=leaf.bytes, hash=leaf.hash)


@pytest.mark.parametrize(
    "damage", [change_leaf, change_upper_tile, remove_tile, remove_leaf, swap_leaves]
)
def test_a_tree_that_differs_from_the_signed_one_stops_signing(
    log: Log, damage: Callable[[Log], None]
) -> None:
    add(300)
    before = checkpoints.sign_now(log)
    triggers.take(connection)
    damage(log)
    triggers.put(connection)
    add(10)

    with pytest.raises(checkpoints.Stopped) as stopped:
        checkpoints.sign_now(log)

    incident = stopped.value.incident
    assert (incident.kind, incident.size, incident.found) == ("differs", 301, 311)
    assert incidents.find_current() == [incident]
    assert checkpoints.latest(log) == before
    assert memory.read("default") == before.note
    with pytest.raises(checkpoints.Stopped):
        checkpoints.sign_now(log)
    assert Leaf.objects.filter(log=log, kind="incident").count() == 1


def cut(log: Log, size: int) -> None:
    """Remove the newest leaves, as somebody would who controls the database."""
    triggers.take(connection)
    Checkpoint.objects.filter(log=log, size__gt=size).delete()
    Leaf.objects.filter(log=log, index__gte=size).delete()
    LogEnd.objects.filter(log=log).update(size=size)
    triggers.put(connection)


def test_a_tree_that_shrank_stops_signing(log: Log) -> None:
    add(100)
    checkpoints.sign_now(log)
    cut(log, 50)

    with pytest.raises(checkpoints.Stopped) as stopped:
        checkpoints.sign_now(log)

    assert stopped.value.incident[2:5] == ("shrank", 101, 50)


def test_a_checkpoint_of_the_size_does_not_hide_that_the_tree_shrank(log: Log) -> None:
    add(49)
    checkpoints.sign_now(log)
    add(51)
    checkpoints.sign_now(log)
    cut(log, 50)
    with pytest.raises(checkpoints.Stopped):
        checkpoints.sign_now(log)


def test_a_restored_backup_is_an_incident_if_lost_leaves_were_signed(log: Log) -> None:
    add(100)
    checkpoints.sign_now(log)
    cut(log, 50)
    gap.fill("default", 120)

    with pytest.raises(checkpoints.Stopped) as stopped:
        checkpoints.sign_now(log)

    assert stopped.value.incident[2:5] == ("differs", 101, 120)


def test_a_restored_backup_is_none_if_no_lost_leaf_was_signed(log: Log) -> None:
    add(49)
    checkpoints.sign_now(log)
    add(51)
    cut(log, 50)
    gap.fill("default", 120)

    assert checkpoints.sign_now(log).size == 120


def test_logs_without_incidents_take_one_query(
    log: Log, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    logs.create(slug="other")
    with django_assert_num_queries(1):
        assert incidents.find_current() == []


def test_an_accepted_incident_begins_a_new_key(log: Log, data: Path) -> None:
    add(100)
    before = checkpoints.sign_now(log)
    (old,) = keys.history(log)
    cut(log, 50)
    gap.fill("default", 120)
    with pytest.raises(checkpoints.Stopped):
        checkpoints.sign_now(log)

    new = incidents.accept(log)
    signed = checkpoints.sign_now(log)

    assert incidents.find_current() == []
    assert signed.size == 123  # the incident, the old key, and the new one
    open_checkpoint(signed.note, [new.verifier])
    with pytest.raises(BadNote):
        open_checkpoint(signed.note, [old.verifier])
    open_checkpoint(before.note, keys.verifiers(log))
    assert [key.key_id for key in keys.active(log)] == [new.key_id]
    add(10)
    assert checkpoints.sign_now(log).size == 133


def test_without_its_file_the_published_checkpoint_is_remembered(log: Log, data: Path) -> None:
    add(300)
    checkpoints.sign_now(log)
    (data / "signed" / "default").unlink()
    triggers.take(connection)
    change_leaf(log)
    triggers.put(connection)
    add(1)
    with pytest.raises(checkpoints.Stopped):
        checkpoints.sign_now(log)


def test_a_checkpoint_that_lacks_a_required_witness_is_not_published(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = checkpoints.sign_now(log)
    publication.change(log, required=1)
    add(5)

    with pytest.raises(checkpoints.NotSigned, match="0 of 1 required witnesses"):
        checkpoints.sign_now(log)
    assert checkpoints.latest(log) == before

    monkeypatch.setattr(asking, "collect", lambda *_: ["— witness.example AAAAAAAA\n"])
    signed = checkpoints.sign_now(log)
    assert signed.note.endswith("— witness.example AAAAAAAA\n")
    assert signed.size == 6


@pytest.mark.parametrize("words", [b"", b"\xff", b"nothing\n", None])
def test_what_was_signed_last_is_not_forgotten_because_its_file_was_changed(
    log: Log, data: Path, words: bytes | None
) -> None:
    """Otherwise two trees could be signed with one key."""
    add(300)
    place = data / "signed" / "default"
    before = checkpoints.sign_now(log)
    changed = before.note.replace("301", "201").encode()
    place.write_bytes(changed if words is None else words)
    add(1)
    with pytest.raises(checkpoints.NotSigned, match="was changed"):
        checkpoints.sign_now(log)
    assert checkpoints.latest(log) == before


def test_a_memory_from_an_old_backup_does_not_hide_what_was_published(log: Log, data: Path) -> None:
    add(280)
    old = checkpoints.sign_now(log)
    add(20)
    checkpoints.sign_now(log)
    (data / "signed" / "default").write_text(old.note)
    triggers.take(connection)
    Leaf.objects.filter(log=log, index=290).update(hash=b"x" * 32)
    triggers.put(connection)
    add(1)
    with pytest.raises(checkpoints.Stopped):
        checkpoints.sign_now(log)


@pytest.mark.parametrize("words", [b"x", b"[]", b"{}", b"\xff"])
def test_an_incident_whose_leaf_was_changed_still_stops_signing(log: Log, words: bytes) -> None:
    add(100)
    checkpoints.sign_now(log)
    incidents.record(log, "faults", size=100, found=100)
    triggers.take(connection)
    Leaf.objects.filter(log=log, kind="incident").update(bytes=words)
    triggers.put(connection)
    with pytest.raises(checkpoints.Stopped, match="was changed"):
        checkpoints.sign_now(log)
