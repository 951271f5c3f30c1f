"""Text that would be live in a page, and what finds it there."""

import json
from typing import Any

from tests.playground.drawn import Elements

LIVE = "x-live"
HOSTILE = f"\"'><{LIVE} onx='1'>"
IN_SLOT = f"<{LIVE}>\"'"
"""The same without what ends a slot or a field."""
WIRES = (
    f"REQ/TSK|g=42,t=1,@={IN_SLOT}",
    f"RJE/TSK|g=0042,{IN_SLOT}=1,!={IN_SLOT}",
    f"FETCH|{IN_SLOT}|return:HR-Agent|p:9|aacp:1.1|res:{IN_SLOT}|{IN_SLOT}:x",
    f"SLIP v3 planner exec Reqest Plan {IN_SLOT}",
    f"T|17|Q|obj={IN_SLOT};{IN_SLOT}=1",
    json.dumps({"g": HOSTILE, "ctx": {HOSTILE: HOSTILE}, "plan": [["search", HOSTILE, {}]]}),
    json.dumps({"Format": "text", "Subformat": HOSTILE, "Content": HOSTILE, HOSTILE: 1}),
    HOSTILE,
)
TEXT = "\n".join(WIRES)
FACTS = {
    "from": HOSTILE, "to": HOSTILE, "goal": HOSTILE, "task": HOSTILE, "thread": HOSTILE,
    "tags": ["hostile"], "attributes": {"note": HOSTILE, "deep": {HOSTILE: HOSTILE}},
}  # fmt: skip


def check(response: Any, *, shows: bool = True) -> str:
    """Assert that no element or attribute of the text is live; return the page."""
    text: str = response.content.decode()
    assert response.status_code < 500, text
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    if response.headers["Content-Type"].startswith("application/json"):
        return text  # a script reads it
    for tag, attributes in Elements(text).found:
        assert tag != LIVE, attributes
        assert not {"onx", LIVE, f"<{LIVE}"} & attributes.keys(), (tag, attributes)
    if shows:
        assert LIVE in text
    return text
