"""Where a message may begin inside a line, and how surely one of that protocol does.

    planner: REQ/TSK|g=42,t=1        nSLIP's anchor is at `REQ`, and certain
    a request T|maybe|later          T-line's is at `T`, and does not claim the text

The surest place wins, and the first of equals.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from heapq import merge

from msgspec import Struct

from cablese import detection, registry
from cablese.codec import Codec

from .log_lines import log_line

MAX_SNIFFED = 4_096
"""Characters that tell what a message is."""
MAX_TRIES = 40
"""Places on a line where one protocol is tried."""
MAX_FOLLOWING = 10
"""Those after a message, where one that ends it may begin."""
LIKELY = 0.6
"""From this on a message is one, though a surer one follows it on its line."""
REMEMBERED = 1_000
"""Places whose scores are remembered."""
Scores = tuple[tuple[tuple[str, int, int], float], ...]
"""``((protocol, start, end), score)`` of places in a text."""
SEPARATING = " \t,;\"'`([“„‘«‹"
"""One of these is before a message that follows another on its line."""
EMPHASIS = "*_~"
"""One to three of these may be between that and the message."""
SEPARATOR = re.compile(f"[{re.escape(SEPARATING)}]")

SURE = 0.9
"""Above this a message inside a line is one, though the line may continue another."""


class Anchor(Struct, frozen=True, gc=False):
    """A place where a message may begin, its protocol, and how sure that is (0 to 1)."""

    score: float
    at: int
    protocol: str


class _Sought(Struct, gc=False):
    """Where messages of one protocol may begin from ``start`` up to ``stop``, on the line that ends
    at ``end``. What follows a message is sought before the next one is, which begins earlier.
    """

    start: int
    end: int
    stop: int
    found: list[int]


class Anchors:
    """The anchors of every line protocol in ``text``. Each place is searched once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.codecs, self._sign = _line_codecs()
        self._sought: dict[str, _Sought] = {}
        self._scores: dict[tuple[str, int, int], float] = {}
        """The last places that were scored: a line is asked for up to three times, and again for
        each of its messages.
        """

    def find(self, start: int, end: int) -> Anchor | None:
        """Return where a message begins on the line, the surest place first."""
        surest = self._leading(start, end) or self._surest(start, end)
        if surest is None or self.text.find("|", start, surest.at) < 0:
            return surest
        return self._likely_before(start, surest.at) or surest

    def _likely_before(self, start: int, end: int) -> Anchor | None:
        """Return a message before the surest one of the line."""
        for codec in self.codecs:
            begin = self._search(codec, start, end)
            score = self._score(codec, begin, end) if begin >= 0 else 0
            if score >= LIKELY:
                return Anchor(score, begin, codec.name)
        return None

    def is_certain(self, start: int, end: int) -> bool:
        """Return whether a message begins on the line beyond doubt."""
        anchor = self.find(start, end)
        return anchor is not None and anchor.score >= detection.CERTAIN

    def after(self, at: int, limit: int, end: int) -> Iterator[int]:
        """Yield where messages certainly begin after ``at`` and before ``limit``, the nearest
        first.
        """
        first = self._first_after(at, end)
        if first < 0:
            return iter(())
        return merge(*(self._following(codec, first, limit, end) for codec in self.codecs))

    def _following(self, codec: Codec, first: int, limit: int, end: int) -> Iterator[int]:
        begin = first - 1
        for _ in range(MAX_FOLLOWING):
            begin = self._seek(codec, begin + 1, end)
            if not 0 <= begin < limit:
                return
            if self._is_separated(begin) and self._score(codec, begin, limit) >= detection.CERTAIN:
                yield begin

    def lone(self) -> Codec | None:
        """Return whose message begins the text, one line, beyond doubt, if no other can follow."""
        codec = self._first_certain(0, len(self.text))
        return codec if codec is not None and self._first_after(0, len(self.text)) < 0 else None

    @property
    def scores(self) -> Scores:
        """Return the scores of the places that were asked for."""
        return tuple(self._scores.items())

    def learn(self, scores: Scores, at: int) -> None:
        """Take over the scores of a part of the text that begins at ``at``."""
        if len(self._scores) >= REMEMBERED:
            self._scores.clear()
        for (name, start, end), score in scores:
            self._scores[name, at + start, at + end] = score

    def _first_certain(self, start: int, end: int) -> Codec | None:
        for codec in self.codecs:
            assert codec.anchor is not None
            if (
                codec.anchor.match(self.text, start, end)
                and self._sniff(codec, start, end) >= detection.CERTAIN
            ):
                return codec
        return None

    def _first_after(self, at: int, end: int) -> int:
        """Return the first place after ``at`` where another message may begin, or -1."""
        separator = SEPARATOR.search(self.text, at, end)
        if separator is None or self._sign.search(self.text, separator.end(), end) is None:
            return -1
        return separator.end()

    def _is_separated(self, begin: int) -> bool:
        """Return whether the message at ``begin`` may follow another one on its line."""
        before = self.text[begin - 1]
        if before in EMPHASIS:
            before = self.text[max(0, begin - 4) : begin].rstrip(EMPHASIS)[-1:] or before
        return before in SEPARATING

    def _leading(self, start: int, end: int) -> Anchor | None:
        """Return a message that begins the line beyond doubt, as most in a log do."""
        codec = self._first_certain(start, end)
        if codec is not None:
            return Anchor(detection.CERTAIN, start, codec.name)
        lead = log_line.LEAD.match(self.text, start, end)
        if lead is None:
            return None
        guess = detection.best(self.text[lead.end() : end])
        if guess is None or guess.score < detection.CERTAIN:
            return None
        is_line = registry.get(guess.protocol).form == "line"
        return Anchor(guess.score, lead.end(), guess.protocol) if is_line else None

    def _surest(self, start: int, end: int) -> Anchor | None:
        """Return the surest place, and of equals the first."""
        best: Anchor | None = None
        for codec in self.codecs:
            at = start
            for _ in range(MAX_TRIES):
                begin = self._seek(codec, at, end)
                if begin < 0:
                    break
                at = begin + 1
                score = self._score(codec, begin, end)
                if score >= detection.CLAIMED and (
                    best is None or (-score, begin) < (-best.score, best.at)
                ):
                    best = Anchor(score, begin, codec.name)
                if score >= detection.CERTAIN:
                    break
        return best

    def _seek(self, codec: Codec, at: int, end: int) -> int:
        """Return the next place from ``at`` on where a message may begin, or -1."""
        sought = self._sought.get(codec.name)
        if sought is None or sought.end != end or not sought.start <= at <= sought.stop:
            sought = self._sought[codec.name] = _Sought(at, end, at, [])
        known = bisect_left(sought.found, at)
        if known < len(sought.found):
            return sought.found[known]
        begin = self._search(codec, sought.stop, end) if sought.stop <= end else -1
        if begin >= 0:
            sought.found.append(begin)
        sought.stop = end + 1 if begin < 0 else begin + 1
        return begin

    def _search(self, codec: Codec, at: int, end: int) -> int:
        assert codec.anchor is not None
        for sign in codec.signs:
            if self.text.find(sign, at, end) >= 0:
                break
        else:
            if codec.signs:
                return -1
        match = codec.anchor.search(self.text, at, end)
        return -1 if match is None else match.start()

    def _score(self, codec: Codec, start: int, end: int) -> float:
        return self._sniff(codec, start, min(end, start + MAX_SNIFFED))

    def _sniff(self, codec: Codec, start: int, end: int) -> float:
        place = codec.name, start, end
        score = self._scores.get(place)
        if score is None:
            if len(self._scores) >= REMEMBERED:
                self._scores.clear()
            sniffed = codec.sniff(self.text[start:end])
            score = self._scores[place] = 0.0 if sniffed is None else sniffed.score
        return score


@cache
def _line_codecs() -> tuple[list[Codec], re.Pattern[str]]:
    """Return the codecs of line protocols, and what each of their anchors has: everything when one
    has no sign.
    """
    codecs = [codec for codec in registry.all_codecs() if codec.anchor is not None]
    signs = [codec.signs for codec in codecs]
    return codecs, re.compile(f"[{re.escape(''.join(signs))}]" if all(signs) else "")
