"""Prove that a leaf is in a log, at the first published checkpoint that covers it.

A proof is made from the leaf and the tiles, and verified with the log's own keys before anybody
gets it. So what was changed in the database after it was signed has no proof, and the words say so.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from auditlog.models import Checkpoint, Leaf, Log, LogEnd
from auditlog.tree import checkpoints, hashes, incidents, keys
from cablese.amount import leaves
from cablese.tlog import merkle
from cablese.tlog.merkle import BadProof
from cablese.tlog.note import BadNote
from cablese.tlog.proof import Proof, format_proof, verify_proof
from cablese.tlog.receipt import sign_receipt
from cablese.tlog.tile import BadTile

SOON = 10
"""Seconds after which a new leaf is usually covered by a checkpoint."""


class Unproven(Exception):
    """A leaf without a proof. The words say why."""


class NoLeaf(Unproven):
    """The log has no leaf at this index."""


class NotSigned(Unproven):
    """No published checkpoint covers the leaf yet."""


class NotYetSigned(NotSigned):
    """The next checkpoint will cover the leaf: nothing is wrong, and asking again soon helps."""


class Broken(Unproven):
    """The leaf does not lead to the root that was signed, so something was changed since."""


@dataclass(frozen=True, slots=True)
class LeafProof:
    """A leaf, and the proof that it is in the tree of a checkpoint."""

    log: Log
    leaf: bytes
    proof: Proof
    checkpoint: Checkpoint

    @property
    def leaf_hash(self) -> bytes:
        return merkle.hash_leaf(self.leaf)


def prove(log: Log, index: int) -> LeafProof:
    """Return the proof of a leaf. Raises Unproven."""
    stored = Leaf.objects.filter(log=log, index=index).values_list("bytes", flat=True).first()
    if stored is None:
        raise NoLeaf(f'The log "{log.slug}" has no leaf {index:,}.')
    signed = checkpoints.covering(log, index)
    if signed is None:
        raise _find_unsigned(log, index)
    proof = _make_proof(log, index, bytes(stored), signed)
    return LeafProof(log, bytes(stored), proof, signed)


def prove_now(log: Log, index: int) -> LeafProof:
    """As `prove`, but sign a checkpoint if none covers the leaf. Raises Unproven."""
    try:
        return prove(log, index)
    except NotSigned as unsigned:
        try:
            checkpoints.sign_now(log)
        except checkpoints.NotSigned as reason:
            raise NotSigned(str(reason)) from unsigned
        except keys.Unsound as reason:
            raise NotSigned(reason.public) from unsigned
        except OSError as error:
            words = error.strerror or type(error).__name__
            raise NotSigned(f'The log "{log.slug}" cannot be signed: {words}') from unsigned
        return prove(log, index)


def write_file(found: LeafProof) -> str:
    """Return the proof as a file (C2SP tlog-proof), whose extra data is the leaf."""
    return format_proof(replace(found.proof, extra=found.leaf))


def write_receipt(found: LeafProof) -> bytes:
    """Return the proof as a COSE receipt, which is signed now. Raises NotSigned."""
    if incident := incidents.current(found.log):
        raise NotSigned(str(checkpoints.Stopped(incident)))
    try:
        signer = keys.signers(found.log)[-1]
    except keys.Unsound as reason:
        raise NotSigned(reason.public) from None
    return sign_receipt(
        index=found.proof.index,
        size=found.checkpoint.size,
        path=found.proof.path,
        root=bytes(found.checkpoint.root),
        signer=signer,
        subject=f"leaf {found.proof.index}",
        issued=int(datetime.now(UTC).timestamp()),
    )


def _make_proof(log: Log, index: int, leaf: bytes, signed: Checkpoint) -> Proof:
    """Return the proof of a leaf, once it leads to the signed root. Raises Broken."""
    try:
        path = tuple(merkle.prove_inclusion(index, signed.size, hashes.reader(log.pk, signed.size)))
        proof = Proof(index, path, signed.note)
        verified = verify_proof(proof, merkle.hash_leaf(leaf), keys.verifiers(log), log.origin)
    except (BadTile, BadProof, BadNote) as reason:
        raise Broken(_say_broken(log, index, signed, str(reason))) from None
    if (verified.size, verified.root) != (signed.size, bytes(signed.root)):
        raise Broken(_say_broken(log, index, signed, "The checkpoint differs from its row."))
    return proof


def _say_broken(log: Log, index: int, signed: Checkpoint, reason: str) -> str:
    end = LogEnd.objects.get(log=log).size
    if end < signed.size:
        return (
            f"The log has {leaves(end)}, but {signed.size:,} were signed. Its newest leaves were "
            f"removed, so leaf {index:,} cannot be proven."
        )
    return (
        f"Leaf {index:,} does not lead to the root that was signed for {leaves(signed.size)}. "
        f"The log has changed since. {reason}"
    )


def _find_unsigned(log: Log, index: int) -> NotSigned:
    """Return why no checkpoint covers a leaf."""
    if incident := incidents.current(log):
        return NotSigned(f"No checkpoint covers leaf {index:,}. {incident.message}")
    return NotYetSigned(
        f"No checkpoint covers leaf {index:,} yet. A proof is usually available within {SOON} s."
    )
