"""Cosignatures: a witness says when a checkpoint was consistent with all that it saw before.

C2SP tlog-cosignature, version 1: an Ed25519 signature of a time and the text of a checkpoint, in a
line of the checkpoint's note. `note.open` verifies them with the rest.
"""

from cablese.tlog.note import (
    COSIGNATURE,
    BadKey,
    Signature,
    Signer,
    Verifier,
    format_line,
    sign_bytes,
    stamp,
)
from cablese.tlog.note import verify as verify_signature


def cosign(text: str, signer: Signer, at: int) -> str:
    """Return the line by which a witness cosigns the text of a checkpoint. `at` is in seconds since
    1970.
    """
    if signer.algorithm != COSIGNATURE:
        raise BadKey("This key does not cosign.")
    value = at.to_bytes(8, "big") + sign_bytes(signer.secret, stamp(text, at))
    return format_line(Signature(signer.name, signer.key_id, value))


def verify(text: str, signature: Signature, verifier: Verifier) -> int | None:
    """Return when a witness cosigned a text, in seconds since 1970; None if it did not."""
    if (signature.name, signature.key_id) != (verifier.name, verifier.key_id):
        return None
    if verifier.algorithm != COSIGNATURE or not verify_signature(text, signature, verifier):
        return None
    return int.from_bytes(signature.value[:8], "big")
