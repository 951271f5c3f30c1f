"""Lines that logging libraries of Python print: each printer runs its library at a fixed time."""

import io
import json
import logging
from collections.abc import Callable
from datetime import UTC
from typing import Any

import coloredlogs
import colorlog
import daiquiri.formatter
import ecs_logging
import eliot
import json_log_formatter
import logbook
import logfmter
import loguru
import picologging
import structlog
from absl.logging import PythonFormatter
from logbook import LogRecord as LogbookRecord
from logbook import StringFormatter
from pythonjsonlogger.json import JsonFormatter
from rich.console import Console
from rich.logging import RichHandler

from .log_record import AT, INFO, NAIVE, PLANNER, SECOND, ZONED, formatted, record
from .printer import Printer, Said

loguru.logger.remove()  # its default handler prints to stderr


def _structlog(*processors: Any, **known: Any) -> Callable[[str], str]:
    def log(message: str) -> str:
        event: Any = {
            "level": "info",
            "event": message,
            "timestamp": "2026-11-20T10:00:01.125000Z",
            **known,
        }
        for processor in processors:
            event = processor(None, "info", event)
        return str(event)

    return log


def _loguru(*, serialize: bool = False, colorize: bool = False) -> Callable[[str], str]:
    def log(message: str) -> str:
        out = io.StringIO()
        logger = loguru.logger.patch(_at_the_time)
        handler = logger.add(out, serialize=serialize, colorize=colorize)
        try:
            logger.info("{}", message)
        finally:
            logger.remove(handler)
        return out.getvalue().rstrip("\n")

    return log


def _at_the_time(made: "loguru.Record") -> None:
    made["time"] = made["time"].replace(2026, 11, 20, 10, 0, 1, 125000, tzinfo=UTC)
    made["name"] = "planner"


def _rich(message: str) -> str:
    out = io.StringIO()
    console = Console(file=out, width=240, force_terminal=False)
    handler = RichHandler(console=console, show_path=False, log_time_format="[%Y-%m-%d %H:%M:%S]")
    handler.setFormatter(logging.Formatter("%(message)s"))
    handler.emit(record(message))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _rich_console(message: str) -> str:
    out = io.StringIO()
    Console(file=out, width=240, force_terminal=True, color_system="standard").print(
        message, markup=False
    )
    return out.getvalue().rstrip("\n")


def _eliot(message: str) -> str:
    lines: list[dict[str, Any]] = []
    eliot.add_destinations(lines.append)
    try:
        eliot.log_message(message_type="bus:send", text=message)
    finally:
        eliot.remove_destination(lines.append)
    return json.dumps(
        {
            **lines[-1],
            "timestamp": AT.timestamp(),
            "task_uuid": "8c668cde-235b-4872-af4e-caea524bd1c0",
        }
    )


def _picologging(message: str) -> str:
    made = picologging.LogRecord(
        "planner", logging.INFO, "/app/bus.py", 42, message, (), None, None, None
    )
    return str(picologging.Formatter("%(levelname)s %(name)s %(message)s").format(made))


def _json_log_formatter(message: str) -> str:
    made = record(message)
    made.time = AT
    return str(json_log_formatter.JSONFormatter().format(made))


def _absl(message: str) -> str:
    made = record(message)
    made.threadName, made.process = "MainThread", 7
    return PythonFormatter().format(made)


def _logbook(message: str) -> str:
    made = LogbookRecord("planner", logbook.INFO, message)
    made.heavy_init()
    made.time = AT.replace(tzinfo=None)
    form = (
        "[{record.time:%Y-%m-%d %H:%M:%S.%f}] {record.level_name}: "
        "{record.channel}: {record.message}"
    )
    return str(StringFormatter(form).format_record(made, None))


def _structlog_console(*, colors: bool) -> Callable[[str], str]:
    return _structlog(
        structlog.dev.ConsoleRenderer(colors=colors, force_colors=colors), logger="planner"
    )


