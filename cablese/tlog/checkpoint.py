"""Checkpoints: the size and the root of a log, which its key signs (C2SP tlog-checkpoint).

The text of the note is three lines: the origin of the log, its size, and its root in base64. Other
logs may add lines; we never do, and ignore theirs.
"""

import re
from base64 import b64encode
from collections.abc import Collection
from typing import NamedTuple

from cablese.tlog import note
from cablese.tlog.merkle import SIZE
from cablese.tlog.note import ED25519, BadNote, Verifier

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")
_MOST = 1 << 63
"""More leaves than a log can have."""


class Checkpoint(NamedTuple):
    """What a log is at one moment."""

    origin: str
    size: int
    root: bytes


def format_checkpoint(checkpoint: Checkpoint) -> str:
    """Return the text to sign."""
    root = b64encode(checkpoint.root).decode()
    return f"{checkpoint.origin}\n{checkpoint.size}\n{root}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint in the text of a note. Raises BadNote."""
    lines = text.split("\n")
    if len(lines) < 4 or lines.pop() or not all(lines):
        raise BadNote("Expected an origin, a size, and a root, each in a line.")
    origin, size, encoded, *_ = lines
    root = note.decode(encoded)
    leaves = parse_size(size)
    if leaves is None:
        raise BadNote("The size of a checkpoint is malformed.")
    if root is None or len(root) != SIZE:
        raise BadNote("The root of a checkpoint is malformed.")
    return Checkpoint(origin, leaves, root)


def parse_size(text: str) -> int | None:
    """Return a number of leaves; None unless it is spelled as in checkpoints."""
    return int(text) if _SIZE.fullmatch(text) and int(text) < _MOST else None


def open_checkpoint(
    signed: str, verifiers: Collection[Verifier], origin: str | None = None
) -> Checkpoint:
    """Return the checkpoint that a known key of its log signed, of the log with this origin. Raises
    BadNote.

    Neither the key of a witness nor that of another log is enough: the name of the log's key is its
    origin (C2SP tlog-proof, "Verifying a tlog proof", 2).
    """
    opened = note.open(signed, verifiers)
    found = parse_checkpoint(opened.text)
    if origin is not None and found.origin != origin:
        raise BadNote(f"The checkpoint is of {found.origin}. Expected {origin}.")
    own = {(one.name, one.key_id) for one in verifiers if one.algorithm == ED25519}
    signers = own.intersection((one.name, one.key_id) for one in opened.signatures)
    if not any(name == found.origin for name, _ in signers):
        raise BadNote(f"No known key of {found.origin} signed this checkpoint.")
    return found
