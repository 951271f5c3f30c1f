"""All safe fixes of a text at once, with a preview of the changes.

``cablese.editing.fixes`` fixes message by message. A fix may join or split messages, so the text
is read again.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from typing import Literal, NamedTuple

from cablese.editing.fixes import Fixed, Fixer
from playground.display.glyphs import visible
from playground.http.decoding import Known
from playground.workbench.document import MESSAGES, Reading

ROUNDS = 3
"""How often a text is split into messages: a fix may join or split them."""
MOST_PARTS = 4 * MESSAGES
"""The limit of messages and fragments: a page fixes MESSAGES messages, most of them with a prefix.
"""
DIFF_LIMIT = 400
WORD = re.compile(r"\w")
WORDS = re.compile(r"\w+|\W")
AROUND = 30
"""Characters that are shown around a change."""
SPARED = 3
"""So few characters are not worth a cut."""


class Part(NamedTuple):
    """A part of a line, changed or not."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One message before and after, with the code and the number of each fix."""

    line: int
    start: int
    before: str
    after: str
    codes: tuple[tuple[str, int], ...]

    @property
    def parts(self) -> tuple[list[Part], list[Part]]:
        """Return both wires in parts, with long unchanged parts shortened."""
        return _compared(self.before, self.after)


@dataclass(frozen=True)
class FixedText:
    """A text with its safe fixes applied; ``fixes`` counts them."""

    before: str
    text: str
    changes: tuple[Change, ...]
    fixes: int
    after: Reading
    """The last reading: of the fixed text, up to the last message that a page shows."""

    @cached_property
    def edit(self) -> tuple[int, int, str]:
        """Return one replacement for all changes: its place in UTF-16 units, and the new text."""
        start, end = _common(self.before, self.text)
        units = len(self.before[:start].encode("utf-16-le", "surrogatepass")) // 2
        replaced = self.before[start : len(self.before) - end]
        width = len(replaced.encode("utf-16-le", "surrogatepass")) // 2
        return units, units + width, self.text[start : len(self.text) - end]


def fix_text(text: str, *, protocol: str | None, tokenizer: str) -> FixedText:
    """Apply every safe fix of a text. Each reading is used: reading takes most of the time."""
    known: Known = {}
    read = partial(
        Reading, protocol=protocol, tokenizer=tokenizer, part_limit=MOST_PARTS, known=known
    )
    reading, changes, fixer = read(text), list[Change](), Fixer()
    head, tail = _part(reading)
    for _ in range(ROUNDS):
        new = list(_changes(reading, fixer, known))
        if not new:
            break
        changes += new
        head = _with(head, new)
        reading = read(head)
    fixes = sum(count for change in changes for _, count in change.codes)
    return FixedText(text, head + tail, tuple(changes), fixes, reading)


def _part(reading: Reading) -> tuple[str, str]:
    """Return the text up to the last message that is read, and the rest, which no fix changes."""
    if not reading.left:
        return reading.text, ""
    end = reading.cuts[-1].span.end
    return reading.text[:end], reading.text[end:]


def _changes(reading: Reading, fixer: Fixer, known: Known) -> Iterator[Change]:
    """Yield the changes by safe fixes in each message. The fixed messages become ``known``."""
    done: dict[int, Fixed] = {}  # Messages of a log repeat, and equal ones are one object.
    for cut, message in zip(reading.cuts, reading.messages, strict=True):
        if not cut.verbatim or not any(
            diagnostic.fix and diagnostic.fix.safe for diagnostic in message.diagnostics
        ):
            continue
        if id(message) not in done:
            done[id(message)] = fixer.fix(message)
        fixed, codes = done[id(message)]
        known[fixed.protocol, fixed.wire, ()] = fixed
        if fixed.wire != message.wire:
            start = cut.span.start
            yield Change(
                reading.places.line(start), start, message.wire, fixed.wire, tuple(codes.items())
            )


def _with(text: str, changes: Sequence[Change]) -> str:
    parts, at = list[str](), 0
    for change in changes:
        parts += text[at : change.start], change.after
        at = change.start + len(change.before)
    return "".join((*parts, text[at:]))


def _common(before: str, after: str) -> tuple[int, int]:
    """Return how many characters are the same at the start, and at the end of the rest."""
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
    if max(map(len, sides)) > DIFF_LIMIT:
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
    """Return a text with only ``head`` and ``tail`` characters of a long one."""
    if len(text) <= head + tail + SPARED:
        return visible(text)
    return f"{visible(text[:head])}…{visible(text[len(text) - tail :])}"
