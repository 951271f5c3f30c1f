"""A digest that a browser can make of a large file, and of its beginnings, in one pass.

It is the SHA-256 of the SHA-256 hashes of all blocks of 1 MiB, of which the last may be shorter.
Browsers hash only what is in memory, so they cannot make the SHA-256 of a file of 1 GB.
`static/audit/block_digest.js` does the same.
"""

from collections.abc import Collection
from functools import partial
from hashlib import sha256
from typing import BinaryIO

BLOCK = 1 << 20


def read(file: BinaryIO, sizes: Collection[int]) -> dict[int, bytes]:
    """Return the digest of the first bytes of a file, read from where it is, for each of the sizes
    that it has.
    """
    found = {0: sha256().digest()} if 0 in sizes else {}
    wanted = sorted(set(sizes) - {0}, reverse=True)
    hashes, at = sha256(), 0
    for block in iter(partial(file.read, BLOCK), b""):
        while wanted and wanted[-1] <= at + len(block):
            size = wanted.pop()
            reached = hashes.copy()
            reached.update(sha256(block[: size - at]).digest())
            found[size] = reached.digest()
        if not wanted:
            break
        hashes.update(sha256(block).digest())
        at += len(block)
    return found
