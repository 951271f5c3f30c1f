"""Salted commitments: what a leaf says of text that it must not contain.

    commitment = SHA-256("cablese/commit/v1" 00 || lp(field) || salt || lp(bytes))
    salt       = HMAC-SHA256(seed, "cablese/salt/v1" 00 || field)

`lp` puts a 4-byte big-endian length before the bytes, so that no two inputs give the same bytes. A
random seed for each leaf is stored in a row that can be deleted: without it, a short packet cannot
be guessed from its commitments. Leaves spell them in base64, as C2SP checkpoints spell hashes.
"""

import hmac
from binascii import b2a_base64
from collections.abc import Mapping, Sequence
from hashlib import sha256

_COMMIT = b"cablese/commit/v1\0"
_SALT = b"cablese/salt/v1\0"


def salt(seed: bytes, field: str) -> bytes:
    """Return the opening of one field: it checks the commitment to that field, and to no other."""
    return hmac.digest(seed, _SALT + field.encode(), "sha256")


def commit(field_salt: bytes, field: str, data: bytes) -> bytes:
    """Return the commitment to the bytes of a field."""
    return sha256(_prefix(field) + field_salt + len(data).to_bytes(4) + data).digest()


def spell(commitment: bytes) -> str:
    """Return a hash in standard base64: 44 characters."""
    return b2a_base64(commitment, newline=False).decode()


def opens(committed: Mapping[str, object], seed: bytes, field: str, data: bytes | None) -> bool:
    """Return whether a `commit` object commits to the bytes of a field; without bytes, whether it
    has no commitment to the field.
    """
    if data is None:
        return field not in committed
    return committed.get(field) == spell(commit(salt(seed, field), field, data))


def _prefix(field: str) -> bytes:
    name = field.encode(errors="surrogatepass")  # strangers may have surrogates
    return _COMMIT + len(name).to_bytes(4) + name


class _Fields:
    """The fields of one `commit` object: what their hashes begin with, and its JSON."""

    def __init__(self, *names: str) -> None:
        self.prefixes = [(_SALT + name.encode(), _prefix(name)) for name in names]
        fields = ",".join(f'"{name}":"%b"' for name in names)
        self.form = f"{{{fields}}}".encode()


_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_WITH_EVENT = _Fields("by", "event", "index", "raw", "reading")
_WITHOUT = _Fields("by", "index", "raw", "reading")


def commit_packet(
    seed: bytes, *, by: bytes, event: str | None, index: bytes, raw: bytes, reading: bytes
) -> bytes:
    """Return the `commit` object of a packet's leaf. `event` is omitted if the client sent no ID.

    HMAC is written out (RFC 2104), because the fields of a packet share its two keys and thousands
    are made per second. A test compares it with `commit` and `salt`.
    """
    if event is None:
        return _commit_all(seed, _WITHOUT, (by, index, raw, reading))
    return _commit_all(seed, _WITH_EVENT, (by, event.encode(), index, raw, reading))


def _commit_all(seed: bytes, fields: _Fields, opened: Sequence[bytes]) -> bytes:
    block = seed.ljust(64, b"\0")
    inner, outer = block.translate(_INNER), block.translate(_OUTER)
    return fields.form % tuple(
        [
            b2a_base64(
                sha256(
                    prefix
                    + sha256(outer + sha256(inner + about).digest()).digest()
                    + len(data).to_bytes(4)
                    + data
                ).digest(),
                newline=False,
            )
            for (about, prefix), data in zip(fields.prefixes, opened, strict=True)
        ]
    )
