"""One proof for many leaves of a tree (docs/design/evidence-pack.md, "One proof for all leaves").

The leaves that are shown, and the hashes of perfect subtrees between them, cover the tree from left
to right. Of 8 leaves, 2 and 5 are shown:

    0   1   2   3   4   5   6   7
    [ (1,0) ] 2   3   4   5  [ (1,3) ]

So nobody needs more than the hashes of the perfect subtrees on the left of the place where they
are: at most one of each level. A self-check grows a tree from them too.
"""

from collections.abc import Iterator
from hashlib import sha256

from cablese.tlog.merkle import EMPTY, Read


def cover(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the level and index of the largest perfect subtrees over leaves, from left to right."""
    while first < last:
        level = (last - first).bit_length() - 1
        if first:
            level = min(level, (first & -first).bit_length() - 1)
        yield level, first >> level
        first += 1 << level


class Frontier:
    """The hashes of a tree's perfect subtrees, from the left up to leaf `at`."""

    __slots__ = ("_hashes", "at")

    def __init__(self) -> None:
        self.at = 0
        self._hashes: list[bytes] = []

    def push(self, level: int, found: bytes) -> None:
        """Add the subtree of a level that begins at `at`, which is a multiple of its leaves."""
        hashes, bit = self._hashes, 1 << level
        assert not self.at & bit - 1, "a subtree begins where one of its size can"
        while self.at & bit:
            found = sha256(b"\1" + hashes.pop() + found).digest()
            self.at ^= bit
            bit <<= 1
        hashes.append(found)
        self.at |= bit

    def push_leaf(self, data: bytes) -> None:
        """Add a leaf by its bytes (RFC 6962 § 2.1)."""
        self.push(0, sha256(b"\0" + data).digest())

    def root(self) -> bytes:
        """Return the root over the leaves up to here."""
        if not self._hashes:
            return EMPTY
        found = self._hashes[-1]
        for left in self._hashes[-2::-1]:
            found = sha256(b"\1" + left + found).digest()
        return found

    def copy(self) -> "Frontier":
        other = Frontier()
        other.at, other._hashes = self.at, [*self._hashes]
        return other


def restore(size: int, read: Read) -> Frontier:
    """Return the frontier after the first leaves of a tree. It raises what `read` raises."""
    frontier = Frontier()
    for level, index in cover(0, size):
        frontier.push(level, read(level, index))
    return frontier
