"""Encode and decode percent codes in values: ``a%2Cb`` is ``a,b`` (docs/design/protocols.md).

Only ``,`` ``|`` ``%`` and line breaks have codes. A percent sign is encoded only where it would
otherwise start a code, so ``50%`` stays ``50%``.
"""

import re

CODE = re.compile(r"%(2C|7C|25|0A|0D)", re.IGNORECASE)
BEFORE_CODE = re.compile(r"%(?=2C|7C|25|0A|0D)", re.IGNORECASE)
RESERVED = ",|\r\n"


def escape(text: str) -> str:
    """Return a value as it is written on the wire."""
    text = BEFORE_CODE.sub("%25", text)
    for sign in RESERVED:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def unescape(raw: str) -> str:
    """Return the text of a value. A percent sign that starts no known code is left alone."""
    return CODE.sub(lambda code: chr(int(code[1], 16)), raw) if "%" in raw else raw
