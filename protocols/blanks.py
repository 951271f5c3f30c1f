"""What may stand around a message and its parts."""

from .message import Span

BLANKS = " \t\r\n\v\f"
"""`str.strip` alone would also take U+001F or U+3000 away."""


def trim(text: str, start: int, end: int) -> Span:
    """Where ``text[start:end]`` stands without the blanks at its edges; of blanks alone, the place before them."""
    if start < end and text[start] not in BLANKS and text[end - 1] not in BLANKS:
        return Span(start, end)
    inner = text[start:end].strip(BLANKS)
    if not inner:
        return Span(start, start)
    start = text.index(inner, start)
    return Span(start, start + len(inner))
