"""Log lines whose facts are known, for tests of what becomes of them.

    2026-11-20 10:00:01 [42/1] planner -> executor {"trace_id":"4bf92f35"} REQ/TSK|g=42,t=1

``state`` makes every reader of texts see the facts that stand before a message in such a line.
"""

import json
import re
from datetime import datetime
from typing import Any

import pytest
from msgspec import structs

from cablese import transcript
from cablese.transcript import Cut, Facts, Time, Transcript
from playground.rest import text as reading
from playground.stream import parse
from playground.workbench import document

WIRE = "REQ/TSK|g=42,t=1"
LINES = f"""\
2026-11-20 10:00:01 [42/1] planner -> executor {{"trace_id":"4bf92f35"}} {WIRE}
2026-11-20T10:00:02+01:00 [42/1] executor -> planner INF/OBS|g=42,t=1,s=done
EVL/EVL|g=42,t=1,sc=8
"""
_LINE = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?) "
    r"(?:\[(.*?)\] )?(\S+) -> (\S+) (\{.*\} )?"
)
_split = transcript.split
READERS = (transcript, document, parse, reading)
"""What splits a text. Imported before any is patched, so that none keeps the patch of another."""


def state(monkeypatch: pytest.MonkeyPatch) -> None:
    """See the facts of such lines wherever a text is read."""
    for module in READERS:
        monkeypatch.setattr(module, "split", split)


def split(text: str, *args: Any, **options: Any) -> Transcript:
    found = _split(text, *args, **options)
    return structs.replace(found, messages=tuple(_stated(text, cut) for cut in found.messages))


def _stated(text: str, cut: Cut) -> Cut:
    line = _LINE.fullmatch(text[text.rfind("\n", 0, cut.span.start) + 1 : cut.span.start])
    if line is None:
        return structs.replace(cut, facts=Facts())
    time, thread, sender, recipient, attributes = line.groups()
    moment = Time(time, datetime.fromisoformat(time))
    return structs.replace(
        cut, facts=Facts(moment, sender, recipient, thread, json.loads(attributes or "{}"))
    )
