"""A text with the values of some fields redacted, so that it can be shared.

    INF/OBS|g=42,t=1,@=anna_smith        without `@` of nSLIP     INF/OBS|g=42,t=1,@=redacted

A value is replaced by a placeholder that is valid in its field, so that the copy can be decoded; if
the protocol allows none, the copy is marked as invalid. The value is removed in any case. The text
around the messages (prefixes, comments, wrappers) is a field of its own: without it, the copy is
the messages alone, one after the other.

All values of a message are replaced at once, and the new wire is decoded once. Only if it has
another meaning, the values are tried in parts. The work is limited: a text beyond the limits is
refused as a whole, never half redacted.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from auditlog.findings import sensitive
from cablese import detection, registry
from cablese.codec import Unencodable
from cablese.editing.edit import Edits
from cablese.message import Diagnostic, Field, Message
from cablese.transcript import Cut, split
from playground.display.glyphs import visible
from playground.display.highlight import extent_of
from playground.http import wanted

MESSAGES = 500
"""The limit of messages. More do not fit into a link either, unless they are all the same."""
NAMES = 200
"""Fields that are listed."""
LONGEST = 200_000
"""The longest text, in characters."""
WORK = 1_500_000
"""Characters that are decoded to find replacements."""
AROUND = "around"
"""The key of the text around the messages."""
WORD = "redacted"
_PLACEHOLDERS = (WORD, "REDACTED", "0", "1", "x")
"""A value is replaced by the first of these that is valid in its field."""
_STEP = re.compile(r"(?<=\.)[0-9]+(?=\.|\Z)")
LEFT = 20
"""Values that are listed as still in the copy."""
_SHORT = 4
"""Shorter values, such as a task's number, are everywhere and reveal nothing."""


class Refused(ValueError):
    """The text is beyond a limit, so nothing of it is redacted. The message names the limit."""


