"""What comes before a message that has no anchor, such as a list sign, a quote, or a log prefix.

    - SLIP v3 planner exec Request Plan auth
    > 10:00:01 planner: SLIP v3 planner exec Request Plan auth
    10:00:01|planner|REQ/TSK|g=42,t=1|200

A line can be tried after each of these things, since nothing else marks where the message begins.
"""

import re
from collections.abc import Iterable, Iterator

from cablese import detection, registry
from cablese.transcript import hint
from cablese.transcript.anchor import Anchor
from cablese.transcript.memory import remember

from . import log_line

COMMENT = re.compile(r"(?:#|//|<!--|--\s)")
STEP = re.compile(
    rf"{log_line.LEAD.pattern}|[-*+>•]\s+|\d{{1,3}}[.)]\s+|\|\s+|\$\s+|>>>\s*|[\"'`(\[<]+"
    r"|_{1,3}(?=[A-Z])"
    r"|(?=[!-{}~]{0,200}\.\.)[!-{}~]{1,200}[.:](?=[A-Za-z]{2,12}[|/])",  # bytes of tcpdump
    re.ASCII,
)
"""One thing that may come before a message."""
CELL = re.compile(r"[^|={}\"']{0,80}(?:={1,3}>)?\|(?=\S)")
"""A cell before a message, or an arrow: `10:00:01|planner|REQ/TSK|g=42,t=1`, `a ==>|SYNC|HR|…`."""
LOOKALIKES = str.maketrans("¦│｜∣ǀ／∕⁄＝，：", "|||||///=,:")
"""What keyboards, tables, and fonts have for the signs of messages."""
ESCAPED = re.compile(r"\\(?=[|/,=:])")
"""Markdown outside of a table, and JSON, put it before such signs."""
MAX_STEPS = 12
MAX_REMEMBERED = 200
"""Characters of a line that is remembered with what it resembles."""


def find(line: str) -> Anchor | None:
    """Return the surest place on ``line`` where a line protocol claims the rest."""
    if COMMENT.match(line):
        return None
    anchors = _anchors(line, _steps(line))
    surest = max(anchors, key=lambda anchor: (anchor.score, anchor.at), default=None)
    if surest is not None and surest.score >= detection.CERTAIN:
        return surest
    cells = (one for one in _anchors(line, _cells(line)) if one.score >= detection.CERTAIN)
    return next(cells, surest)


def _anchors(line: str, places: Iterable[int]) -> Iterator[Anchor]:
    """Yield those places on ``line`` where a line protocol claims the rest."""
    for at in places:
        guess = _guess(line[at:])
        if guess is None or guess.score < detection.CLAIMED:
            continue
        if registry.get(guess.protocol).form == "line":
            yield Anchor(guess.score, at, guess.protocol)


def resembles(line: str) -> str | None:
    """Return the protocol that ``line`` resembles after all that may come before a message: as it
    is, or with the signs that others of its own look like.
    """
    guess = _guess_last(line)
    if guess is None:
        meant = ESCAPED.sub("", line.translate(LOOKALIKES))
        guess = _guess_last(meant) if meant != line else None
        if guess is None or guess.score < detection.CLAIMED:
            return None
    return guess.protocol


def may_resemble(line: str) -> bool:
    """Return False when nothing in ``line`` looks like a part of a message."""
    if hint.has_sign(line) or "{" in line:
        return True
    return not line.isascii() and any(chr(sign) in line for sign in LOOKALIKES)


def _guess_last(line: str) -> detection.Guess | None:
    *_, last = _steps(line)
    return _guess(line[last:])


def _guess(text: str) -> detection.Guess | None:
    return _remembered(text) if len(text) <= MAX_REMEMBERED else detection.surest(text)


@remember(1_000)
def _remembered(text: str) -> detection.Guess | None:
    """Read the short lines that a text has again and again once."""
    return detection.surest(text)


def _cells(line: str) -> Iterator[int]:
    """Yield where a message may begin after cells between bars, without spaces around them."""
    cell = CELL.match(line)
    for _ in range(MAX_STEPS):
        if cell is None:
            return
        yield cell.end()
        cell = CELL.match(line, cell.end())


def _steps(line: str) -> Iterator[int]:
    """Yield the places where a message may begin: after each thing that may come before one."""
    at = 0
    for _ in range(MAX_STEPS):
        yield at
        step = STEP.match(line, at) or log_line.STEP.match(line, at)
        if step is None or step.end() == at:
            return
        at = step.end()
