"""Every safe fix of a text at once, and what that changes, for a look before it is done.

``cablese.fixes`` does it message by message. A fix may join two messages or part them, so the text
is read again.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from typing import Literal, NamedTuple

from cablese.fixes import Fixed, Fixer
from playground.display.glyphs import visible
from playground.http.decoding import Known
from playground.workbench.document import MESSAGES, Reading

ROUNDS = 3
"""How often a text is cut into messages anew: a fix may join two of them, or part them."""
PIECES = 4 * MESSAGES
"""Messages and ignored pieces to look for: a page fixes MESSAGES of them, most with their
prefix.
"""
ALIKE_LIMIT = 400
WORD = re.compile(r"\w")
WORDS = re.compile(r"\w+|\W")
AROUND = 30
"""So many characters are shown beside what changes."""


class Part(NamedTuple):
    """Some characters of a line: they stay, or they are what changes."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One message before and after, the codes of what was mended and how often."""

    line: int
    start: int
    before: str
    after: str
    codes: tuple[tuple[str, int], ...]

    @property
    def parts(self) -> tuple[list[Part], list[Part]]:
        """Both wires in parts, long stretches that stay left out."""
        return _compared(self.before, self.after)


@dataclass(frozen=True)
class Mended:
    """A text with its safe fixes applied; ``fixes`` counts them."""

    before: str
    text: str
    changes: tuple[Change, ...]
    fixes: int
    after: Reading
    """The last reading: of the fixed text, up to the last message that a page shows."""

    @cached_property
    def edit(self) -> tuple[int, int, str]:
        """The one replacement that does it all: where, in UTF-16 units of the text before, and what
        comes there.
        """
        start, end = _common(self.before, self.text)
        units = len(self.before[:start].encode("utf-16-le", "surrogatepass")) // 2
        taken = self.before[start : len(self.before) - end]
        width = len(taken.encode("utf-16-le", "surrogatepass")) // 2
        return units, units + width, self.text[start : len(self.text) - end]


def mend(text: str, *, protocol: str | None, tokenizer: str) -> Mended:
    """Apply every safe fix of a text. Each reading is used: reading takes most of the time."""
    known: Known = {}
    read = partial(Reading, protocol=protocol, tokenizer=tokenizer, pieces=PIECES, known=known)
    reading, changes, fixer = read(text), list[Change](), Fixer()
    head, tail = _part(reading)
    for _ in range(ROUNDS):
        found = list(_changes(reading, fixer, known))
        if not found:
            break
        changes += found
        head = _with(head, found)
        reading = read(head)
    fixes = sum(count for change in changes for _, count in change.codes)
    return Mended(text, head + tail, tuple(changes), fixes, reading)


def _part(reading: Reading) -> tuple[str, str]:
    """Return the text up to the last message that is read, and the rest, which no fix changes."""
    if not reading.left:
        return reading.text, ""
    end = reading.cuts[-1].span.end
    return reading.text[:end], reading.text[end:]


def _changes(reading: Reading, fixer: Fixer, known: Known) -> Iterator[Change]:
    """Yield what the safe fixes of each message change. The messages after that become
    ``known``.
    """
    done: dict[int, Fixed] = {}  # messages of a log repeat, and equal ones are one object
    for cut, message in zip(reading.cuts, reading.messages, strict=True):
        if not cut.verbatim or not any(
            found.fix and found.fix.safe for found in message.diagnostics
        ):
            continue
        if id(message) not in done:
            done[id(message)] = fixer.fix(message)
        fixed, codes = done[id(message)]
        known[fixed.protocol, fixed.wire] = fixed
        if fixed.wire != message.wire:
            start = cut.span.start
            yield Change(
                reading.places.line(start), start, message.wire, fixed.wire, tuple(codes.items())
            )


def _with(text: str, changes: Sequence[Change]) -> str:
    pieces, at = list[str](), 0
    for change in changes:
        pieces += text[at : change.start], change.after
        at = change.start + len(change.before)
    return "".join((*pieces, text[at:]))


def _common(before: str, after: str) -> tuple[int, int]:
    """How many characters are the same at the beginning, and at the end of what is behind it."""
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    room = shorter - start
    end = next((at for at in range(room) if before[-1 - at] != after[-1 - at]), room)
    return start, end


def _compared(before: str, after: str) -> tuple[list[Part], list[Part]]:
    start, end = _common(before, after)
    while start and WORD.fullmatch(before[start - 1]):
        start -= 1
    while end and WORD.fullmatch(before[-end]):
        end -= 1
    sides = (
        WORDS.findall(before[start : len(before) - end]),
        WORDS.findall(after[start : len(after) - end]),
    )
    head, tail = before[:start], before[len(before) - end :]
    if max(map(len, sides)) > ALIKE_LIMIT:
        steps: list[tuple[Literal["equal", "replace", "delete", "insert"], int, int, int, int]]
        steps = [("replace", 0, len(sides[0]), 0, len(sides[1]))]
    else:
        steps = SequenceMatcher(None, *sides, autojunk=False).get_opcodes()
    start_part = Part(_shorten(head, head=0), changed=False)
    lines = [start_part], [start_part]
    for kind, *at in steps:
        for line, side, low, high in (
            (lines[0], sides[0], at[0], at[1]),
            (lines[1], sides[1], at[2], at[3]),
        ):
            line.append(Part(_shorten("".join(side[low:high])), changed=kind != "equal"))
    for line in lines:
        line.append(Part(_shorten(tail, tail=0), changed=False))
    return [part for part in lines[0] if part.text], [part for part in lines[1] if part.text]


def _shorten(text: str, head: int = AROUND, tail: int = AROUND) -> str:
    """Return a text with only so many characters at each end."""
    if len(text) <= head + tail:
        return visible(text)
    return f"{visible(text[:head])}…{visible(text[len(text) - tail :])}"
