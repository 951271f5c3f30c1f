"""Describe a message in one or two English sentences: what is sent, and what goes with it."""

from collections.abc import Iterator
from typing import Any

from cablese import amount
from cablese.json import jsontext
from cablese.message import Piece
from cablese.text import close, introduce, say, set_off

from .formats import CONVERSATION
from .parts import SECRET

SHOWN = 80
"""Characters of a content that are quoted."""
PARTS = 5
"""Submessages that are described one by one."""
KINDS = {
    "audio": "audio",
    "image": "an image",
    "sensor": "sensor data",
    "generic": "binary data",
    "video": "a video",
}
STRUCTURED = {"json": "JSON", "xml": "XML", "html": "HTML", "uri": "the URI"}


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    """Yield pieces that name the fields of canonical wires; a message may lack some of them."""
    if not values.keys() - {"is_control"}:
        return
    yield from close(_first(values))
    parts = [part for part in values.get("submessages", ()) if isinstance(part, dict)]
    if parts:
        yield from close(_others(parts))


def _first(values: dict[str, Any]) -> Iterator[Piece]:
    yield (
        Piece("Control message: sends ", "messagetype")
        if values.get("is_control")
        else Piece("Reports " if values.get("format") == "error" else "Sends ")
    )
    yield from _content(values, "")


def _others(parts: list[dict[str, Any]]) -> Iterator[Piece]:
    yield Piece(" With it: ", "submessages")
    for at, part in enumerate(parts[:PARTS]):
        yield Piece("; " if at else "")
        yield from _content(part, f"submessages.{at}.")
        if part.get("submessages"):
            number = amount.count(len(part["submessages"]), "submessage")
            yield Piece(f", holding {number}", f"submessages.{at}.submessages")
    if len(parts) > PARTS:
        yield Piece(f"; and {len(parts) - PARTS} more")


def _content(part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    name = part.get("format")
    describe_part = DESCRIBED.get(name, _other) if isinstance(name, str) else _other
    yield from describe_part(part.get("subformat", ""), part, prefix)
    if "label" in part:
        yield from introduce(", labeled ", set_off(part["label"], SHOWN), f"{prefix}label")


def _named(lead: str, name: str, prefix: str) -> Iterator[Piece]:
    """Yield a name of the subformat after its lead-in; nothing where there is no name."""
    if name:
        yield from introduce(lead, say(name, SHOWN), f"{prefix}subformat")


def _text(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    # Names of languages have a capital; codes such as ``en`` stay.
    is_name = subformat.islower() and len(subformat) > 3
    language = subformat.capitalize() if is_name else subformat
    yield Piece("text", f"{prefix}format")
    yield from _named(" in ", language if subformat.strip() else "", prefix)
    yield from _quote_content(part, prefix)


def _token(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    """Describe a token with its content. An authentication token is described without it, since
    descriptions are copied.
    """
    name, _, owner = subformat.partition("_")
    secret = name.lower() in SECRET
    if secret:
        kind = "an authentication token"
    elif name.lower() == CONVERSATION:
        kind = "the conversation token"
    else:
        kind = f"the {say(name, SHOWN)} token" if name.strip() else "a token"
    yield Piece(kind, f"{prefix}subformat")
    if not secret and isinstance(part.get("content"), str):
        yield from introduce(" ", set_off(part["content"], SHOWN), f"{prefix}content")
    yield from _named(" of ", owner, prefix)


def _structured(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    known = STRUCTURED.get(subformat.lower())
    if known:
        yield Piece(known, f"{prefix}subformat")
    else:
        yield Piece("code in " if subformat.strip() else "structured content", f"{prefix}format")
        yield Piece(say(subformat, SHOWN) if subformat.strip() else "", f"{prefix}subformat")
    if subformat.lower() == "uri" and isinstance(part.get("content"), str):
        yield from introduce(" ", say(part["content"], SHOWN), f"{prefix}content")
    else:
        yield from _quote_content(part, prefix)


def _binary(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    kind, _, encoding = subformat.partition("/")
    yield Piece(KINDS.get(kind.lower(), "binary data"), f"{prefix}subformat")
    if encoding.lstrip("."):
        yield Piece(f" ({say(encoding.lstrip('.').upper(), SHOWN)})", f"{prefix}subformat")
    content = part.get("content")
    if isinstance(content, str):
        size = len(content.rstrip("=")) * 3 // 4
        yield from introduce(" of ", amount.count(size, "byte"), f"{prefix}content")


def _location(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    yield Piece("a GPS location" if subformat.lower() == "gps" else "a location", f"{prefix}format")
    yield from _quote_content(part, prefix)


def _error(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    is_code = subformat.lower() == "code" and "content" in part
    yield Piece("error code " if is_code else "an error", f"{prefix}format")
    if is_code:
        content = part["content"]
        yield Piece(
            say(content, SHOWN) if isinstance(content, str) else _quoted(content),
            f"{prefix}content",
        )
    else:
        yield from _quote_content(part, prefix)


def _generic(subformat: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    yield Piece("content", f"{prefix}format")
    yield from _named(" of the extension ", subformat if subformat.strip() else "", prefix)
    yield from _quote_content(part, prefix)


def _other(_: str, part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    name = part.get("format")
    yield Piece(
        f"content of the unknown format {_quoted(name)}" if name else "content of no format",
        f"{prefix}format",
    )
    yield from _quote_content(part, prefix)


DESCRIBED = {
    "text": _text,
    "token": _token,
    "structured": _structured,
    "binary": _binary,
    "location": _location,
    "error": _error,
    "generic": _generic,
}


def _quote_content(part: dict[str, Any], prefix: str) -> Iterator[Piece]:
    if "content" in part:
        yield from introduce(": ", _quoted(part["content"]), f"{prefix}content")


def _quoted(content: object) -> str:
    """Return text in quotes, and another value as JSON. A quote that the limit opens is closed."""
    if isinstance(content, str):
        return set_off(content, SHOWN)
    text = jsontext.dump(content).replace('\\"', "'")
    if len(text) > SHOWN:
        text = f"{text[:SHOWN]}…"
    return f'{text}"' if text.count('"') % 2 else text
