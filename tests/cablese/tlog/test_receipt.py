"""COSE receipts, which a strange library accepts, and spoiled ones, which nobody does."""

from typing import Any

import pytest
import scitt_cose
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from cablese.tlog import cbor, merkle, note, receipt
from cablese.tlog.cbor import Tag
from cablese.tlog.merkle import BadProof
from cablese.tlog.receipt import BadReceipt
from tests.cablese.tlog.reading import reader

ORIGIN = "example.com/log/default"
SIGNER = note.make_signer(ORIGIN, bytes(range(32)))
LEAVES = [str(number).encode() for number in range(13)]
HASHES = [merkle.hash_leaf(leaf) for leaf in LEAVES]
read = reader(HASHES)


def make(index: int = 5, size: int = 13, **changed: Any) -> bytes:
    values: dict[str, Any] = {
        "index": index,
        "size": size,
        "path": merkle.prove_inclusion(index, size, read),
        "root": merkle.root(size, read),
        "signer": SIGNER,
        "subject": "packet 7",
        "issued": 1_790_000_000,
    }
    return receipt.sign_receipt(**values | changed)


@pytest.mark.parametrize("index", range(13))
def test_a_strange_library_accepts_it(index: int) -> None:
    public = Ed25519PublicKey.from_public_bytes(SIGNER.verifier.public)
    pem = public.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )

    found = scitt_cose.verify_receipt(
        make(index), leaf_entry_hex=LEAVES[index].hex(), log_public_key_pem=pem
    )

    assert found.ok, found.errors
    assert (found.leaf_index, found.tree_size, found.issuer) == (index, 13, ORIGIN)
    assert found.root == merkle.root(13, read).hex()
    assert (found.subject, found.iat) == ("packet 7", 1_790_000_000)


@pytest.mark.parametrize("size", range(1, 14))
def test_it_is_verified_and_says_what_it_proves(size: int) -> None:
    for index in range(size):
        found = receipt.verify_receipt(make(index, size), HASHES[index], [SIGNER.verifier])
        assert (found.index, found.size, found.root) == (index, size, merkle.root(size, read))
        assert (found.issuer, found.subject) == (ORIGIN, "packet 7")


def test_a_receipt_of_something_else_is_refused() -> None:
    good, stranger = make(), note.generate(ORIGIN)
    for data, leaf_hash, keys in (
        (good, HASHES[4], [SIGNER.verifier]),
        (good, HASHES[5], [stranger.verifier]),
        (good, HASHES[5], []),
        (make(root=HASHES[0]), HASHES[5], [SIGNER.verifier]),
        (make(signer=stranger), HASHES[5], [SIGNER.verifier]),
    ):
        with pytest.raises(BadReceipt):
            receipt.verify_receipt(data, leaf_hash, keys)
    for path in ([], [HASHES[0]] * 5, [b"short"] * 4):
        with pytest.raises(BadProof):
            receipt.verify_receipt(make(path=path), HASHES[5], [SIGNER.verifier])


def rewrite(**changed: Any) -> bytes:
    """A receipt with another part of the COSE_Sign1."""
    tag = cbor.decode(make())
    protected, unprotected, payload, signature = tag.value
    parts = {
        "protected": protected,
        "unprotected": unprotected,
        "payload": payload,
        "signature": signature,
    }
    return cbor.encode(Tag(changed.pop("tag", 18), list((parts | changed).values())))


PROOF = cbor.decode(make()).value[1][396][-1][0]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xd2", b"\x00" * 9, b"x" * (receipt.LIMIT + 1),
        rewrite(tag=17),
        rewrite(payload=merkle.root(13, read)),
        rewrite(signature=b""),
        rewrite(signature="text"),
        rewrite(protected=b""),
        rewrite(protected=cbor.encode([1])),
        rewrite(protected=cbor.encode({1: -7, 395: 1})),
        rewrite(protected=cbor.encode({1: -8, 4: SIGNER.key_id, 395: 2})),
        rewrite(protected=cbor.encode({1: -8, 2: [99], 4: SIGNER.key_id, 395: 1})),
        rewrite(protected=cbor.encode({1: -8, 4: SIGNER.key_id, 15: [], 395: 1})),
        rewrite(unprotected={}),
        rewrite(unprotected={396: {-1: []}}),
        rewrite(unprotected={396: {-1: [PROOF, PROOF]}}),
        rewrite(unprotected={396: {-1: [cbor.encode([13, 5])]}}),
        rewrite(unprotected={396: {-1: [cbor.encode([True, False, []])]}}),
        rewrite(unprotected={396: {-1: [cbor.encode([13, 5, ["text"]])]}}),
        rewrite(unprotected={396: {-1: ["text"]}}),
    ],
)  # fmt: skip
def test_a_malformed_receipt_is_refused(data: bytes) -> None:
    with pytest.raises(BadReceipt):
        receipt.verify_receipt(data, HASHES[5], [SIGNER.verifier])


@given(st.integers(0, len(make()) - 1), st.integers(1, 255))
def test_no_changed_byte_is_accepted(at: int, change: int) -> None:
    data = bytearray(make())
    data[at] ^= change
    with pytest.raises((BadReceipt, BadProof)):
        receipt.verify_receipt(bytes(data), HASHES[5], [SIGNER.verifier])


def test_a_log_gives_no_receipts_of_another() -> None:
    """Its key signed the claim, so only the name of the key says whose receipt it is."""
    liar = SIGNER._replace(name="example.com/log/other")
    with pytest.raises(BadReceipt, match="another log"):
        receipt.verify_receipt(make(signer=liar), HASHES[5], [SIGNER.verifier])


def signed_with(headers: dict[int, Any]) -> bytes:
    """A receipt whose signature covers other headers."""
    protected = cbor.encode(headers)
    covered = cbor.encode(["Signature1", protected, b"", merkle.root(13, read)])
    return rewrite(protected=protected, signature=note.sign_bytes(SIGNER.secret, covered))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({1: -7}, "not signed with Ed25519"),
        ({395: 2}, "not about a tree"),
        ({2: [99]}, "critical headers"),
        ({15: []}, "claims of the receipt are malformed"),
        ({4: b"1234"}, "No known key"),
    ],
)
def test_a_signed_receipt_with_other_headers_is_refused(
    changed: dict[int, Any], words: str
) -> None:
    headers = {1: -8, 4: SIGNER.key_id, 395: 1}
    assert receipt.verify_receipt(signed_with(headers), HASHES[5], [SIGNER.verifier]).index == 5

    with pytest.raises(BadReceipt, match=words):
        receipt.verify_receipt(signed_with(headers | changed), HASHES[5], [SIGNER.verifier])


def test_a_receipt_has_a_limit_whatever_fills_it() -> None:
    def fill(number: int) -> bytes:
        return rewrite(unprotected={396: {-1: [PROOF]}, 99: bytes(number)})

    room = receipt.LIMIT - len(fill(receipt.LIMIT)) + receipt.LIMIT
    assert receipt.verify_receipt(fill(room), HASHES[5], [SIGNER.verifier]).index == 5

    with pytest.raises(BadReceipt, match="longer than 1,000,000 bytes"):
        receipt.verify_receipt(fill(room + 1), HASHES[5], [SIGNER.verifier])
