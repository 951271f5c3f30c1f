"""One proof for many leaves, against roots by the definition: every choice in small trees."""

from itertools import combinations
from random import Random

import pytest

from cablese.tlog.frontier import Frontier, cover, restore
from tests.cablese.tlog.test_merkle import HASHES, ROOTS, read


def prove(chosen: list[int], size: int) -> bytes:
    """The root of a tree of which only some leaves are shown."""
    frontier = Frontier()
    for leaf in [*chosen, size]:
        for level, index in cover(frontier.at, leaf):
            frontier.push(level, read(level, index))
        if leaf < size:
            frontier.push(0, HASHES[leaf])
    return frontier.root()


@pytest.mark.parametrize("size", range(12))
def test_every_selection_of_a_small_tree_gives_its_root(size: int) -> None:
    for number in range(size + 1):
        for chosen in combinations(range(size), number):
            assert prove([*chosen], size) == ROOTS[size]


def test_some_leaves_of_larger_trees_give_their_roots() -> None:
    random = Random(1)
    for size in range(12, 301):
        chosen = sorted(random.sample(range(size), random.randrange(size)))
        assert prove(chosen, size) == ROOTS[size]


def test_subtrees_between_two_leaves_are_the_largest() -> None:
    assert [*cover(3, 17)] == [(0, 3), (2, 1), (3, 1), (0, 16)]
    assert [*cover(5, 5)] == []


def test_a_leaf_is_hashed_as_in_the_tree() -> None:
    frontier = Frontier()
    frontier.push_leaf(b"0")
    assert frontier.root() == ROOTS[1]


def test_another_hash_gives_another_root() -> None:
    frontier = Frontier()
    frontier.push(1, read(1, 0))
    frontier.push(0, HASHES[3])
    assert frontier.root() != ROOTS[3]


def test_a_tree_is_continued_from_what_was_stored_of_it() -> None:
    for size in range(12):
        frontier = restore(size, read)
        assert (frontier.at, frontier.root()) == (size, ROOTS[size])
        frontier.push(0, HASHES[size])
        assert frontier.root() == ROOTS[size + 1]


def test_a_copy_grows_alone() -> None:
    frontier = restore(5, read)
    frontier.copy().push(0, HASHES[5])
    assert (frontier.at, frontier.root()) == (5, ROOTS[5])
