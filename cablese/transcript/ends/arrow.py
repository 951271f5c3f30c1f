"""An arrow with a message on it, from its sender to its recipient.

planner --REQ/TSK|g=42,t=1--> executor          as in drawings with characters
planner -- REQ/TSK|g=42,t=1 --> executor        Mermaid
planner -->|REQ/TSK|g=42,t=1| executor          Mermaid, too
"""

import re

from cablese.transcript.log_lines.names import NAME, is_party

_OPENS = r"[\[(\"']?"
_SHAFT = re.compile(
    rf"(?<![\w.@+-])({NAME})(?<![.-])\]?"
    rf"(?: ?(?:(?P<dash>--{{1,2}})|(?P<line>=={{1,2}}|[=-]{{1,3}}>)) ?{_OPENS}"
    rf"| (?P<short>-){_OPENS}| ?(?:[=-]{{1,3}}|-\.{{1,3}}-)>(?P<label>\|) ?)\Z"
)
_CLOSES = r"[\])\"']?"
_NAME = rf" ?\[?({NAME})(?<![.-])\]?(?=[.;]?\s*\Z| ?(?:--|==|[=-]>))"
_HEADS = {
    "dash": re.compile(rf"{_CLOSES} ?-{{1,3}}>{{1,2}}{_NAME}"),
    "line": re.compile(rf"{_CLOSES} ?[=-]{{1,3}}>{_NAME}"),
    "short": re.compile(rf"{_CLOSES}->{_NAME}"),
    "label": re.compile(rf" ?\|{_NAME}"),
}
_LAST = frozenset("-=>|[(\"' ")
"""The last sign of a shaft: most messages have another before them, or a space after a word."""
_MAX_SHAFT = 80
"""Characters of a name and the shaft."""
_MAX_FAR = 4_000
"""Characters of a message that are searched for the head."""


def find_end(text: str, start: int, at: int, end: int) -> int | None:
    """Return where the arrow goes on that has the message at ``at`` on it, of a line from ``start``
    to ``end``. Spaces part them on both sides or on none: a value may be `a->b`.
    """
    end = min(end, at + _MAX_FAR)
    if at == start or text.find(">", at, end) < 0:
        return None
    shaft = _find_shaft(text[max(start, at - _MAX_SHAFT) : at])
    if shaft is None or shaft.lastgroup == "label":
        return None
    heads = _HEADS[shaft.lastgroup or ""].finditer(text, at, end)
    is_spaced = text[at - 1] == " "
    return next((one.start() for one in heads if (one[0][0] == " ") == is_spaced), None)


def read_parties(before: str, after: str) -> tuple[str | None, str | None] | None:
    """Return who is before and behind the arrow around a message; None if it is on none."""
    shaft = _find_shaft(before[-_MAX_SHAFT:]) if after else None
    head = None if shaft is None else _HEADS[shaft.lastgroup or ""].match(after)
    if shaft is None or head is None:
        return None
    sender, recipient = shaft[1], head[1]
    return sender if is_party(sender) else None, recipient if is_party(recipient) else None


def _find_shaft(before: str) -> re.Match[str] | None:
    is_shaft = before[-1:] in _LAST and any(sign in before[-4:] for sign in "-=")
    return _SHAFT.search(before) if is_shaft else None
