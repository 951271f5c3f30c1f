"""The injection check: what in a message could affect a reader that is a model, or a parser.

The wire is searched, where a sign has an exact place, and each value that is written with escapes
(percent codes, JSON), where the whole field is marked. Phrases are compared folded, so that
``1GN0RE_PRE-VIOUS  instructions`` is found, and ``ignоre`` with a Cyrillic о.

    INF/OBS|g=42,t=1,@=ignore_previous_instructions    instruction, at the value of @

No findings do not mean that a message is safe: instructions can use words that are not listed.
Linear in the text, of which the first 65,536 characters are checked.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import Struct

from auditlog.findings.signs import LONG, Kind, Severity, Sign, _phrases, find_signs
from cablese import detection, registry
from cablese.message import Field, Message, Span
from cablese.prompt import INSTRUCTION, is_instruction
from cablese.transcript import split

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
CHECK_LIMIT = 64 * 1024
"""Characters of a message that are checked."""
MOST = 100
"""Findings that are listed."""
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
        return sum(finding.severity == "warning" for finding in self.findings)

    @property
    def infos(self) -> int:
        return len(self.findings) - self.warnings


def check(message: Message) -> Lens:
    """Find what in ``message`` could affect its reader. Never raises."""
    findings = _find(message)
    for number, field in enumerate(_read_fields(message)):
        if number < NESTED and len(field.value) <= CHECK_LIMIT:
            for sign in _nested(message, field):
                _add(findings, sign, *_place(message, field, sign))
    listed = list(_outermost(findings.values()))
    return Lens(
        tuple(listed[:MOST]), max(len(listed) - MOST, 0), max(len(message.wire) - CHECK_LIMIT, 0)
    )


def find_warnings(message: Message) -> list[Finding]:
    """Return the findings of a message that are warnings, at most MOST. Never raises."""
    warnings = [one for one in _find(message).values() if one.severity == "warning"]
    return list(_outermost(warnings))[:MOST]


def find_in_text(text: str) -> Iterator[Sign]:
    """Yield what in the task content of a packet is to be warned of. Never raises."""
    text = text[:CHECK_LIMIT]
    for sign in (*find_signs(text), *_find_in_value(text)):
        if sign.severity == "warning":
            yield sign


def _find(message: Message) -> dict[tuple[Kind, Span], Finding]:
    """Return all findings but messages in values, which take long to find."""
    wire, fields = message.wire[:CHECK_LIMIT], _read_fields(message)
    findings: dict[tuple[Kind, Span], Finding] = {}
    owner = _Owner(fields)
    for sign in find_signs(wire):
        _add(
            findings,
            sign,
            Span(sign.start, sign.end),
            owner.find(sign.start),
            wire[sign.start : sign.end],
        )
    room = CHECK_LIMIT
    for field in fields:
        room -= len(field.value)
        if room < 0:
            break
        _check_value(message, field, findings)
    return findings


def _read_fields(message: Message) -> list[Field]:
    return [field for field in message.fields if field.span.start < CHECK_LIMIT]


def _outermost(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings in wire order, without those inside another one of their kind."""
    furthest: dict[Kind, int] = {}
    for finding in sorted(
        findings, key=lambda finding: (finding.span.start, -finding.span.end, finding.kind)
    ):
        if finding.span.end > furthest.get(finding.kind, -1):
            furthest[finding.kind] = finding.span.end
            yield finding


def _check_value(
    message: Message, field: Field, findings: dict[tuple[Kind, Span], Finding]
) -> None:
    """Add the signs of one value, and those that only its decoded text has."""
    value, raw = field.value, message.wire[slice(*field.span)]
    signs = [*_find_in_value(value), *_delimiters(message, field, verbatim=raw == value)]
    if raw != value:
        signs += (sign for sign in find_signs(value) if value[sign.start : sign.end] not in raw)
    for sign in signs:
        _add(findings, sign, *_place(message, field, sign))


