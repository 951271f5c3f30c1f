"""Characters that cannot be seen, as signs that can."""

import re
from collections.abc import Iterator

from cablese.codec import INVISIBLE

_HIDDEN = re.compile(f"{INVISIBLE.pattern}|[\r\ud800-\udfff]+")


def visible(text: str) -> str:
    """The text with characters that cannot be seen written as glyphs."""
    return _HIDDEN.sub(lambda found: "".join(map(_glyph, found[0])), text)


def with_glyphs(text: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for found in _HIDDEN.finditer(text):
        if at < found.start():
            yield text[at : found.start()], False
        yield "".join(map(_glyph, found[0])), True
        at = found.end()
    if at < len(text):
        yield text[at:], False


def _glyph(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"⟨0x{code - 0xDC00:02X}⟩"  # a byte that is not UTF-8
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
