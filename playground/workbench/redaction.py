"""A text with the values of some fields taken out, so that it can be shown to others.

    INF/OBS|g=42,t=1,@=anna_smith        without `@` of nSLIP     INF/OBS|g=42,t=1,@=redacted

A value gives way to a word that its field may hold, so that the copy can still be read; where the
protocol allows none, the copy is marked as any broken message is. What has to go goes in any case.
What stands around the messages (prefixes, comments, wrappers) is a field of its own: without it the
copy is the messages alone, one after the other.

All values of a message are replaced at once and the new wire is decoded once. Only where it then
says something else are the values tried in parts. The work is bounded: a text beyond the bounds is
refused as a whole, never half redacted.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from auditlog import sensitive
from cablese import detection, registry
from cablese.codec import Unencodable
from cablese.edit import Edits
from cablese.message import Diagnostic, Field, Message
from cablese.transcript import Cut, split
from playground.display.glyphs import visible
from playground.display.highlight import extent_of
from playground.http import wanted

MESSAGES = 500
"""Texts of more messages are not redacted here; they do not fit into a link either, unless they say
the same thing.
"""
NAMES = 200
"""Fields that are listed."""
LONGEST = 200_000
"""Characters of a text that is redacted here."""
WORK = 1_500_000
"""Characters that are decoded to find replacements."""
AROUND = "around"
"""The key of what is no message."""
WORD = "redacted"
_INSTEAD = (WORD, "REDACTED", "0", "1", "x")
"""What a value gives way to: the first that its field may hold."""
_STEP = re.compile(r"(?<=\.)[0-9]+(?=\.|\Z)")
LEFT = 20
"""Values that are reported as still there."""
_SHORT = 4
"""Values of fewer characters, such as a task's number, stand everywhere and tell nothing."""


class Refused(ValueError):
    """The text is beyond a limit, so nothing of it is redacted. The message says which one, for
    people.
    """


