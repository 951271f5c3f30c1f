"""Messages of models, printed by the classes of their own kits where Python has some."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tests.transcript.lines.printer import Said
from tests.transcript.records.roles import ANSWERED, ASSISTANT, EPOCH, USER, dump, said_by
from tests.transcript.records.rpc import A2A, MCP

from .records import SECOND, nest
from .wrapper import Wrapper, minified


class _Kit:
    """A module that is imported when it is needed, because these take two seconds together."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


if TYPE_CHECKING:
    import ollama
    from anthropic import types as anthropic
    from google.genai import types as genai
    from openai.types import chat as openai
    from openai.types import responses
else:
    anthropic = _Kit("anthropic.types")
    genai = _Kit("google.genai.types")
    ollama = _Kit("ollama")
    openai = _Kit("openai.types.chat")
    responses = _Kit("openai.types.responses")


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
    return dump(made)


def _chunk(put: Any) -> Any:
    choices: list[Any] = [{"index": 0, "delta": {"role": ASSISTANT, "content": nest(put)}}]
    made = openai.ChatCompletionChunk(
        id="c1", object="chat.completion.chunk", created=EPOCH, model="gpt-4o", choices=choices
    )
    return dump(made)


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
        "output": [dump(made)],
    }


def _function_call(put: Any) -> Any:
    made = responses.ResponseFunctionToolCall(
        type="function_call", call_id="call_1", name="tell", arguments=minified({"message": put})
    )
    return {"model": "gpt-4o", "output": [dump(made)]}


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
    Wrapper("OpenAI: chat request", _requested, said_by("gpt-4o", USER, ASSISTANT), many=True),
    Wrapper("OpenAI: tool calls", _tool_calls, said_by("gpt-4o", ASSISTANT, "tell"), many=True),
    Wrapper(
        "OpenAI: tool result",
        lambda put: {"role": "tool", "tool_call_id": "call_1", "content": nest(put)},
        Said(None, "tool", ASSISTANT),
    ),
    Wrapper(
        "OpenAI: completion", _completion, said_by("gpt-4o", ASSISTANT, USER, SECOND), many=True
    ),
    Wrapper("OpenAI: stream chunk", _chunk, said_by("gpt-4o", ASSISTANT, USER, SECOND)),
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
        said_by("gpt-4o", USER, ASSISTANT),
        many=True,
    ),
    Wrapper(
        "OpenAI: Responses output", _output, said_by("gpt-4o", ASSISTANT, USER, SECOND), many=True
    ),
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
    return dump(made)


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
    return dump(made)


CLAUDE = "claude-sonnet-4-5"
ANTHROPIC: tuple[Wrapper, ...] = (
    Wrapper(
        "Anthropic: request",
        lambda *puts: {
            "model": CLAUDE,
            "max_tokens": 9,
            "messages": [{"role": USER, "content": nest(put)} for put in puts],
        },
        said_by(CLAUDE, USER, ASSISTANT),
        many=True,
    ),
    Wrapper(
        "Anthropic: response",
        lambda *puts: _claude(*(anthropic.TextBlock(type="text", text=nest(put)) for put in puts)),
        said_by(CLAUDE, ASSISTANT, USER),
        many=True,
    ),
    Wrapper("Anthropic: tool_use", _tool_use, said_by(CLAUDE, ASSISTANT, "tell"), holds=True),
    Wrapper("Anthropic: tool_result", _tool_result, Said(None, ..., ASSISTANT)),
    Wrapper("Anthropic: content_block_delta", _delta, Said(None, ..., ...)),
)


def _gemini(*puts: Any, role: str = USER) -> Any:
    return dump(genai.Content(role=role, parts=[genai.Part(text=nest(put)) for put in puts]))


def _gemini_call(put: Any) -> Any:
    call = genai.FunctionCall(name="tell", args={"message": put})
    return {"contents": [dump(genai.Content(role="model", parts=[genai.Part(function_call=call)]))]}


def _gemini_answer(put: Any) -> Any:
    return {
        "candidates": [{"content": _gemini(put, role="model"), "index": 0}],
        "modelVersion": "gemini-2.5-pro",
    }


def _ollama_chat(put: Any) -> Any:
    message = ollama.Message(role=ASSISTANT, content=nest(put))
    return dump(
        ollama.ChatResponse(
            model="llama3", created_at="2026-11-20T10:00:01Z", message=message, done=True
        )
    )


def _ollama_generate(put: Any) -> Any:
    return dump(
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
    Wrapper("Ollama: chat", _ollama_chat, said_by("llama3", ASSISTANT, USER, SECOND)),
    Wrapper("Ollama: generate", _ollama_generate, said_by("llama3", ..., ..., SECOND)),
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
        said_by("mistral-large", ASSISTANT, USER, SECOND),
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
