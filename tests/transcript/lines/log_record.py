"""A record of a fixed time, printed by formatters of `logging`."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

from .printer import Said

AT = datetime(2026, 11, 20, 10, 0, 1, 125000, tzinfo=UTC)
NAIVE, SECOND, ZONED = (
    "2026-11-20T10:00:01.125",
    "2026-11-20T10:00:01",
    "2026-11-20T10:00:01.125+00:00",
)
INFO = {"level": "INFO", "logger": ...}
PLANNER = Said(sender="planner", attributes=INFO)


def record(message: str, logger: str = "planner") -> logging.LogRecord:
    """Return a record of the fixed time."""
    made = logging.LogRecord(logger, logging.INFO, "/app/bus.py", 42, message, None, None, "send")
    made.created, made.msecs, made.process, made.threadName = AT.timestamp(), 125.0, 7, "MainThread"
    made.hostname = "bus01"
    return made


def formatted(formatter: logging.Formatter) -> Callable[[str], str]:
    """Return a printer that uses a formatter of ``logging``, in UTC."""
    formatter.converter = time.gmtime
    return lambda message: formatter.format(record(message))
