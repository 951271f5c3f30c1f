"""Trees of hashes, against a definition by recursion and against roots that others computed."""

from functools import cache
from hashlib import sha256

import pytest

from cablese.tlog import merkle
from cablese.tlog.merkle import BadProof

SIZE = 300
HASHES = [merkle.hash_leaf(str(number).encode()) for number in range(SIZE)]


def define(hashes: list[bytes]) -> bytes:
    """The root by the definition in RFC 6962 § 2.1."""
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"").digest()
    at = 1
    while at * 2 < len(hashes):
        at *= 2
    return sha256(b"\1" + define(hashes[:at]) + define(hashes[at:])).digest()


@cache
def read(level: int, index: int) -> bytes:
    return define(HASHES[index << level : (index + 1) << level])


ROOTS = [define(HASHES[:size]) for size in range(SIZE + 1)]


def test_every_root_is_the_defined_one() -> None:
    assert [merkle.root(size, read) for size in range(SIZE + 1)] == ROOTS


def test_roots_are_those_of_other_implementations() -> None:
    data = [
        bytes.fromhex(text)
        for text in (
            "", "00", "10", "2021", "3031", "40414243",
            "5051525354555657", "606162636465666768696a6b6c6d6e6f",
        )
    ]  # fmt: skip
    hashes = [merkle.hash_leaf(one) for one in data]
    root = merkle.root(
        8, lambda level, index: define(hashes[index << level : (index + 1) << level])
    )
    assert root.hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def test_every_leaf_of_every_tree_is_proved() -> None:
    for size in range(1, SIZE + 1):
        for index in range(size):
            proof = merkle.prove_inclusion(index, size, read)
            merkle.verify_inclusion(HASHES[index], index, size, proof, ROOTS[size])


def test_every_tree_is_consistent_with_every_older_one() -> None:
    for new in range(1, SIZE + 1):
        for old in range(1, new + 1):
            proof = merkle.prove_consistency(old, new, read)
            merkle.verify_consistency(old, new, proof, ROOTS[old], ROOTS[new])


SMALL = range(1, 20)


def spoil(proof: list[bytes]) -> list[list[bytes]]:
    """A proof with a bit of a hash changed, one hash more or less, or two in another order."""
    changed = [
        [*proof[:at], bytes([one[0] ^ 1]) + one[1:], *proof[at + 1 :]]
        for at, one in enumerate(proof)
    ]
    return [
        *changed,
        proof[1:] if proof else [HASHES[0]],
        proof[:-1] if proof else [HASHES[0]],
        [*proof, HASHES[0]],
        [HASHES[0], *proof],
        *([proof[::-1]] if len(proof) > 1 else []),
        *([[one[:-1] for one in proof]] if proof else []),
    ]


@pytest.mark.parametrize("size", SMALL)
def test_a_spoiled_inclusion_proof_is_refused(size: int) -> None:
    for index in range(size):
        proof = merkle.prove_inclusion(index, size, read)
        cases = [(HASHES[index], index, size, bad, ROOTS[size]) for bad in spoil(proof)]
        cases += [
            (HASHES[index + 1], index, size, proof, ROOTS[size]),
            (HASHES[index], index, size, proof, ROOTS[size + 1]),
            (HASHES[index], -1, size, proof, ROOTS[size]),
            (HASHES[index], size, size, proof, ROOTS[size]),
            (HASHES[index], index + size, size * 2, proof, ROOTS[size]),
            (HASHES[index][:-1], index, size, proof, ROOTS[size]),
        ]
        for case in cases:
            with pytest.raises(BadProof):
                merkle.verify_inclusion(*case)
        for other in set(range(size)) - {index}:
            with pytest.raises(BadProof):
                merkle.verify_inclusion(HASHES[index], other, size, proof, ROOTS[size])


@pytest.mark.parametrize("new", SMALL)
def test_a_spoiled_consistency_proof_is_refused(new: int) -> None:
    for old in range(1, new + 1):
        proof = merkle.prove_consistency(old, new, read)
        cases = [(old, new, bad, ROOTS[old], ROOTS[new]) for bad in spoil(proof)]
        cases += [
            (old, new, proof, ROOTS[old - 1], ROOTS[new]),
            (old, new, proof, ROOTS[old], ROOTS[new + 1]),
            (new + 1, new, proof, ROOTS[new + 1], ROOTS[new]),
            (0, new, [], ROOTS[0], ROOTS[new]),
            (-1, new, proof, ROOTS[old], ROOTS[new]),
        ]
        for case in cases:
            with pytest.raises(BadProof):
                merkle.verify_consistency(*case)


def test_two_empty_trees_are_the_same_if_their_roots_are() -> None:
    merkle.verify_consistency(0, 0, [], merkle.EMPTY, merkle.EMPTY)
    for proof, root in (([], HASHES[0]), ([merkle.EMPTY], merkle.EMPTY)):
        with pytest.raises(BadProof):
            merkle.verify_consistency(0, 0, proof, root, root)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (-1, 4), (4, 4)])
def test_there_is_no_proof_of_a_leaf_outside_of_the_tree(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        merkle.prove_inclusion(index, size, read)


@pytest.mark.parametrize(("old", "new"), [(0, 3), (4, 3), (-1, 3)])
def test_there_is_no_proof_of_an_empty_or_a_larger_tree(old: int, new: int) -> None:
    with pytest.raises(ValueError, match="proves nothing"):
        merkle.prove_consistency(old, new, read)


@pytest.mark.parametrize("old", [3, 4])
def test_a_consistency_proof_without_hashes_is_refused(old: int) -> None:
    with pytest.raises(BadProof, match=r"has no hashes|has only 0 hashes"):
        merkle.verify_consistency(old, 7, [], ROOTS[old], ROOTS[7])


def test_a_larger_tree_is_not_shown_by_the_proof_of_a_smaller_one() -> None:
    proof = merkle.prove_consistency(2, 4, read)
    merkle.verify_consistency(2, 4, proof, ROOTS[2], ROOTS[4])

    with pytest.raises(BadProof, match="has only 1 hashes"):
        merkle.verify_consistency(2, 8, proof, ROOTS[2], ROOTS[4])


def test_two_trees_with_a_hash_above_their_roots_are_refused() -> None:
    proof, above = merkle.prove_consistency(3, 4, read), HASHES[0]
    old_root, new_root = (merkle.hash_node(above, ROOTS[size]) for size in (3, 4))

    with pytest.raises(BadProof, match="too many hashes"):
        merkle.verify_consistency(3, 4, [*proof, above], old_root, new_root)
