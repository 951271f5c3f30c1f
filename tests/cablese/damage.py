"""Known damage: a valid message with one thing done to it, so that what it meant is known."""

import re
from collections.abc import Iterator
from itertools import chain
from random import Random

from cablese.protocols.aacp.tables import DOMS, TASKS
from cablese.protocols.nslip.vocabulary import ACTS, FRAMES
from cablese.protocols.tline.vocabulary import KINDS

WORD = re.compile(r"[A-Za-z]{2,}")
FULL = {code: word for table in (ACTS, FRAMES, TASKS, DOMS, KINDS) for code, word in table.items()}
CODE = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(sorted(FULL, key=len, reverse=True))})(?![A-Za-z])")
KINDS_OF_DAMAGE = ("case", "swap", "drop", "double", "lose", "break", "full word", "cut")


def damage(wire: str, separators: str, random: Random, most: int) -> Iterator[str]:
    """At most ``most`` wires for each kind of damage."""
    for kind in KINDS_OF_DAMAGE:
        found = [
            one
            for one in dict.fromkeys(_damage(wire, separators, kind))
            if one.strip() and one != wire
        ]
        yield from random.sample(found, min(most, len(found)))


def _damage(wire: str, separators: str, kind: str) -> Iterator[str]:
    words = [match.span() for match in WORD.finditer(wire)]
    marks = [at for at, one in enumerate(wire) if one in separators or one in "\"'[]{}"]
    if kind == "case":
        for start, end in words:
            for word in (wire[start:end].lower(), wire[start:end].upper(), wire[start:end].title()):
                yield wire[:start] + word + wire[end:]
    elif kind == "swap":
        for at in chain.from_iterable(range(start, end - 1) for start, end in words):
            yield wire[:at] + wire[at + 1] + wire[at] + wire[at + 2 :]
    elif kind == "drop":
        for at in marks:
            yield wire[:at] + wire[at + 1 :]
    elif kind == "double":
        for at in marks:
            yield wire[: at + 1] + wire[at:]
    elif kind == "lose":
        for at in range(len(wire)):
            yield wire[:at] + wire[at + 1 :]
    elif kind == "break":
        for at in marks:
            yield wire[:at] + "\n" + wire[at:]
    elif kind == "full word":
        for match in CODE.finditer(wire):
            yield wire[: match.start()] + FULL[match[0]] + wire[match.end() :]
    else:
        for at in range(1, len(wire)):
            yield wire[:at]
