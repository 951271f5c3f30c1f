"""The keys of a log: made once, secret, and known by the log's own history."""

import json
import os
import stat
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction

from auditlog.log import leaf, logs, triggers
from auditlog.models import Leaf, Log, TreeLeaf
from auditlog.tree import events, keys
from cablese.tlog import note

pytestmark = pytest.mark.django_db


def files(data: Path) -> list[str]:
    return sorted(place.name for place in (data / "signing-keys").iterdir())


def test_the_first_key_is_secret_and_in_the_log(log: Log, data: Path) -> None:
    (key,) = keys.history(log)
    (signer,) = keys.signers(log)

    assert files(data) == [f"default.{key.key_id}"]
    place = data / "signing-keys"
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE((place / f"default.{key.key_id}").stat().st_mode) == 0o600
    assert signer.verifier == key.verifier
    assert (key.verifier.name, key.added, key.retired) == ("example.com/log/default", 0, None)
    (stored,) = Leaf.objects.filter(log=log)
    said = json.loads(bytes(stored.bytes))
    assert (said["kind"], said["act"], said["key"]) == ("signing-key", "add", key.key_id)
    keys.check()


def test_the_leaf_of_a_key_says_who_in_a_commitment(log: Log) -> None:
    seed = TreeLeaf.objects.get(log=log, leaf=0).seed
    said = json.loads(bytes(Leaf.objects.get(log=log, index=0).bytes))
    assert seed is not None
    committed = leaf.commit(leaf.salt(bytes(seed), "by"), "by", events.OPERATOR)
    assert said["commit"] == {"by": leaf.spell(committed)}


def test_a_log_gets_its_first_key_once(log: Log, data: Path) -> None:
    keys.ensure(log)
    assert len(keys.history(log)) == 1
    assert len(files(data)) == 1


def test_a_start_that_ended_before_the_leaf_uses_the_key_that_it_stored(data: Path) -> None:
    logs.fix_origins("example.com")
    log = Log.objects.get(slug="default")
    signer = keys._make(log)

    keys.ensure(log)

    assert keys.signers(log) == [signer]


def test_a_log_without_an_origin_gets_no_key(data: Path) -> None:
    log = Log.objects.get(slug="default")
    keys.ensure(log)
    assert keys.history(log) == []
    with pytest.raises(keys.NoKey, match="has no origin yet"):
        keys.signers(log)


def test_keys_are_rotated_and_retired(log: Log, data: Path) -> None:
    (first,) = keys.history(log)
    second = keys.add(log)

    assert {signer.key_id.hex() for signer in keys.signers(log)} == {first.key_id, second.key_id}
    keys.retire(log, first.key_id)

    assert files(data) == [f"default.{second.key_id}"]
    assert [(key.key_id, key.added, key.retired) for key in keys.history(log)] == [
        (first.key_id, 0, 2), (second.key_id, 1, None),
    ]  # fmt: skip
    assert len(keys.verifiers(log)) == 2
    with pytest.raises(keys.LastKey):
        keys.retire(log, second.key_id)
    with pytest.raises(keys.Unsound):
        keys.retire(log, first.key_id)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o777])
def test_a_key_that_others_can_read_is_refused(log: Log, data: Path, mode: int) -> None:
    (name,) = files(data)
    place = data / "signing-keys" / name
    place.chmod(mode)
    with pytest.raises(keys.Unsound, match=f"chmod 600 {place}"):
        keys.check()
    with pytest.raises(keys.Unsound):
        keys.signers(log)


def test_a_directory_that_others_can_read_is_refused(log: Log, data: Path) -> None:
    (data / "signing-keys").chmod(0o755)
    with pytest.raises(keys.Unsound, match="chmod 700"):
        keys.check()


def test_the_owner_of_a_key_is_this_user(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    with pytest.raises(keys.Unsound, match="12345"):
        keys.check()


@pytest.mark.parametrize("words", ["", "PRIVATE+KEY+example.com", "another"])
def test_a_damaged_key_is_refused_and_never_quoted(log: Log, data: Path, words: str) -> None:
    (name,) = files(data)
    (data / "signing-keys" / name).write_text(words)
    with pytest.raises(keys.Unsound) as error:
        keys.signers(log)
    assert not words or words not in str(error.value).replace("PRIVATE+KEY+.", "")


def test_the_key_of_another_log_is_refused(log: Log, data: Path) -> None:
    (name,) = files(data)
    other = note.generate("example.com/log/other")
    (data / "signing-keys" / name).write_text(note.format_signer(other))
    with pytest.raises(keys.Unsound, match="log/other"):
        keys.signers(log)


def test_a_key_whose_leaf_is_lost_is_not_deleted(log: Log, data: Path) -> None:
    if connection.vendor == "postgresql":
        pytest.skip("it checks at once that a leaf with a row of the tree exists")
    triggers.take(connection)
    Leaf.objects.filter(log=log, index=0).delete()
    triggers.put(connection)
    before = files(data)

    keys.ensure(log)

    assert files(data) == before
    transaction.set_rollback(True)


@pytest.mark.parametrize(
    "words", [b"x", b"[]", b"{}", b'{"act":"add","key":"a","public":"AA=="}', b"\xff"]
)
def test_a_key_whose_leaf_was_changed_is_no_key(log: Log, words: bytes) -> None:
    triggers.take(connection)
    Leaf.objects.filter(log=log, index=0).update(bytes=words)
    triggers.put(connection)
    assert keys.verifiers(log) == []
    with pytest.raises(keys.NoKey):
        keys.signers(log)


def test_a_start_that_is_killed_leaves_no_half_of_a_key(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs.fix_origins("example.com")
    log = Log.objects.get(slug="default")

    def kill(_: note.Signer) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(note, "format_signer", kill)
    with pytest.raises(KeyboardInterrupt):
        keys.ensure(log)
    monkeypatch.undo()
    monkeypatch.setattr(settings, "DATA", data)
    keys.ensure(log)
    assert len(keys.signers(log)) == 1


def test_no_key_is_stored_in_a_directory_that_others_can_read(data: Path) -> None:
    logs.fix_origins("example.com")
    log = Log.objects.get(slug="default")
    (data / "signing-keys").mkdir()
    (data / "signing-keys").chmod(0o755)

    with pytest.raises(keys.Unsound, match="chmod 700"):
        keys.ensure(log)

    assert files(data) == []
    assert keys.history(log) == []


def test_a_key_that_the_log_does_not_have_is_not_retired(log: Log, data: Path) -> None:
    keys.add(log)
    before = files(data)

    with pytest.raises(keys.Unsound, match="The key 00000000 does not sign the log"):
        keys.retire(log, "00000000")

    assert files(data) == before


def test_a_log_without_an_origin_gets_no_further_key(data: Path) -> None:
    log = Log.objects.get(slug="default")

    with pytest.raises(keys.Unsound, match="has no origin yet"):
        keys.add(log)

    assert not (data / "signing-keys").exists()
