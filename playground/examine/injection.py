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
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from msgspec import Struct

from cablese import detect, registry
from cablese.codec import INVISIBLE
from cablese.message import Field, Message, Span
from cablese.normalization import normalize
from cablese.prompt import INSTRUCTION, is_instruction
from cablese.transcript import split
from playground.examine.phrases import FIGURES, LOOKALIKES, PHRASES, SPECIAL

Kind = Literal[
    "instruction", "special-token", "role", "markup", "link", "hidden", "mixed-script", "delimiter", "nested", "blob",
]  # fmt: skip
Severity = Literal["warning", "info"]
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
LONG = 2_000
"""Characters of a value that few readers read to the end."""


class Finding(Struct, frozen=True):
    """One thing: where, in which field, and in plain words what it could do.

    ``shown`` is what stands there; ``hidden`` the text that is spelt in characters nobody sees.
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
    """What was found, in the order of the wire; ``more`` is not told, and ``unread`` characters
    were not looked at.
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


class _Hit(NamedTuple):
    kind: Kind
    severity: Severity
    start: int
    end: int
    words: str
    hidden: str = ""


def look(message: Message) -> Lens:
    """Everything in ``message`` that could act on its reader. Never raises."""
    wire = message.wire[:LOOKED]
    fields = [field for field in message.fields if field.span.start < LOOKED]
    found: dict[tuple[Kind, Span], Finding] = {}
    owner = _Owner(fields)
    for hit in _everywhere(wire):
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
        hits += (hit for hit in _everywhere(value) if value[hit.start : hit.end] not in raw)
    for hit in hits:
        _add(found, hit, *_place(message, field, hit))


def _place(message: Message, field: Field, hit: _Hit) -> tuple[Span, str, str]:
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
    found: dict[tuple[Kind, Span], Finding], hit: _Hit, span: Span, field: str, shown: str
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


# What is looked for wherever it stands.