def _place(message: Message, field: Field, sign: Sign) -> tuple[Span, str, str]:
    """Return the span, the field, and the text of a sign. A value with escapes is marked whole."""
    start, end = field.span
    if message.wire[start:end] == field.value:
        return (
            Span(start + sign.start, start + sign.end),
            field.name,
            field.value[sign.start : sign.end],
        )
    return Span(start, end), field.name, field.value[sign.start : sign.end]


def _add(
    findings: dict[tuple[Kind, Span], Finding], sign: Sign, span: Span, field: str, shown: str
) -> None:
    key = (sign.kind, span)
    if key not in findings:
        findings[key] = Finding(
            sign.kind, sign.severity, span, field, sign.explanation, shown[:400], sign.hidden
        )


class _Owner:
    """Find the field of a place in the wire."""

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


# Signs in a value.

_ROLE = re.compile(
    r"(?:^|(?<=[\r\n]))[\s#*>\[]{0,9}(?:system|assistant|developer|user|human|ai|tool)"
    r"[\]*]{0,3}[ \t]{0,9}:",
    re.IGNORECASE,
)


def _find_in_value(value: str) -> Iterator[Sign]:
    if is_instruction(value):
        explanation = "Looks like an instruction to a model. Prompt-safe text marks it."
        matches = [(match.span(), match[0]) for match in INSTRUCTION.finditer(value)]
        if not matches and not any(_phrases(value)):
            matches = [((0, len(value)), "")]
        for (start, end), text in matches:
            if not _ROLE.fullmatch(text):
                yield Sign("instruction", "warning", start, end, explanation)
    for match in _ROLE.finditer(value):
        explanation = "In a plain-text transcript, this starts someone else’s turn."
        yield Sign("role", "warning", *match.span(), explanation)
    if len(value) > LONG:
        explanation = f"{len(value):,} characters long. Text at the end is easy to miss."
        yield Sign("blob", "info", 0, len(value), explanation)


def _delimiters(message: Message, field: Field, *, verbatim: bool) -> Iterator[Sign]:
    """Find text that would end the value if it were written without escapes, or decoded twice."""
    if message.protocol == detection.UNKNOWN or not field.name:
        return
    codec, value = registry.get(message.protocol), field.value
    raw = message.wire[slice(*field.span)]
    twice = re.search(r"%25(?:[0-9A-Fa-f]{2})", raw)
    if twice:
        explanation = "Escaped twice: decoding it once too often yields a delimiter."
        yield Sign("delimiter", "warning", 0, len(value), explanation)
        return
    if codec.form == "json":
        smuggled = re.search(r'"\s{0,9}[:,]\s{0,9}["\[{]|\\"\s{0,9}[:,]', value)
        if smuggled:
            explanation = "JSON quotes and delimiters: pasted without escaping, this adds keys."
            yield Sign("delimiter", "info", *smuggled.span(), explanation)
    elif not verbatim:
        structural = re.escape("".join(mark for mark in codec.separators if not mark.isspace()))
        named = "|".join(re.escape(name) for name in codec.labels)
        keyed = re.search(rf"[{structural}\r\n]\s{{0,9}}(?:{named})\s{{0,9}}[=:]", value)
        plain = re.search(rf"[{structural}\r\n]", value)
        if keyed:
            explanation = "Without its escapes, this value starts a field of its own."
            yield Sign("delimiter", "warning", *keyed.span(), explanation)
        elif plain:
            yield Sign(
                "delimiter",
                "info",
                *plain.span(),
                "Contains an escaped delimiter of the protocol.",
            )


def _nested(message: Message, field: Field) -> Iterator[Sign]:
    """Find messages in a value."""
    if len(field.value) < 6 or field.span == (0, len(message.wire)):
        return
    for cut in split(field.value, most=5).messages[:5]:
        if detection.decode(cut.wire, cut.protocol).valid:
            title = registry.get(cut.protocol).title
            explanation = (
                f"Contains a complete {title} message that a scanner could mistake for one "
                "that was sent."
            )
            yield Sign("nested", "info", *cut.span, explanation)
