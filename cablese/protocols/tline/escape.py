"""Percent codes of T-line: ``pytest%20-k`` is ``pytest -k``. The source's "Deterministic encoding".

A code is one UTF-8 byte. Nine characters are reserved and always written as codes; so are those
that cannot be seen. The rest of Unicode stands for itself.
"""

import re

from cablese.codec import INVISIBLE

CODES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
RESERVED = re.compile(rf"[ ;|=:%\n\r\t]|{INVISIBLE.pattern}")


def escape(text: str) -> str:
    return RESERVED.sub(lambda hit: "".join(f"%{byte:02X}" for byte in hit[0].encode()), text)


def unescape(text: str) -> str:
    """The text meant; runs of codes that are not UTF-8 stay as they are."""
    return CODES.sub(lambda run: unescape_run(run[0]) or run[0], text) if "%" in text else text


def unescape_run(codes: str) -> str | None:
    """The characters of one unbroken run of codes; None when its bytes are not UTF-8."""
    try:
        return bytes.fromhex(codes.replace("%", "")).decode()
    except UnicodeDecodeError:
        return None
