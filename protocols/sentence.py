"""How a sentence of a description ends, whose last words may be a text that was sent."""

import re
from collections.abc import Iterable, Iterator

from .message import Piece

ENDED = re.compile(r'[.!?。！？]["”]*\Z')
"""Sent text that is a sentence itself, or holds one in quotes."""


def close(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """``pieces`` and the full stop behind them, unless the last one has it: ``says "Done."``, not ``says "Done.".``"""
    last = ""
    for piece in pieces:
        last = piece.text or last
        yield piece
    if ENDED.search(last[-80:]) is None:
        yield Piece(".")
