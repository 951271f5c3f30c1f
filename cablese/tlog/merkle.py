"""Merkle trees of RFC 6962 § 2.1: roots, inclusion proofs, and consistency proofs.

A tree over n leaves is a perfect tree over the largest power of two below n, beside a tree over the
rest. So every hash of a tree, a root, or a proof is made of hashes of perfect subtrees, which never
change while the tree grows. `Read` gives them by level and index:

    level 2        (2,0)
    level 1    (1,0)   (1,1)    (1,2)
    level 0    0   1   2   3    4   5   6

The root of these 7 leaves is hash((2,0), hash((1,2), 6)). Hashes are 32 bytes of SHA-256.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256

Read = Callable[[int, int], bytes]
"""Gives the hash of the perfect subtree over ``1 << level`` leaves from ``index << level``."""
EMPTY = sha256(b"").digest()
"""The root of the tree without leaves."""
SIZE = 32
"""Bytes of a hash."""


class BadProof(ValueError):
    """A proof that does not prove what it should. The words say where it fails."""


def hash_leaf(data: bytes) -> bytes:
    """Return the hash of a leaf. Its first byte tells it from an inner node (§ 2.1)."""
    return sha256(b"\0" + data).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node (§ 2.1)."""
    return sha256(b"\1" + left + right).digest()


def hash_perfect(hashes: Sequence[bytes]) -> bytes:
    """Return the root over hashes of one level, whose number is a power of two."""
    while len(hashes) > 1:
        pairs = zip(hashes[::2], hashes[1::2], strict=True)
        hashes = [sha256(b"\1" + left + right).digest() for left, right in pairs]
    return hashes[0]


def root(size: int, read: Read) -> bytes:
    """Return the root of the tree over the first ``size`` leaves (§ 2.1)."""
    return _hash_range(0, size, read) if size else EMPTY


def prove_inclusion(index: int, size: int, read: Read) -> list[bytes]:
    """Return the audit path of a leaf, from its sibling up (§ 2.1.1)."""
    if not 0 <= index < size:
        raise ValueError(f"There is no leaf {index} in a tree of {size}.")
    return [_hash_range(first, last, read) for first, last in list_siblings(index, size)]


def list_siblings(index: int, size: int) -> list[tuple[int, int]]:
    """Return the leaves below each hash of an audit path, from the sibling of the leaf up: the
    first, and the one after the last.
    """
    found = []
    first, last = 0, size
    while last - first > 1:
        middle = first + _split(last - first)
        if index < middle:
            found.append((middle, last))
            last = middle
        else:
            found.append((first, middle))
            first = middle
    return found[::-1]


def prove_consistency(old: int, new: int, read: Read) -> list[bytes]:
    """Return the proof that the tree over ``new`` leaves begins with that over ``old`` (§ 2.1.2).

    It is empty for two trees of one size.
    """
    if not 0 < old <= new:
        raise ValueError(f"A tree of {new} leaves proves nothing about one of {old}.")
    path = []
    first, last = 0, new
    while old != last:
        middle = first + _split(last - first)
        if old <= middle:
            path.append(_hash_range(middle, last, read))
            last = middle
        else:
            path.append(_hash_range(first, middle, read))
            first = middle
    if first:
        path.append(_hash_range(first, last, read))
    return path[::-1]


def verify_inclusion(
    leaf_hash: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """Check that a leaf is in the tree with this root (RFC 9162 § 2.1.3.2). Raises BadProof."""
    if climb(leaf_hash, index, size, proof) != root:
        raise BadProof(f"Leaf {index} is not in the tree of {size} leaves with this root.")


def climb(leaf_hash: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root that an inclusion proof leads to. Raises BadProof if it has too few or too
    many hashes for its place.
    """
    if not 0 <= index < size:
        raise BadProof(f"There is no leaf {index} in a tree of {size}.")
    _require_hashes([leaf_hash, *proof])
    at, last = index, size - 1
    found = leaf_hash
    for number, sibling in enumerate(proof, 1):
        if last == 0:
            raise BadProof(f"The proof has {len(proof)} hashes. Expected {number - 1}.")
        if at & 1 or at == last:
            found = hash_node(sibling, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = hash_node(found, sibling)
        at, last = at >> 1, last >> 1
    if last:
        raise BadProof(f"The proof has only {len(proof)} hashes.")
    return found


def verify_consistency(
    old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes
) -> None:
    """Check that a tree begins with an older one (RFC 9162 § 2.1.4.2). Raises BadProof.

    Every tree begins with the empty one, which proves nothing, so that there is no such proof.
    """
    if not 0 <= old <= new or old == 0 < new:
        raise BadProof(f"A tree of {new} leaves cannot be shown to begin with one of {old}.")
    _require_hashes(proof)
    if old == new:
        _require_same(old, proof, old_root, new_root)
        return
    path = [*proof]
    if not old & (old - 1):  # a perfect tree is a node of the new one, and not in the proof
        path.insert(0, old_root)
    if not path:
        raise BadProof("The proof has no hashes.")
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = path[0]
    for sibling in path[1:]:
        if last == 0:
            raise BadProof(f"The proof has too many hashes: {len(proof)}.")
        if at & 1 or at == last:
            before, after = hash_node(sibling, before), hash_node(sibling, after)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            after = hash_node(after, sibling)
        at, last = at >> 1, last >> 1
    if last:
        raise BadProof(f"The proof has only {len(proof)} hashes.")
    if before != old_root:
        raise BadProof(f"The proof does not fit the older root, of {old} leaves.")
    if after != new_root:
        raise BadProof(f"The proof does not fit the newer root, of {new} leaves.")


def _require_same(size: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes) -> None:
    if proof:
        raise BadProof(f"The proof has {len(proof)} hashes. Expected none.")
    if old_root != new_root:
        raise BadProof(f"Two trees of {size} leaves have different roots.")
    if size == 0 and old_root != EMPTY:
        raise BadProof("The root of the empty tree is wrong.")


def _require_hashes(hashes: Sequence[bytes]) -> None:
    if any(len(one) != SIZE for one in hashes):
        raise BadProof(f"A hash does not have {SIZE} bytes.")


def _hash_range(first: int, last: int, read: Read) -> bytes:
    """Return the hash over leaves. They are a subtree: ``first`` is a multiple of a power of two
    that is at least their number.
    """
    found: bytes | None = None
    while first < last:  # from the smallest perfect subtree, at the end, to the largest
        level = ((last - first) & -(last - first)).bit_length() - 1
        subtree = read(level, (last >> level) - 1)
        found = subtree if found is None else hash_node(subtree, found)
        last -= 1 << level
    assert found is not None, "a range of leaves is not empty"
    return found


def _split(number: int) -> int:
    """Return the largest power of two below a number."""
    return 1 << (number - 1).bit_length() - 1
