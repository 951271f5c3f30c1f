"""Messages of MCP and A2A, printed by the classes of their own kits."""

from typing import Any

import mcp_types as mcp
from a2a import types as a2a
from google.protobuf.json_format import MessageToDict

from tests.transcript.lines.printer import Said
from tests.transcript.records.roles import AGENT, CLIENT, SERVER, USER, dump

from .records import ISO, MILLI, nest
from .wrapper import Wrapper


def _rpc(request: Any, **more: Any) -> Any:
    return {"jsonrpc": "2.0", "id": 1, **dump(request), **more}


def _answer(result: Any) -> Any:
    return {"jsonrpc": "2.0", "id": 1, "result": dump(result)}


def _text(put: Any) -> mcp.TextContent:
    return mcp.TextContent(text=nest(put))


def _call(arguments: Any) -> Any:
    return _rpc(
        mcp.CallToolRequest(params=mcp.CallToolRequestParams(name="tell", arguments=arguments))
    )


def _resource(put: Any) -> Any:
    inner = mcp.TextResourceContents(uri="bus://1", mime_type="text/plain", text=nest(put))
    return _answer(mcp.CallToolResult(content=[mcp.EmbeddedResource(resource=inner)]))


def _sampling(*puts: Any) -> Any:
    asked: list[Any] = [mcp.SamplingMessage(role=USER, content=_text(put)) for put in puts]
    return _rpc(
        mcp.CreateMessageRequest(
            params=mcp.CreateMessageRequestParams(messages=asked, max_tokens=100)
        )
    )


def _logged(put: Any) -> Any:
    params = mcp.LoggingMessageNotificationParams(level="info", logger="planner", data=put)
    return {"jsonrpc": "2.0", **dump(mcp.LoggingMessageNotification(params=params))}


MCP: tuple[Wrapper, ...] = (
    Wrapper(
        "MCP: tools/call",
        lambda put: _call({"message": put}),
        Said(None, CLIENT, SERVER),
        holds=True,
    ),
    Wrapper(
        "MCP: tools/call with several arguments",
        lambda *puts: _call({"to": "executor", **{f"text{n}": put for n, put in enumerate(puts)}}),
        Said(None, ..., ...),
        holds=True,
        many=True,
    ),
    Wrapper(
        "MCP: result",
        lambda *puts: _answer(mcp.CallToolResult(content=[_text(put) for put in puts])),
        Said(None, SERVER, CLIENT),
        many=True,
    ),
    Wrapper(
        "MCP: structuredContent",
        lambda put: _answer(mcp.CallToolResult(content=[], structured_content={"message": put})),
        Said(None, SERVER, CLIENT),
        holds=True,
    ),
    Wrapper("MCP: embedded resource", _resource, Said(None, SERVER, CLIENT)),
    Wrapper(
        "MCP: prompts/get",
        lambda *puts: _answer(
            mcp.GetPromptResult(
                messages=[mcp.PromptMessage(role=USER, content=_text(put)) for put in puts]
            )
        ),
        Said(None, ..., ...),
        many=True,
    ),
    Wrapper("MCP: sampling/createMessage", _sampling, Said(None, ..., ...), many=True),
    Wrapper(
        "MCP: notifications/message",
        _logged,
        Said(None, ..., ..., {"level": "info", "logger": ...}),
        holds=True,
    ),
)


def _a2a_message(*puts: Any, role: a2a.Role = a2a.Role.ROLE_USER) -> a2a.Message:
    return a2a.Message(message_id="m1", role=role, parts=[a2a.Part(text=nest(put)) for put in puts])


def _status(put: Any) -> Any:
    state = a2a.TaskStatus(
        state=a2a.TaskState.TASK_STATE_WORKING, message=_a2a_message(put, role=a2a.Role.ROLE_AGENT)
    )
    return MessageToDict(a2a.TaskStatusUpdateEvent(task_id="t1", context_id="c1", status=state))


def _artifact(*puts: Any) -> Any:
    made = a2a.Artifact(artifact_id="a1", parts=[a2a.Part(text=nest(put)) for put in puts])
    return MessageToDict(a2a.TaskArtifactUpdateEvent(task_id="t1", context_id="c1", artifact=made))


def _task(*puts: Any) -> Any:
    made = a2a.Task(id="t1", context_id="c1", history=[_a2a_message(put) for put in puts])
    return {"jsonrpc": "2.0", "id": 1, "result": MessageToDict(made)}


def _part(put: Any) -> Any:
    return {"kind": "text", "text": put} if isinstance(put, str) else {"kind": "data", "data": put}


def _early(kind: str, **body: Any) -> Any:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"kind": kind, "taskId": "t1", "contextId": "c1", **body},
    }


def _send(*puts: Any) -> Any:
    message = {
        "kind": "message",
        "messageId": "m1",
        "role": USER,
        "parts": [_part(put) for put in puts],
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}}


A2A: tuple[Wrapper, ...] = (
    Wrapper(
        "A2A: send",
        lambda *puts: MessageToDict(a2a.SendMessageRequest(message=_a2a_message(*puts))),
        Said(None, USER, AGENT),
        many=True,
    ),
    Wrapper("A2A: status update", _status, Said(None, AGENT, USER)),
    Wrapper("A2A: artifact update", _artifact, Said(None, ..., ...), many=True),
    Wrapper("A2A: task with history", _task, Said(None, USER, AGENT), many=True),
    Wrapper("A2A 0.3: message/send", _send, Said(None, USER, AGENT), holds=True, many=True),
    Wrapper(
        "A2A 0.3: status-update",
        lambda put: _early(
            "status-update",
            status={
                "state": "working",
                "timestamp": ISO,
                "message": {"role": AGENT, "parts": [_part(put)]},
            },
        ),
        Said(MILLI, AGENT, USER),
        holds=True,
    ),
    Wrapper(
        "A2A 0.3: artifact-update",
        lambda *puts: _early(
            "artifact-update", artifact={"artifactId": "a1", "parts": [_part(put) for put in puts]}
        ),
        Said(None, ..., ...),
        holds=True,
        many=True,
    ),
)
