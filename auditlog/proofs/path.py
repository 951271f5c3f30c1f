"""The path of a proof, step by step from the leaf to the root, to be drawn."""

from collections.abc import Sequence
from typing import NamedTuple

from cablese.tlog.merkle import hash_node, list_siblings


class Node(NamedTuple):
    """The hash over the leaves from ``first`` to ``last``, both inclusive."""

    first: int
    last: int
    hash: bytes


class Step(NamedTuple):
    """A node of the path, its sibling from the proof, and the node over both."""

    node: Node
    sibling: Node
    parent: Node

    @property
    def is_right(self) -> bool:
        """Whether the sibling is to the right of the node."""
        return self.sibling.first > self.node.first


def list_steps(leaf_hash: bytes, index: int, size: int, path: Sequence[bytes]) -> list[Step]:
    """Return the steps of an audit path, from the leaf up. The path is that of the leaf."""
    steps = []
    node = Node(index, index, leaf_hash)
    for (first, end), digest in zip(list_siblings(index, size), path, strict=True):
        sibling = Node(first, end - 1, digest)
        left, right = sorted((node, sibling))
        parent = Node(left.first, right.last, hash_node(left.hash, right.hash))
        steps.append(Step(node, sibling, parent))
        node = parent
    return steps
