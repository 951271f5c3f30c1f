"""The steps of a path lead from the leaf to the root, over ranges that fit together."""

from itertools import pairwise

import pytest

from auditlog.proofs.path import list_steps
from cablese.tlog import merkle
from tests.auditlog.tree.leaves import expected_hashes, expected_root
from tests.cablese.tlog.reading import reader


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13, 64, 100])
def test_it_climbs_from_each_leaf_to_the_root(size: int) -> None:
    hashes = expected_hashes(size)
    read = reader(hashes)

    for index in range(size):
        path = merkle.prove_inclusion(index, size, read)
        steps = list_steps(hashes[index], index, size, path)
        assert len(steps) == len(path)
        for step, after in pairwise(steps):
            assert step.parent == after.node
        if steps:
            assert steps[0].node == (index, index, hashes[index])
            assert steps[-1].parent == (0, size - 1, expected_root(hashes))


def test_a_sibling_is_left_or_right() -> None:
    steps = list_steps(bytes(32), 4, 7, [bytes([at]) * 32 for at in range(3)])

    seen = [(step.sibling[:2], step.is_right, step.parent[:2]) for step in steps]
    assert seen == [((5, 5), True, (4, 5)), ((6, 6), True, (4, 6)), ((0, 3), False, (0, 6))]
