"""Log lines that state that their message came in.

    [planner] received: REQ/TSK|g=1               planner received it
    INFO app.Planner - <<< REQ/TSK|g=1            app.Planner received it
    planner: received from coder: REQ/TSK|g=1     coder sent it to planner
    [bus] coder has received: REQ/TSK|g=1         somebody received it, and bus did not send it

The program that wrote such a line is not the sender. It is the recipient if the line states this
directly after its name. In doubt, neither is known.
"""

import re

from .names import NAME, is_label, is_party

_NEAR = 120
"""Characters before a message in which such words are looked for."""
_WORDS = "received|recv(?:d|ed)?|rcvd|rx|got|incoming|inbound"
_KINDS = "message|msg|packet|reply|response|answer|request|event|frame|line"
_HINT = re.compile("[Rr][EeCcXx]|[Gg][Oo]|[Ii][Nn](?![Ff])|[<←⟵⇐]")
"""What most lines have not."""
_STATES = re.compile(
    rf"(?:(?<![\w./-])\[?(?:{_WORDS})\]?"
    rf"(?:\s{{1,4}}(?:(?:an?|the|new)\s{{1,4}}){{0,2}}(?:{_KINDS}))?"
    rf"(?:\s{{1,4}}from\s{{1,4}}(?:the\s{{1,4}})?(?P<origin>{NAME}))?"
    r"|(?P<sign>(?<![^\s\]|:>-])(?:\[in\]|\(in\)|in(?=\s?[:|])"
    r"|(?:<{1,3}(?=\s)|<[-=]{1,3}|←|⟵|⇐)"
    rf"(?:\s{{0,4}}(?:from\s{{1,4}})?(?P<named>{NAME})(?=\s?:))?)))"
    r"[\s:=|<>-]{0,8}[\"'`]?\Z",
    re.IGNORECASE,
)
_BETWEEN = " \t:|>])}*_`–—-"
"""Marks between a name and what is stated of it."""
_OTHER = re.compile(r"\b(?:from|to|by|for|of|sender|author)[\s:=@\[(<*_`\"']{1,4}\Z", re.IGNORECASE)
"""What is before the name of another party."""


def find(text: str) -> re.Match[str] | None:
    """Return what states it at the end of ``text``, which is before a message.

    The groups "origin" and "named" are who sent the message. A "sign" also has other meanings where
    it does not follow the name of who wrote the line (`follows`).
    """
    begin = max(0, len(text) - _NEAR)
    return _STATES.search(text, begin) if _HINT.search(text, begin) else None


def follows(text: str, writer: str | None) -> bool:
    """Return whether what follows ``text`` is stated of ``writer``, whose name is at its end."""
    stem = text.rstrip(_BETWEEN)
    if writer is None or is_label(writer) or not stem.endswith(writer):
        return False
    return _OTHER.search(stem[: -len(writer)]) is None


def origin(states: re.Match[str]) -> str | None:
    """Return who sent the message, if the line states it."""
    name = states["origin"] or states["named"]
    return name if name is not None and is_party(name) and not is_label(name) else None
