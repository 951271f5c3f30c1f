"""Where a message of a line protocol ends when nothing that was opened before it closes.

    REQ/TSK|g=42,t=1 (12ms)                      a remark of a logger
    REQ/TSK|g=42,t=1 {"service":"bus"}           its fields
    REQ/TSK|g=42,t=1 took=12ms level=info        more of its fields
    REQ/TSK|g=42,t=1    200                      the next column

A value may hold a space, so the end cannot always be known. Where one of these begins, the shortest
valid reading wins, and the rest is reported and never becomes part of a value. Other words after a
space are read as part of the message, which is then usually invalid.
"""

import re
from collections.abc import Iterator

from cablese.codec import Codec

from . import quoting

NO_BREAK = "\u00a0\u2007\u202f"
"""Spaces that do not break, which pages and chats put for others."""
SPACE = re.compile(rf"[ \t{NO_BREAK}]+")
REMARK = re.compile(
    r"""\([^()]*\)?(?:\s|\Z)                        # (12ms)
    | \[[^\[\]]*\]?(?:\s|\Z)                      # [200]
    | [{].*                                        # {"service":"bus"}
    | (?:\#|//|--|<-|->|=>|<=|←|→|\.\.|…|;).*      # a comment, an arrow
    | \|(?!\s*[A-Za-z_][\w-]*\s*:).*               # the next cell of a table
    | [│┃║].*                                      # and of one that is drawn
    | [+~]?\d+(?:\.\d+)?(?:ns|[uµ]s|ms|s)\Z        # 12ms
    | [A-Za-z_][\w.-]*=\S*                         # took=12ms
    | ["'`)\]}>*_,;]+(?:\s|\Z)                     # closed without having been opened
    """,
    re.VERBOSE | re.DOTALL,
)
EDGE = re.compile(r"""(?<![\s.!?)\]}>"'`*…])[\s.!?)\]}>"'`*…]++\Z""")
COLUMN = re.compile(
    r"(?:[\w.+-]{1,40}|[\w./-]{1,200}\.\w{1,5}:\d+|\d\d?:\d\d(?::\d\d)?"
    r"|[\w.-]*/[\w./-]{1,200})(?:\s|\Z)"
)
"""The next cell of a table that is printed with spaces: a word, the place in a program that logged
it, a time, or a path.
"""
MAX_TRIES = 40
"""Ends of one message that are tried."""


def find(
    codec: Codec,
    text: str,
    start: int,
    end: int,
    *,
    line: int,
    is_alone: bool,
    is_closed: bool = False,
) -> int:
    """Return the end of the message at ``start``, at most ``end``.

    The line begins at ``line``. With ``is_alone`` nothing comes before the message there. With
    ``is_closed`` it begins and ends with its quotes, so that all of it is the message if it can be.
    """
    if is_closed and codec.decode(text[start:end]).valid:
        return end
    end -= quoting.unbalanced(text, line, start, end)
    wire = text[start:end]
    for at in _ends(wire):
        if codec.further is not None and codec.further.search(wire, at):
            continue
        if codec.decode(wire[:at]).valid:
            return start + at
    edge = None if is_alone else EDGE.search(wire)
    if edge is None or codec.decode(wire).valid:
        return end
    return start + _without_edge(codec, wire, edge.start())


def _ends(wire: str) -> Iterator[int]:
    """Yield where ``wire`` may end: before a remark or the next column."""
    tried = 0
    for space in SPACE.finditer(wire):
        is_column = "\t" in space[0] or len(space[0]) > 1
        is_end = space.end() == len(wire)  # ordinary spaces are trimmed already
        is_cell = is_column and COLUMN.match(wire, space.end())
        if is_end or is_cell or REMARK.match(wire, space.end()):
            yield space.start()
            tried += 1
            if tried == MAX_TRIES:
                return


def _without_edge(codec: Codec, wire: str, edge: int) -> int:
    """Return the length without the punctuation from ``edge`` on, when only that is valid."""
    for at in range(edge, len(wire)):
        if codec.decode(wire[:at]).valid:
            return at
    return len(wire)
