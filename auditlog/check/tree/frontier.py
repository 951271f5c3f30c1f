"""The root of a tree while it grows: the perfect subtrees that it consists of, from the left.

Seven leaves are subtrees of four, two, and one. A new leaf is merged with those of its size.
"""

from cablese.tlog import merkle
from cablese.tlog.merkle import Read, hash_node


class Frontier:
    """The perfect subtrees over the first leaves of a log: their levels, and their hashes."""

    def __init__(self) -> None:
        self._subtrees: list[tuple[int, bytes]] = []
        self.size = 0

    def add(self, level: int, digest: bytes) -> None:
        """Add the next perfect subtree. No subtree before it is smaller."""
        self.size += 1 << level
        while self._subtrees and self._subtrees[-1][0] == level:
            digest = hash_node(self._subtrees.pop()[1], digest)
            level += 1
        self._subtrees.append((level, digest))

    def root(self) -> bytes:
        """Return the root of the tree so far."""
        if not self._subtrees:
            return merkle.EMPTY
        *others, (_, found) = self._subtrees
        for _, digest in reversed(others):
            found = hash_node(digest, found)
        return found

    def copy(self) -> "Frontier":
        other = Frontier()
        other._subtrees, other.size = [*self._subtrees], self.size
        return other


def restore(size: int, read: Read) -> Frontier:
    """Return the frontier of a tree that is read. It raises what `read` raises."""
    frontier = Frontier()
    for level in reversed(range(size.bit_length())):
        if size >> level & 1:
            frontier.add(level, read(level, frontier.size >> level))
    return frontier
