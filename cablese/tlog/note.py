"""Signed notes: text with signatures under it, and the keys that make and verify them.

C2SP signed-note. A key is known by its name and by four bytes of a hash:

    example.com/log/default
    812
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

    — example.com/log/default Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/ZhcyA8=

A verifier key is ``<name>+<ID in hex>+<base64>``, and a signing key has ``PRIVATE+KEY+`` before
that, as in Go's module of the same name. `cryptography` is imported by what needs it.
"""

import os
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import NamedTuple

ED25519 = 1
"""An Ed25519 signature of the text."""
COSIGNATURE = 4
"""An Ed25519 signature of the text and a time (C2SP tlog-cosignature)."""
LIMIT = 64
"""Signatures of a note. Verifiers must accept 16."""
_SIGNED = 64
_STAMPED = 8 + _SIGNED
_PRIVATE = "PRIVATE+KEY+"


class BadNote(ValueError):
    """A note that is malformed, or not signed by a known key. The words say which."""


class BadKey(ValueError):
    """The text of a key that cannot be read. The words say why, and never quote a signing key."""


class Verifier(NamedTuple):
    """A public key by which signatures are verified."""

    name: str
    key_id: bytes
    algorithm: int
    public: bytes


class Signer(NamedTuple):
    """A key that signs. `secret` is the seed of an Ed25519 key (RFC 8032)."""

    name: str
    key_id: bytes
    algorithm: int
    secret: bytes

    def __repr__(self) -> str:
        return f"Signer({self.name!r}, {self.key_id.hex()})"

    @property
    def verifier(self) -> Verifier:
        return Verifier(self.name, self.key_id, self.algorithm, _public_of(self.secret))


class Signature(NamedTuple):
    """One line under a note. `value` is what follows the key ID."""

    name: str
    key_id: bytes
    value: bytes


class Opened(NamedTuple):
    """A note whose known signatures are right."""

    text: str
    signatures: tuple[Signature, ...]
    """Those of known keys."""
    unknown: tuple[Signature, ...]


def generate(name: str, algorithm: int = ED25519) -> Signer:
    """Return a new key. Raises BadKey for a name that notes cannot have."""
    return make_signer(name, os.urandom(32), algorithm)


def make_signer(name: str, secret: bytes, algorithm: int = ED25519) -> Signer:
    """Return the signer of a name and an Ed25519 seed. Raises BadKey."""
    public = _public_of(secret)
    return Signer(name, make_verifier(name, public, algorithm).key_id, algorithm, secret)


def make_verifier(name: str, public: bytes, algorithm: int = ED25519) -> Verifier:
    """Return the verifier of a name and an Ed25519 public key. Raises BadKey."""
    if not _is_name(name):
        raise BadKey(f"{name!r} cannot name a key. Expected no spaces, controls, or +.")
    if algorithm not in (ED25519, COSIGNATURE) or len(public) != 32:
        raise BadKey("Expected an Ed25519 key of 32 bytes.")
    hashed = sha256(name.encode() + b"\n" + bytes([algorithm]) + public)
    return Verifier(name, hashed.digest()[:4], algorithm, public)


def format_verifier(verifier: Verifier) -> str:
    """Return a verifier key, as it is published."""
    return _format_key(verifier.name, verifier.key_id, verifier.algorithm, verifier.public)


def parse_verifier(text: str) -> Verifier:
    """Return the key of a text that `format_verifier` writes. Raises BadKey."""
    name, key_id, algorithm, public = _parse_key(text)
    return _require_id(make_verifier(name, public, algorithm), key_id)


def format_signer(signer: Signer) -> str:
    """Return a signing key, as it is stored. It is secret."""
    return _PRIVATE + _format_key(signer.name, signer.key_id, signer.algorithm, signer.secret)


def parse_signer(text: str) -> Signer:
    """Return the key of a text that `format_signer` writes. Raises BadKey."""
    if not text.startswith(_PRIVATE):
        raise BadKey(f"A signing key starts with {_PRIVATE}.")
    name, key_id, algorithm, secret = _parse_key(text.removeprefix(_PRIVATE))
    if len(secret) != 32:
        raise BadKey("Expected an Ed25519 key of 32 bytes.")
    signer = make_signer(name, secret, algorithm)
    _require_id(signer.verifier, key_id)
    return signer


