"""The injection lens: what in a message could act on a reader that is a model, or on a parser.

Everything is looked for twice: on the wire, where it has an exact place, and in each value that is
written otherwise than it reads (percent codes, JSON escapes), where the whole field is marked.
Phrases are compared folded, so that ``1GN0RE_PRE-VIOUS  instructions`` is found, and ``ignоre``
with a Cyrillic о.

    INF/OBS|g=42,t=1,@=ignore_previous_instructions    instruction, at the value of @

Nothing found is no proof: whoever wants to speak to a model can say it in words that nobody has
listed. Linear in the text, of which the first 65,536 characters are looked at.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from cablese import detection, registry
from cablese.message import Field, Message, Span
from cablese.prompt import INSTRUCTION, is_instruction
from cablese.transcript import split
from playground.examine.signs import LONG, Hit, Kind, Severity, _phrases, everywhere

TITLES: dict[Kind, str] = {
    "instruction": "Instruction-like text",
    "special-token": "Special token",
    "role": "Role marker",
    "markup": "Markup",
    "link": "Link",
    "hidden": "Invisible characters",
    "mixed-script": "Look-alike letters",
    "delimiter": "Delimiter in a value",
    "nested": "Message in a value",
    "blob": "Long or encoded value",
}
LOOKED = 64 * 1024
"""Characters of a message that are looked at."""
MOST = 100
"""Findings that are told."""
NESTED = 50
"""Values that are searched for messages."""


class Finding(Struct, frozen=True):
    """One finding: its place, its field, and what it could do, in plain words.

    ``shown`` is the text that was found; ``hidden`` is what invisible characters spell.
    """

    kind: Kind
    severity: Severity
    span: Span
    field: str
    words: str
    shown: str
    hidden: str = ""

    @property
    def title(self) -> str:
        return TITLES[self.kind]


class Lens(Struct, frozen=True):
    """All findings in wire order. ``more`` is the number of those not listed, ``unread`` the number
    of characters not checked.
    """

    findings: tuple[Finding, ...]
    more: int
    unread: int

    @property
    def warnings(self) -> int:
        return sum(found.severity == "warning" for found in self.findings)

    @property
    def infos(self) -> int:
        return len(self.findings) - self.warnings


def look(message: Message) -> Lens:
    """Everything in ``message`` that could act on its reader. Never raises."""
    wire = message.wire[:LOOKED]
    fields = [field for field in message.fields if field.span.start < LOOKED]
    found: dict[tuple[Kind, Span], Finding] = {}
    owner = _Owner(fields)
    for hit in everywhere(wire):
        _add(found, hit, Span(hit.start, hit.end), owner.find(hit.start), wire[hit.start : hit.end])
    room = LOOKED
    for field in fields:
        room -= len(field.value)
        if room < 0:
            break
        _look_into(message, field, found)
    for number, field in enumerate(fields):
        if number < NESTED and len(field.value) <= LOOKED:
            for hit in _nested(message, field):
                _add(found, hit, *_place(message, field, hit))
    told = list(_outermost(found.values()))
    return Lens(tuple(told[:MOST]), max(len(told) - MOST, 0), max(len(message.wire) - LOOKED, 0))


def _outermost(found: Iterable[Finding]) -> Iterator[Finding]:
    """In the order of the wire, each without those of its kind that lie inside it."""
    furthest: dict[Kind, int] = {}
    for one in sorted(found, key=lambda one: (one.span.start, -one.span.end, one.kind)):
        if one.span.end > furthest.get(one.kind, -1):
            furthest[one.kind] = one.span.end
            yield one


def _look_into(message: Message, field: Field, found: dict[tuple[Kind, Span], Finding]) -> None:
    """What is found in one value, and what only its text says where the wire spells it
    otherwise.
    """
    value, raw = field.value, message.wire[slice(*field.span)]
    hits = [*_of_value(value), *_delimiters(message, field, verbatim=raw == value)]
    if raw != value:
        hits += (hit for hit in everywhere(value) if value[hit.start : hit.end] not in raw)
    for hit in hits:
        _add(found, hit, *_place(message, field, hit))


def _place(message: Message, field: Field, hit: Hit) -> tuple[Span, str, str]:
    """A value written with escapes is marked whole."""
    start, end = field.span
    if message.wire[start:end] == field.value:
        return (
            Span(start + hit.start, start + hit.end),
            field.name,
            field.value[hit.start : hit.end],
        )
    return Span(start, end), field.name, field.value[hit.start : hit.end]


def _add(
    found: dict[tuple[Kind, Span], Finding], hit: Hit, span: Span, field: str, shown: str
) -> None:
    key = (hit.kind, span)
    if key not in found:
        found[key] = Finding(
            hit.kind, hit.severity, span, field, hit.words, shown[:400], hit.hidden
        )


class _Owner:
    """Which field a place of the wire is in."""

    def __init__(self, fields: list[Field]) -> None:
        spans = [
            (*span, field.name)
            for field in fields
            for span in (field.name_span, field.span)
            if span is not None
        ]
        self.spans = sorted(spans)
        self.starts = [start for start, _, _ in self.spans]

    def find(self, place: int) -> str:
        at = bisect_right(self.starts, place) - 1
        return self.spans[at][2] if at >= 0 and place < self.spans[at][1] else ""


# What is looked for in a value.

_ROLE = re.compile(
    r"(?:^|(?<=[\r\n]))[\s#*>\[]{0,9}(?:system|assistant|developer|user|human|ai|tool)"
    r"[\]*]{0,3}[ \t]{0,9}:",
    re.IGNORECASE,
)


def _of_value(value: str) -> Iterator[Hit]:
    if is_instruction(value):
        words = "Looks like an instruction to a model. Prompt-safe text marks it."
        hits = [(hit.span(), hit[0]) for hit in INSTRUCTION.finditer(value)]
        if not hits and not any(_phrases(value)):
            hits = [((0, len(value)), "")]
        for (start, end), said in hits:
            if not _ROLE.fullmatch(said):
                yield Hit("instruction", "warning", start, end, words)
    for hit in _ROLE.finditer(value):
        words = "In a plain-text transcript, this starts someone else’s turn."
        yield Hit("role", "warning", *hit.span(), words)
    if len(value) > LONG:
        words = f"{len(value):,} characters long. Text at the end is easy to miss."
        yield Hit("blob", "info", 0, len(value), words)


def _delimiters(message: Message, field: Field, *, verbatim: bool) -> Iterator[Hit]:
    """A value that would be more than a value if somebody wrote it out without its escapes, or
    decoded it once more.
    """
    if message.protocol == detection.UNKNOWN or not field.name:
        return
    codec, value = registry.get(message.protocol), field.value
    raw = message.wire[slice(*field.span)]
    twice = re.search(r"%25(?:[0-9A-Fa-f]{2})", raw)
    if twice:
        words = "Escaped twice: decoding it once too often yields a delimiter."
        yield Hit("delimiter", "warning", 0, len(value), words)
        return
    if codec.form == "json":
        smuggled = re.search(r'"\s{0,9}[:,]\s{0,9}["\[{]|\\"\s{0,9}[:,]', value)
        if smuggled:
            words = "JSON quotes and delimiters: pasted without escaping, this adds keys."
            yield Hit("delimiter", "info", *smuggled.span(), words)
    elif not verbatim:
        structural = re.escape("".join(mark for mark in codec.separators if not mark.isspace()))
        named = "|".join(re.escape(name) for name in codec.labels)
        keyed = re.search(rf"[{structural}\r\n]\s{{0,9}}(?:{named})\s{{0,9}}[=:]", value)
        plain = re.search(rf"[{structural}\r\n]", value)
        if keyed:
            words = "Without its escapes, this value starts a field of its own."
            yield Hit("delimiter", "warning", *keyed.span(), words)
        elif plain:
            yield Hit(
                "delimiter",
                "info",
                *plain.span(),
                "Contains an escaped delimiter of the protocol.",
            )


def _nested(message: Message, field: Field) -> Iterator[Hit]:
    """Messages that somebody who looks for them would find in a value."""
    if len(field.value) < 6 or field.span == (0, len(message.wire)):
        return
    for cut in split(field.value, most=5).messages[:5]:
        if detection.decode(cut.wire, cut.protocol).valid:
            title = registry.get(cut.protocol).title
            words = (
                f"Contains a complete {title} message that a scanner could mistake for one "
                "that was sent."
            )
            yield Hit("nested", "info", *cut.span, words)


def lay(wire: str, findings: tuple[Finding, ...]) -> Iterator[tuple[str, str]]:
    """Yield the wire, cut wherever a finding begins or ends, each part with what marks it:
    ``around`` where it only holds something with escapes.
    """
    edges = sorted({0, len(wire), *(at for one in findings for at in one.span if at <= len(wire))})
    for start, end in pairwise(edges):
        over = [one for one in findings if one.span.start <= start < one.span.end]
        exact = {one.severity for one in over if wire[slice(*one.span)].startswith(one.shown)}
        yield wire[start:end], _strongest(exact) if exact else "around" if over else ""


def _strongest(severities: set[Severity]) -> Severity:
    return "warning" if "warning" in severities else "info"
