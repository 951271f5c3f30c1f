"""Log lines that state that their message came in.

    [planner] received: REQ/TSK|g=1               planner received it
    INFO app.Planner - <<< REQ/TSK|g=1            app.Planner received it
    planner: received from coder: REQ/TSK|g=1     coder sent it to planner
    [bus] coder has received: REQ/TSK|g=1         somebody received it, and bus did not send it
    [info] message received agent=planner wire=…  planner received it

The program that wrote such a line is not the sender. It is the recipient if the line states this
directly after its name. In doubt, neither is known.
"""

import re
from typing import NamedTuple

from .names import LEVELS, NAME, is_label, is_party
from .parties import read_parties

_NEAR = 120
"""Characters before a message in which such words are looked for."""
_FAR = 400
"""Those in which members before a message are."""
_WORDS = "received|recv(?:d|ed)?|rcvd|rx|got|incoming|inbound"
_KINDS = "message|msg|packet|reply|response|answer|request|event|frame|line"
_HINT = re.compile(
    r"[RrGgIi<←⟵⇐](?:(?<=[Rr])(?:[Ee]?[Cc]|[Xx])|(?<=[Gg])[Oo][Tt]"
    r"|(?<=[Ii])[Nn](?:[CcBb\])]|(?=\s?[:|]))|(?<=<)[\s<=-]|(?<=[←⟵⇐]))"
)
"""What most lines have not: the beginning of such a word, or a sign. The set comes first, because a
search for it is fast.
"""
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
_TEXT = re.compile(
    rf"(?:(?:an?|the|new|{_KINDS})\s{{1,4}}){{0,3}}(?:{_WORDS})"
    rf"(?:\s{{1,4}}(?:(?:an?|the|new)\s{{1,4}}){{0,2}}(?:{_KINDS}))?"
    rf"(?:\s{{1,4}}from\s{{1,4}}(?:the\s{{1,4}})?(?P<origin>{NAME}))?[\s.:!…]{{0,4}}",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[_./:-]|(?<=[a-z])(?=[A-Z])")
"""Between the words of an identifier."""
_PAIRS = re.compile(
    rf"(?:\s{{1,40}}\[{NAME}\])?"
    r"(?:\s{1,40}[A-Za-z_][\w.@-]{0,63}=(?:\"[^\"]*\"|'[^']*'|[^\s\"']*)){1,20}[\"']?\Z"
)
"""A logger and members at the end, the last of which is the message."""
_NOUNS = re.compile(rf"(?:(?:^|\s+)(?:an?|the|new|{_KINDS}))+\Z", re.IGNORECASE)
"""What is before the words of "message received"."""
_LAST_WORD = re.compile(r"[\w.@-]+\Z")
_BETWEEN = " \t:|>])}*_`–—-"
"""Marks between a name and what is stated of it."""
_OTHER = re.compile(r"\b(?:from|to|by|for|of|sender|author)[\s:=@\[(<*_`\"']{1,4}\Z", re.IGNORECASE)
"""What is before the name of another party."""


class Arrival(NamedTuple):
    """That a message came in. Who wrote this is not its sender.

    Sender and recipient are named beside it. With ``is_received`` the recipient may be the agent of
    the record, which is the number ``at`` of those around the message.
    """

    sender: str | None = None
    recipient: str | None = None
    is_received: bool = True
    at: int = 0


def receive(text: str, logger: str | None) -> Arrival | None:
    """Return what the line of ``logger`` states with ``text``, which is before a message."""
    states = find(text)
    if states is None:
        return _receive_member(text)
    if None not in read_parties(text):
        return None
    said = text[: states.start()]
    writer, other = read_parties(said)
    writer = writer or logger
    is_stated = _follows(said, writer)
    if states["sign"] and not is_stated:
        return None
    return Arrival(origin(states), writer if is_stated and other is None else None)


def _receive_member(text: str) -> Arrival | None:
    """Return the same where members are between it and the message: ``received a=1 wire=``."""
    begin = max(0, len(text) - _FAR)
    pairs = _PAIRS.search(text, begin) if text.endswith(("=", '="', "='")) else None
    if pairs is None or text[pairs.start() - 1] in "\"'":
        return None
    said = text[: pairs.start()]
    states = find(said)
    if states is None or states["sign"]:
        return None
    last = _LAST_WORD.search(_NOUNS.sub("", said[: states.start()].rstrip()))
    return Arrival(origin(states), is_received=last is None or last[0].upper() in LEVELS)


def find(text: str) -> re.Match[str] | None:
    """Return what states it at the end of ``text``, which is before a message.

    The groups "origin" and "named" are who sent the message. A "sign" also has other meanings where
    it does not follow the name of who wrote the line (`_follows`).
    """
    begin = max(0, len(text) - _NEAR)
    return _STATES.search(text, begin) if _HINT.search(text, begin) else None


def read(text: str) -> re.Match[str] | None:
    """Return what states it in a whole text about a message, such as the name of an event.

    The group "origin" is who sent the message.
    """
    if len(text) > _NEAR or not _HINT.search(text):
        return None
    return _TEXT.fullmatch(text if " " in text else _PARTS.sub(" ", text))


def _follows(text: str, writer: str | None) -> bool:
    """Return whether what follows ``text`` is stated of ``writer``, whose name is at its end."""
    stem = text.rstrip(_BETWEEN)
    if writer is None or is_label(writer) or not stem.endswith(writer):
        return False
    return _OTHER.search(stem[: -len(writer)]) is None


def origin(states: re.Match[str]) -> str | None:
    """Return who sent the message, if the line states it."""
    name = states["origin"] or states.groupdict().get("named")
    return name if name is not None and is_party(name) and not is_label(name) else None
