"""Quick hints that a text holds a message. Most lines of a log hold none and cost no more."""

import re

from protocols import detect, jsontext, registry

from . import encoding, json_value

LOOSE = re.compile(
    r"[|{]|&quot;|\\u007c|slip|v\d|[A-Z]{3}/[A-Z]{3}(?:[\s,]|\Z)",
    re.IGNORECASE,
)
"""In every line that may hold a message."""
KEYS = re.compile(
    r"(?<!\w)(?:g|plan|status|format|subformat|content|messagetype|submessages|out_fmt|proto_ver)"
    r"[\\\"'“”&]*(?:quot;)?\s{0,9}:",
    re.IGNORECASE,
)
"""In every object that may be a message."""
QUOTED_OBJECT = re.compile(r"""(?:['"]|\w[:=]\s?)\{(?=["\s])""")


def may_hold(text: str) -> bool:
    """Return False when nothing in ``text`` looks like a message."""
    if "|" in text:
        return True
    if LOOSE.search(text) is None:
        return False
    if "{" not in text or "\\u" in text:
        return True
    return KEYS.search(text) is not None or "slip" in text.lower()


def is_json_message(text: str) -> bool:
    """Return whether a JSON protocol claims ``text``."""
    name = detect.first(text)
    return name is not None and registry.get(name).form == "json"


def is_clean(text: str) -> bool:
    """Return whether ``text`` is JSON without repeated keys and the like."""
    try:
        jsontext.load(text)
    except jsontext.NotClean:
        return False
    return True


def quotes_message(text: str) -> bool:
    """Return whether a JSON message is quoted in an object that is not JSON, as in Python's."""
    quoted = QUOTED_OBJECT.search(text, 1)
    if quoted is None or is_clean(text):
        return False
    rest = text[quoted.end() - 1 :]
    readings = [rest, encoding.read_backslashes(rest).text] if "\\" in rest else [rest]
    objects = (_leading_object(reading) for reading in readings)
    return any(one is not None and is_json_message(one) for one in objects)


def _leading_object(text: str) -> str | None:
    """Return the clean object that ``text`` begins with."""
    value = json_value.find_end(
        text, 0, len(text), next_line=lambda _: None, begins=lambda *_: False
    )
    own = text[: value.end] if value is not None and value.is_closed else ""
    return own if own and is_clean(own) else None
