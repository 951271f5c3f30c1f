"""What closes at the end of a message and is not opened in it.

    send(["REQ/TSK|g=42,t=1"]);      `"]);`, when the program was copied from `REQ` on
    REQ/TSK|g=42,t=1\\n              the end of a line, written out

A value may end with a quote or a bracket of its own, so only what makes the message valid is taken
off.
"""

import re

from cablese.codec import Codec
from cablese.transcript import quoting

from .own import TURNED, past_own
from .room import Room

UNSEEN = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad" + TURNED
"""Characters that are not drawn. Chats and pages put them after a text."""
CURSOR = "\u2588\u258c\u258f\u2581"
"""How a terminal draws where one types. Several of them redact a value."""
STRAY = re.compile(
    rf"""(?:["'`»”\])}}>{UNSEEN}]|(?<![=:|,{CURSOR}])[{CURSOR}]|"\#{{1,3}}"""
    r"""|(?<![=:|,])\[\^[\w-]{1,20}\]"""
    r"""|&(?:quot|apos|gt|nbsp|\#3[49]|\#160|\#x2[27]|\#xa0);)+[;,]?\Z"""
)
"""What closes at the end of a message and is not opened in it: a piece of a program, or of a page,
was copied. So are the cursor of a terminal, and the mark of a footnote.
"""
LAST = frozenset("\"'`»”])}>#;," + UNSEEN + CURSOR)
"""Its last character: most messages have another."""
MAX_STRAY = 40
"""Characters at the end of a message that are searched for it."""
INCHES = re.compile(r"[=:|,]\d+(?:\.\d+)?[\"']\Z")
"""A value with a unit that looks like a quote."""
LINE_END = re.compile(r"(?:(?:\\r)?\\n|#012)\Z")
"""The end of a line as some programs write it. Here it is before what closes the message; for all
others see ``layers.line_ends``.
"""
LINE_ENDS = ("\\n", "#012")
"""What those end with."""
BRACKETS = "".join(quoting.OPENERS)


def count(codec: Codec, wire: str, room: Room) -> int:
    """Return how many characters at the end of a message only close what is not open in it."""
    if wire[-1:] not in LAST:
        return 0
    stray = STRAY.search(wire, max(0, len(wire) - MAX_STRAY))
    if stray is None or INCHES.search(wire) is not None:
        return 0
    at = past_own(wire, 0, stray.start(), len(wire))
    run = wire[at:]
    # A bracket alone may be a part of a face. In a program, more follows it.
    is_alone = run.strip(BRACKETS) == "" and not run.endswith("]]>")
    if is_alone or run.rstrip(";,") in ("", wire) or not room.take(at):
        return 0
    return len(run) if codec.decode(wire[:at]).valid else 0


def count_line_end(wire: str) -> int:
    """Return how many characters at the end of a message are the end of a line, written out."""
    mark = LINE_END.search(wire) if wire.endswith(LINE_ENDS) else None
    return 0 if mark is None or "\\" in wire[: mark.start()] else len(mark[0])
