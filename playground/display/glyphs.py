"""Glyphs for invisible characters."""

import re
from collections.abc import Iterator

from cablese.codec import INVISIBLE

_HIDDEN = re.compile(f"{INVISIBLE.pattern}|[\r\ud800-\udfff]+")


def visible(text: str) -> str:
    """Return the text with a glyph for each invisible character."""
    return _HIDDEN.sub(lambda match: "".join(map(_glyph, match[0])), text)


def with_glyphs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the text in pieces, and whether each stands for invisible characters."""
    if text and text.isascii() and text.isprintable():
        yield text, False
        return
    at = 0
    for match in _HIDDEN.finditer(text):
        if at < match.start():
            yield text[at : match.start()], False
        yield "".join(map(_glyph, match[0])), True
        at = match.end()
    if at < len(text):
        yield text[at:], False


def _glyph(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"⟨0x{code - 0xDC00:02X}⟩"  # a byte that is not UTF-8
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
