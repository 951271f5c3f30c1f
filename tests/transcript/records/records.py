"""Records of loggers and of the clouds that collect them, in the shapes that their makers
document.
"""

from typing import Any

from tests.transcript.lines.printer import Said

from .wrapper import Wrapper, minified

SECOND, MILLI = "2026-11-20T10:00:01+00:00", "2026-11-20T10:00:01.125+00:00"
ISO = "2026-11-20T10:00:01.125Z"
MS, NS = 1795168801125, "1795168801125000000"
TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
IDS = {"trace_id": TRACE, "span_id": SPAN}


def said(time: Any = None, sender: Any = None, recipient: Any = None, /, **attributes: Any) -> Said:
    """Return facts in which the name of the logger may be an attribute as well."""
    return Said(time, sender, recipient, {"logger": ..., **attributes})


def nest(value: Any) -> str:
    """Return JSON as it is put into a string."""
    return value if isinstance(value, str) else minified(value)


def docker(*puts: Any) -> Any:
    return {
        "log": "\n".join(map(nest, puts)) + "\n",
        "stream": "stdout",
        "time": "2026-11-20T10:00:01.125000000Z",
    }


def cloudwatch(put: Any) -> Any:
    events = [{"id": "3195", "timestamp": MS, "message": nest(put)}]
    return {
        "messageType": "DATA_MESSAGE",
        "logGroup": "bus",
        "logStream": "planner",
        "logEvents": events,
    }