_SPECIAL = re.compile(
    "|".join(
        [
            "<[|｜][^\\s<>|｜]{1,60}[|｜]>",
            *(re.escape(one) for one in sorted(SPECIAL, key=len, reverse=True)),
        ]
    ),
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9-]{0,30}(?:[\s/][^<>]{0,200})?>|<!--|<!\[CDATA\[|<!DOCTYPE|&(?:#x?[0-9a-fA-F]{1,6}|lt|gt|quot|amp);"
    r"|!?\[[^\[\]\n]{0,200}\]\([^()\s]{1,400}\)|```|\{\{|\{%|\$\{",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?:https?|ftp|file|javascript|vbscript|data):[^\s|;,\"'<>]{3,400}", re.IGNORECASE
)
_ACTIVE = re.compile(r"javascript:|vbscript:|data:|file:", re.IGNORECASE)
_RUNS = re.compile(
    r"<(?:script|iframe|object|embed|img|svg|style|form|link|meta|base)|<!\[CDATA\[|\{\{|\{%|\$\{",
    re.IGNORECASE,
)
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{120,}={0,2}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_WORD = re.compile(r"[^\W\d_]{2,60}")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")


def _everywhere(text: str) -> Iterator[_Hit]:
    yield from _phrases(text)
    for hit in _SPECIAL.finditer(text):
        words = "A tokenizer may read this as a special token that starts or ends a turn."
        yield _Hit("special-token", "warning", *hit.span(), words)
    for hit in _MARKUP.finditer(text):
        if not _SPECIAL.fullmatch(hit[0]):
            yield _markup(hit)
    for hit in _LINK.finditer(text):
        active = _ACTIVE.match(hit[0]) is not None
        words = (
            "A URL that contains or runs code when opened."
            if active
            else "A reader that follows links would request this URL, which could leak data."
        )
        yield _Hit("link", "warning" if active else "info", *hit.span(), words)
    yield from _hidden(text)
    yield from _mixed(text)
    for hit in _BLOB.finditer(text):
        length = hit.end() - hit.start()
        words = (
            f"{length:,} characters without a break: binary data, or text encoded to evade filters."
        )
        yield _Hit("blob", "info", *hit.span(), words)


def _markup(hit: re.Match[str]) -> _Hit:
    runs = _RUNS.match(hit[0]) is not None or hit[0].startswith("![")
    words = (
        "Markup or a template that loads or runs something when rendered."
        if runs
        else "Markup, if a reader renders it."
    )
    return _Hit("markup", "warning" if runs else "info", *hit.span(), words)


def _hidden(text: str) -> Iterator[_Hit]:
    for hit in INVISIBLE.finditer(text):
        said = _decode_tags(hit[0])
        if said:
            words = f"Invisible tag characters spell “{said[:200]}”. A model reads them."
        elif _BIDI.search(hit[0]):
            words = (
                "Changes the direction of text: people see a different order than programs read."
            )
        elif "\x1b" in hit[0]:
            words = "An escape character: a terminal may execute what follows."
        else:
            names = " ".join(f"U+{ord(one):04X}" for one in hit[0][:4])
            words = f"{names} is invisible. It can hide text, or split a word to evade filters."
        yield _Hit("hidden", "warning", *hit.span(), words, said)
    for hit in _SELECTORS.finditer(text):
        said = _decode_selectors(hit[0])
        spelled = f" They encode “{said[:200]}”." if said else ""
        words = f"{hit.end() - hit.start():,} invisible variation selectors in a row.{spelled}"
        yield _Hit("hidden", "warning", *hit.span(), words, said)


def _decode_tags(text: str) -> str:
    """What Unicode tag characters, an invisible copy of ASCII, spell."""
    return "".join(chr(ord(one) - 0xE0000) for one in text if 0xE0020 <= ord(one) <= 0xE007E)


def _decode_selectors(text: str) -> str:
    """Bytes spelt in the 256 variation selectors; nothing when they are no text."""
    data = bytes(
        ord(one) - 0xFE00 if ord(one) < 0xE0000 else ord(one) - 0xE0100 + 16 for one in text
    )
    try:
        said = data.decode()
    except UnicodeDecodeError:
        return ""
    return said if said.isprintable() else ""


_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")


def _mixed(text: str) -> Iterator[_Hit]:
    """Words in which letters of scripts that look alike stand side by side."""
    if text.isascii():
        return
    for hit in _WORD.finditer(text):
        if hit[0].isascii():
            continue
        scripts = sorted({script for letter in hit[0] if (script := _script(letter))})
        if len(scripts) > 1:
            names = " and ".join(script.capitalize() for script in scripts)
            words = f"Mixes {names} letters; may imitate another word."
            yield _Hit("mixed-script", "warning", *hit.span(), words)


def _script(letter: str) -> str:
    if letter.isascii():
        return "LATIN"
    name = unicodedata.name(letter, "")
    return next((script for script in _SCRIPTS if name.startswith(script)), "")


# Phrases, folded: each letter kept as itself, and with the place where it stood.


def _spread(text: str) -> str:
    """Lower case, in parts, figures and letters of other scripts as the Latin letters they look
    like.
    """
    if text.isascii():
        return text.lower().translate(FIGURES)
    return normalize("NFKD", text).lower().translate(LOOKALIKES).translate(FIGURES)


def _squeeze(text: str) -> str:
    """``text`` as it is compared: letters and figures alone. Accents are none, and are gone."""
    return "".join(filter(str.isalnum, _spread(text)))


def _fold(text: str) -> tuple[str, list[int]]:
    """As ``_squeeze``, and where each letter stood."""
    letters = [
        (one, at)
        for at, character in enumerate(text)
        for one in _spread(character)
        if one.isalnum()
    ]
    return "".join(one for one, _ in letters), [at for _, at in letters]


_FOLDED = {
    _squeeze(phrase): language for language, phrases in PHRASES.items() for phrase in phrases
}
_PHRASES = re.compile("|".join(re.escape(one) for one in sorted(_FOLDED, key=len, reverse=True)))


def _phrases(text: str) -> Iterator[_Hit]:
    squeezed = _squeeze(text)
    if not any(phrase in squeezed for phrase in _FOLDED):
        return  # as nearly always, and in a tenth of the time that places take
    folded, places = _fold(text)
    for hit in _PHRASES.finditer(folded):
        language = _FOLDED[hit[0]]
        start, end = places[hit.start()], places[hit.end() - 1] + 1
        yield _Hit(
            "instruction",
            "warning",
            start,
            end,
            f"Looks like an instruction to a model ({language}).",
        )


# What is looked for in a value.

_ROLE = re.compile(
    r"(?:^|(?<=[\r\n]))[\s#*>\[]{0,9}(?:system|assistant|developer|user|human|ai|tool)[\]*]{0,3}[ \t]{0,9}:",
    re.IGNORECASE,
)


def _of_value(value: str) -> Iterator[_Hit]:
    if is_instruction(value):
        words = "Looks like an instruction to a model. Prompt-safe text marks it."
        hits = [(hit.span(), hit[0]) for hit in INSTRUCTION.finditer(value)]
        if not hits and not any(_phrases(value)):
            hits = [((0, len(value)), "")]
        for (start, end), said in hits:
            if not _ROLE.fullmatch(said):
                yield _Hit("instruction", "warning", start, end, words)
    for hit in _ROLE.finditer(value):
        words = "In a plain-text transcript, this starts someone else’s turn."
        yield _Hit("role", "warning", *hit.span(), words)
    if len(value) > LONG:
        words = f"{len(value):,} characters long. Text at the end is easy to miss."
        yield _Hit("blob", "info", 0, len(value), words)


def _delimiters(message: Message, field: Field, *, verbatim: bool) -> Iterator[_Hit]:
    """A value that would be more than a value if somebody wrote it out without its escapes, or
    decoded it once more.
    """
    if message.protocol == detect.UNKNOWN or not field.name:
        return
    codec, value = registry.get(message.protocol), field.value
    raw = message.wire[slice(*field.span)]
    twice = re.search(r"%25(?:[0-9A-Fa-f]{2})", raw)
    if twice:
        words = "Escaped twice: decoding it once too often yields a delimiter."
        yield _Hit("delimiter", "warning", 0, len(value), words)
        return
    if codec.form == "json":
        smuggled = re.search(r'"\s{0,9}[:,]\s{0,9}["\[{]|\\"\s{0,9}[:,]', value)
        if smuggled:
            words = "JSON quotes and delimiters: pasted without escaping, this adds keys."
            yield _Hit("delimiter", "info", *smuggled.span(), words)
    elif not verbatim:
        structural = re.escape("".join(mark for mark in codec.separators if not mark.isspace()))
        named = "|".join(re.escape(name) for name in codec.labels)
        keyed = re.search(rf"[{structural}\r\n]\s{{0,9}}(?:{named})\s{{0,9}}[=:]", value)
        plain = re.search(rf"[{structural}\r\n]", value)
        if keyed:
            words = "Without its escapes, this value starts a field of its own."
            yield _Hit("delimiter", "warning", *keyed.span(), words)
        elif plain:
            yield _Hit(
                "delimiter",
                "info",
                *plain.span(),
                "Contains an escaped delimiter of the protocol.",
            )


def _nested(message: Message, field: Field) -> Iterator[_Hit]:
    """Messages that somebody who looks for them would find in a value."""
    if len(field.value) < 6 or field.span == (0, len(message.wire)):
        return
    for cut in split(field.value, most=5).messages[:5]:
        if detect.decode(cut.wire, cut.protocol).valid:
            title = registry.get(cut.protocol).title
            words = f"Contains a complete {title} message that a scanner could mistake for one that was sent."
            yield _Hit("nested", "info", *cut.span, words)


class Stretch(Struct, frozen=True):
    """A part of the wire as the lens draws it: what marks it, ``around`` where it only holds
    something with escapes.
    """

    text: str
    mark: Literal["warning", "info", "around", ""]


def lay(wire: str, findings: tuple[Finding, ...]) -> list[Stretch]:
    """The wire, cut wherever a finding begins or ends."""
    edges = sorted({0, len(wire), *(at for one in findings for at in one.span if at <= len(wire))})
    stretches = []
    for start, end in pairwise(edges):
        over = [one for one in findings if one.span.start <= start < one.span.end]
        exact = {one.severity for one in over if wire[slice(*one.span)].startswith(one.shown)}
        stretches.append(
            Stretch(wire[start:end], _strongest(exact) if exact else "around" if over else "")
        )
    return stretches


def _strongest(severities: set[Severity]) -> Severity:
    return "warning" if "warning" in severities else "info"
