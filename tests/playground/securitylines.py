"""What the security log was told during a test."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from auditlog.securitylog import NAME, SecurityLine
from playground.http import security_events
from playground.http.throttle import Throttle


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(SecurityLine())
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))


@contextmanager
def recorded() -> Iterator[list[dict[str, Any]]]:
    """The lines of the block, as the file gets them, with a fresh budget for strangers."""
    kept, before = _Kept(), security_events._lines
    security_events._lines = Throttle(burst=20, pace=0.2)
    logging.getLogger(NAME).addHandler(kept)
    try:
        yield kept.lines
    finally:
        logging.getLogger(NAME).removeHandler(kept)
        security_events._lines = before


def events(lines: list[dict[str, Any]], *left_out: str) -> list[dict[str, Any]]:
    """The lines without their times and what else is named."""
    return [
        {name: value for name, value in line.items() if name not in ("at", *left_out)}
        for line in lines
    ]