LOGS: tuple[Wrapper, ...] = (
    Wrapper("docker: json-file", docker, said(MILLI), many=True),
    Wrapper(
        "journald: JSON",
        lambda put: {
            "__REALTIME_TIMESTAMP": "1795168801125000",
            "PRIORITY": "6",
            "SYSLOG_IDENTIFIER": "planner",
            "_PID": "7",
            "MESSAGE": put,
        },
        said(..., ..., None, level=...),
    ),
    Wrapper(
        "pino",
        lambda put: {
            "level": 30,
            "time": MS,
            "pid": 7,
            "hostname": "bus01",
            "name": "planner",
            "msg": put,
        },
        said(MILLI, ..., None, level=...),
        holds=True,
    ),
    Wrapper(
        "bunyan",
        lambda put: {
            "name": "planner",
            "hostname": "bus01",
            "pid": 7,
            "level": 30,
            "msg": put,
            "time": ISO,
            "v": 0,
        },
        said(MILLI, ..., None, level=...),
    ),
    Wrapper(
        "zap: production",
        lambda put: {
            "level": "info",
            "ts": 1795168801.125,
            "logger": "planner",
            "caller": "bus/send.go:42",
            "msg": put,
        },
        said(MILLI, "planner", None, level="info"),
        holds=True,
    ),
    Wrapper(
        "zerolog",
        lambda put: {
            "level": "info",
            "from": "planner",
            "to": "executor",
            "time": 1795168801,
            "message": put,
        },
        said(SECOND, "planner", "executor", level="info"),
        holds=True,
    ),
    Wrapper(
        "logrus: JSON",
        lambda put: {
            "agent": "planner",
            "level": "info",
            "msg": put,
            "time": "2026-11-20T10:00:01Z",
            **IDS,
        },
        said(SECOND, "planner", None, level="info", **IDS),
    ),
    Wrapper(
        "slog: JSON",
        lambda put: {
            "time": "2026-11-20T11:00:01.125+01:00",
            "level": "INFO",
            "msg": put,
            "model": "gpt-4o",
        },
        said(MILLI, level="INFO", model="gpt-4o"),
        holds=True,
    ),
    Wrapper(
        "Serilog: compact",
        lambda put: {"@t": ISO, "@m": put, "@i": "5f2b1c3a", "SourceContext": "planner"},
        said(MILLI, ..., None, level=...),
    ),
    Wrapper(
        "Serilog: compact template",
        lambda put: {
            "@t": ISO,
            "@mt": "Sent {Message}",
            "@l": "Warning",
            "@tr": TRACE,
            "@sp": SPAN,
            "Message": put,
        },
        said(MILLI, level="Warning", **IDS),
        holds=True,
    ),
    Wrapper(
        "winston: JSON",
        lambda put: {"level": "info", "message": put, "service": "bus", "timestamp": ISO},
        said(MILLI, level="info"),
        holds=True,
    ),
    Wrapper(
        "ECS",
        lambda put: {
            "@timestamp": ISO,
            "log.level": "info",
            "message": put,
            "trace.id": TRACE,
            "span.id": SPAN,
        },
        said(MILLI, level="info", **IDS),
    ),
    Wrapper(
        "ECS: nested",
        lambda put: {
            "@timestamp": ISO,
            "log": {"level": "info", "logger": "planner"},
            "trace": {"id": TRACE},
            "message": put,
        },
        said(MILLI, ..., None, level=..., trace_id=...),
    ),
    Wrapper(
        "GELF",
        lambda put: {
            "version": "1.1",
            "host": "bus01",
            "short_message": put,
            "timestamp": 1795168801.125,
            "level": 6,
        },
        said(MILLI, level=...),
    ),
    Wrapper(
        "logstash",
        lambda put: {
            "@timestamp": ISO,
            "@version": "1",
            "message": put,
            "logger_name": "planner",
            "level": "INFO",
        },
        said(MILLI, ..., None, level="INFO"),
    ),
    Wrapper(
        "Cloud Logging: textPayload",
        lambda put: {
            "insertId": "a1",
            "textPayload": put,
            "timestamp": ISO,
            "severity": "INFO",
            "logName": "projects/p/logs/bus",
        },
        said(MILLI, level="INFO"),
    ),
    Wrapper(
        "Cloud Logging: jsonPayload",
        lambda put: {
            "jsonPayload": {"message": put, "agent": "planner"},
            "timestamp": ISO,
            "severity": "INFO",
            "trace": f"projects/p/traces/{TRACE}",
            "spanId": SPAN,
        },
        said(MILLI, "planner", None, level="INFO", trace_id=..., span_id=SPAN),
        holds=True,
    ),
    Wrapper("CloudWatch: export", cloudwatch, said(MILLI)),
    Wrapper(
        "CloudWatch: get-log-events",
        lambda *puts: {
            "events": [{"timestamp": MS, "message": put, "ingestionTime": MS} for put in puts]
        },
        said(MILLI),
        many=True,
    ),
    Wrapper(
        "Azure Monitor",
        lambda put: {
            "time": ISO,
            "category": "Traces",
            "level": "Informational",
            "properties": {"message": put},
        },
        said(MILLI, level="Informational"),
        holds=True,
    ),
    Wrapper(
        "Application Insights",
        lambda put: {
            "name": "MessageData",
            "time": ISO,
            "data": {"baseType": "MessageData", "baseData": {"message": put}},
        },
        said(MILLI),
    ),
    Wrapper(
        "Loki: push",
        lambda *puts: {
            "streams": [
                {"stream": {"agent": "planner"}, "values": [[NS, nest(put)] for put in puts]}
            ]
        },
        Said(..., ..., None),
        many=True,
    ),
    Wrapper(
        "Splunk: HEC",
        lambda put: {
            "time": 1795168801.125,
            "host": "bus01",
            "source": "bus",
            "sourcetype": "_json",
            "event": put,
        },
        said(MILLI),
        holds=True,
    ),
    Wrapper(
        "Fluent Bit: stdout",
        lambda put: [[1795168801.125, {}], {"log": put, "agent": "planner"}],
        Said(..., "planner"),
    ),
    Wrapper(
        "Fluent Bit: http", lambda put: {"date": 1795168801.125, "log": put}, said(..., level=...)
    ),
    Wrapper(
        "Vector",
        lambda put: {"host": "bus01", "message": put, "source_type": "stdin", "timestamp": ISO},
        said(MILLI),
    ),
    Wrapper(
        "Elasticsearch: hit",
        lambda *puts: {
            "took": 1,
            "hits": {
                "hits": [
                    {"_index": "bus", "_id": "1", "_source": {"@timestamp": ISO, "message": put}}
                    for put in puts
                ]
            },
        },
        said(MILLI),
        holds=True,
        many=True,
    ),
    Wrapper(
        "Datadog",
        lambda put: {
            "ddsource": "python",
            "service": "bus",
            "status": "info",
            "message": put,
            "dd.trace_id": TRACE,
        },
        said(None, ..., None, level=..., trace_id=...),
    ),
    Wrapper(
        "Sentry",
        lambda put: {
            "event_id": "fc6d",
            "timestamp": ISO,
            "level": "info",
            "logentry": {"formatted": put},
        },
        said(MILLI, level="info"),
    ),
)
