"""A proof as the API answers it."""

from base64 import b64encode

from msgspec import Struct

from auditlog.log.leaf import format_time
from auditlog.proofs import inclusion
from auditlog.proofs.inclusion import LeafProof


class ProofRecord(Struct, frozen=True):
    """That a leaf is in the tree of a signed checkpoint.

    ``path`` is the audit path of RFC 6962, from the sibling of the leaf up; ``root`` and its hashes
    are in base64. ``checkpoint`` is the signed note. ``signed`` is when this server stored it; the
    signature does not cover it. ``file`` is all of it as a C2SP tlog-proof.
    """

    origin: str
    leaf: int
    leaf_hash: str
    size: int
    root: str
    path: tuple[str, ...]
    checkpoint: str
    signed: str
    file: str


def record(found: LeafProof) -> ProofRecord:
    """Return a proof for the API."""
    return ProofRecord(
        origin=found.log.origin or found.log.slug,
        leaf=found.proof.index,
        leaf_hash=found.leaf_hash.hex(),
        size=found.checkpoint.size,
        root=b64encode(bytes(found.checkpoint.root)).decode(),
        path=tuple(b64encode(one).decode() for one in found.proof.path),
        checkpoint=found.checkpoint.note,
        signed=format_time(found.checkpoint.signed),
        file=inclusion.write_file(found),
    )
