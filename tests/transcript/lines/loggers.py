"""Lines that Python's own logging prints, and servers with it, at a fixed time."""

import logging
from collections.abc import Callable
from typing import Any

import granian.log
import uvicorn.logging
from gunicorn.glogging import Logger as Gunicorn

from .kits import KITS
from .log_record import INFO, NAIVE, PLANNER, SECOND, ZONED, formatted, record
from .printer import Printer, Said


def _logging(form: str | None, datefmt: str | None = None) -> Callable[[str], str]:
    return formatted(logging.Formatter(form, datefmt))


def _uvicorn(message: str, *, colored: bool = False) -> str:
    form = uvicorn.logging.DefaultFormatter("%(levelprefix)s %(message)s", use_colors=colored)
    return form.format(record(message, "uvicorn.error"))


_GRANIAN: Any = granian.log.LOGGING_CONFIG
GRANIAN: dict[str, str] = _GRANIAN["formatters"]["generic"]
CELERY = "[%(asctime)s: %(levelname)s/%(processName)s] %(message)s"
AIRFLOW = "[%(asctime)s] {%(filename)s:%(lineno)d} %(levelname)s - %(message)s"
OFFSET = "%Y-%m-%dT%H:%M:%S+0000"
LOGGERS: tuple[Printer, ...] = (
    Printer("logging: bare message", _logging("%(message)s"), lines=True, open=True),
    Printer("logging: basicConfig", _logging(logging.BASIC_FORMAT), PLANNER, lines=True, open=True),
    Printer(
        "logging: asctime - name - level",
        _logging("%(asctime)s - %(name)s - %(levelname)s - %(message)s"),
        Said(NAIVE, "planner", None, INFO),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: asctime level name",
        _logging("%(asctime)s %(levelname)s %(name)s %(message)s"),
        Said(NAIVE, "planner", None, INFO),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: asctime [level] name: message",
        _logging("%(asctime)s [%(levelname)s] %(name)s: %(message)s"),
        Said(NAIVE, "planner", None, INFO),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: padded level",
        _logging(
            "%(asctime)s.%(msecs)03d %(levelname)-8s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S"
        ),
        Said(NAIVE, "planner", None, INFO),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: level:asctime:message",
        _logging("%(levelname)s:%(asctime)s:%(message)s", "%Y-%m-%d %H:%M:%S"),
        Said(SECOND, attributes={"level": "INFO"}),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: RFC 3339 and parties",
        lambda wire: _logging(
            "%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%SZ"
        )(f"planner -> executor {wire}"),
        Said(SECOND + "+00:00", "planner", "executor", {"level": "INFO", "logger": ...}),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: numeric offset",
        _logging("%(asctime)s %(levelname)s [%(name)s] %(message)s", OFFSET),
        Said(SECOND + "+00:00", "planner", None, INFO),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: with thread and place",
        _logging(
            "%(asctime)s [%(threadName)s] %(levelname)s %(filename)s:%(lineno)d - %(message)s"
        ),
        Said(NAIVE, ..., None, {"level": "INFO", "logger": ...}),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: bars between columns",
        _logging("%(asctime)s | %(levelname)s | %(name)s | %(message)s"),
        Said(NAIVE, "planner", None, INFO),
        lines=True,
        open=True,
    ),
    Printer(
        "logging: level only",
        _logging("%(levelname)s: %(message)s"),
        Said(attributes={"level": "INFO"}),
        open=True,
    ),
    Printer(
        "logging: epoch seconds",
        _logging("%(created)f %(levelname)s %(name)s %(message)s"),
        Said(ZONED, "planner", None, INFO),
        open=True,
    ),
    Printer(
        "celery: worker",
        _logging(CELERY),
        Said(NAIVE, ..., None, {"level": "INFO", "logger": ...}),
        lines=True,
    ),
    Printer(
        "airflow: task log",
        _logging(AIRFLOW, "%Y-%m-%dT%H:%M:%S.125+0000"),
        Said(ZONED, ..., None, {"level": "INFO", "logger": ...}),
        lines=True,
    ),
    *KITS,
    Printer(
        "uvicorn: default", _uvicorn, Said(attributes={"level": "INFO"}), lines=True, open=True
    ),
    Printer(
        "uvicorn: colored",
        lambda wire: _uvicorn(wire, colored=True),
        Said(attributes={"level": "INFO"}),
        lines=True,
    ),
    Printer(
        "granian: generic",
        _logging(GRANIAN["fmt"], GRANIAN["datefmt"]),
        Said(attributes={"level": "INFO"}),
        lines=True,
        open=True,
    ),
    Printer(
        "gunicorn: error log",
        _logging(Gunicorn.error_fmt, Gunicorn.datefmt),
        Said(SECOND + "+00:00", ..., None, {"level": "INFO", "logger": ...}),
        lines=True,
        open=True,
    ),
)
