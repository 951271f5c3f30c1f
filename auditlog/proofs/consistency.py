"""Prove that a log only grew: that its newest checkpoint contains an older one."""

from collections.abc import Collection
from dataclasses import dataclass

from auditlog.models import Checkpoint, Log
from auditlog.proofs.inclusion import Broken, NotSigned
from auditlog.tree import checkpoints, hashes, keys
from cablese.amount import leaves
from cablese.tlog import merkle
from cablese.tlog.checkpoint import open_checkpoint
from cablese.tlog.merkle import BadProof
from cablese.tlog.note import BadNote, Verifier
from cablese.tlog.tile import BadTile


@dataclass(frozen=True, slots=True)
class Growth:
    """Two checkpoints of a log, and the hashes that prove that the newer contains the older."""

    old: Checkpoint
    new: Checkpoint
    path: tuple[bytes, ...]


def prove_since(log: Log, size: int) -> Growth:
    """Return the proof from the checkpoint of this size to the newest. Raises NotSigned if there is
    none of this size, and Broken.
    """
    old = Checkpoint.objects.filter(log=log, size=size).first()
    new = checkpoints.latest(log)
    if old is None or new is None:
        raise NotSigned(f'The log "{log.slug}" has no checkpoint of {leaves(size)}.')
    try:
        read = hashes.reader(log.pk, new.size)
        path = tuple(merkle.prove_consistency(old.size, new.size, read))
        merkle.verify_consistency(old.size, new.size, path, bytes(old.root), bytes(new.root))
        known = keys.verifiers(log)
        for signed in (old, new):
            _require_signed(log, signed, known)
    except (BadTile, BadProof, BadNote) as reason:
        raise Broken(
            f"The log of {new.size:,} leaves does not begin with the {old.size:,} leaves that were "
            f"signed. {reason}"
        ) from None
    return Growth(old, new, path)


def _require_signed(log: Log, signed: Checkpoint, known: Collection[Verifier]) -> None:
    """Raise BadNote unless a key of the log signed this size and root."""
    found = open_checkpoint(signed.note, known, log.origin)
    if (found.size, found.root) != (signed.size, bytes(signed.root)):
        raise BadNote("A checkpoint differs from its row.")
