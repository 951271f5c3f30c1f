"""Records of brokers, webhooks, and other carriers, and records inside records."""

import base64
from typing import Any

from tests.transcript.records.records import ISO, MILLI, MS, SECOND, cloudwatch, docker, nest, said
from tests.transcript.records.wrapper import Wrapper, minified

from .printer import SILENT, Said


def _sns(put: Any) -> Any:
    return {
        "Type": "Notification",
        "MessageId": "22b80b92",
        "TopicArn": "arn:aws:sns:us-east-1:123456789012:bus",
        "Message": nest(put),
        "Timestamp": ISO,
    }


def _sqs(put: Any) -> Any:
    return {
        "messageId": "19dd0b57",
        "body": nest(put),
        "attributes": {"SentTimestamp": str(MS)},
        "eventSource": "aws:sqs",
    }


def _chat_call(put: Any) -> Any:
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "tell", "arguments": minified({"message": put})},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def deep(levels: int) -> Any:
    """Return a builder of strings in strings, so many levels deep."""

    def build(put: Any) -> Any:
        for _ in range(levels - 1):
            put = minified({"payload": put})
        return {"payload": put}

    return build


BROKERS: tuple[Wrapper, ...] = (
    Wrapper(
        "CloudEvents: data as text",
        lambda put: {
            "specversion": "1.0",
            "id": "a1",
            "source": "/planner",
            "type": "bus.sent",
            "time": ISO,
            "data": nest(put),
        },
        Said(MILLI, ...),
    ),
    Wrapper(
        "CloudEvents: data as object",
        lambda put: {
            "specversion": "1.0",
            "id": "a1",
            "source": "/planner",
            "type": "bus.sent",
            "time": ISO,
            "data": put,
        },
        Said(MILLI, ...),
        holds=True,
    ),
    Wrapper(
        "CloudEvents: batch",
        lambda *puts: [
            {
                "specversion": "1.0",
                "id": "a1",
                "source": "/planner",
                "type": "t",
                "time": ISO,
                "data": put,
            }
            for put in puts
        ],
        Said(MILLI, ...),
        holds=True,
        many=True,
    ),
    Wrapper(
        "CloudEvents: base64 beside",
        lambda put: {
            "specversion": "1.0",
            "data_base64": base64.b64encode(b"REQ/TSK|g=1").decode(),
            "data": put,
        },
        holds=True,
    ),
    Wrapper(
        "Kafka: console JSON",
        lambda put: {
            "topic": "bus",
            "partition": 0,
            "offset": 42,
            "timestamp": MS,
            "key": "a",
            "value": put,
        },
        Said(MILLI),
        holds=True,
    ),
    Wrapper(
        "Kafka: REST proxy",
        lambda *puts: {"records": [{"key": "a", "value": put} for put in puts]},
        holds=True,
        many=True,
    ),
    Wrapper(
        "SQS: event", lambda *puts: {"Records": [_sqs(put) for put in puts]}, Said(...), many=True
    ),
    Wrapper("SNS", _sns, Said(MILLI)),
    Wrapper(
        "SNS in SQS",
        lambda *puts: {"Records": [_sqs(_sns(put)) for put in puts]},
        Said(MILLI),
        many=True,
    ),
    Wrapper(
        "SNS in SQS in CloudWatch",
        lambda put: cloudwatch({"Records": [_sqs(_sns(put))]}),
        Said(MILLI, attributes={"logger": ...}),
    ),
    Wrapper(
        "EventBridge",
        lambda put: {
            "version": "0",
            "source": "planner",
            "detail-type": "sent",
            "time": ISO,
            "detail": {"message": put},
        },
        Said(MILLI, ...),
        holds=True,
    ),
    Wrapper(
        "Redis stream",
        lambda *puts: [
            ["bus", [["1795168801125-0", ["agent", "planner", "msg", nest(put)]] for put in puts]]
        ],
        Said(..., ...),
        many=True,
    ),
    Wrapper(
        "Redis stream: object",
        lambda put: {"id": "1795168801125-0", "message": {"agent": "planner", "text": put}},
        Said(..., "planner"),
    ),
    Wrapper(
        "NATS",
        lambda put: {"subject": "agents.executor", "data": nest(put), "seq": 42, "timestamp": ISO},
        Said(MILLI, ..., ...),
    ),
    Wrapper(
        "RabbitMQ: management",
        lambda put: {
            "payload_bytes": 42,
            "routing_key": "executor",
            "payload": nest(put),
            "payload_encoding": "string",
        },
        Said(None, ..., ...),
    ),
    Wrapper(
        "MQTT",
        lambda put: {
            "topic": "agents/executor",
            "qos": 1,
            "retain": False,
            "tst": ISO,
            "payload": put,
        },
        Said(..., ..., ...),
        holds=True,
    ),
    Wrapper(
        "Pub/Sub: plain data",
        lambda put: {
            "message": {"messageId": "1", "publishTime": ISO, "attributes": {"body": put}}
        },
        Said(..., ..., ...),
    ),
)

