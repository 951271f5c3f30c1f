"""Encode and decode percent codes: ``pytest%20-k`` is ``pytest -k`` ("Deterministic encoding").

A code is one UTF-8 byte. Nine reserved characters and all invisible ones are always encoded. The
rest of Unicode is written as it is.
"""

import re

from cablese.codec import INVISIBLE

CODES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
RESERVED = re.compile(rf"[ ;|=:%\n\r\t]|{INVISIBLE.pattern}")


def escape(text: str) -> str:
    return RESERVED.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text)


def unescape(text: str) -> str:
    """Return the decoded text. Runs of codes that are not UTF-8 are left alone."""
    return CODES.sub(lambda run: unescape_run(run[0]) or run[0], text) if "%" in text else text


def unescape_run(codes: str) -> str | None:
    """Return the characters of one run of codes, or None when its bytes are not UTF-8."""
    try:
        return bytes.fromhex(codes.replace("%", "")).decode()
    except UnicodeDecodeError:
        return None
