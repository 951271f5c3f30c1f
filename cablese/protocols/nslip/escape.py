"""Percent codes in values: ``a%2Cb`` is ``a,b`` (PROTOCOLS, nSLIP rulings).

Only ``,`` ``|`` ``%`` and line breaks have codes. A percent sign is written as one only where it
would otherwise be read as the beginning of a code, so ``50%`` stays ``50%``.
"""

import re

CODE = re.compile(r"%(2C|7C|25|0A|0D)", re.IGNORECASE)
RESERVED = re.compile(r"[,|\r\n]|%(?=2C|7C|25|0A|0D)", re.IGNORECASE)


def escape(text: str) -> str:
    """A value as it is written on the wire."""
    return RESERVED.sub(lambda hit: f"%{ord(hit[0]):02X}", text)


def unescape(raw: str) -> str:
    """The text of a value. A percent sign that begins none of our codes is a percent sign."""
    return CODE.sub(lambda code: chr(int(code[1], 16)), raw) if "%" in raw else raw
