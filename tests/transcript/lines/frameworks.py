"""Messages of agent frameworks, traces, and the events of OpenTelemetry."""

from typing import Any

from autogen_core import models as autogen
from google.protobuf.json_format import MessageToDict
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    HumanMessage,
    ToolMessage,
    message_to_dict,
    messages_to_dict,
)
from opentelemetry.proto.common.v1 import common_pb2 as otel
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

from tests.transcript.records.records import IDS, ISO, MILLI, NS, SPAN, TRACE, nest
from tests.transcript.records.wrapper import Wrapper

from .printer import Said

USER, ASSISTANT = "user", "assistant"


def _call(put: Any) -> Any:
    return {"name": "tell", "args": {"message": put}, "id": "call_1", "type": "tool_call"}


def _event(*puts: Any) -> Any:
    """Return an event of LangGraph's stream of updates."""
    return {"planner": {"messages": [dumpd(AIMessage(nest(put))) for put in puts]}}


def _run(put: Any) -> Any:
    return {
        "id": "8c668cde",
        "name": "planner",
        "run_type": "llm",
        "start_time": ISO,
        "trace_id": TRACE,
        "inputs": {"messages": [[dumpd(HumanMessage(nest(put)))]]},
    }


LANGCHAIN: tuple[Wrapper, ...] = (
    Wrapper(
        "LangChain: message dictionary",
        lambda put: message_to_dict(HumanMessage(nest(put))),
        Said(None, ..., ...),
    ),
    Wrapper(
        "LangChain: messages_to_dict",
        lambda *puts: messages_to_dict([AIMessage(nest(put), name="planner") for put in puts]),
        Said(None, "planner", ...),
        many=True,
    ),
    Wrapper("LangChain: dumps", lambda put: dumpd(AIMessage(nest(put))), Said(None, ..., ...)),
    Wrapper(
        "LangChain: tool call",
        lambda put: message_to_dict(AIMessage("", tool_calls=[_call(put)])),
        Said(None, ..., ...),
        holds=True,
    ),
    Wrapper(
        "LangChain: tool message",
        lambda put: dumpd(ToolMessage(nest(put), tool_call_id="call_1", name="tell")),
        Said(None, ..., ...),
    ),
    Wrapper("LangGraph: stream event", _event, Said(None, ..., ...), many=True),
    Wrapper("LangSmith: run", _run, Said(MILLI, ..., ..., {"trace_id": TRACE})),
)


def _autogen(put: Any) -> Any:
    return autogen.UserMessage(content=nest(put), source="planner").model_dump(mode="json")


def _autogen_event(put: Any) -> Any:
    """Return a message of AutoGen's agent chat, as its console prints it in JSON."""
    return {
        "source": "planner",
        "created_at": ISO,
        "metadata": {},
        "content": nest(put),
        "type": "TextMessage",
    }


AGENTS: tuple[Wrapper, ...] = (
    Wrapper("AutoGen: user message", _autogen, Said(None, ..., ...)),
    Wrapper("AutoGen: text message", _autogen_event, Said(MILLI, ..., None)),
    Wrapper(
        "CrewAI: task output",
        lambda put: {
            "description": "send it",
            "name": "send",
            "raw": nest(put),
            "agent": "planner",
            "output_format": "raw",
        },
        Said(None, "planner"),
    ),
    Wrapper(
        "Semantic Kernel",
        lambda *puts: {
            "Role": {"Label": USER},
            "Items": [{"$type": "TextContent", "Text": nest(put)} for put in puts],
        },
        Said(None, ..., ...),
        many=True,
    ),
    Wrapper(
        "Vercel AI SDK",
        lambda *puts: {
            "id": "m1",
            "role": USER,
            "parts": [{"type": "text", "text": nest(put)} for put in puts],
        },
        Said(None, USER, ...),
        many=True,
    ),
    Wrapper(
        "OpenAI Agents: handoff",
        lambda put: {
            "type": "message_output_item",
            "agent": "planner",
            "raw_item": {
                "role": ASSISTANT,
                "content": [{"type": "output_text", "text": nest(put)}],
            },
        },
        Said(None, ..., ...),
    ),
)


def _text(put: Any) -> otel.AnyValue:
    return otel.AnyValue(string_value=nest(put))


def _in_hex(value: Any) -> Any:
    """Return the record with its ids in hexadecimal, as OTLP's JSON has them."""
    if isinstance(value, dict):
        ids = {"traceId": TRACE, "spanId": SPAN}
        return {key: ids.get(key, _in_hex(item)) for key, item in value.items()}
    return [_in_hex(item) for item in value] if isinstance(value, list) else value


def _logs(*puts: Any) -> Any:
    made = [
        logs_pb2.LogRecord(
            time_unix_nano=int(NS),
            severity_text="INFO",
            body=_text(put),
            trace_id=bytes.fromhex(TRACE),
            span_id=bytes.fromhex(SPAN),
        )
        for put in puts
    ]
    scopes = [logs_pb2.ScopeLogs(log_records=made)]
    return _in_hex(
        MessageToDict(logs_pb2.LogsData(resource_logs=[logs_pb2.ResourceLogs(scope_logs=scopes)]))
    )


def _span(**body: Any) -> Any:
    made = trace_pb2.Span(
        name="chat gpt-4o", trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex(SPAN), **body
    )
    return _in_hex(MessageToDict(made))


def _attribute(key: str, put: Any) -> otel.KeyValue:
    return otel.KeyValue(key=key, value=_text(put))


def _events(*puts: Any) -> Any:
    events = [
        trace_pb2.Span.Event(
            name="gen_ai.user.message",
            time_unix_nano=int(NS),
            attributes=[_attribute("content", put)],
        )
        for put in puts
    ]
    return _span(events=events, attributes=[_attribute("gen_ai.request.model", "gpt-4o")])


def _input(put: Any) -> Any:
    parts = [{"type": "text", "content": put}]
    return _span(attributes=[_attribute("gen_ai.input.messages", [{"role": USER, "parts": parts}])])


TRACES: tuple[Wrapper, ...] = (
    Wrapper("OTLP: logs", _logs, Said(MILLI, None, None, {"level": "INFO", **IDS}), many=True),
    Wrapper(
        "OTLP: span attribute",
        lambda put: _span(attributes=[_attribute("gen_ai.completion", put)]),
        Said(None, ..., ..., {**IDS, "model": ...}),
    ),
    Wrapper("OTLP: span events", _events, Said(..., ..., ..., {**IDS, "model": ...}), many=True),
    Wrapper("OTLP: gen_ai.input.messages", _input, Said(None, ..., ..., {**IDS})),
    Wrapper(
        "OpenTelemetry: console log",
        lambda put: {
            "body": nest(put),
            "severity_text": "INFO",
            "timestamp": ISO,
            "trace_id": f"0x{TRACE}",
            "span_id": f"0x{SPAN}",
        },
        Said(MILLI, None, None, {"level": "INFO", "trace_id": ..., "span_id": ...}),
    ),
    Wrapper(
        "Langfuse: generation",
        lambda put: {
            "type": "GENERATION",
            "traceId": TRACE,
            "startTime": ISO,
            "model": "gpt-4o",
            "input": {"text": put},
        },
        Said(MILLI, ..., ..., {"model": "gpt-4o", "trace_id": TRACE}),
        holds=True,
    ),
)

FRAMEWORKS = LANGCHAIN + AGENTS + TRACES
