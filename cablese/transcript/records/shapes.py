"""The shapes of wrappers: which keys a record has at its top, its name, and who speaks."""

from typing import Any, Literal

from msgspec import Struct

Kind = Literal["mcp", "a2a", "chat", "call", "log", "event", "json", "text"]
MCP, A2A, CHAT, CALL, LOG = "MCP", "A2A", "chat", "tool call", "log record"
EVENT, JSON = "event", "JSON record"
TITLES: dict[Kind, str] = {
    "mcp": MCP, "a2a": A2A, "chat": CHAT, "call": CALL, "log": LOG, "event": EVENT, "json": JSON,
    "text": "text",
}  # fmt: skip
Object = dict[str, Any]
Sides = tuple[str | None, str | None]
_CLIENT, _SERVER, _USER, _AGENT, _ASSISTANT = "client", "server", "user", "agent", "assistant"


class Shape(Struct, frozen=True):
    """One kind of wrapper: the keys at its top, with dots for those below, and its name.

    ``sides`` are sender and recipient where no role tells them.
    """

    kind: Kind
    words: str
    keys: frozenset[str]
    sides: Sides = (None, None)


def _shape(kind: Kind, label: str, keys: str, sides: Sides = (None, None)) -> Shape:
    return Shape(kind, label, frozenset(keys.split()), sides)


_ASKED, _ANSWERED = (_CLIENT, _SERVER), (_SERVER, _CLIENT)
SHAPES = (
    _shape("a2a", f"{A2A} message", "jsonrpc params.message"),
    _shape("mcp", f"{MCP} sampling", "jsonrpc params.messages", _ANSWERED),
    _shape("mcp", f"{MCP} tools/call", "jsonrpc params.arguments", _ASKED),
    _shape("mcp", f"{MCP} notification", "jsonrpc method params", _ANSWERED),
    _shape("mcp", f"{MCP} prompt", "jsonrpc result.messages", _ANSWERED),
    _shape("mcp", f"{MCP} resource", "jsonrpc result.contents", _ANSWERED),
    _shape("mcp", f"{MCP} result", "jsonrpc result.content", _ANSWERED),
    _shape("mcp", f"{MCP} result", "jsonrpc result.structuredContent", _ANSWERED),
    *(
        _shape("a2a", f"{A2A} result", f"result.{key}", (_AGENT, _USER))
        for key in ("parts", "message", "status", "artifacts", "artifact", "history")
    ),
    _shape("mcp", f"{MCP} result", "content isError", _ANSWERED),
    _shape("a2a", f"{A2A} message", "message.parts"),
    _shape("a2a", f"{A2A} status update", "status.message contextId", (_AGENT, _USER)),
    _shape("a2a", f"{A2A} artifact update", "artifact contextId", (_AGENT, _USER)),
    _shape("chat", "Gemini", "contents"),
    _shape("chat", "Gemini", "candidates"),
    _shape("a2a", f"{A2A} message", "parts"),
    _shape("chat", "OpenAI completion", "choices object id created model", (_ASSISTANT, _USER)),
    _shape("chat", CHAT, "choices"),
    _shape("chat", "OpenAI response", "object output model", (_ASSISTANT, _USER)),
    _shape("chat", "OpenAI request", "model input"),
    _shape("chat", "Cohere", "message finish_reason", (_ASSISTANT, _USER)),
    _shape("chat", "Ollama", "message done model"),
    _shape("chat", "Ollama", "response done model", (_ASSISTANT, _USER)),
    _shape("chat", "Bedrock", "output.message stopReason"),
    _shape("chat", CHAT, "messages"),
    _shape("log", "training example", "prompt target"),
    _shape("log", "training example", "prompt completion"),
    _shape("event", "LangSmith run", "run_type inputs"),
    _shape("chat", CHAT, "role"),
    _shape("chat", "LangChain message", "type content additional_kwargs"),
    _shape("chat", "LangChain message", "type data.content"),
    _shape("chat", "LangChain message", "lc type id kwargs"),
    _shape("chat", "AutoGen message", "source models_usage content"),
    _shape("chat", CHAT, "call_id arguments", (_ASSISTANT, None)),
    _shape("chat", CHAT, "call_id output", ("tool", _ASSISTANT)),
    _shape("log", "OTLP logs", "resourceLogs"),
    _shape("log", "OTLP traces", "resourceSpans"),
    _shape("log", "Docker log", "log stream time"),
    _shape("log", "Fluent Bit record", "log stream"),
    _shape("log", "journald record", "MESSAGE __REALTIME_TIMESTAMP"),
    _shape("log", "journald record", "MESSAGE PRIORITY"),
    _shape("log", "Serilog record", "@t @mt"),
    _shape("log", "Serilog record", "@t @m"),
    _shape("log", "Bunyan record", "v name hostname pid level msg"),
    _shape("log", "pino record", "level time pid hostname msg"),
    _shape("log", "zap record", "level ts caller msg"),
    _shape("log", "ECS record", "@timestamp log.level message"),
    _shape("log", "GELF record", "version host short_message"),
    _shape("log", "Cloud Logging entry", "logName textPayload"),
    _shape("log", "Cloud Logging entry", "logName jsonPayload"),
    _shape("log", "Cloud Logging entry", "severity textPayload"),
    _shape("log", "CloudWatch export", "logGroup logEvents"),
    _shape("log", "CloudWatch event", "ingestionTime message timestamp"),
    _shape("log", "Loki push", "streams"),
    _shape("log", "Splunk event", "event sourcetype"),
    _shape("log", "Splunk event", "event time host"),
    _shape("event", "CloudEvent", "specversion type source"),
    _shape("event", "Kafka record", "topic partition offset"),
    _shape("event", "Kafka record", "topic value"),
    _shape("event", "SNS notification", "Type TopicArn Message"),
    _shape("event", "SQS message", "MessageId Body"),
    _shape("log", "structlog record", "event timestamp level"),
    _shape("log", LOG, "event level"),
    *(_shape("log", LOG, key) for key in ("msg", "message", "text", "body", "log", "MESSAGE")),
)
TELLING: dict[str, list[int]] = {}
"""The numbers of the shapes by one of their keys: most records have few of these keys."""
for _index, _known_shape in enumerate(SHAPES):
    TELLING.setdefault(max(_known_shape.keys), []).append(_index)
ANY = Shape("json", JSON, frozenset())
GEMINI = _shape("chat", "Gemini", "parts")
"""A turn of the model. A2A has parts too, and not this role."""
ARGUMENTS = Shape("call", CALL, frozenset())
"""The arguments of a tool call, which may be any JSON object."""
FREE: frozenset[Kind] = frozenset(("log", "event", "json"))
"""Kinds whose other members are metadata of the message."""
FACING: dict[Kind, dict[str, str]] = {
    "chat": {
        _USER: _ASSISTANT, "system": _ASSISTANT, "developer": _ASSISTANT, "tool": _ASSISTANT,
        "function": _ASSISTANT, _ASSISTANT: _USER, "model": _USER, "human": "ai", "ai": "human",
    },
    "a2a": {_USER: _AGENT, _AGENT: _USER},
    "mcp": {_USER: _ASSISTANT, _ASSISTANT: _USER},
}  # fmt: skip
"""The recipient of each role."""
