"""Cosign the checkpoints of other logs, each only if its tree grew out of the one before.

What was cosigned last is stored before the cosignature is given, in the transaction that compares
it, so that of two requests at once the second is compared with the first.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from django.db import transaction

from auditlog.models import WatchedLog
from auditlog.witness import identity, recalling
from auditlog.witness.submission import BadSubmission, Submission, parse_submission
from cablese.tlog import cosignature, merkle, note
from cablese.tlog.checkpoint import Checkpoint, parse_checkpoint
from cablese.tlog.note import BadNote, Verifier

TEXT, TREE_SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"


class Answer(NamedTuple):
    """What a witness says to a request: the status, the media type, and the body."""

    status: int
    media: str
    body: str


def watch(verifiers: Iterable[Verifier]) -> list[WatchedLog]:
    """Cosign the logs of these keys from now on. A further key of a log is added to its others."""
    watched = []
    for verifier in verifiers:
        log, _ = WatchedLog.objects.get_or_create(pk=verifier.name, defaults={"keys": ""})
        text = note.format_verifier(verifier)
        if text not in log.keys.split("\n"):
            log.keys = f"{log.keys}{text}\n"
            log.save(update_fields=["keys"])
        watched.append(log)
    return watched


def verifiers(log: WatchedLog) -> list[Verifier]:
    """Return the keys of a log."""
    return [note.parse_verifier(line) for line in log.keys.splitlines()]


def answer(body: str) -> Answer:
    """Cosign what was submitted, or say why not. Raises keys.Unsound and OSError."""
    signer = identity.load()
    if signer is None:
        return _refuse(404, "This installation is not a witness.")
    try:
        submission = parse_submission(body)
        text, _ = note.split(submission.note)
        checkpoint = parse_checkpoint(text)
    except (BadSubmission, BadNote) as error:
        return _refuse(400, str(error))
    # Strangers get no further: the lock is the one that everybody who stores waits for.
    known = WatchedLog.objects.filter(pk=checkpoint.origin).first()
    if known is None:
        return _refuse(404, "This witness does not know the log.")
    try:
        note.open(submission.note, verifiers(known))
    except BadNote as error:
        return _refuse(403, str(error))
    with transaction.atomic():
        log = WatchedLog.objects.select_for_update().filter(pk=checkpoint.origin).first()
        if log is None or log.keys != known.keys:
            return _refuse(403, "The keys of the log have changed.")
        recalling.recall(log)
        refused = _compare(log, submission, checkpoint)
        if refused is not None:
            return refused
        at = datetime.now(UTC)
        _remember(log, submission, checkpoint, at)
    return Answer(200, TEXT, cosignature.cosign(text, signer, int(at.timestamp())))


def _compare(log: WatchedLog, submission: Submission, checkpoint: Checkpoint) -> Answer | None:
    """Return why a checkpoint is not cosigned; None if it is."""
    if submission.old > checkpoint.size:
        return _refuse(400, "The old size is larger than that of the checkpoint.")
    if submission.old != log.size:
        return Answer(409, TREE_SIZE, f"{log.size}\n")
    if log.size == checkpoint.size and log.root is not None and bytes(log.root) != checkpoint.root:
        return Answer(409, TREE_SIZE, f"{log.size}\n")
    return _require_growth(log, submission, checkpoint)


def _require_growth(
    log: WatchedLog, submission: Submission, checkpoint: Checkpoint
) -> Answer | None:
    if log.size == 0:
        wrong = bool(submission.proof) or (checkpoint.size == 0 and checkpoint.root != merkle.EMPTY)
        return _refuse(422, "A first checkpoint has no proof.") if wrong else None
    assert log.root is not None, "a log with a size has a root"
    try:
        merkle.verify_consistency(
            log.size, checkpoint.size, submission.proof, bytes(log.root), checkpoint.root
        )
    except merkle.BadProof as error:
        return _refuse(422, str(error))
    return None


def _remember(
    log: WatchedLog, submission: Submission, checkpoint: Checkpoint, at: datetime
) -> None:
    log.size, log.root, log.note, log.cosigned = (
        checkpoint.size, checkpoint.root, submission.note, at,
    )  # fmt: skip
    log.save(update_fields=["size", "root", "note", "cosigned"])
    recalling.remember(log, submission.note)


def _refuse(status: int, words: str) -> Answer:
    return Answer(status, TEXT, f"{words}\n")
