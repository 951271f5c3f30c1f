"""Define Table 1 of the draft (5.3): the formats, the subformats of each, and their content.

Words that the table lists are compared without regard to case and have one spelling, the table's
(``GPS``). What the table shows in angle brackets (a language, a token's name, an encoding, an
extension) stays as sent.
"""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

Kind = Literal["text", "base64", "uri", "number or text", "anything"]

KINDS: dict[Kind, str] = {
    "text": "text",
    "base64": "text in base64",
    "uri": "a URI as text",
    "number or text": "a number or text",
    "anything": "anything but null",
}


class Format(Struct, frozen=True):
    """One row of Table 1.

    ``takes`` describes its subformats. ``words`` are those that the table lists; with ``closed``
    there are no others. ``shape`` is the form of a subformat in lower case, where there is one.
    ``kind`` is the kind of its content, ``kinds`` that of single subformats where it differs.
    """

    takes: str
    words: tuple[str, ...] = ()
    closed: bool = False
    shape: re.Pattern[str] | None = None
    kind: Kind = "text"
    kinds: dict[str, Kind] = {}


FORMATS: dict[str, Format] = {
    "text": Format("the name of a language, such as English"),
    "token": Format(
        "a prefix such as authentication or conversation, or <prefix>_<suffix>",
        shape=re.compile(r"[^\s_][^_]*(?:_.+)?", re.DOTALL),
    ),
    "structured": Format(
        "json, uri, xml, html, or the name of a programming language",
        words=("json", "uri", "xml", "html"),
        kinds={"json": "anything", "uri": "uri"},
    ),
    "binary": Format(
        "<content>/<encoding> with the content audio, image, sensor, or generic, as in image/jpeg",
        shape=re.compile(r"(?:audio|image|sensor|generic|video)/[^\s/]*[^\s/.]"),
        kind="base64",
    ),
    "location": Format("text or GPS", words=("text", "GPS"), closed=True),
    "error": Format(
        "code or text", words=("code", "text"), closed=True, kinds={"code": "number or text"}
    ),
    "generic": Format("the name of an extension", kind="anything"),
}

MISPLACED = {
    **{word: f"structured, with the subformat {word}" for word in FORMATS["structured"].words},
    **{word: f"binary, with a subformat such as {word}/{encoding}" for word, encoding in
       (("image", "jpeg"), ("audio", "bmp"), ("video", "mp4"), ("sensor", "csv"))},
    "gps": "location, with the subformat GPS",
    "conversation": "token, with the subformat conversation",
    "authentication": "token, with the subformat authentication",
}  # fmt: skip
"""Subformats in place of a format, and what their senders meant."""

CONVERSATION = "conversation"
AUTHENTICATION = "authentication"
AUTHORIZATION = "authorization"
"""What a widely used library writes instead of ``authentication``."""
VIDEO = "video/"
"""A content in the notes of Table 1, but not in its list."""


class Dialect(Struct, frozen=True):
    """One edition: its formats, and the prefixes of the tokens that an end-point returns."""

    title: str
    formats: dict[str, Format]
    returned: tuple[str, ...]


DIALECTS: dict[str, Dialect] = {
    "nlip/draft": Dialect("the first draft", FORMATS, (CONVERSATION,)),
    "nlip/ecma-430": Dialect(
        "ECMA-430 as published",
        {name: format_ for name, format_ in FORMATS.items() if name != "error"},
        ("",),  # every token has this prefix
    ),
}
DEFAULT = "nlip/draft"

# RFC 3986: a scheme, a colon, and the characters that may follow it.
URI = re.compile(
    r"[A-Za-z][A-Za-z0-9+.\-]*:(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+"
)
# RFC 4648, section 4: groups of four, the last one padded.
BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")


def spelling(format_: Format, subformat: str) -> str:
    """Return ``subformat`` as Table 1 writes it, or as sent where the table leaves it open."""
    return next((word for word in format_.words if word.lower() == subformat.lower()), subformat)


def subformat_fits(format_: Format, subformat: str) -> bool:
    """Return whether the format has this subformat, in any case."""
    lower = subformat.lower()
    if not lower or lower.isspace():
        return False
    if format_.closed:
        return any(word.lower() == lower for word in format_.words)
    return format_.shape is None or format_.shape.fullmatch(lower) is not None


def kind_of(format_: Format, subformat: str) -> Kind:
    """Return the kind of content of a message with this format and subformat."""
    return format_.kinds.get(subformat.lower(), format_.kind)


def content_fits(kind: Kind, content: object) -> bool:
    """Return whether ``content`` has the JSON type of ``kind``. Text is not looked at."""
    if kind == "anything":
        return content is not None
    return isinstance(content, str) or (
        kind == "number or text"
        and isinstance(content, int | float)
        and not isinstance(content, bool)
    )


def is_base64(text: str) -> bool:
    return len(text) % 4 == 0 and BASE64.fullmatch(text) is not None


def is_uri(text: str) -> bool:
    return URI.fullmatch(text) is not None


def token_prefix(subformat: str) -> str:
    """Return the part of a token's subformat before the first ``_``, in lower case."""
    return subformat.lower().partition("_")[0]


@lru_cache(maxsize=1024)
def settle(dialect: str, name: str, subformat: str) -> tuple[str, str, Kind] | None:
    """Return format, subformat, and kind of content as in ``values``; None if any of them causes a
    diagnostic.
    """
    lower = name.lower()
    format_ = DIALECTS[dialect].formats.get(lower)
    if (
        format_ is None
        or not subformat_fits(format_, subformat)
        or (lower == "token" and token_prefix(subformat) == AUTHORIZATION)
        or (lower == "binary" and subformat.lower().startswith(VIDEO))
    ):
        return None
    return lower, spelling(format_, subformat), kind_of(format_, subformat)
