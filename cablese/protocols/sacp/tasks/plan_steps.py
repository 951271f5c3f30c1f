"""What a message says of the steps of a plan: which there are, and which of them failed.

{"g":"FIND_HOTEL","plan":[["s","H_API",{}],["r","RANK",{}]]}          1 s H_API, 2 r RANK
{"status":"ERR","code":"BAD_PARAM","details":"Step 1: …"}             1 failed
{…,"state":"FAILED","error":{"code":"TIMEOUT","step_id":"s1",…}}      s1 failed (1.0)
"""

import re

from cablese.conversation.model import NO_PLAN, Plan
from cablese.message import Message
from cablese.protocols.sacp.v0.steps import walk

NAMED = re.compile(r"\bstep\s+([0-9]{1,4})(?:(?:,\s*branch\s+|\.)([0-9]{1,4}))?", re.IGNORECASE)
"""``step 2``, ``step 2, branch 1`` and ``step 2.1``."""


def read(message: Message) -> Plan:
    """Return the steps of a valid message, and the failed steps that any message names."""
    values = message.values
    error = values.get("error")
    named = error.get("step_id") if isinstance(error, dict) else None
    if isinstance(named, str):
        failed: tuple[str, ...] = (named,)
    elif values.get("status") == "ERR":
        numbers = find_numbers(str(values.get("details") or ""))
        failed = tuple(".".join(map(str, at)) for at in numbers)
    else:
        failed = ()
    steps = values.get("steps") if message.valid else None
    if not steps:
        return Plan((), failed) if failed else NO_PLAN
    return Plan(
        tuple((step.id or step.number, f"{step.verb} {step.tool}") for step in walk(steps)), failed
    )


def find_numbers(details: str) -> list[tuple[int, ...]]:
    """Return the numbers of the steps that a text names, each once, such as ``(2, 1)``."""
    found = dict.fromkeys(match.groups() for match in NAMED.finditer(details[:1000]))
    return [tuple(int(number) for number in numbers if number) for numbers in found]