KITS: tuple[Printer, ...] = (
    Printer(
        "structlog: console",
        _structlog_console(colors=False),
        Said(ZONED, "planner", None, {"level": "info", "logger": ...}),
    ),
    Printer(
        "structlog: colored console",
        _structlog_console(colors=True),
        Said(ZONED, "planner", None, {"level": "info", "logger": ...}),
    ),
    Printer(
        "structlog: JSON",
        _structlog(
            structlog.processors.JSONRenderer(),
            trace_id="4bf92f3577b34da6a3ce929d0e0e4736",
            agent="planner",
        ),
        Said(
            ZONED,
            "planner",
            None,
            {"level": "info", "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736"},
        ),
    ),
    Printer(
        "structlog: JSON indented",
        _structlog(
            structlog.processors.JSONRenderer(indent=2), sender="planner", recipient="executor"
        ),
        Said(ZONED, "planner", "executor", {"level": "info"}),
    ),
    Printer(
        "structlog: key and value",
        _structlog(
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
        ),
        Said(ZONED, attributes={"level": "info"}),
    ),
    Printer(
        "structlog: logfmt",
        _structlog(
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
            agent="planner",
        ),
        Said(ZONED, "planner", None, {"level": "info"}),
    ),
    Printer(
        "loguru: default",
        _loguru(),
        Said(NAIVE, ..., None, {"level": "INFO", "logger": ...}),
        open=True,
    ),
    Printer(
        "loguru: colored",
        _loguru(colorize=True),
        Said(NAIVE, ..., None, {"level": "INFO", "logger": ...}),
    ),
    Printer(
        "loguru: serialized",
        _loguru(serialize=True),
        Said(..., ..., None, {"level": ..., "logger": ...}),
    ),
    Printer("rich: log handler", _rich, Said(SECOND, attributes={"level": "INFO"})),
    Printer("rich: colored console", _rich_console),
    Printer(
        "python-json-logger: default",
        formatted(JsonFormatter("%(asctime)s %(name)s %(levelname)s %(message)s")),
        Said(NAIVE, ..., None, {"level": ..., "logger": ...}),
    ),
    Printer(
        "python-json-logger: timestamp and indent",
        formatted(JsonFormatter("%(name)s %(message)s", timestamp=True, json_indent=4)),
        Said(ZONED, ..., None, {"logger": ...}),
    ),
    Printer("json-log-formatter", _json_log_formatter, Said(ZONED, attributes={"level": ...})),
    Printer(
        "ecs-logging",
        formatted(ecs_logging.StdlibFormatter()),
        Said(ZONED, ..., None, {"level": "info", "logger": ...}),
    ),
    Printer(
        "coloredlogs",
        formatted(coloredlogs.ColoredFormatter(coloredlogs.DEFAULT_LOG_FORMAT)),
        Said(SECOND, "planner", None, INFO),
    ),
    Printer("colorlog", formatted(colorlog.ColoredFormatter()), PLANNER),
    Printer(
        "colorlog: aligned",
        formatted(
            colorlog.ColoredFormatter("%(log_color)s%(levelname)-8s%(reset)s %(blue)s%(message)s")
        ),
        Said(attributes={"level": "INFO"}),
    ),
    Printer(
        "logfmter",
        formatted(
            logfmter.Logfmter(
                keys=["at", "logger", "msg"], mapping={"at": "levelname", "logger": "name"}
            )
        ),
        Said(sender="planner", attributes={"level": ..., "logger": ...}),
    ),
    Printer("eliot", _eliot, Said(ZONED)),
    Printer(
        "daiquiri: text",
        formatted(daiquiri.formatter.TEXT_FORMATTER),
        Said(NAIVE, "planner", None, INFO),
    ),
    Printer(
        "absl",
        _absl,
        Said("-11-20T10:00:01.125", ..., None, {"level": ..., "logger": ...}),
        open=True,
    ),
    Printer("picologging", _picologging, PLANNER, lines=True, open=True),
    Printer("logbook", _logbook, Said(NAIVE, "planner", None, INFO), lines=True, open=True),
)