def sign(text: str, signers: Iterable[Signer]) -> str:
    """Return a note: the text, and a signature of each key. Raises BadNote for a text that cannot
    be one.
    """
    _require_text(text)
    return text + "\n" + "".join(sign_line(text, signer) for signer in signers)


def sign_line(text: str, signer: Signer) -> str:
    """Return the line with one more signature of a note's text."""
    if signer.algorithm != ED25519:
        raise BadKey("This key cosigns only.")
    return format_line(
        Signature(signer.name, signer.key_id, sign_bytes(signer.secret, text.encode()))
    )


def format_line(signature: Signature) -> str:
    """Return the line of a signature."""
    return f"— {signature.name} {b64encode(signature.key_id + signature.value).decode()}\n"


def split(note: str) -> tuple[str, tuple[Signature, ...]]:
    """Return the text of a note, and its signatures, which are not verified. Raises BadNote."""
    text, blank, lines = note.rpartition("\n\n")
    if not blank or not lines.endswith("\n"):
        raise BadNote("Expected a text, an empty line, and signatures.")
    _require_text(text + "\n")
    signatures = tuple(parse_line(line) for line in lines[:-1].split("\n"))
    if len(signatures) > LIMIT:
        raise BadNote(f"The note has {len(signatures)} signatures. The limit is {LIMIT}.")
    return text + "\n", signatures


def open(note: str, verifiers: Collection[Verifier]) -> Opened:  # noqa: A001 - as the standard says
    """Return the text of a note, with the signatures of known keys, of which there is one at least.

    Raises BadNote, also if one of those is wrong. Signatures of other keys are not verified.
    """
    text, signatures = split(note)
    known = {(one.name, one.key_id): one for one in verifiers}
    found, unknown = [], []
    for signature in signatures:
        verifier = known.get((signature.name, signature.key_id))
        if verifier is None:
            unknown.append(signature)
        elif not verify(text, signature, verifier):
            raise BadNote(f"The signature of {signature.name} is wrong.")
        elif signature not in found:
            found.append(signature)
    if not found:
        raise BadNote("No known key signed this note.")
    return Opened(text, tuple(found), tuple(unknown))


def verify(text: str, signature: Signature, verifier: Verifier) -> bool:
    """Return whether a signature is that of a key over a text."""
    value = signature.value
    if verifier.algorithm == ED25519:
        return len(value) == _SIGNED and verifies(verifier.public, value, text.encode())
    if len(value) != _STAMPED:
        return False
    at = int.from_bytes(value[:8], "big")
    return at < 1 << 63 and verifies(verifier.public, value[8:], stamp(text, at))


def stamp(text: str, at: int) -> bytes:
    """Return what a cosigner signs: a checkpoint's text at a time, in seconds since 1970."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def parse_line(line: str) -> Signature:
    """Return the signature of a line, without its line end. Raises BadNote."""
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.rpartition(" ")
    value = decode(encoded)
    if dash != "—" or not _is_name(name) or value is None or len(value) < 5:
        raise BadNote("A signature is malformed.")
    return Signature(name, value[:4], value[4:])


def decode(text: str) -> bytes | None:
    """Return the bytes of base64 (RFC 4648 § 4); None unless it is spelled as it should be."""
    try:
        data = b64decode(text, validate=True)
    except (Error, ValueError):
        return None
    return data if b64encode(data).decode() == text else None


def _format_key(name: str, key_id: bytes, algorithm: int, data: bytes) -> str:
    return f"{name}+{key_id.hex()}+{b64encode(bytes([algorithm]) + data).decode()}"


def _parse_key(text: str) -> tuple[str, str, int, bytes]:
    name, _, rest = text.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    data = decode(encoded)
    if not data:
        raise BadKey("Expected <name>+<ID>+<key>.")
    return name, key_id, data[0], data[1:]


def _require_id(verifier: Verifier, key_id: str) -> Verifier:
    if verifier.key_id.hex() != key_id:
        raise BadKey(f"The ID of the key of {verifier.name} does not match it.")
    return verifier


def _require_text(text: str) -> None:
    controls = any(one < " " and one != "\n" for one in text)
    if controls or not text.endswith("\n"):
        raise BadNote("The text of a note has lines, and no other controls.")


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(one.isspace() or one < " " for one in name)


def _public_of(secret: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def sign_bytes(secret: bytes, message: bytes) -> bytes:
    """Return the Ed25519 signature of some bytes. `secret` is the seed of the key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).sign(message)


def verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether an Ed25519 key made a signature of some bytes."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
