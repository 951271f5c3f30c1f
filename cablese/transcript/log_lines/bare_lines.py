"""Lines that are a message and nothing else, of characters that can end none.

    REQ/TSK|g=42,t=1,@=auth_refactor
    T|17|Q|obj=test_scope

A saved conversation has hundreds of them, so a run of them is read at once. `LineMessages` reads
each as the same message.
"""

import re
from functools import cache

from cablese import registry
from cablese.message import Span
from cablese.transcript.cut import Cut

_REST = r"[\w=,;:.@!+*%~^-]*+(?<=[^\W_])(?<!\.truncated)(?<!\.more)(?=\r?\n)"
"""No space, quote, or bracket, and neither of the signs with which another message begins. The last
character is a letter or a digit, and not one of a mark that the message was longer.
"""


def take(text: str, at: int, most: int) -> tuple[list[Cut], int]:
    """Return up to ``most`` messages of the lines from ``at`` on, and where the next line begins.

    The last line of a text is not taken: it may still grow.
    """
    cuts: list[Cut] = []
    match = _line().match
    while len(cuts) < most and (line := match(text, at)):
        assert line.lastgroup is not None
        end = line.end()
        cuts.append(Cut(Span(at, end), line[0], line.lastgroup))
        at = end + (1 if text[end] == "\n" else 2)
    return cuts, at


@cache
def _line() -> re.Pattern[str]:
    begins = (
        f"(?P<{codec.name}>{codec.begins})" for codec in registry.all_codecs() if codec.begins
    )
    return re.compile(f"(?:{'|'.join(begins)}){_REST}", re.ASCII)
