"""A text with the values of some fields taken out, so that it can be shown to others.

    INF/OBS|g=42,t=1,@=anna_smith        without `@` of nSLIP     INF/OBS|g=42,t=1,@=redacted

A value gives way to a word that its field may hold, so that the copy can still be read; where the protocol allows none,
the copy is marked as any broken message is. What has to go goes in any case. What stands around the messages
(prefixes, comments, wrappers) is a field of its own: without it the copy is the messages alone, one after the other.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditlog import sensitive
from playground.glyphs import visible
from protocols import detect, registry
from protocols.codec import Unencodable
from protocols.edit import edit
from protocols.message import Field, Message
from protocols.transcript import Cut, split

MESSAGES = 500
"""Texts of more messages are not redacted here; they do not fit into a link either, unless they say the same thing."""
NAMES = 200
AROUND = "around"
"""The key of what is no message."""
WORD = "redacted"
_INSTEAD = (WORD, "REDACTED", "0", "1", "x")
"""What a value gives way to: the first that its field may hold."""
_STEP = re.compile(r"(?<=\.)[0-9]+(?=\.|\Z)")
_SHORT = 4
"""Values of fewer characters, such as a task's number, stand everywhere and tell nothing."""


class TooMany(ValueError):
    """The text has more messages than are redacted at once."""


@dataclass(frozen=True, slots=True)
class Redactable:
    """A field of the messages of one protocol. ``what`` is sensitive in one of its values, if anything is."""

    key: str
    name: str
    label: str
    protocol: str
    count: int
    what: str
    ticked: bool


class Redaction:
    """A text, and the same without the fields named by ``keys``; without ``keys`` those that hold something sensitive.

    Raises TooMany.
    """

    def __init__(self, text: str, *, protocol: str | None, keys: Iterable[str] | None = None) -> None:
        self.text = text
        self.protocol = protocol
        found = split(text, protocol, most=MESSAGES + 1)
        if len(found.messages) > MESSAGES:
            raise TooMany
        self.cuts: Sequence[Cut] = found.messages
        self.messages = [detect.decode(cut.wire, cut.protocol) for cut in self.cuts]
        self.keys = frozenset(self._sensitive if keys is None else keys)

    @cached_property
    def _sensitive(self) -> dict[str, str]:
        """What is sensitive in the fields, by their keys."""
        found = {_key(message, one.field): one.what for message in self.messages for one in sensitive.find(message)}
        if any(sensitive.is_sensitive(line) for piece in self._around for line in piece.splitlines()):
            found[AROUND] = "something sensitive"
        return found

    @cached_property
    def _around(self) -> list[str]:
        """What stands before, between and after the messages, and is not blank."""
        ends = [0, *(cut.span.end for cut in self.cuts)]
        starts = [*(cut.span.start for cut in self.cuts), len(self.text)]
        pieces = [self.text[end:start] for end, start in zip(ends, starts, strict=True)]
        return [piece for piece in pieces if piece.strip()]

    @cached_property
    def fields(self) -> list[Redactable]:
        """Every field that can be taken out, in order; those that hold something sensitive come first."""
        counts: dict[str, int] = {}
        first: dict[str, tuple[Message, Field]] = {}
        for message in self.messages:
            for field in _valued(message):
                key = _key(message, field.name)
                counts[key] = counts.get(key, 0) + 1
                first.setdefault(key, (message, field))
        listed = [self._redactable(key, counts[key], *first[key]) for key in first]
        if self._around:
            words = "what stands around the messages"
            what = self._sensitive.get(AROUND, "")
            listed.append(Redactable(AROUND, "", words, "", len(self._around), what, ticked=AROUND in self.keys))
        listed.sort(key=lambda one: (not one.what, not one.ticked))
        return listed[:NAMES]

    def _redactable(self, key: str, count: int, message: Message, field: Field) -> Redactable:
        title = registry.get(message.protocol).title
        name, label = visible(_general(field.name)), visible(field.label) if field.name else "what could not be read"
        return Redactable(key, name, label, title, count, self._sensitive.get(key, ""), ticked=key in self.keys)

    @cached_property
    def copy(self) -> str:
        """The text without them."""
        wires = [self._without(message) for message in self.messages]
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
        """The wire, its values replaced from the last to the first, so that the places of the others hold."""
        wire = message.wire
        if message.protocol not in registry.get_names():
            return wire
        for at in reversed(range(len(message.fields))):
            field = message.fields[at]
            if field.value and _key(message, field.name) in self.keys:
                wire = _replaced(detect.decode(wire, message.protocol), at, field)
        return wire

    def _written(self, cut: Cut, wire: str) -> str:
        """The wire as it is written at the place of ``cut``: in a wrapper, in a JSON string or in one in one."""
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
        """Values that were taken out of a field, and still stand somewhere else in the copy."""
        values = {
            field.value
            for message in self.messages
            for field in _valued(message)
            if len(field.value) >= _SHORT and _key(message, field.name) in self.keys
        }
        return sorted(value for value in values if value in self.copy and value not in _INSTEAD)


def _valued(message: Message) -> Iterator[Field]:
    return (field for field in message.fields if field.value)


def _key(message: Message, name: str) -> str:
    return f"{message.protocol}/{_general(name)}"


def _general(name: str) -> str:
    """``plan.0.2.c`` and ``plan.1.2.c`` are one: ``plan.*.*.c``."""
    return _STEP.sub("*", name)


def _replaced(message: Message, index: int, field: Field) -> str:
    """The wire with another value: one that breaks nothing if there is one, one that can be read, or just a word."""
    errors = len(_errors(message))
    written = []
    for value in _INSTEAD:
        try:
            after = edit(message, index, value).message
        except Unencodable:
            continue
        if len(_errors(after)) <= errors:
            return after.wire
        written.append(after.wire)
    return written[0] if written else message.wire[: field.span.start] + WORD + message.wire[field.span.end :]


def _errors(message: Message) -> list[str]:
    return [found.code for found in message.diagnostics if found.severity == "error"]
