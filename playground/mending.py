"""Every safe fix of a text at once, and what that changes, for a look before it is done.

A fix may bring another one into view, so a message is mended again and again until nothing is left to fix. Fixes that
overlap take turns. What would bring a new error, as fixes may that are safe alone but not together, is not done.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Literal, NamedTuple

from playground.glyphs import visible
from playground.reading import Reading
from protocols import detect
from protocols.message import Diagnostic, Fix, Message

ROUNDS = 3
"""How often a text is cut into messages anew: a fix may join two of them, or part them."""
TURNS = 20
ALONE = 5
BUDGET = 6 * 1024 * 1024
CHANGES = 100
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
    protocol: str | None
    tokenizer: str

    @cached_property
    def after(self) -> Reading:
        return Reading(self.text, protocol=self.protocol, tokenizer=self.tokenizer)

    @property
    def shown(self) -> tuple[Change, ...]:
        return self.changes[:CHANGES]

    @property
    def left(self) -> int:
        return max(len(self.changes) - CHANGES, 0)

    @cached_property
    def edit(self) -> tuple[int, int, str]:
        """The one replacement that does it all: where, in UTF-16 units of the text before, and what comes there."""
        start, end = _common(self.before, self.text)
        units = len(self.before[:start].encode("utf-16-le", "surrogatepass")) // 2
        taken = self.before[start : len(self.before) - end]
        width = len(taken.encode("utf-16-le", "surrogatepass")) // 2
        return units, units + width, self.text[start : len(self.text) - end]


def mend(text: str, *, protocol: str | None, tokenizer: str) -> Mended:
    """Apply every safe fix of a text."""
    mended, changes, mender = text, list[Change](), _Mender()
    for _ in range(ROUNDS):
        found = list(mender.changes(Reading(mended, protocol=protocol, tokenizer=tokenizer)))
        if not found:
            break
        changes += found
        mended = _with(mended, found)
    fixes = sum(count for change in changes for _, count in change.codes)
    return Mended(text, mended, tuple(changes), fixes, protocol, tokenizer)


class _Mender:
    """Mends messages as long as its budget lasts: a hostile text could have it read the same again for minutes."""

    def __init__(self) -> None:
        self.budget = BUDGET

    def changes(self, reading: Reading) -> Iterator[Change]:
        for cut, message in zip(reading.cuts, reading.messages, strict=True):
            if not cut.verbatim or not any(found.fix for found in message.diagnostics):
                continue
            mended, codes = self._mend(message, cut.protocol)
            if mended != message.wire:
                start = cut.span.start
                yield Change(reading.places.line(start), start, message.wire, mended, tuple(codes.items()))

    def _mend(self, message: Message, protocol: str) -> tuple[str, Counter[str]]:
        """A wire without what can be fixed, and how often each code was."""
        codes, seen = Counter[str](), {message.wire}
        for _ in range(TURNS):
            better = self._better(message, protocol, seen)
            if better is None:
                break
            message, used = better
            seen.add(message.wire)
            codes.update(used)
        return message.wire, codes

    def _better(self, message: Message, protocol: str, seen: set[str]) -> tuple[Message, list[str]] | None:
        """The message with all of its fixes, or with one where they do not go together; None when nothing helps."""
        fixable = [found for found in message.diagnostics if found.fix is not None]
        for chosen in (fixable, *([one] for one in fixable[:ALONE])):
            wire, used = _apply(message.wire, chosen)
            if not used or wire in seen or self.budget < len(wire):
                continue
            self.budget -= len(wire)
            after = detect.decode(wire, protocol)
            if _errors(after) <= _errors(message):
                return after, used
        return None


def _apply(wire: str, found: Sequence[Diagnostic]) -> tuple[str, list[str]]:
    """The wire with all fixes that do not overlap one before them, and their codes."""
    pieces, codes, at = list[str](), list[str](), 0
    last: Fix | None = None
    for fix, code in _sorted(found):
        if fix.span.start < at or fix == last:
            continue
        pieces += wire[at : fix.span.start], fix.text
        codes.append(code)
        at, last = fix.span.end, fix
    return "".join((*pieces, wire[at:])), codes


def _sorted(found: Sequence[Diagnostic]) -> list[tuple[Fix, str]]:
    return sorted(
        ((one.fix, one.code) for one in found if one.fix is not None), key=lambda pair: (pair[0].span, pair[0].text)
    )


def _errors(message: Message) -> int:
    return sum(found.severity == "error" for found in message.diagnostics)


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
    lines = [Part(_end(head), changed=False)], [Part(_end(head), changed=False)]
    for kind, *at in steps:
        for line, side, low, high in ((lines[0], sides[0], at[0], at[1]), (lines[1], sides[1], at[2], at[3])):
            line.append(Part(_middle("".join(side[low:high])), changed=kind != "equal"))
    for line in lines:
        line.append(Part(_beginning(tail), changed=False))
    return [part for part in lines[0] if part.text], [part for part in lines[1] if part.text]


def _end(text: str) -> str:
    return visible(text if len(text) <= AROUND else f"…{text[-AROUND:]}")


def _beginning(text: str) -> str:
    return visible(text if len(text) <= AROUND else f"{text[:AROUND]}…")


def _middle(text: str) -> str:
    return visible(text) if len(text) <= 2 * AROUND else f"{visible(text[:AROUND])}…{visible(text[-AROUND:])}"
