"""A certificate and its key, looked at before a server is started with them: it would only say that
it stopped.
"""

import ssl
from pathlib import Path

_KINDS = {
    "ENCRYPTED PRIVATE KEY": "is encrypted",
    "RSA PRIVATE KEY": "is PKCS#1",
    "EC PRIVATE KEY": "is SEC 1",
}
_PKCS8 = "-----BEGIN PRIVATE KEY-----"


class Unfit(Exception):
    """The two cannot be served with; the text says why."""


def require(certificate: Path, key: Path) -> None:
    """Raises Unfit unless both can be read, belong together, and the key is of the kind that the
    server takes.
    """
    for file in (certificate, key):
        try:
            text = file.read_text("ascii")
        except (OSError, ValueError) as error:
            words = error.strerror if isinstance(error, OSError) else "not a PEM file"
            raise Unfit(f"Cannot read {file}: {words}.") from None
    if _PKCS8 not in text:
        found = next(
            (words for kind, words in _KINDS.items() if f"BEGIN {kind}" in text),
            "has an unknown format",
        )
        convert = "openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW"
        raise Unfit(
            f"The key in {key} must be PKCS#8, unencrypted; this one {found}. "
            f"To convert it: {convert}"
        )
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        what = {
            "KEY_VALUES_MISMATCH": f"is not for the key in {key}",
            "KEY_TYPE_MISMATCH": f"is not for the key in {key}",
        }
        raise Unfit(
            f"The certificate in {certificate} {what.get(error.reason, 'cannot be used')}."
        ) from None
