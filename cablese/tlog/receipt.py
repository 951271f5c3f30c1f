"""COSE receipts (RFC 9942): the same proof for those who come from COSE and SCITT.

A receipt is a COSE_Sign1 whose payload, the root of the tree, is left out. Whoever has the leaf
makes the root again from the audit path in it, and the signature then proves the leaf:

    18([<<{1: -8, 4: key ID, 15: {1: origin, 2: subject, 6: time}, 395: 1}>>,
        {396: {-1: [<<[size, index, [hash, …]]>>]}}, null, signature])
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from cablese.tlog import cbor, merkle, note
from cablese.tlog.cbor import BadCbor, Tag
from cablese.tlog.note import ED25519, Signer, Verifier

LIMIT = 1_000_000
"""Bytes of a receipt that are read."""
_SIGN1 = 18
_ALGORITHM, _KEY_ID, _CLAIMS, _STRUCTURE, _PROOFS = 1, 4, 15, 395, 396
"""Labels of headers (RFC 9052, RFC 9597, RFC 9942)."""
_EDDSA, _RFC9162, _INCLUSION = -8, 1, -1
_ISSUER, _SUBJECT, _ISSUED = 1, 2, 6
"""Claims (RFC 8392)."""


class BadReceipt(ValueError):
    """A receipt that is malformed, or whose signature is wrong. The words say which."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a receipt shows. The root is made from the leaf and the path."""

    issuer: str
    """The origin of the log."""
    subject: str
    issued: int
    """When it was signed, in seconds since 1970."""
    index: int
    size: int
    path: tuple[bytes, ...]
    root: bytes


def sign_receipt(
    *,
    index: int,
    size: int,
    path: Sequence[bytes],
    root: bytes,
    signer: Signer,
    subject: str,
    issued: int,
) -> bytes:
    """Return the receipt of a leaf. The name of the key is the issuer."""
    claims = {_ISSUER: signer.name, _SUBJECT: subject, _ISSUED: issued}
    protected = cbor.encode(
        {_ALGORITHM: _EDDSA, _KEY_ID: signer.key_id, _CLAIMS: claims, _STRUCTURE: _RFC9162}
    )
    proof = cbor.encode([size, index, list(path)])
    signature = note.sign_bytes(signer.secret, _to_sign(protected, root))
    return cbor.encode(Tag(_SIGN1, [protected, {_PROOFS: {_INCLUSION: [proof]}}, None, signature]))


def verify_receipt(data: bytes, leaf_hash: bytes, verifiers: Collection[Verifier]) -> Receipt:
    """Return what a receipt shows of a leaf. Raises BadReceipt, and BadProof if its path does not
    fit its tree.
    """
    protected, proofs, signature = _open(data)
    headers = _decode(protected, "The protected header")
    key = _find_key(headers, verifiers)
    size, index, path = _read_proof(proofs)
    root = merkle.climb(leaf_hash, index, size, path)
    if not note.verifies(key.public, signature, _to_sign(protected, root)):
        raise BadReceipt("The signature does not fit this leaf, its path, and the key.")
    claims = headers.get(_CLAIMS) or {}
    if claims.get(_ISSUER, key.name) != key.name:
        raise BadReceipt(f"The receipt is from another log than its key, {key.name}.")
    issued = claims.get(_ISSUED)
    return Receipt(
        issuer=str(claims.get(_ISSUER, "")),
        subject=str(claims.get(_SUBJECT, "")),
        issued=issued if isinstance(issued, int) else 0,
        index=index,
        size=size,
        path=path,
        root=root,
    )


def _to_sign(protected: bytes, payload: bytes) -> bytes:
    """Return what is signed (RFC 9052 § 4.4)."""
    return cbor.encode(["Signature1", protected, b"", payload])


def _open(data: bytes) -> tuple[bytes, list[Any], bytes]:
    """Return the protected header, the inclusion proofs, and the signature."""
    if len(data) > LIMIT:
        raise BadReceipt(f"The receipt is longer than {LIMIT:,} bytes.")
    match _decode(data, "The receipt"):
        case Tag(18, [bytes(protected), {396: {-1: [*proofs]}}, None, bytes(signature)]):
            return protected, proofs, signature
    raise BadReceipt("This is not a COSE receipt with an inclusion proof and a detached payload.")


def _decode(data: bytes, what: str) -> Any:
    try:
        return cbor.decode(data)
    except BadCbor as error:
        raise BadReceipt(f"{what} cannot be read. {error}") from None


def _find_key(headers: Any, verifiers: Collection[Verifier]) -> Verifier:
    if not isinstance(headers, dict) or headers.get(_ALGORITHM) != _EDDSA:
        raise BadReceipt("The receipt is not signed with Ed25519.")
    if headers.get(_STRUCTURE) != _RFC9162:
        raise BadReceipt("The receipt is not about a tree of RFC 9162.")
    if 2 in headers:
        raise BadReceipt("The receipt has critical headers that are unknown here.")
    if not isinstance(headers.get(_CLAIMS, {}), dict):
        raise BadReceipt("The claims of the receipt are malformed.")
    for key in verifiers:
        if key.algorithm == ED25519 and key.key_id == headers.get(_KEY_ID):
            return key
    raise BadReceipt("No known key signed this receipt.")


def _read_proof(proofs: list[Any]) -> tuple[int, int, tuple[bytes, ...]]:
    if len(proofs) != 1 or not isinstance(proofs[0], bytes):
        raise BadReceipt("Expected one inclusion proof.")
    match _decode(proofs[0], "The inclusion proof"):
        case [size, index, [*path]] if type(size) is type(index) is int and all(
            isinstance(one, bytes) for one in path
        ):
            return size, index, tuple(path)
    raise BadReceipt("The inclusion proof is malformed.")
