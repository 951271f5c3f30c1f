"""Signs of an injection in a text: what looks like an order, a role, or hidden writing."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

from auditlog.findings.phrases import FIGURES, LOOKALIKES, PHRASES, SPECIAL
from cablese.codec import INVISIBLE
from cablese.normalization import normalize

Kind = Literal[
    "instruction",
    "special-token",
    "role",
    "markup",
    "link",
    "hidden",
    "mixed-script",
    "delimiter",
    "nested",
    "blob",
]
Severity = Literal["warning", "info"]
LONG = 2_000
"""The length of a value that few readers read to the end, in characters."""


class Sign(NamedTuple):
    kind: Kind
    severity: Severity
    start: int
    end: int
    explanation: str
    hidden: str = ""


# Signs that count anywhere in a message.

_SPECIAL = re.compile(
    "|".join(
        [
            "<[|｜][^\\s<>|｜]{1,60}[|｜]>",
            *(re.escape(token) for token in sorted(SPECIAL, key=len, reverse=True)),
        ]
    ),
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9-]{0,30}(?:[\s/][^<>]{0,200})?>|<!--|<!\[CDATA\[|<!DOCTYPE|"
    r"&(?:#x?[0-9a-fA-F]{1,6}|lt|gt|quot|amp);"
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


def find_signs(text: str) -> Iterator[Sign]:
    yield from _phrases(text)
    for match in _SPECIAL.finditer(text):
        explanation = "A tokenizer may read this as a special token that starts or ends a turn."
        yield Sign("special-token", "warning", *match.span(), explanation)
    for match in _MARKUP.finditer(text):
        if not _SPECIAL.fullmatch(match[0]):
            yield _markup(match)
    for match in _LINK.finditer(text):
        active = _ACTIVE.match(match[0]) is not None
        explanation = (
            "A URL that contains or runs code when opened."
            if active
            else "A reader that follows links would request this URL, which could leak data."
        )
        yield Sign("link", "warning" if active else "info", *match.span(), explanation)
    yield from _hidden(text)
    yield from _mixed(text)
    for match in _BLOB.finditer(text):
        length = match.end() - match.start()
        explanation = (
            f"{length:,} characters without a break: binary data, or text encoded to evade filters."
        )
        yield Sign("blob", "info", *match.span(), explanation)


def _markup(match: re.Match[str]) -> Sign:
    runs = _RUNS.match(match[0]) is not None or match[0].startswith("![")
    explanation = (
        "Markup or a template that loads or runs something when rendered."
        if runs
        else "Markup, if a reader renders it."
    )
    return Sign("markup", "warning" if runs else "info", *match.span(), explanation)


def _hidden(text: str) -> Iterator[Sign]:
    for match in INVISIBLE.finditer(text):
        hidden = _decode_tags(match[0])
        if hidden:
            explanation = f"Invisible tag characters spell “{hidden[:200]}”. A model reads them."
        elif _BIDI.search(match[0]):
            explanation = (
                "Changes the direction of text: people see a different order than programs read."
            )
        elif "\x1b" in match[0]:
            explanation = "An escape character: a terminal may execute what follows."
        else:
            names = " ".join(f"U+{ord(character):04X}" for character in match[0][:4])
            explanation = (
                f"{names} is invisible. It can hide text, or split a word to evade filters."
            )
        yield Sign("hidden", "warning", *match.span(), explanation, hidden)
    for match in _SELECTORS.finditer(text):
        hidden = _decode_selectors(match[0])
        spelled = f" They encode “{hidden[:200]}”." if hidden else ""
        explanation = (
            f"{match.end() - match.start():,} invisible variation selectors in a row.{spelled}"
        )
        yield Sign("hidden", "warning", *match.span(), explanation, hidden)


def _decode_tags(text: str) -> str:
    """Return the text that Unicode tag characters, an invisible copy of ASCII, spell."""
    return "".join(
        chr(ord(character) - 0xE0000) for character in text if 0xE0020 <= ord(character) <= 0xE007E
    )


def _decode_selectors(text: str) -> str:
    """Return the text encoded in the 256 variation selectors, empty if the bytes are not text."""
    data = bytes(
        ord(character) - 0xFE00 if ord(character) < 0xE0000 else ord(character) - 0xE0100 + 16
        for character in text
    )
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        return ""
    return decoded if decoded.isprintable() else ""


_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")


def _mixed(text: str) -> Iterator[Sign]:
    """Find words that mix letters of scripts that look alike."""
    if text.isascii():
        return
    for match in _WORD.finditer(text):
        if match[0].isascii():
            continue
        scripts = sorted({script for letter in match[0] if (script := _script(letter))})
        if len(scripts) > 1:
            names = " and ".join(script.capitalize() for script in scripts)
            explanation = f"Mixes {names} letters; may imitate another word."
            yield Sign("mixed-script", "warning", *match.span(), explanation)


def _script(letter: str) -> str:
    if letter.isascii():
        return "LATIN"
    name = unicodedata.name(letter, "")
    return next((script for script in _SCRIPTS if name.startswith(script)), "")


# Phrases are compared folded; each folded letter is mapped to its place in the text.


def _spread(text: str) -> str:
    """Return lower-case text, with Latin letters for digits and letters that look like them."""
    if text.isascii():
        return text.lower().translate(FIGURES)
    return normalize("NFKD", text).lower().translate(LOOKALIKES).translate(FIGURES)


_ASCII: dict[int, int | None] = {
    sign: None for sign in range(128) if not chr(sign).isalnum()
} | FIGURES


def squeeze(text: str) -> str:
    """Return ``text`` folded for comparison: letters and digits only, without accents."""
    if text.isascii():
        return text.lower().translate(_ASCII)
    return "".join(filter(str.isalnum, _spread(text)))


def _fold(text: str) -> tuple[str, list[int]]:
    """Return ``squeeze(text)``, and the place of each letter."""
    letters = [
        (letter, at)
        for at, character in enumerate(text)
        for letter in _spread(character)
        if letter.isalnum()
    ]
    return "".join(letter for letter, _ in letters), [at for _, at in letters]


_FOLDED = {squeeze(phrase): language for language, phrases in PHRASES.items() for phrase in phrases}
_PHRASES = re.compile("|".join(sorted(_FOLDED, key=len, reverse=True)))


def _phrases(text: str) -> Iterator[Sign]:
    squeezed = squeeze(text)
    if not any(phrase in squeezed for phrase in _FOLDED):
        return  # Nearly always, and in a tenth of the time that places take.
    folded, places = _fold(text)
    for match in _PHRASES.finditer(folded):
        language = _FOLDED[match[0]]
        start, end = places[match.start()], places[match.end() - 1] + 1
        yield Sign(
            "instruction",
            "warning",
            start,
            end,
            f"Looks like an instruction to a model ({language}).",
        )
