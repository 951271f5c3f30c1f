"""What a message asks of the other side: an upload address (6.4), or authentication (6.5).

The draft has no field for either. A control message says it in words, so words are what is looked at:

    Where may I send a large file?      asks for an address
    Please authenticate yourself.       asks for authentication
    Do I have to authenticate?          asks about it, and is a question like any other
"""

import re
from collections.abc import Iterator
from typing import Any

from .parts import authentication, walk

HEAD = 2000
"""So many characters of a text are looked at."""
UNAUTHORIZED = ("401", "407")
"""Error codes of HTTP that ask for authentication."""

UPLOAD = re.compile(
    r"\bupload|\bredirect|\b(?:large|big|huge)\s+(?:\w+\s+)?(?:binar|content|file|data|object|attachment|image|video)",
    re.IGNORECASE,
)
PLACE = re.compile(r"\b(?:where|location|address|ur[il]|end-?point)\b", re.IGNORECASE)
SUBJECT = re.compile(
    r"\b(?:authenticat|authori[sz]ation|credential|log ?in\b|sign ?in\b|identify yourself|prove who)", re.IGNORECASE
)
ASKING = re.compile(
    r"\?|\b(?:please|must|need|needs|needed|required?|requires|provide|send|supply|present|missing|give|asks?)\b|"
    r"\A\W*(?:authenticat\w+|credentials|identify yourself)(?: (?:yourself|information|request))?\W*\Z",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"\A\W*(?:do|does|did|is|are|am|must|should|shall|how|when|what|which|why|may|whether)\b", re.IGNORECASE
)
DONE = re.compile(
    r"\b(?:authenticated|accepted|granted|succeeded|successful(?:ly)?|confirmed|here (?:is|are)|enclosed|attached|"
    r"(?:not|no longer) (?:needed|required|necessary)|(?:no|without) authentication)\b",
    re.IGNORECASE,
)


def asks_for_upload(values: dict[str, Any]) -> bool:
    """True when a control message asks where large content may go."""
    return _is_control(values) and any(UPLOAD.search(text) for text in _texts(values, "text"))


def asks_for_upload_as_data(values: dict[str, Any]) -> bool:
    """True when a message asks so that is no control message."""
    texts = () if _is_control(values) else _texts(values, "text")
    return any(UPLOAD.search(text) and PLACE.search(text) for text in texts)


def asks_for_authentication(values: dict[str, Any]) -> bool:
    """True when a control message asks the other side who it is. One that shows a token itself asks nothing."""
    return _is_control(values) and not authentication(values) and any(_requests(values, "text", "error"))


def asks_for_authentication_as_data(values: dict[str, Any]) -> bool:
    """True when an error message asks so that is no control message."""
    return not _is_control(values) and any(_requests(values, "error"))


def _is_control(values: dict[str, Any]) -> bool:
    return values.get("is_control") is True


def _requests(values: dict[str, Any], *formats: str) -> Iterator[bool]:
    for part in walk(values):
        if part.format == "error" and part.subformat.lower() == "code":
            yield part.said in UNAUTHORIZED
    for text in _texts(values, *formats):
        yield bool(SUBJECT.search(text) and ASKING.search(text) and not QUESTION.search(text) and not DONE.search(text))


def _texts(values: dict[str, Any], *formats: str) -> Iterator[str]:
    for part in walk(values):
        if part.format in formats and isinstance(part.content, str):
            yield part.content[:HEAD]
