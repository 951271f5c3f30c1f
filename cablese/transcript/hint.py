"""Quick hints that a text holds a message. Most lines of a log hold none and cost no more."""

import re
from functools import cache

from cablese import detection, registry
from cablese.json import jsontext

from . import encoding
from .memory import remember
from .records import json_value

VERSION = re.compile(r"[vV]\d")
ACT = re.compile(r"/(?<=[A-Z]{3}/)[A-Z]{3}(?:[\s,]|\Z)", re.IGNORECASE)
COMMON = "/ \t"
"""Signs of anchors that most texts have: ACT and VERSION are looked for instead."""
HIDDEN = re.compile(r"\\u00[0-9a-fA-F]{2}|\\/")
"""Escapes that JSON does not need, and that some programs write."""
URL_ENCODED = re.compile(r"%7[BbCc]|SLIP(?:\+|%20)", re.IGNORECASE)
"""The bar or the brace of a message in a query string, or how one of SLIP begins."""
HTML_ENCODED = re.compile(
    r"&(?:amp;)*+(?:quot|vert|verbar|verticalline|#(?:0*+(?:34|124)|x0*+(?:22|7c)));", re.IGNORECASE
)
"""The bar or a quote of a message as HTML writes it, perhaps several times over."""
MARKED_UP = re.compile(rf"<({encoding.MARKUP}){encoding.ATTRIBUTES}>[^<>]{{1,80}}</\1>")
"""A part of a message that a page or a search has marked."""
QUOTED_OBJECT = re.compile(r"""\{(?:(?<=['"].)|(?<=\w[:=].)|(?<=\w[:=]\s.))(?=["\s])""")


def may_hold(text: str) -> bool:
    """Return False when nothing in ``text`` looks like a message."""
    if has_sign(text):
        return True
    if "{" in text:
        return "\\u" in text or has_key(text) or "slip" in text.lower() or is_html_encoded(text)
    if VERSION.search(text) or ("/" in text and ACT.search(text)):
        return True
    lower = text.lower()
    return "slip" in lower or "\\u007c" in lower or is_html_encoded(text) or is_url_encoded(text)


def has_sign(text: str) -> bool:
    """Return whether ``text`` has a sign with which messages of a line protocol begin."""
    if "|" in text:  # as most of them have
        return True
    signs = _other_signs()
    return signs is not None and signs.search(text) is not None


@cache
def _other_signs() -> re.Pattern[str] | None:
    signs = {sign for codec in registry.all_codecs() for sign in codec.signs}.difference(
        "|", COMMON
    )
    return re.compile(f"[{re.escape(''.join(sorted(signs)))}]") if signs else None


@remember(2)
def has_key(text: str) -> bool:
    """Return whether ``text`` has the key of a message that is an object.

    It is remembered, because a record is asked for as a line, as an object, and as a wrapper.
    """
    return _keys().search(text) is not None


@cache
def _keys() -> re.Pattern[str]:
    """Return how the keys are written of which every object that may be a message has one."""
    names = [name for codec in registry.all_codecs() for name in codec.key_hints]
    # The set of initials comes first, because a search for it is several times as fast as one that
    # begins with a condition or with names in any case.
    initials = "".join({name[0] + name[0].upper() for name in names})
    return re.compile(
        rf"[{initials}](?<!\w.)(?i:{'|'.join(f'(?<={name[0]}){name[1:]}' for name in names)})"
        r"[\\\"'“”&]*(?i:quot;)?\s{0,9}:"
    )


def is_hidden(line: str) -> bool:
    """Return whether a message of ``line`` may be written with escapes that are rarely needed."""
    is_escaped = "\\" in line and HIDDEN.search(line) is not None
    return is_escaped or is_url_encoded(line) or is_html_encoded(line) or is_marked_up(line)


def is_url_encoded(text: str) -> bool:
    return ("%" in text or "+" in text) and URL_ENCODED.search(text) is not None


def is_html_encoded(text: str) -> bool:
    return "&" in text and HTML_ENCODED.search(text) is not None


def is_marked_up(text: str) -> bool:
    return "</" in text and MARKED_UP.search(text) is not None


def is_json_message(text: str) -> bool:
    """Return whether a JSON protocol claims ``text``."""
    name = detection.first(text)
    return name is not None and registry.get(name).form == "json"


def is_clean(text: str) -> bool:
    """Return whether ``text``, an object, is JSON without repeated keys and the like."""
    return jsontext.load_or_none(text) is not None


def quotes_message(text: str) -> bool:
    """Return whether a JSON message is quoted in an object that is not JSON, as in Python's."""
    quoted = QUOTED_OBJECT.search(text, 1) if text.find("{", 1) > 0 else None
    if quoted is None or is_clean(text):
        return False
    remainder = text[quoted.end() - 1 :]
    readings = (
        [remainder, encoding.read_backslashes(remainder).text] if "\\" in remainder else [remainder]
    )
    objects = (_leading_object(reading) for reading in readings)
    return any(value is not None and is_json_message(value) for value in objects)


def _leading_object(text: str) -> str | None:
    """Return the clean object that ``text`` begins with."""
    value = json_value.find_end(
        text, 0, len(text), next_line=lambda _: None, begins=lambda *_: False
    )
    own = text[: value.end] if value is not None and value.is_closed else ""
    return own if own and is_clean(own) else None