class Redaction:
    """A text, and the same without the fields named by ``keys``; without ``keys`` those that hold
    something sensitive.

    Raises Refused.
    """

    def __init__(
        self, text: str, *, protocol: str | None, keys: Iterable[str] | None = None
    ) -> None:
        if len(text) > LONGEST:
            words = f"The text has {len(text):,} characters. The limit is {LONGEST:,}."
            raise Refused(words)
        self.text = text
        self._work = WORK
        self.protocol = protocol
        found = split(text, protocol, most=MESSAGES + 1)
        if len(found.messages) > MESSAGES:
            words = f"The text has more than {MESSAGES:,} messages. Redact fewer messages at once."
            raise Refused(words)
        self.cuts: Sequence[Cut] = found.messages
        self.messages = [detection.decode(cut.wire, cut.protocol) for cut in wanted.each(self.cuts)]
        self.keys = frozenset(self._sensitive if keys is None else keys)

    @cached_property
    def _sensitive(self) -> dict[str, str]:
        """What is sensitive in the fields, by their keys."""
        found: dict[str, str] = {}
        for message in self.messages:
            for field in _valued(message):
                key = _key(message, field.name)
                if key not in found and (what := sensitive.describe(field.name, field.value)):
                    found[key] = what
        if len(found) > NAMES:
            words = f"More than {NAMES:,} fields look sensitive. Redact a smaller part of the text."
            raise Refused(words)
        lines = (line for piece in self._around for line in piece.splitlines())
        if any(sensitive.describe("", line) for line in lines):
            found[AROUND] = "sensitive data"
        return found

    @cached_property
    def _around(self) -> list[str]:
        """What stands before, between and after the messages, and is not blank."""
        ends = [0, *(cut.span.end for cut in self.cuts)]
        starts = [*(cut.span.start for cut in self.cuts), len(self.text)]
        pieces = [self.text[end:start] for end, start in zip(ends, starts, strict=True)]
        return [piece for piece in pieces if piece.strip()]

    @cached_property
    def fields(self) -> list[dict[str, Any]]:
        """Every field that can be taken out, in order; those that hold something sensitive come
        first. ``what`` is sensitive in one of its values, if anything is.
        """
        counts: dict[str, int] = {}
        first: dict[str, tuple[Message, Field]] = {}
        for message in self.messages:
            for field in _valued(message):
                key = _key(message, field.name)
                counts[key] = counts.get(key, 0) + 1
                first.setdefault(key, (message, field))
        listed = [
            self._list(
                key,
                visible(_general(field.name)),
                visible(field.label) if field.name else "text that could not be decoded",
                registry.get(message.protocol).title,
                counts[key],
            )
            for key, (message, field) in first.items()
        ]
        if self._around:
            words = "text around the messages"
            listed.append(self._list(AROUND, "", words, "", len(self._around)))
        listed.sort(key=lambda one: (not one["what"], not one["ticked"]))
        return listed[:NAMES]

    def _list(self, key: str, name: str, label: str, protocol: str, count: int) -> dict[str, Any]:
        return {
            "key": key,
            "name": name,
            "label": label,
            "protocol": protocol,
            "count": count,
            "what": self._sensitive.get(key, ""),
            "ticked": key in self.keys,
        }

    @cached_property
    def copy(self) -> str:
        """The text without them."""
        written = {(one.protocol, one.wire): one for one in self.messages}
        without = {key: self._without(message) for key, message in wanted.each(written.items())}
        wires = [without[message.protocol, message.wire] for message in self.messages]
        if AROUND in self.keys:
            return "".join(f"{wire}\n" for wire in wires)
        parts, at = [], 0
        for cut, wire in zip(self.cuts, wires, strict=True):
            same = wire == cut.wire
            there = self.text[cut.span.start : cut.span.end]
            parts += [self.text[at : cut.span.start], there if same else self._written(cut, wire)]
            at = cut.span.end
        return "".join((*parts, self.text[at:]))

    def _without(self, message: Message) -> str:
        """The wire with every value of these fields replaced."""
        if message.protocol not in registry.get_names():
            return message.wire
        edits = Edits(message)
        going = [
            at
            for at, field in enumerate(edits.fields)
            if field.value and _key(message, field.name) in self.keys
        ]
        texts = {at: edits.spell(at, value) for at, value in self._fit(edits, going).items()}
        return edits.replace({at: texts.get(at, WORD) for at in going})

    def _fit(self, edits: Edits, going: Sequence[int]) -> dict[int, str]:
        """Replacements that break nothing, or else that can be read."""
        values: dict[int, str] = {}
        for errors in (len(_errors(edits.message)), None):
            for value in _INSTEAD:
                rest = [at for at in going if at not in values]
                values |= self._fitting(edits, values, rest, value, errors)
        return values

    def _fitting(
        self,
        edits: Edits,
        settled: Mapping[int, str],
        going: Sequence[int],
        value: str,
        errors: int | None,
    ) -> dict[int, str]:
        """Those of the fields that can hold `value`, with at most so many errors in the message."""
        tried = [at for at in going if _can_spell(edits, at, value)]
        if not tried:
            return {}
        there = dict.fromkeys(tried, value)
        after = self._decoded(edits, {**settled, **there})
        if after is not None:
            if errors is None or len(_errors(after)) <= errors:
                return there
            wrong = _touched(after)
            if right := [at for at in tried if at not in wrong]:
                return (
                    {}
                    if len(right) == len(tried)
                    else self._fitting(edits, settled, right, value, errors)
                )
            return {}
        if len(tried) == 1:
            return {}
        half = len(tried) // 2
        first = self._fitting(edits, settled, tried[:half], value, errors)
        return first | self._fitting(edits, {**settled, **first}, tried[half:], value, errors)

    def _decoded(self, edits: Edits, values: Mapping[int, str]) -> Message | None:
        self._work -= len(edits.message.wire)
        if self._work < 0:
            words = "Redacting these fields takes too long. Choose fewer fields or a shorter text."
            raise Refused(words)
        try:
            return edits.decode(values)
        except Unencodable:
            return None

    def _written(self, cut: Cut, wire: str) -> str:
        """The wire as it is written at the place of ``cut``: in a wrapper, in a JSON string or in
        one in one.
        """
        if cut.verbatim:
            return wire
        there, before, after = self.text[cut.span.start : cut.span.end], cut.wire, wire
        for _ in range(4):
            before, after = json.dumps(before)[1:-1], json.dumps(after)[1:-1]
            if before == there:
                return after
        return WORD

    @cached_property
    def left(self) -> list[str]:
        """Values that were taken out of a field, and still stand somewhere else in the copy; the
        first of many.
        """
        values = {
            field.value
            for message in self.messages
            for field in _valued(message)
            if len(field.value) >= _SHORT and _key(message, field.name) in self.keys
        }
        copy = self.copy
        # Most values are nowhere else, which their short parts tell without a search of the copy
        # for each value.
        parts = {copy[at : at + _SHORT] for at in range(len(copy))}
        likely = (one for one in sorted(values.difference(_INSTEAD)) if _parts(one) <= parts)
        return list(islice((value for value in likely if value in copy), LEFT))


def _parts(value: str) -> set[str]:
    return {value[at : at + _SHORT] for at in range(len(value) - _SHORT + 1)}


def _valued(message: Message) -> Iterator[Field]:
    return (field for field in message.fields if field.value)


def _key(message: Message, name: str) -> str:
    return f"{message.protocol}/{_general(name)}"


def _general(name: str) -> str:
    """``plan.0.2.c`` and ``plan.1.2.c`` are one: ``plan.*.*.c``."""
    return _STEP.sub("*", name)


def _can_spell(edits: Edits, index: int, value: str) -> bool:
    try:
        edits.spell(index, value)
    except Unencodable:
        return False
    return True


def _touched(message: Message) -> set[int]:
    """Fields with an error on their name or value."""
    extents = [extent_of(field) for field in message.fields]
    starts = [start for start, _ in extents]
    ends = [end for _, end in extents]
    touched: set[int] = set()
    at = 0
    for error in sorted(_errors(message), key=lambda error: error.span):
        low = max(bisect_right(ends, error.span.start), at)
        at = max(bisect_left(starts, max(error.span.end, error.span.start + 1)), low)
        touched.update(range(low, at))
    return touched


def _errors(message: Message) -> list[Diagnostic]:
    return [found for found in message.diagnostics if found.severity == "error"]
