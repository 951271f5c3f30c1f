"""Check a certificate and its key before the server starts, which itself gives no clear reason."""

import ssl
from pathlib import Path

_KINDS = {
    "ENCRYPTED PRIVATE KEY": "is encrypted",
    "RSA PRIVATE KEY": "is PKCS#1",
    "EC PRIVATE KEY": "is SEC 1",
}
_PKCS8 = "-----BEGIN PRIVATE KEY-----"


class Unfit(Exception):
    """The certificate or the key cannot be used. The message gives the reason."""


def require(certificate: Path, key: Path) -> None:
    """Raise Unfit unless both are readable and match, and the server accepts the kind of key."""
    for file in (certificate, key):
        try:
            text = file.read_text("ascii")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a PEM file"
            raise Unfit(f"Cannot read {file}: {reason}.") from None
    if _PKCS8 not in text:
        format_ = next(
            (form for kind, form in _KINDS.items() if f"BEGIN {kind}" in text),
            "has an unknown format",
        )
        raise Unfit(
            f"The key in {key} must be PKCS#8, unencrypted; this one {format_}. "
            "To convert it: openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW"
        )
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        reasons = {
            "KEY_VALUES_MISMATCH": f"is not for the key in {key}",
            "KEY_TYPE_MISMATCH": f"is not for the key in {key}",
        }
        raise Unfit(
            f"The certificate in {certificate} {reasons.get(error.reason, 'cannot be used')}."
        ) from None
