r"""The pieces of an answer that a model streams, which are joined again.

    data: {"choices":[{"delta":{"content":"REQ/TSK|g=42"}}]}         OpenAI
    data: {"choices":[{"delta":{"content":",t=1"}}]}

    data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"REQ/"}}
    data: {"type":"response.output_text.delta","delta":"REQ/"}       OpenAI's Responses
    {"message":{"role":"assistant","content":"REQ/"},"done":false}   Ollama

Only pieces of one answer are joined, without anything but empty lines and names of events between.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cablese import detection
from cablese.transcript import encoding, hint
from cablese.transcript.encoding import Decoded

_STRING = r'((?:[^"\\\r\n]++|\\.)*+)'
_KINDS = (
    re.compile(
        rf'"delta":\s?\{{(?:"[a-z_]+":\s?(?:"[^"\\]*"|null),\s?)*"(?:content|text)":\s?"{_STRING}"'
    ),
    re.compile(rf'"type":\s?"response\.output_text\.delta",[^\r\n]*?"delta":\s?"{_STRING}"'),
    re.compile(rf'"message":\s?\{{"role":\s?"assistant",\s?"content":\s?"{_STRING}"'),
    re.compile(rf'"response":\s?"{_STRING}"'),
)
_UNFINISHED = re.compile(r'"done":\s?false')
"""What all but the last piece of Ollama have, of which the last two kinds are."""
_OWN = re.compile(r'"(?:id|item_id|index|output_index|content_index|model)":\s?("[^"\\]*"|\d+)')
"""Members that are equal in all pieces of an answer."""
_LINE = re.compile(r"[ \t]*(?:data:[ \t]?)?(?=\{)[^\r\n]*")
_BETWEEN = re.compile(r"[ \t]*(?:(?:event|id|retry):[^\r\n]*)?\r?\n")
_SIGNS = '"delta":', '"done":'


class _Piece(NamedTuple):
    """A piece: the line that it is on, where its text is, and of what it is a piece."""

    end: int
    start: int
    stop: int
    answer: tuple[object, ...]


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without what is between the pieces of an answer; None if it has no pieces.

    More pieces may follow unless the text is ``final``, so the line of the last one does not end.
    """
    if not any(sign in text for sign in _SIGNS):
        return None
    found = list(_find(text, final=final))
    return encoding.replace(text, found) if found else None


def _find(text: str, *, final: bool) -> Iterator[tuple[int, int, str]]:
    last: _Piece | None = None
    at = 0
    while at < len(text):
        between = _BETWEEN.match(text, at)
        if between is not None:
            at = between.end()
            continue
        line = _LINE.match(text, at)
        piece = None if line is None else _read(text, line)
        if piece is not None and last is not None and _goes_on(text, last, piece):
            yield last.stop, piece.start, ""
        if piece is None and last is not None and not final and text.find("\n", at) < 0:
            break  # The line may still become a piece.
        last = piece
        end = text.find("\n", at)
        at = len(text) if end < 0 else end + 1
    if last is not None and not final and last.end < len(text):
        yield last.end, len(text), ""


def _goes_on(text: str, last: _Piece, piece: _Piece) -> bool:
    """Return whether ``piece`` goes on where the last one ended. Of whole messages, none does."""
    if piece.answer != last.answer:
        return False
    return not all(_begins_message(text[one.start : one.stop]) for one in (piece, last))


def _begins_message(raw: str) -> bool:
    text = encoding.read_backslashes(raw).text if "\\" in raw else raw
    guess = detection.best(text) if hint.may_hold(text) else None
    return guess is not None and guess.score >= detection.CERTAIN


def _read(text: str, line: re.Match[str]) -> _Piece | None:
    start, end = line.span()
    for number, kind in enumerate(_KINDS):
        piece = kind.search(text, start, end)
        if piece is None or (number > 1 and not _UNFINISHED.search(text, piece.end(), end)):
            continue
        own = _OWN.findall(text[start : piece.start(1)] + text[piece.end(1) : end])
        return _Piece(end, *piece.span(1), (number, *own))
    return None
