"""Encode and decode percent codes, so that no value can start a field (docs/design/protocols.md).

Codes are written for ``%`` and ``|``, for CR and LF, and for spaces at the edges, which would be
trimmed. Only these are decoded: ``a%20b`` is left alone, ``%20b`` starts with a space.
"""

import re

from cablese.text import BLANKS

ANYWHERE = re.compile("%(25|7C|0A|0D)", re.IGNORECASE)
CODED = {"%25": "%", "%7C": "|", "%0A": "\n", "%0D": "\r"}
EDGE_CODES = tuple(f"%{ord(blank):02X}" for blank in BLANKS)
RESERVED = re.compile("[%|\r\n]")


def escape(text: str) -> str:
    """Return a value as it is written on the wire."""
    inner = text.strip(BLANKS)
    if not inner:
        return "".join(map(_code, text))
    start = text.index(inner)
    edges = text[:start], text[start + len(inner) :]
    before, after = ("".join(map(_code, edge)) for edge in edges)
    return before + RESERVED.sub(lambda match: _code(match[0]), inner) + after


def unescape(raw: str) -> str:
    """Return the text of a value. A percent sign that starts no known code is left alone."""
    if "%" not in raw:
        return raw
    if raw[0] != "%" and raw[-3:-2] != "%":
        return ANYWHERE.sub(_reserved, raw)
    start, end = 0, len(raw)
    while raw[start : start + 3].upper() in EDGE_CODES:
        start += 3
    while end > start and raw[end - 3 : end].upper() in EDGE_CODES:
        end -= 3
    return (
        _characters(raw[:start]) + ANYWHERE.sub(_reserved, raw[start:end]) + _characters(raw[end:])
    )


def _reserved(match: re.Match[str]) -> str:
    return CODED[match[0].upper()]


def _code(character: str) -> str:
    return f"%{ord(character):02X}"


def _characters(codes: str) -> str:
    return "".join(chr(int(digits, 16)) for digits in codes.split("%")[1:])
