"""Proofs that a leaf is in a log, in one file that needs no other (C2SP tlog-proof).

    c2sp.org/tlog-proof@v1
    index 812
    gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
    B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=

    example.com/log/default
    …

The hashes are the audit path of the leaf, from its sibling up, and the rest is a checkpoint as it
was published. Extra data is signed by nobody.
"""

import re
from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass

from cablese.tlog import merkle, note
from cablese.tlog.checkpoint import Checkpoint, open_checkpoint
from cablese.tlog.merkle import SIZE, BadProof
from cablese.tlog.note import Verifier

HEADER = "c2sp.org/tlog-proof@v1"
LIMIT = 1_000_000
"""Characters of a proof that are read."""
_INDEX = re.compile(r"index (0|[1-9][0-9]{0,18})")
_EXTRA = "extra "
_HASHES = 64


@dataclass(frozen=True, slots=True)
class Proof:
    """The audit path of a leaf in the tree of a checkpoint, which is the whole signed note."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None


def format_proof(proof: Proof) -> str:
    """Return the text of a proof file."""
    lines = [HEADER]
    if proof.extra is not None:
        lines.append(_EXTRA + b64encode(proof.extra).decode())
    lines.append(f"index {proof.index}")
    lines += [b64encode(one).decode() for one in proof.path]
    return "\n".join([*lines, "", proof.checkpoint])


def parse_proof(text: str) -> Proof:
    """Return the proof in a file. Raises BadProof if it is not one; nothing is verified yet."""
    if len(text) > LIMIT:
        raise BadProof(f"The proof is longer than {LIMIT:,} characters.")
    head, blank, checkpoint = text.partition("\n\n")
    header, *lines = head.split("\n")
    if header != HEADER:
        raise BadProof(f"Line 1: expected {HEADER}.")
    if not blank:
        raise BadProof("The proof has no checkpoint.")
    extra = None
    if lines and lines[0].startswith(_EXTRA):
        extra = note.decode(lines.pop(0).removeprefix(_EXTRA))
        if extra is None:
            raise BadProof("Line 2: the extra data is not base64.")
    first = 2 if extra is None else 3
    found = _INDEX.fullmatch(lines[0]) if lines else None
    if found is None:
        raise BadProof(f"Line {first}: expected index and a number.")
    path = tuple(_parse_hash(line, number) for number, line in enumerate(lines[1:], first + 1))
    if len(path) > _HASHES:
        raise BadProof(f"The proof has {len(path)} hashes. The limit is {_HASHES}.")
    return Proof(int(found[1]), path, checkpoint, extra)


def verify_proof(
    proof: Proof, leaf_hash: bytes, verifiers: Collection[Verifier], origin: str | None = None
) -> Checkpoint:
    """Return the checkpoint in whose tree a leaf is. Raises BadProof, and note.BadNote for a
    checkpoint that no known key signed.
    """
    checkpoint = open_checkpoint(proof.checkpoint, verifiers, origin)
    merkle.verify_inclusion(leaf_hash, proof.index, checkpoint.size, proof.path, checkpoint.root)
    return checkpoint


def _parse_hash(line: str, number: int) -> bytes:
    found = note.decode(line)
    if found is None or len(found) != SIZE:
        raise BadProof(f"Line {number}: expected a hash of {SIZE} bytes in base64.")
    return found
