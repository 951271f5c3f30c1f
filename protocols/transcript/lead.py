"""What comes before a message that has no anchor, such as a list sign, a quote, or a log prefix.

    - SLIP v3 planner exec Request Plan auth
    > 10:00:01 planner: SLIP v3 planner exec Request Plan auth

A line can be tried after each of these things, since nothing else marks where the message begins.
"""

import re
from collections.abc import Iterator

from protocols import detect, registry

from . import log_line
from .anchor import Anchor

COMMENT = re.compile(r"(?:#|//|<!--|--\s)")
STEP = re.compile(
    rf"{log_line.LEAD.pattern}|[-*+>•]\s+|\d{{1,3}}[.)]\s+|\|\s+|\$\s+|>>>\s*|[\"'`(\[<]+",
    re.ASCII,
)
"""One thing that may come before a message."""
MAX_STEPS = 12


def find(line: str) -> Anchor | None:
    """Return the surest place on ``line`` where a line protocol claims the rest."""
    if COMMENT.match(line):
        return None
    claims = [(detect.best(line[at:]), at) for at in _steps(line)]
    anchors = [
        Anchor(guess.score, at, guess.protocol)
        for guess, at in claims
        if guess is not None and registry.get(guess.protocol).form == "line"
    ]
    return max(anchors, key=lambda anchor: (anchor.score, anchor.at), default=None)


def without(line: str) -> str:
    """Return ``line`` without everything that may come before a message."""
    *_, last = _steps(line)
    return line[last:]


def _steps(line: str) -> Iterator[int]:
    """Yield the places where a message may begin: after each thing that may come before one."""
    at = 0
    for _ in range(MAX_STEPS):
        yield at
        step = STEP.match(line, at) or log_line.STEP.match(line, at)
        if step is None or step.end() == at:
            return
        at = step.end()
