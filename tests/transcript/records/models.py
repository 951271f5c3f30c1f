"""Messages of agents and models, printed by the classes of their own kits where Python has some."""

from typing import Any, Final

import mcp_types as mcp
import ollama
from a2a import types as a2a
from anthropic import types as anthropic
from google.genai import types as genai
from google.protobuf.json_format import MessageToDict
from openai.types import chat as openai
from openai.types import responses

from tests.transcript.lines.printer import Said

from .records import ISO, MILLI, SECOND, nest
from .wrapper import Wrapper, minified

EPOCH = 1795168801
USER: Final = "user"
ASSISTANT: Final = "assistant"
CLIENT, SERVER, AGENT = "client", "server", "agent"
ANSWERED = Said(None, ASSISTANT, USER)


def _by(model: str, sender: Any, recipient: Any, time: Any = None) -> Said:
    return Said(time, sender, recipient, {"model": model})


def _plain(model: Any) -> Any:
    """Return a pydantic model as it goes over the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _rpc(request: Any, **more: Any) -> Any:
    return {"jsonrpc": "2.0", "id": 1, **_plain(request), **more}


def _answer(result: Any) -> Any:
    return {"jsonrpc": "2.0", "id": 1, "result": _plain(result)}


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
    return {"jsonrpc": "2.0", **_plain(mcp.LoggingMessageNotification(params=params))}


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


def _function(put: Any, key: str = "message") -> Any:
    return {"name": "tell", "arguments": minified({key: put})}


def _completion(*puts: Any) -> Any:
    choices: list[Any] = [
        {"index": n, "finish_reason": "stop", "message": {"role": ASSISTANT, "content": nest(put)}}
        for n, put in enumerate(puts)
    ]
    made = openai.ChatCompletion(
        id="c1", object="chat.completion", created=EPOCH, model="gpt-4o", choices=choices
    )
    return _plain(made)


def _chunk(put: Any) -> Any:
    choices: list[Any] = [{"index": 0, "delta": {"role": ASSISTANT, "content": nest(put)}}]
    made = openai.ChatCompletionChunk(
        id="c1", object="chat.completion.chunk", created=EPOCH, model="gpt-4o", choices=choices
    )
    return _plain(made)


def _requested(*puts: Any) -> Any:
    return {"model": "gpt-4o", "messages": [{"role": USER, "content": nest(put)} for put in puts]}


def _tool_calls(*puts: Any) -> Any:
    calls = [
        {"id": f"call_{n}", "type": "function", "function": _function(put)}
        for n, put in enumerate(puts)
    ]
    return {
        "model": "gpt-4o",
        "messages": [{"role": ASSISTANT, "content": None, "tool_calls": calls}],
    }


def _output(*puts: Any) -> Any:
    texts: list[Any] = [
        responses.ResponseOutputText(type="output_text", text=nest(put), annotations=[])
        for put in puts
    ]
    made = responses.ResponseOutputMessage(
        id="m1", type="message", role=ASSISTANT, status="completed", content=texts
    )
    return {
        "id": "r1",
        "object": "response",
        "created_at": EPOCH,
        "model": "gpt-4o",
        "output": [_plain(made)],
    }


def _function_call(put: Any) -> Any:
    made = responses.ResponseFunctionToolCall(
        type="function_call", call_id="call_1", name="tell", arguments=minified({"message": put})
    )
    return {"model": "gpt-4o", "output": [_plain(made)]}


def _thread(put: Any) -> Any:
    return {
        "id": "m1",
        "object": "thread.message",
        "created_at": EPOCH,
        "thread_id": "t1",
        "role": USER,
        "content": [{"type": "text", "text": {"value": nest(put), "annotations": []}}],
    }


OPENAI: tuple[Wrapper, ...] = (
    Wrapper("OpenAI: chat request", _requested, _by("gpt-4o", USER, ASSISTANT), many=True),
    Wrapper("OpenAI: tool calls", _tool_calls, _by("gpt-4o", ASSISTANT, "tell"), many=True),
    Wrapper(
        "OpenAI: tool result",
        lambda put: {"role": "tool", "tool_call_id": "call_1", "content": nest(put)},
        Said(None, "tool", ASSISTANT),
    ),
    Wrapper("OpenAI: completion", _completion, _by("gpt-4o", ASSISTANT, USER, SECOND), many=True),
    Wrapper("OpenAI: stream chunk", _chunk, _by("gpt-4o", ASSISTANT, USER, SECOND)),
    Wrapper(
        "OpenAI: Responses input text",
        lambda put: {"model": "gpt-4o", "input": nest(put)},
        Said(None, ..., ..., {"model": "gpt-4o"}),
    ),
    Wrapper(
        "OpenAI: Responses input",
        lambda *puts: {
            "model": "gpt-4o",
            "input": [
                {
                    "role": USER,
                    "content": [{"type": "input_text", "text": nest(put)} for put in puts],
                }
            ],
        },
        _by("gpt-4o", USER, ASSISTANT),
        many=True,
    ),
    Wrapper("OpenAI: Responses output", _output, _by("gpt-4o", ASSISTANT, USER, SECOND), many=True),
    Wrapper(
        "OpenAI: Responses function_call", _function_call, Said(None, ..., ..., {"model": "gpt-4o"})
    ),
    Wrapper(
        "OpenAI: Responses function_call_output",
        lambda put: {"type": "function_call_output", "call_id": "call_1", "output": nest(put)},
        Said(None, "tool", ASSISTANT),
    ),
    Wrapper("OpenAI: Assistants message", _thread, Said(SECOND, USER, ...)),
)


def _claude(*blocks: Any) -> Any:
    usage = anthropic.Usage(input_tokens=9, output_tokens=9)
    made = anthropic.Message(
        id="msg_1",
        type="message",
        role=ASSISTANT,
        model="claude-sonnet-4-5",
        content=list(blocks),
        stop_reason="end_turn",
        usage=usage,
    )
    return _plain(made)


def _tool_use(put: Any) -> Any:
    return _claude(
        anthropic.ToolUseBlock(type="tool_use", id="toolu_1", name="tell", input={"message": put})
    )


def _tool_result(put: Any) -> Any:
    block = {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": [{"type": "text", "text": nest(put)}],
    }
    return {"role": USER, "content": [block]}


def _delta(put: Any) -> Any:
    made = anthropic.RawContentBlockDeltaEvent(
        type="content_block_delta",
        index=0,
        delta=anthropic.TextDelta(type="text_delta", text=nest(put)),
    )
    return _plain(made)


CLAUDE = "claude-sonnet-4-5"
ANTHROPIC: tuple[Wrapper, ...] = (
    Wrapper(
        "Anthropic: request",
        lambda *puts: {
            "model": CLAUDE,
            "max_tokens": 9,
            "messages": [{"role": USER, "content": nest(put)} for put in puts],
        },
        _by(CLAUDE, USER, ASSISTANT),
        many=True,
    ),
    Wrapper(
        "Anthropic: response",
        lambda *puts: _claude(*(anthropic.TextBlock(type="text", text=nest(put)) for put in puts)),
        _by(CLAUDE, ASSISTANT, USER),
        many=True,
    ),
    Wrapper("Anthropic: tool_use", _tool_use, _by(CLAUDE, ASSISTANT, "tell"), holds=True),
    Wrapper("Anthropic: tool_result", _tool_result, Said(None, ..., ASSISTANT)),
    Wrapper("Anthropic: content_block_delta", _delta, Said(None, ..., ...)),
)


def _gemini(*puts: Any, role: str = USER) -> Any:
    return _plain(genai.Content(role=role, parts=[genai.Part(text=nest(put)) for put in puts]))


def _gemini_call(put: Any) -> Any:
    call = genai.FunctionCall(name="tell", args={"message": put})
    return {
        "contents": [_plain(genai.Content(role="model", parts=[genai.Part(function_call=call)]))]
    }


def _gemini_answer(put: Any) -> Any:
    return {
        "candidates": [{"content": _gemini(put, role="model"), "index": 0}],
        "modelVersion": "gemini-2.5-pro",
    }


def _ollama_chat(put: Any) -> Any:
    message = ollama.Message(role=ASSISTANT, content=nest(put))
    return _plain(
        ollama.ChatResponse(
            model="llama3", created_at="2026-11-20T10:00:01Z", message=message, done=True
        )
    )


def _ollama_generate(put: Any) -> Any:
    return _plain(
        ollama.GenerateResponse(
            model="llama3", created_at="2026-11-20T10:00:01Z", response=nest(put), done=True
        )
    )


VENDORS: tuple[Wrapper, ...] = (
    Wrapper(
        "Gemini: contents",
        lambda *puts: {"contents": [_gemini(*puts)]},
        Said(None, USER, ...),
        many=True,
    ),
    Wrapper("Gemini: answer", _gemini_answer, Said(None, ..., ..., {"model": ...})),
    Wrapper("Gemini: functionCall", _gemini_call, Said(None, ..., ...), holds=True),
    Wrapper("Ollama: chat", _ollama_chat, _by("llama3", ASSISTANT, USER, SECOND)),
    Wrapper("Ollama: generate", _ollama_generate, _by("llama3", ..., ..., SECOND)),
    Wrapper(
        "Cohere",
        lambda put: {
            "id": "c1",
            "finish_reason": "COMPLETE",
            "message": {"role": ASSISTANT, "content": [{"type": "text", "text": nest(put)}]},
        },
        ANSWERED,
    ),
    Wrapper(
        "Mistral",
        lambda put: {
            "model": "mistral-large",
            "object": "chat.completion",
            "created": EPOCH,
            "choices": [
                {"index": 0, "message": {"role": ASSISTANT, "content": nest(put), "prefix": False}}
            ],
        },
        _by("mistral-large", ASSISTANT, USER, SECOND),
    ),
    Wrapper(
        "Bedrock: converse",
        lambda *puts: {
            "output": {
                "message": {"role": ASSISTANT, "content": [{"text": nest(put)} for put in puts]}
            },
            "stopReason": "end_turn",
        },
        ANSWERED,
        many=True,
    ),
)

MODELS = MCP + A2A + OPENAI + ANTHROPIC + VENDORS
