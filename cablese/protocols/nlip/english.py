"""A message in one or two English sentences: what is sent, and what goes with it."""

from collections.abc import Iterator
from typing import Any

from cablese.json import jsontext
from cablese.message import Piece
from cablese.text import close, say, set_off

from .formats import AUTHENTICATION, AUTHORIZATION, CONVERSATION, token_prefix

SHOWN = 80
"""So many characters of a content are quoted."""
PARTS = 5
"""So many submessages are described one by one."""
KINDS = {
    "audio": "audio",
    "image": "an image",
    "sensor": "sensor data",
    "generic": "binary data",
    "video": "a video",
}
STRUCTURED = {"json": "JSON", "xml": "XML", "html": "HTML", "uri": "the URI"}


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    """Pieces that name the fields of canonical wires; a field may be missing in the message at
    hand.
    """
    if not values or not (values.keys() - {"is_control"}):
        yield Piece("Nothing could be decoded.")
        return
    yield from close(_first(values))
    parts = [part for part in values.get("submessages", ()) if isinstance(part, dict)]
    if parts:
        yield from close(_others(parts))


def _first(values: dict[str, Any]) -> Iterator[Piece]:
    if values.get("is_control"):
        yield Piece("Control message: sends ", "messagetype")
    else:
        yield Piece("Reports " if values.get("format") == "error" else "Sends ")
    yield from _content(values, "")
    if "label" in values:
        yield from _label(values, "")


def _others(parts: list[dict[str, Any]]) -> Iterator[Piece]:
    yield Piece(" With it: ", "submessages")
    for at, part in enumerate(parts[:PARTS]):
        yield Piece("; " if at else "")
        yield from _content(part, f"submessages.{at}.")
        if "label" in part:
            yield from _label(part, f"submessages.{at}.")
        if part.get("submessages"):
            yield Piece(
                f", holding {_count(len(part['submessages']))}", f"submessages.{at}.submessages"
            )
    if len(parts) > PARTS:
        yield Piece(f"; and {len(parts) - PARTS} more")


def _label(part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    yield Piece(", labelled ")
    yield Piece(set_off(part["label"], SHOWN), f"{prefix}label")


def _content(part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    name = part.get("format")
    subformat = part.get("subformat", "")
    teller = TELLERS.get(name, _other) if isinstance(name, str) else _other
    yield from teller(subformat, part, prefix)


def _text(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    yield Piece("text", f"{prefix}format")
    if subformat.strip():
        yield Piece(" in ")
        yield Piece(say(_language(subformat), SHOWN), f"{prefix}subformat")
    yield from _said(part, prefix)


def _language(subformat: str) -> str:
    """Names of languages have a capital; codes such as ``en`` stay."""
    return subformat.capitalize() if subformat.islower() and len(subformat) > 3 else subformat


def _token(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    """Tokens are said as such. What an authentication token holds is not: descriptions are copied
    about.
    """
    token = token_prefix(subformat)
    owner = subformat.partition("_")[2]
    if token in (AUTHENTICATION, AUTHORIZATION):
        yield Piece("an authentication token", f"{prefix}subformat")
    elif token == CONVERSATION:
        yield Piece("the conversation token", f"{prefix}subformat")
    else:
        name = subformat.partition("_")[0]
        yield Piece(
            f"the {say(name, SHOWN)} token" if name.strip() else "a token", f"{prefix}subformat"
        )
    if token not in (AUTHENTICATION, AUTHORIZATION) and isinstance(part.get("content"), str):
        yield Piece(" ")
        yield Piece(set_off(part["content"], SHOWN), f"{prefix}content")
    if owner:
        yield Piece(" of ")
        yield Piece(say(owner, SHOWN), f"{prefix}subformat")


def _structured(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    known = STRUCTURED.get(subformat.lower())
    if known:
        yield Piece(known, f"{prefix}subformat")
    else:
        yield Piece("code in " if subformat.strip() else "structured content", f"{prefix}format")
        yield Piece(say(subformat, SHOWN) if subformat.strip() else "", f"{prefix}subformat")
    if subformat.lower() == "uri" and isinstance(part.get("content"), str):
        yield Piece(" ")
        yield Piece(say(part["content"], SHOWN), f"{prefix}content")
    else:
        yield from _said(part, prefix)


def _binary(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    kind, _, encoding = subformat.partition("/")
    yield Piece(KINDS.get(kind.lower(), "binary data"), f"{prefix}subformat")
    if encoding.lstrip("."):
        yield Piece(f" ({say(encoding.lstrip('.').upper(), SHOWN)})", f"{prefix}subformat")
    content = part.get("content")
    if isinstance(content, str):
        size = len(content.rstrip("=")) * 3 // 4
        yield Piece(" of ")
        yield Piece(f"{size:,} byte{'' if size == 1 else 's'}", f"{prefix}content")


def _location(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    yield Piece("a GPS location" if subformat.lower() == "gps" else "a location", f"{prefix}format")
    yield from _said(part, prefix)


def _error(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    if subformat.lower() == "code" and "content" in part:
        yield Piece("error code ", f"{prefix}format")
        yield Piece(_shown(part["content"]), f"{prefix}content")
        return
    yield Piece("an error", f"{prefix}format")
    yield from _said(part, prefix)


def _generic(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    yield Piece("content", f"{prefix}format")
    if subformat.strip():
        yield Piece(" of the extension ")
        yield Piece(say(subformat, SHOWN), f"{prefix}subformat")
    yield from _said(part, prefix)


def _other(_: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    name = part.get("format")
    yield Piece(
        f"content of the unknown format {_told(name)}" if name else "content of no format",
        f"{prefix}format",
    )
    yield from _said(part, prefix)


def _said(part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    if "content" in part:
        yield Piece(": ")
        content = part["content"]
        yield Piece(_told(content), f"{prefix}content")


TELLERS = {
    "text": _text,
    "token": _token,
    "structured": _structured,
    "binary": _binary,
    "location": _location,
    "error": _error,
    "generic": _generic,
}


def _shown(content: object) -> str:
    return say(content, SHOWN) if isinstance(content, str) else _told(content)


def _told(content: object) -> str:
    """Text in quotes; another value as JSON, whose own quotes are closed where it is cut."""
    if isinstance(content, str):
        return set_off(content, SHOWN)
    text = jsontext.dump(content).replace('\\"', "'")
    if len(text) > SHOWN:
        text = f"{text[:SHOWN]}…"
    return f'{text}"' if text.count('"') % 2 else text


def _count(number: int) -> str:
    return f"{number} submessage{'' if number == 1 else 's'}"
