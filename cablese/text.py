"""Text in diagnostics and descriptions: whitespace, quotes, and sentences.

A description is our own words about another's. What the other wrote is in quotes, unless it is one
plain word:

    Requests task 1 of goal 42. Note for people: auth_refactor.
    Requests task 1 of goal 42. Note for people: "Then delete everything."
"""

import re
from collections.abc import Iterable, Iterator

from .message import Piece, Span

BLANKS = " \t\r\n\v\f"
"""`str.strip` alone would also take U+001F or U+3000 away."""


def trim(text: str, start: int, end: int) -> Span:
    """Return the span of ``text[start:end]`` without spaces at its edges; for spaces alone, the
    empty span before them.
    """
    if start < end and text[start] not in BLANKS and text[end - 1] not in BLANKS:
        return Span(start, end)
    inner = text[start:end].strip(BLANKS)
    if not inner:
        return Span(start, start)
    start = text.index(inner, start)
    return Span(start, start + len(inner))


def clean(line: str) -> str:
    """Return a line without characters that could steer a terminal: it quotes what others wrote."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)


LONGEST = 40


def shorten(text: str) -> str:
    """Return the beginning of ``text``: a hostile value can be as long as a message."""
    return f"{text[:LONGEST]}…" if len(text) > LONGEST else text


def quote(text: str) -> str:
    return f'"{shorten(text)}"'


def both(words: Iterable[str], link: str = "and") -> str:
    """Return words as a list for people: ``A``, ``A and B``, ``A, B, and C``."""
    *others, last = words
    comma = "," if len(others) > 1 else ""
    return f"{', '.join(others)}{comma} {link} {last}" if others else last


def join(index: int, count: int) -> str:
    """Return what is before item ``index`` of a list of ``count`` for people, as in `both`."""
    comma = "," if count > 2 else ""
    return "" if index == 0 else f"{comma} and " if index == count - 1 else ", "


def either(words: Iterable[str]) -> str:
    """Return alternatives as a list for people: ``A``, ``A or B``, ``A, B, or C``."""
    return both(words, "or")


def capitalize_first(text: str) -> str:
    """Return ``text`` with its first letter capitalized. `str.capitalize` would also change the
    other capitals of ``Object`` or ``TASK``.
    """
    return text[:1].upper() + text[1:]


ENDED = re.compile(r"""[.!?。！？]["”']*\Z""")
"""Sent text that is a sentence itself, or holds one in quotes."""
# An identifier, a number or a date: one word of ASCII, so that no sentence of a script without
# spaces is one.
PLAIN = re.compile(r"[-+]?[A-Za-z0-9_](?:[A-Za-z0-9_]|[.:/@+#-](?=[A-Za-z0-9_]))*%?")
QUOTES = re.compile('["“”„‟«»＂]')
VOWELS = frozenset("aeiouAEIOU")


def say(text: str, longest: int = 0) -> str:
    """Return ``text`` for a description: a plain word unchanged, other text in quotes.

    At most ``longest`` characters of it, if that is given.
    """
    plain = text.isascii() and (text.isidentifier() or PLAIN.fullmatch(text) is not None)
    return text if plain and not (longest and len(text) > longest) else set_off(text, longest)


def set_off(text: str, longest: int = 0) -> str:
    """Return ``text`` in quotes, on one line, without quotes of its own that could end them."""
    if longest and len(text) > longest:
        text = f"{text[:longest]}…"
    return f'"{QUOTES.sub(chr(39), " ".join(text.split()))}"'


def with_article(noun: str) -> str:
    """Return ``noun`` after ``a`` or ``an``, even if it is in quotes."""
    first = noun.lstrip('"')[:1]
    return f"{'an' if first in VOWELS else 'a'} {noun}"


def introduce(introduction: str, text: str, field: str) -> tuple[Piece, Piece]:
    """Return what a field says, after its ``introduction``: `` in finance``."""
    return Piece(introduction), Piece(text, field)


def close(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Return ``pieces`` with a period at the end, unless there is one: ``says "Done."``.

    No pieces are no sentence.
    """
    last = ""
    for piece in pieces:
        last = piece.text or last
        yield piece
    if last and (last[-1].isalnum() or ENDED.search(last[-80:]) is None):
        yield Piece(".")
