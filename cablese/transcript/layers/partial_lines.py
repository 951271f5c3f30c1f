"""Lines that a container runtime cut at 16 KB, which are joined again.

    2026-11-20T10:00:00.1Z stdout P {"g":"FIND",…       containerd and CRI-O mark what is partial
    2026-11-20T10:00:00.1Z stdout F …,"plan":[]}        and what is full or the last piece
    {"log":"FETCH|HR|…","stream":"stdout",…}            Docker leaves the line end out
    {"log":"…|aacp:1.1\\n","stream":"stdout",…}

Only pieces of one stream that follow each other directly are joined.
"""

import re
from collections.abc import Iterator

from cablese.transcript import encoding
from cablese.transcript.encoding import Decoded

SIZE = 16_384
"""Bytes of a piece in Docker. What has another size and no line end lost that later."""
_SLACK = 12
"""Bytes by which the size of a piece may differ, because it was cut inside a character."""
_TIME = r"\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)"
_CRI = re.compile(rf"^{_TIME} (stdout|stderr) P(?::\S*)? [^\r\n]*+(\r?\n|\r\Z)", re.MULTILINE)
_CRI_LEAD = re.compile(rf"{_TIME} (stdout|stderr) [PF](?::\S*)? ")
_STREAM = r'",\s?"stream":\s?"(stdout|stderr)"'
_DOCKER = re.compile(
    rf'^\{{"log":\s?"(?P<piece>{encoding.JSON_STRING})'
    rf"(?P<between>{_STREAM}[^\r\n]*+(?P<end>\r?\n|\r\Z))",
    re.MULTILINE,
)
_DOCKER_LEAD = re.compile(rf'(\{{"log":\s?"){encoding.JSON_STRING}{_STREAM}')
_SIGNS = (" stdout P", " stderr P"), ('"stream":"std', '"stream": "std')
"""What the logs of CRI with pieces have, and all those of Docker."""


def take_out(text: str, *, final: bool) -> Decoded | None:
    """Return ``text`` without what is between the pieces of a line; None if it has no pieces.

    The rest of the last piece may follow unless the text is ``final``, so its line does not end.
    """
    cri, docker = (any(sign in text for sign in signs) for signs in _SIGNS)
    found = [
        *(_find_cri(text, final=final) if cri else ()),
        *(_find_docker(text, final=final) if docker else ()),
    ]
    return encoding.replace(text, sorted(found)) if found else None


def _find_cri(text: str, *, final: bool) -> Iterator[tuple[int, int, str]]:
    for piece in _CRI.finditer(text):
        lead = _CRI_LEAD.match(text, piece.end())
        if lead is not None and lead[1] == piece[1]:
            yield piece.start(2), lead.end(), ""
        elif not final and _is_last(text, piece.end()):
            yield *piece.span(2), ""


def _find_docker(text: str, *, final: bool) -> Iterator[tuple[int, int, str]]:
    for record in _DOCKER.finditer(text):
        piece = record["piece"]
        if len(piece) < SIZE / 4 or not _is_cut(piece):
            continue
        lead = _DOCKER_LEAD.match(text, record.end())
        if lead is not None and lead[2] == record[3]:
            yield record.start("between"), lead.end(1), ""
        elif not final and _is_last(text, record.end()):
            yield *record.span("end"), ""


def _is_cut(raw: str) -> bool:
    text = encoding.read_json(raw)
    size = len(text.encode("utf-8", "surrogatepass"))
    return abs(size - SIZE) <= _SLACK and not text.endswith("\n")


def _is_last(text: str, start: int) -> bool:
    """Return whether the line at ``start`` may still grow."""
    return text.find("\n", start) < 0