class Redaction:
    """A text, and the same without the fields named by ``keys``; without ``keys``, those with
    sensitive data.

    Raises Refused.
    """

    def __init__(
        self, text: str, *, protocol: str | None, keys: Iterable[str] | None = None
    ) -> None:
        if len(text) > LONGEST:
            reason = f"The text has {len(text):,} characters. The limit is {LONGEST:,}."
            raise Refused(reason)
        self.text = text
        self._work = WORK
        self.protocol = protocol
        transcript = split(text, protocol, most=MESSAGES + 1, check=wanted.check)
        if len(transcript.messages) > MESSAGES:
            reason = f"The text has more than {MESSAGES:,} messages. Redact fewer messages at once."
            raise Refused(reason)
        self.cuts: Sequence[Cut] = transcript.messages
        self.messages = [
            detection.decode(cut.wire, cut.protocol) for cut in wanted.while_wanted(self.cuts)
        ]
        self.keys = frozenset(self._sensitive if keys is None else keys)

    @cached_property
    def _sensitive(self) -> dict[str, str]:
        """Return the kind of sensitive data in each field, by its key."""
        kinds: dict[str, str] = {}
        for message in self.messages:
            for field in _valued(message):
                key = _key(message, field.name)
                if key not in kinds and (kind := sensitive.describe(field.name, field.value)):
                    kinds[key] = kind
        if len(kinds) > NAMES:
            reason = (
                f"More than {NAMES:,} fields look sensitive. Redact a smaller part of the text."
            )
            raise Refused(reason)
        lines = (line for part in self._around for line in part.splitlines())
        if any(sensitive.describe("", line) for line in lines):
            kinds[AROUND] = "sensitive data"
        return kinds

    @cached_property
    def _around(self) -> list[str]:
        """Return the text before, between, and after the messages, if it is not only spaces."""
        ends = [0, *(cut.span.end for cut in self.cuts)]
        starts = [*(cut.span.start for cut in self.cuts), len(self.text)]
        parts = [self.text[end:start] for end, start in zip(ends, starts, strict=True)]
        return [part for part in parts if part.strip()]

    @cached_property
    def fields(self) -> list[dict[str, Any]]:
        """Return every field that can be redacted, in order; those with sensitive data come first.
        ``what`` is the kind of that data, if there is any.
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
            label = "text around the messages"
            listed.append(self._list(AROUND, "", label, "", len(self._around)))
        listed.sort(key=lambda row: (not row["what"], not row["ticked"]))
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
        """Return the text without the redacted values."""
        written = {(message.protocol, message.wire): message for message in self.messages}
        without = {
            key: self._without(message) for key, message in wanted.while_wanted(written.items())
        }
        wires = [without[message.protocol, message.wire] for message in self.messages]
        if AROUND in self.keys:
            return "".join(f"{wire}\n" for wire in wires)
        parts, at = [], 0
        for cut, wire in zip(self.cuts, wires, strict=True):
            same = wire == cut.wire
            original = self.text[cut.span.start : cut.span.end]
            parts += [
                self.text[at : cut.span.start],
                original if same else self._written(cut, wire),
            ]
            at = cut.span.end
        return "".join((*parts, self.text[at:]))

    def _without(self, message: Message) -> str:
        """Return the wire with every value of these fields replaced."""
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
        """Return replacements that add no error, or else can be decoded."""
        values: dict[int, str] = {}
        for errors in (len(_errors(edits.message)), None):
            for value in _PLACEHOLDERS:
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
        """Return the fields in which `value` leaves the message with at most ``errors`` errors."""
        tried = [at for at in going if _can_spell(edits, at, value)]
        if not tried:
            return {}
        replacements = dict.fromkeys(tried, value)
        after = self._decoded(edits, {**settled, **replacements})
        if after is not None:
            if errors is None or len(_errors(after)) <= errors:
                return replacements
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
            reason = "Redacting these fields takes too long. Choose fewer fields or a shorter text."
            raise Refused(reason)
        try:
            return edits.decode(values)
        except Unencodable:
            return None

    def _written(self, cut: Cut, wire: str) -> str:
        """Return the wire as written at the place of ``cut``: in a wrapper, in a JSON string, or in
        a JSON string inside another one.
        """
        if cut.verbatim:
            return wire
        original, before, after = self.text[cut.span.start : cut.span.end], cut.wire, wire
        for _ in range(4):
            before, after = json.dumps(before)[1:-1], json.dumps(after)[1:-1]
            if before == original:
                return after
        return WORD

    @cached_property
    def left(self) -> list[str]:
        """Return the first redacted values that are still somewhere else in the copy."""
        values = {
            field.value
            for message in self.messages
            for field in _valued(message)
            if len(field.value) >= _SHORT and _key(message, field.name) in self.keys
        }
        copy = self.copy
        # Most values are nowhere else. Their short parts show this without searching the copy for
        # each value.
        parts = {copy[at : at + _SHORT] for at in range(len(copy))}
        candidates = sorted(values.difference(_PLACEHOLDERS))
        likely = (value for value in candidates if _parts(value) <= parts)
        return list(islice((value for value in likely if value in copy), LEFT))


def _parts(value: str) -> set[str]:
    return {value[at : at + _SHORT] for at in range(len(value) - _SHORT + 1)}


def _valued(message: Message) -> Iterator[Field]:
    return (field for field in message.fields if field.value)


def _key(message: Message, name: str) -> str:
    return f"{message.protocol}/{_general(name)}"


def _general(name: str) -> str:
    """Return one name for all items of a list: ``plan.*.*.c`` for ``plan.0.2.c``."""
    return _STEP.sub("*", name)


def _can_spell(edits: Edits, index: int, value: str) -> bool:
    try:
        edits.spell(index, value)
    except Unencodable:
        return False
    return True


def _touched(message: Message) -> set[int]:
    """Return the fields with an error in their name or value."""
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
    return [diagnostic for diagnostic in message.diagnostics if diagnostic.severity == "error"]
