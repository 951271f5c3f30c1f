"""Signs of an injection in a text: what looks like an order, a role, or hidden writing."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

from cablese.codec import INVISIBLE
from cablese.normalization import normalize
from playground.examine.phrases import FIGURES, LOOKALIKES, PHRASES, SPECIAL

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
"""Characters of a value that few readers read to the end."""


class Hit(NamedTuple):
    kind: Kind
    severity: Severity
    start: int
    end: int
    words: str
    hidden: str = ""


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


def everywhere(text: str) -> Iterator[Hit]:
    yield from _phrases(text)
    for hit in _SPECIAL.finditer(text):
        words = "A tokenizer may read this as a special token that starts or ends a turn."
        yield Hit("special-token", "warning", *hit.span(), words)
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
        yield Hit("link", "warning" if active else "info", *hit.span(), words)
    yield from _hidden(text)
    yield from _mixed(text)
    for hit in _BLOB.finditer(text):
        length = hit.end() - hit.start()
        words = (
            f"{length:,} characters without a break: binary data, or text encoded to evade filters."
        )
        yield Hit("blob", "info", *hit.span(), words)


def _markup(hit: re.Match[str]) -> Hit:
    runs = _RUNS.match(hit[0]) is not None or hit[0].startswith("![")
    words = (
        "Markup or a template that loads or runs something when rendered."
        if runs
        else "Markup, if a reader renders it."
    )
    return Hit("markup", "warning" if runs else "info", *hit.span(), words)


def _hidden(text: str) -> Iterator[Hit]:
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
        yield Hit("hidden", "warning", *hit.span(), words, said)
    for hit in _SELECTORS.finditer(text):
        said = _decode_selectors(hit[0])
        spelled = f" They encode “{said[:200]}”." if said else ""
        words = f"{hit.end() - hit.start():,} invisible variation selectors in a row.{spelled}"
        yield Hit("hidden", "warning", *hit.span(), words, said)


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


def _mixed(text: str) -> Iterator[Hit]:
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
            yield Hit("mixed-script", "warning", *hit.span(), words)


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
_PHRASES = re.compile("|".join(sorted(_FOLDED, key=len, reverse=True)))


def _phrases(text: str) -> Iterator[Hit]:
    squeezed = _squeeze(text)
    if not any(phrase in squeezed for phrase in _FOLDED):
        return  # as nearly always, and in a tenth of the time that places take
    folded, places = _fold(text)
    for hit in _PHRASES.finditer(folded):
        language = _FOLDED[hit[0]]
        start, end = places[hit.start()], places[hit.end() - 1] + 1
        yield Hit(
            "instruction",
            "warning",
            start,
            end,
            f"Looks like an instruction to a model ({language}).",
        )
