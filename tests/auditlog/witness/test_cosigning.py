"""A witness cosigns a tree that grew out of the one before, and no other."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditlog.log import logs
from auditlog.models import WatchedLog
from auditlog.tree import keys
from auditlog.witness import cosigning, identity
from auditlog.witness.submission import format_submission
from cablese.tlog import checkpoint, cosignature, merkle, note
from cablese.tlog.checkpoint import Checkpoint
from tests.cablese.tlog.reading import reader

pytestmark = pytest.mark.django_db

LOG = note.make_signer("example.com/log/default", bytes(range(32)))
LEAVES = [merkle.hash_leaf(bytes([at])) for at in range(40)]
FORK = [*LEAVES[:5], *(merkle.hash_leaf(b"other") for _ in range(35))]


@pytest.fixture(autouse=True)
def witness(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> note.Verifier:
    monkeypatch.setattr(settings, "DATA", tmp_path)
    logs.fix_origins("witness.example")
    cosigning.watch([LOG.verifier])
    return identity.make().verifier


def sign(size: int, leaves: list[bytes] = LEAVES, signer: note.Signer = LOG) -> str:
    root = merkle.root(size, reader(leaves))
    return note.sign(checkpoint.format_checkpoint(Checkpoint(signer.name, size, root)), [signer])


def submit(old: int, size: int, leaves: list[bytes] = LEAVES) -> cosigning.Answer:
    proof = merkle.prove_consistency(old, size, reader(leaves)) if 0 < old <= size else []
    return cosigning.answer(format_submission(old, proof, sign(size, leaves)))


def test_it_cosigns_what_grew(witness: note.Verifier) -> None:
    for old, size in ((0, 3), (3, 8), (8, 8), (8, 40)):
        answer = submit(old, size)
        assert answer.status == 200
        text = note.split(sign(size))[0]
        assert cosignature.verify(text, note.parse_line(answer.body[:-1]), witness)
    log = WatchedLog.objects.get()
    assert (log.size, log.note) == (40, sign(40))


def test_it_says_what_it_cosigned_last() -> None:
    submit(0, 8)
    for old, size in ((0, 9), (7, 9), (9, 40)):
        assert submit(old, size) == (409, "text/x.tlog.size", "8\n")


def test_it_does_not_cosign_a_fork() -> None:
    submit(0, 8)
    assert submit(8, 40, FORK).status == 422
    assert submit(8, 8, FORK).status == 409
    assert submit(4, 3).status == 400
    assert WatchedLog.objects.get().size == 8


def test_a_first_checkpoint_has_no_proof() -> None:
    body = format_submission(0, [bytes(32)], sign(8))
    assert cosigning.answer(body).status == 422


def test_it_does_not_cosign_for_others() -> None:
    other = note.generate("example.com/log/default")
    assert cosigning.answer(format_submission(0, [], sign(3, LEAVES, other))).status == 403
    stranger = note.generate("stranger.example")
    assert cosigning.answer(format_submission(0, [], sign(3, LEAVES, stranger))).status == 404
    assert cosigning.answer("old x").status == 400
    assert cosigning.answer("old 0\n\nno note").status == 400
    assert WatchedLog.objects.get().size == 0


def test_a_further_key_of_a_log_is_accepted_too() -> None:
    other = note.generate("example.com/log/default")
    (log,) = cosigning.watch([other.verifier])
    cosigning.watch([other.verifier])
    assert len(cosigning.verifiers(log)) == 2
    assert cosigning.answer(format_submission(0, [], sign(3, LEAVES, other))).status == 200


def test_without_a_key_it_is_no_witness(tmp_path: Path) -> None:
    (tmp_path / "signing-keys" / "@witness").unlink()
    assert submit(0, 3).status == 404


def test_a_size_that_no_log_can_have_is_refused() -> None:
    text = checkpoint.format_checkpoint(Checkpoint(LOG.name, 1 << 63, bytes(32)))
    answer = cosigning.answer(format_submission(0, [], note.sign(text, [LOG])))
    assert answer.status == 400


def test_a_stranger_does_not_take_the_lock_of_those_who_store() -> None:
    stranger = note.generate("stranger.example")
    other = note.generate("example.com/log/default")
    for signer in (stranger, other):
        body = format_submission(0, [], sign(3, LEAVES, signer))
        with CaptureQueriesContext(connection) as made:
            cosigning.answer(body)
        assert [one["sql"].split()[0] for one in made] == ["SELECT"]


def test_a_database_that_was_restored_does_not_cosign_a_fork(witness: note.Verifier) -> None:
    submit(0, 5)
    before = WatchedLog.objects.get()
    submit(5, 20)
    before.save()  # the backup
    assert submit(5, 40, FORK) == (409, "text/x.tlog.size", "20\n")
    assert submit(20, 40, FORK).status == 422
    assert submit(20, 40).status == 200


def test_a_log_that_was_removed_is_forgotten() -> None:
    submit(0, 8)
    call_command("witness", "remove", LOG.name)
    cosigning.watch([LOG.verifier])
    assert submit(0, 40, FORK).status == 200


def test_what_was_cosigned_last_must_be_readable(tmp_path: Path) -> None:
    submit(0, 8)
    for place in (tmp_path / "signed").glob("@*"):
        place.write_bytes(b"\xff")
    with pytest.raises(keys.Unsound, match="was changed"):
        submit(8, 40)


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_log_whose_keys_change_meanwhile_is_not_cosigned(
    monkeypatch: pytest.MonkeyPatch, *, is_removed: bool
) -> None:
    checked = note.open

    def meanwhile(signed: str, known: list[note.Verifier]) -> note.Opened:
        if is_removed:
            WatchedLog.objects.all().delete()
        else:
            other = note.generate(LOG.name).verifier
            WatchedLog.objects.update(keys=f"{note.format_verifier(other)}\n")
        return checked(signed, known)

    monkeypatch.setattr(note, "open", meanwhile)

    answer = submit(0, 3)

    assert (answer.status, answer.body) == (403, "The keys of the log have changed.\n")
    assert not WatchedLog.objects.filter(size=3).exists()
