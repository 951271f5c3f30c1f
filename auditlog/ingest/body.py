"""A request's body as blocks of bytes: its limits, gzip, and lines.

Bodies are read piece by piece, so that 64 MiB never stand in memory at once. What is wrong with the
body is raised, and what is wrong with one item is a `Refusal` in its place.
"""

import codecs
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeVar

from msgspec import Struct

from auditlog.ingest.item import Item, Refusal

STREAM_LIMIT = 64 * 1024 * 1024
ARRAY_LIMIT = 8 * 1024 * 1024
LINE_LIMIT = 8 * 1024 * 1024
ITEM_LIMIT = 20_000
"""Items of one request. It took three seconds to store as many invalid ones."""
PIECE = 500
"""Items that are committed together."""
BOM = b"\xef\xbb\xbf"
"""The byte order mark that some programs put before UTF-8, and that is not part of the text."""
_OTHER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
"""That of UTF-32 in the other order begins like that of UTF-16."""
_STEP = 64 * 1024
RATIO = 200
"""How many times larger than itself a gzip body may become. Logs are 5 to 50 times larger, and gzip
reaches 1,000.
"""
SMALL = 8 * 1024 * 1024
"""Bytes that a gzip body may always become: the same line again and again is not hostile."""
Pieces = TypeVar("Pieces")
_INCOMPLETE = (
    "The last line is incomplete and has no line feed, so the body may be truncated. "
    "End it with a line feed, or send a Content-Length."
)
_BLANK_LINES = re.compile(rb"\n(?:[ \t\r]*+\n)++")


class Piece(Struct, frozen=True):
    """Some items of a body, in order; `spans` are their places in a text body, in code points."""

    items: list[Item | Refusal]
    spans: list[tuple[int, int]] | None = None


class BadBody(ValueError):
    """The body cannot be read, or not further. `status` is an HTTP status."""

    status = 422


class CutOff(BadBody):
    """The connection ended before the body did."""

    status = 400


class TooLarge(BadBody):
    """The body is over its limit, which the words name."""

    status = 413


class UnknownCoding(BadBody):
    """The body is compressed in a way that is not read here."""

    status = 415


def check_length(length: int | None, limit: int) -> None:
    """Refuse by the announced length, before anything is read. Raises TooLarge."""
    if length is not None and length > limit:
        raise TooLarge(f"The body has {length:,} bytes. The limit is {limit:,}.")


def utf8(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks of a text. Raises BadBody if it begins with the byte order mark of UTF-16 or
    UTF-32, as what PowerShell writes does: read as UTF-8, it would have no message.
    """
    whole = iter(blocks)
    first = next(whole, b"")
    if first.startswith(_OTHER_MARKS):
        raise BadBody("The body is in UTF-16 or UTF-32. Expected UTF-8.")
    yield first
    yield from whole


def bounded(blocks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The blocks, until they are more than `limit` bytes. Raises TooLarge."""
    total = 0
    for block in blocks:
        total += len(block)
        if total > limit:
            raise TooLarge(f"The body is larger than the limit of {limit:,} bytes.")
        yield block


def gunzip(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of a gzip body, in blocks of at most 64 KiB, so that a bomb bursts at a limit.
    Raises BadBody.
    """
    stream, begun = zlib.decompressobj(wbits=31), False
    sent = made = 0
    try:
        for block in blocks:
            rest = block
            sent += len(block)
            while rest:
                begun = True
                content = stream.decompress(rest, _STEP)
                made += len(content)
                if made > max(SMALL, RATIO * sent):
                    raise TooLarge(
                        f"The gzip body expands to more than {RATIO} times its size. "
                        "Send it without gzip."
                    )
                yield content
                rest = stream.unconsumed_tail
                if stream.eof:
                    rest = stream.unused_data
                    stream, begun = zlib.decompressobj(wbits=31), False
    except zlib.error as error:
        reason = str(error).rpartition(": ")[2]
        raise BadBody(f"The body is not valid gzip: {reason}.") from None
    if begun:
        raise BadBody("The gzip body is truncated.")


class Unframed:
    """A body without a known length, such as a chunked one. When the connection breaks, whole lines
    are read, and the rest of a line is left out.

    A server may report such a break as the end of the body. So a last line without its line feed is
    read only when it is `complete` in itself; otherwise a part of a message could be taken for all
    of it.
    """

    def __init__(
        self, blocks: Iterable[bytes], *, complete: Callable[[bytes], bool] = lambda _line: False
    ) -> None:
        self._blocks = blocks
        self._complete = complete
        self._cut: CutOff | None = None

    def __iter__(self) -> Iterator[bytes]:
        held: list[bytes] = []
        size = 0
        try:
            for block in self._blocks:
                ended, feed, rest = block.rpartition(b"\n")
                if feed or size > LINE_LIMIT:
                    yield b"".join((*held, ended, feed))
                    held, size = [], 0
                held.append(rest)
                size += len(rest)
        except CutOff as cut:
            self._cut = cut
            return
        last = b"".join(held)
        if last.strip() and not self._complete(last):
            self._cut = CutOff(_INCOMPLETE)
        else:
            yield last

    def checked(self, pieces: Iterable[Pieces]) -> Iterator[Pieces]:
        """The pieces that were read from it. Raises CutOff after the last one if the body broke off
        or a line was left out.
        """
        yield from pieces
        if self._cut is not None:
            raise self._cut


def lines(blocks: Iterable[bytes]) -> Iterator[bytes | None]:
    """The lines that are not blank, without their ends, cut at line feeds only.

    None stands for one over `LINE_LIMIT`, whose bytes are dropped. Runs of blank lines are passed
    over at once: a gzip body can hold millions of them.
    """
    parts: list[bytes] = []
    held = 0
    for block in chain(blocks, (b"\n",)):  # so that the last line ends too
        first, *rest = _BLANK_LINES.sub(b"\n", block).split(b"\n")
        for following in rest:
            line = b"".join((*parts, first)) if held + len(first) <= LINE_LIMIT else None
            if line is None or (line and not line.isspace()):
                yield line
            parts.clear()
            held, first = 0, following
        held += len(first)
        if held <= LINE_LIMIT:
            parts.append(first)
        else:
            parts.clear()
