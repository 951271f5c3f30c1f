"""Messages of SACP 1.0, and the names of both versions."""

import json
from typing import Any

LATER = "sacp/1.0"
EARLIER = "sacp/0.1"


def step(number: int, *after: str, **more: Any) -> dict[str, Any]:
    waits = {"depends_on": list(after)} if after else {}
    return {"id": f"s{number}", "verb": "run", "tool": f"T{number}", "params": {}, **waits, **more}


def message(*steps: dict[str, Any], **more: Any) -> str:
    held = {
        "proto_ver": "1.0.0", "msg_id": "m1", "ts": "2026-05-09T00:00:00Z", "sender": "A",
        "g": "FIND",
        "plan": list(steps) or [step(1)], "state": "PENDING",
    }  # fmt: skip
    return json.dumps(held | more, separators=(",", ":"))
