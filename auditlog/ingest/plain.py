"""Logs and chats as they are (text/plain), cut into messages as they come in.

Each message is an item with its span in the text, and with what its line says beside it; what is no
message is kept in `Reader.ignored` with the reason. Bytes that are not UTF-8 go through as
surrogate escapes, so that the wire that is kept is the wire that was sent.
"""

import codecs
import re
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from auditlog.ingest import zones
from auditlog.ingest.body import ITEM_LIMIT, PIECE, STREAM_LIMIT, Piece, TooLarge, bounded
from auditlog.ingest.item import WIRE_LIMIT, Item, Refusal, check, keep_refusal
from auditlog.ingest.logged import to_item
from auditlog.text import whole
from cablese import transcript
from cablese.codec import JSON_LIMIT
from cablese.message import Span
from cablese.transcript.splitter import UNCLAIMED

IGNORED_LIMIT = 1_000
"""Ignored stretches that are reported; the others are counted. Text without a message is reported
before what surrounds messages, such as the prefixes of a log.
"""
_BLANK_LINES = re.compile(r"(?:[ \t\r]*+\n)++")
_REST_OF_LINE = re.compile(r"[^\r\n]*+")
_TOO_LARGE = Refusal(413, f"wire is larger than the limit of {WIRE_LIMIT:,} bytes.", "/wire")
_STEP = 1 << 16
"""Code points that are gathered before they are cut."""


class Reader:
    """One body. Items may all belong to one `protocol`, and go to one `log`.

    `zone` is that of times that are written without one.
    """

    def __init__(
        self,
        *,
        protocol: str | None = None,
        dialect: str | None = None,
        log: str | None = None,
        zone: ZoneInfo = zones.UTC,
    ) -> None:
        self.protocol = protocol
        self.zone = zone
        self.received = datetime.now(UTC)
        self.dialect = dialect
        self.log = log
        self._without: list[transcript.Ignored] = []
        """Text without a message."""
        self._around: list[transcript.Ignored] = []
        """What surrounds messages."""
        self._ignored = 0
        self._at = 0
        self._context = ""
        self._skips = False
        """Whether the line goes on of which a message was too large."""
        self._items: list[Item | Refusal] = []
        self._spans: list[tuple[int, int]] = []
        self._number = 0

    @property
    def ignored(self) -> list[transcript.Ignored]:
        """The ignored stretches that are reported, in the order of the text."""
        around = self._around[: IGNORED_LIMIT - len(self._without)]
        return sorted((*self._without, *around), key=lambda one: one.span.start)

    @property
    def ignored_more(self) -> int:
        """The number of the others."""
        return max(0, self._ignored - IGNORED_LIMIT)

    def read(self, blocks: Iterable[bytes]) -> Iterator[Piece]:
        """Pieces of at most `PIECE` items. Raises BadBody over a limit, and
        registry.UnknownProtocol at once.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        text, target = "", _STEP
        for block in bounded(blocks, STREAM_LIMIT):
            text += decoder.decode(block)
            if len(text) >= target and not _is_awaited(text):
                text = yield from self._cut(text, final=False)
                # A message that goes on for long is not looked at again for every block.
                target = max(_STEP, 2 * len(text))
        yield from self._cut(text + decoder.decode(b"", final=True), final=True)
        if self._items:
            yield self._piece()

    def _cut(self, text: str, *, final: bool) -> Generator[Piece, None, str]:
        """Take the messages of `text`, and return what is left of it."""
        if self._skips:
            text = self._skip(text)
            if not text:
                return text
        if not self._at and text.startswith("\ufeff"):
            self._at, text = 1, text[1:]
        if blank := _BLANK_LINES.match(text):
            self._at += blank.end() - 1
            text = text[blank.end() - 1 :]  # one line end says that a line was empty
        cut = transcript.split(text, self.protocol, final=final, context=self._context)
        self._context = cut.context
        too_large = None if final else _find_open(text, cut)
        self._skips = too_large is not None
        for found in cut.messages:
            if self._number == ITEM_LIMIT:
                if self._items:
                    yield self._piece()
                raise TooLarge(f"The body has more than the limit of {ITEM_LIMIT:,} messages.")
            self._take(found, too_large=found is too_large)
            if len(self._items) == PIECE:
                yield self._piece()
        for one in cut.ignored:
            self._ignore(one)
        self._at += cut.end
        return text[cut.end :]

    def _skip(self, text: str) -> str:
        """Return `text` from the end of its first line on."""
        line = _REST_OF_LINE.match(text)
        assert line is not None
        self._at += line.end()
        self._skips = line.end() == len(text)
        return text[line.end() :]

    def _take(self, found: transcript.Cut, *, too_large: bool) -> None:
        item = to_item(
            found, received=self.received, zone=self.zone, dialect=self.dialect, log=self.log
        )
        self._items.append(_TOO_LARGE if too_large else keep_refusal(check, item))
        self._spans.append((self._at + found.span.start, self._at + found.span.end))
        self._number += 1

    def _piece(self) -> Piece:
        piece = Piece(self._items, self._spans)
        self._items, self._spans = [], []
        return piece

    def _ignore(self, one: transcript.Ignored) -> None:
        self._ignored += 1
        listed = self._without if one.reason == UNCLAIMED else self._around
        if len(listed) < IGNORED_LIMIT:
            span = Span(self._at + one.span.start, self._at + one.span.end)
            listed.append(transcript.Ignored(span, whole(one.text), one.reason, one.resembles))


def _is_awaited(text: str) -> bool:
    """Return whether the last line, which `transcript.split` would read as far as it is there, may
    still end within the limit of a wire. Its prefix may be as long as a step.
    """
    size = len(text) - text.rfind("\n") - 1
    return 2 * JSON_LIMIT < size <= WIRE_LIMIT + _STEP


def _find_open(text: str, cut: transcript.Transcript) -> transcript.Cut | None:
    """Return the last message if its line goes on after `text`, which was cut all the same because
    it is so long.
    """
    if not cut.messages or cut.end < len(text):
        return None
    last = cut.messages[-1]
    tail = text[last.span.end :]
    return None if tail.strip() or "\n" in tail or "\r" in tail else last
