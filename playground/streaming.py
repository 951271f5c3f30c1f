"""Answers that are made while they are sent."""

from collections.abc import Iterable, Iterator
from itertools import islice

NDJSON = "application/x-ndjson"
_LINES = 200


def in_blocks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines, some hundred at a time: every block costs the server about as much as a line costs to make."""
    rest = iter(lines)
    while block := b"".join(islice(rest, _LINES)):
        yield block
