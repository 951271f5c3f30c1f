r"""The pieces of an answer that a model streams, which are joined again.

    data: {"choices":[{"delta":{"content":"REQ/TSK|g=42"}}]}         OpenAI
    data: {"choices":[{"delta":{"content":",t=1"}}]}

    data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"REQ/"}}
    data: {"type":"response.output_text.delta","delta":"REQ/"}       OpenAI's Responses
    {"model":"m","message":{"role":"assistant","content":"REQ/"},"done":false}   Ollama

Only pieces of one answer are joined, without anything but empty lines, comments, and names of
events between. Where a message ends and another one begins, a line ends.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from cablese import detection
from cablese.transcript import encoding
from cablese.transcript.encoding import Decoded

_STRING = rf'"({encoding.JSON_STRING})"'
_CHAT = re.compile(
    rf'"delta":\s?\{{(?:"[a-z_]+":\s?(?:"[^"\\]*"|null),\s?)*"(?:content|text)":\s?{_STRING}'
)
_RESPONSES = re.compile(rf'"delta":\s?{_STRING}')
_OLLAMA = re.compile(
    rf'(?:"message":\s?\{{"role":\s?"assistant",\s?"content"|"response"):\s?{_STRING}'
)
_DONE = re.compile(r'"done":\s?(true|false)')
_MEMBER = re.compile(r'"(\w+)":\s?("[^"\\]*"|(?<=index":)\d+|(?<=index": )\d+)')
_VARYING = frozenset((
    "created_at", "done_reason", "event_id", "finish_reason", "obfuscation", "refusal", "role",
    "stop_reason", "time", "timestamp", "token", "ts",
))  # fmt: skip
"""Members of pieces that differ within an answer."""
_LINE = re.compile(r"[ \t]*(?:data:[ \t]*)?(?=\{)[^\r\n]*")
_BETWEEN = re.compile(r"[ \t]*(?:(?:event|id|retry|):[^\r\n]*)?\r?\n")
_SIGNS = '"delta":', '"done":'
_NAME = re.compile(r"\s*(?:[\w.@-]{1,40}:\s*)?")
"""What may be before a message that begins a line."""
_MAX_SEEN = 200
"""Characters that tell whether a message begins."""
_MAX_LINE = 10_000
"""Characters of a line of an answer that may be one message of several."""


class _Piece(NamedTuple):
    """A piece: where its line and its text end, and of which answer it is."""

    end: int
    start: int
    stop: int
    answer: tuple[object, ...]
    is_last: bool = False


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without what is between the pieces of an answer; None if it has no pieces.

    More pieces may follow unless the text is ``final``, so the line of the last one does not end.
    """
    if not any(sign in text for sign in _SIGNS):
        return None
    found: list[tuple[int, int, str]] = []
    for answer in _find(text, final=final):
        found += _join(text, answer)
        end = answer[-1].end
        if not final and not answer[-1].is_last and end < len(text) and _is_open(text, end):
            found.append((end, len(text), ""))
    return encoding.replace(text, found) if found else None


def _find(text: str, *, final: bool) -> Iterator[list[_Piece]]:
    """Yield the pieces of each answer."""
    answer: list[_Piece] = []
    at = 0
    while at < len(text):
        between = _BETWEEN.match(text, at)
        if between is not None:
            at = between.end()
            continue
        end = text.find("\n", at)
        line = _LINE.match(text, at)
        piece = None if line is None else _read(text, line)
        if piece is None and end < 0 and not final:
            break  # It may still become a piece.
        goes_on = piece and answer and piece.answer == answer[-1].answer
        if answer and (not goes_on or answer[-1].is_last):
            yield answer
            answer = []
        if piece is not None:
            answer.append(piece)
        at = len(text) if end < 0 else end + 1
    if answer:
        yield answer


def _is_open(text: str, end: int) -> bool:
    """Return whether no other line follows the piece that ends at ``end``."""
    at = text.find("\n", end) + 1
    while at and (between := _BETWEEN.match(text, at)) is not None:
        at = between.end()
    return not at or text.find("\n", at) < 0


def _join(text: str, answer: list[_Piece]) -> Iterator[tuple[int, int, str]]:
    """Yield what is between the pieces, and a line end where one message follows another."""
    line = ""
    for number, (last, piece) in enumerate(pairwise(answer), 1):
        _, is_ended, added = text[last.start : last.stop].rpartition("\\n")
        line = added if is_ended else line + added
        rest = ""
        for following in answer[number:]:
            rest += text[following.start : following.stop]
            if len(rest) > _MAX_SEEN:
                break
        is_next = len(line) <= _MAX_LINE and _begins_message(rest) and _is_message(line)
        yield last.stop, piece.start, "\\n" if is_next else ""
        line = "" if is_next else line


def _is_message(raw: str) -> bool:
    text = encoding.read_json(raw).strip()
    guess = detection.best(text) if text else None
    return guess is not None and detection.decode(text, guess.protocol).valid


def _begins_message(raw: str) -> bool:
    line = encoding.read_json(raw).partition("\n")[0]
    lead = _NAME.match(line)
    guess = detection.best(line[lead.end() :]) if lead is not None else None
    return guess is not None and guess.score >= detection.CERTAIN


def _read(text: str, line: re.Match[str]) -> _Piece | None:
    start, end = line.span()
    done = _DONE.search(text, start, end)
    if done is not None:
        kind = _OLLAMA
    elif text.find('"response.output_text.delta"', start, end) >= 0:
        kind = _RESPONSES
    else:
        kind = _CHAT
    piece = kind.search(text, start, end)
    if piece is None:
        return None
    around = text[start : piece.start(1)] + text[piece.end(1) : end]
    members = [member for member in _MEMBER.findall(around) if member[0] not in _VARYING]
    if done is not None and all(key != "model" for key, _ in members):
        return None
    is_last = done is not None and done[1] == "true"
    return _Piece(end, *piece.span(1), (kind, *sorted(set(members))), is_last)