HOOKS: tuple[Wrapper, ...] = (
    Wrapper(
        "Slack: event",
        lambda put: {
            "type": "event_callback",
            "event": {
                "type": "message",
                "user": "U061F7AUR",
                "text": nest(put),
                "ts": "1795168801.125000",
            },
        },
        Said(MILLI, ...),
    ),
    Wrapper(
        "Discord",
        lambda put: {
            "id": "1",
            "content": nest(put),
            "author": {"username": "planner"},
            "timestamp": "2026-11-20T10:00:01.125000+00:00",
        },
        Said(MILLI, ...),
    ),
    Wrapper(
        "Telegram: update",
        lambda put: {
            "update_id": 1,
            "message": {
                "message_id": 2,
                "from": {"username": "planner"},
                "date": 1795168801,
                "text": nest(put),
            },
        },
        Said(SECOND, ...),
    ),
    Wrapper(
        "GitHub: issue comment",
        lambda put: {
            "action": "created",
            "comment": {
                "user": {"login": "planner"},
                "created_at": "2026-11-20T10:00:01Z",
                "body": f"Sent:\n\n```\n{nest(put)}\n```\n",
            },
        },
        Said(SECOND, ...),
    ),
    Wrapper(
        "webhook with a body",
        lambda put: {"id": "evt_1", "headers": {"content-type": "text/plain"}, "body": nest(put)},
    ),
    Wrapper(
        "HAR: postData",
        lambda *puts: {
            "log": {
                "version": "1.2",
                "entries": [
                    {
                        "startedDateTime": ISO,
                        "request": {
                            "method": "POST",
                            "url": "https://bus.example.com",
                            "postData": {"mimeType": "text/plain", "text": nest(put)},
                        },
                    }
                    for put in puts
                ],
            }
        },
        Said(MILLI),
        many=True,
    ),
    Wrapper(
        "JSON-RPC",
        lambda put: {"jsonrpc": "2.0", "id": 1, "method": "bus.send", "params": {"text": put}},
        Said(None, ..., ...),
        holds=True,
    ),
    Wrapper(
        "JSON-RPC: list of parameters",
        lambda *puts: {"jsonrpc": "2.0", "method": "bus.send", "params": list(puts)},
        Said(None, ..., ...),
        holds=True,
        many=True,
    ),
    Wrapper(
        "GraphQL: variables",
        lambda put: {
            "query": "mutation($m: String!) { send(message: $m) }",
            "variables": {"m": put},
        },
        holds=True,
    ),
    Wrapper(
        "GitHub Actions: dispatch",
        lambda put: {"event_type": "send", "client_payload": {"message": put}},
        holds=True,
    ),
    Wrapper(
        "Postman: request",
        lambda put: {
            "name": "send",
            "request": {"method": "POST", "body": {"mode": "raw", "raw": nest(put)}},
        },
        Said(None, ...),
    ),
    Wrapper(
        "an unknown record",
        lambda *puts: {"x": {"y": [{"z": put} for put in puts]}},
        holds=True,
        many=True,
    ),
    Wrapper("a list", lambda *puts: list(puts), holds=True, many=True),
    Wrapper(
        "a map of names",
        lambda *puts: {f"step {n}": put for n, put in enumerate(puts)},
        holds=True,
        many=True,
    ),
)

NESTED: tuple[Wrapper, ...] = (
    Wrapper(
        "tool call in a chat in docker json-file",
        lambda put: docker({"messages": [_chat_call(put)]}),
        Said(MILLI, ..., ...),
    ),
    Wrapper(
        "tool call in a chat",
        lambda put: {"model": "gpt-4o", "messages": [_chat_call(put)]},
        Said(None, "assistant", "tell", {"model": "gpt-4o"}),
    ),
    Wrapper(
        "docker json-file around structlog",
        lambda put: docker({"event": put, "level": "info", "sender": "planner"}),
        said(MILLI, "planner", None, level="info"),
    ),
    Wrapper(
        "docker json-file around a line",
        lambda put: docker(f"2026-11-20 09:59:59 INFO planner: {nest(put)}"),
        Said(..., "planner", None, {"level": "INFO", "logger": ...}),
    ),
    Wrapper(
        "journald around a line",
        lambda put: {"MESSAGE": f"planner -> executor {nest(put)}", "_PID": "7"},
        Said(None, "planner", "executor"),
    ),
    Wrapper("wrapped three times", deep(3), SILENT),
    Wrapper("wrapped six times", deep(6), SILENT),
    Wrapper("wrapped eight times", deep(8), SILENT),
)

CARRIERS = BROKERS + HOOKS + NESTED
