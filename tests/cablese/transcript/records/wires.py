"""Messages inside calls of tools, tasks of agents, and chats."""

import json

from cablese.transcript import Cut, split

NSLIP = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary"
SACP = {"g": "FIND_HOTEL", "plan": [["s", "H_API", {"c": "Paris"}]]}
ESCAPED = 'REJ/PLN|g=42,t=1,!=said_"no"'

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "tell", "arguments": {"message": NSLIP}},
}
RESULT = {
    "jsonrpc": "2.0",
    "id": 1,
    "result": {"content": [{"type": "text", "text": "Done."}, {"type": "text", "text": AACP}]},
}
SEND = {
    "jsonrpc": "2.0", "id": "a", "method": "message/send",
    "params": {"message": {"role": "user", "parts": [{"kind": "text", "text": AACP},
    {"kind": "data", "data": SACP}]}},
}  # fmt: skip
TASK = {
    "jsonrpc": "2.0",
    "id": "a",
    "result": {"kind": "task", "artifacts": [{"parts": [{"kind": "text", "text": NSLIP}]}]},
}
CHAT = {
    "messages": [{"role": "system", "content": "Speak nSLIP."}, {"role": "user", "content": NSLIP}]
}


def cuts(text: str) -> list[Cut]:
    return list(split(text).messages)


def called(arguments: object, tool: str = "tell") -> dict[str, object]:
    """A message of a chat that calls a tool, whose arguments are JSON in a string."""
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": tool, "arguments": json.dumps(arguments)},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}


A2A_PART = json.dumps(
    {"kind": "message", "role": "agent", "parts": [{"kind": "text", "text": ESCAPED}]}
)
MCP_TEXT = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": A2A_PART}]}}
