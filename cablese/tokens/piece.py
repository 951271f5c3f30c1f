"""Tokens laid over a text: the characters of each.

A token is a run of bytes and may hold part of a character: 𓂀 is four tokens of o200k_base. Tokens
are therefore grouped until they end where a character ends: every piece is text, and the pieces
joined are the text that was given.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

from msgspec import Struct

from cablese.message import Span


class Piece(Struct, frozen=True, gc=False):
    """The tokens of one or more whole characters. Several IDs share the bytes of a character.

    ``span`` counts code points from the start of the text.
    """

    text: str
    ids: tuple[int, ...]
    span: Span


def group(folded: str, tokens: Iterable[tuple[int, int]]) -> Iterator[tuple[list[int], int]]:
    """Yield IDs and where they end in `folded`, from each token's ID and length in bytes. Linear.

    A character ends where the next byte of UTF-8 is not a continuation (``10xxxxxx``).
    """
    data = folded.encode()
    ids: list[int] = []
    start = at = end = 0
    for token, size in tokens:
        ids.append(token)
        at += size
        if at == len(data) or data[at] & 0xC0 != 0x80:
            end += len(data[start:at].decode())
            yield ids, end
            ids, start = [], at
    assert at == len(data), "the tokens do not spell the text"


def begin(folded: str, tokens: Iterable[tuple[int, int]]) -> list[int]:
    """Return the code point of `folded` in which each token begins. Linear.

    A token that begins inside a character's bytes begins in that character.
    """
    places = list(accumulate((size for _, size in tokens), initial=0))[:-1]
    if folded.isascii():
        return places
    characters = [at for at, byte in enumerate(folded.encode()) if byte & 0xC0 != 0x80]
    starts, at = [], 0
    for place in places:
        while at + 1 < len(characters) and characters[at + 1] <= place:
            at += 1
        starts.append(at)
    return starts


def trace(places: list[int], ends: dict[int, int] | None) -> list[int]:
    """Return the folded `places` in the text as given, or the last place before that is in both."""
    if ends is None:
        return places
    known = sorted(ends)
    return [ends[known[bisect_right(known, place) - 1]] for place in places]


def lay(
    text: str, groups: Iterable[tuple[list[int], int]], ends: dict[int, int] | None, at: int
) -> list[Piece]:
    """Return the groups as pieces of `text`, which starts at code point `at` of the whole.

    `ends` maps places of the folded text to `text`; a group that ends elsewhere joins the next one.
    None means that both texts have the same characters.
    """
    pieces = []
    ids: list[int] = []
    start = 0
    for more, folded_end in groups:
        ids += more
        end = folded_end if ends is None else ends.get(folded_end)
        if end is not None:
            pieces.append(Piece(text[start:end], tuple(ids), Span(at + start, at + end)))
            ids, start = [], end
    return pieces
