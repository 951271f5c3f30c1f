"""The body of a request for a cosignature (C2SP tlog-witness, add-checkpoint).

    old 20852014
    PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=

    example.com/log/default
    20852163
    …

That is the size that the witness cosigned last, a consistency proof, an empty line, and the note.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple

from cablese.tlog import note
from cablese.tlog.merkle import SIZE

LIMIT = 64 * 1024
"""Bytes of a body."""
PROOF_LIMIT = 63
"""Hashes of a consistency proof."""
_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})")


class BadSubmission(ValueError):
    """A body that cannot be read; the words say why."""


class Submission(NamedTuple):
    """A checkpoint, and the proof that its tree begins with one of `old` leaves."""

    old: int
    proof: tuple[bytes, ...]
    note: str


def format_submission(old: int, proof: Sequence[bytes], signed: str) -> str:
    """Return the body of a request."""
    hashes = "".join(f"{b64encode(one).decode()}\n" for one in proof)
    return f"old {old}\n{hashes}\n{signed}"


def parse_submission(body: str) -> Submission:
    """Return what a body says. Raises BadSubmission."""
    head, blank, signed = body.partition("\n\n")
    first, *lines = head.split("\n")
    old = _OLD.fullmatch(first)
    if old is None or not blank:
        raise BadSubmission("Expected a line such as old 812, a proof, an empty line, and a note.")
    if len(lines) > PROOF_LIMIT:
        raise BadSubmission(f"The proof has {len(lines)} hashes. The limit is {PROOF_LIMIT}.")
    hashes = [note.decode(line) for line in lines]
    proof = tuple(one for one in hashes if one is not None and len(one) == SIZE)
    if len(proof) != len(lines):
        raise BadSubmission("A line of the proof is not a hash in base64.")
    return Submission(int(old[1]), proof, signed)
