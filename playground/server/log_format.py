"""Log lines without text from people and agents.

The message of an exception often quotes its input: a database error quotes a row, a parser a line.
So tracebacks are logged with their places and the names of exceptions, without their messages. Long
lines, such as those with a requested host name, are shortened.
"""

import logging
import traceback
from collections.abc import Iterator
from types import TracebackType

from django.conf import settings

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


_LONGEST = 300


class LogLine(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        if len(record.message) > _LONGEST:
            record.message = f"{record.message[:_LONGEST]}…"
        return super().formatMessage(record)

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's name
        if settings.DEBUG:
            return super().formatException(ei)
        return "".join(_lines(ei[1])).rstrip()


def _lines(error: BaseException | None) -> Iterator[str]:
    """Yield the lines of a chain of exceptions, the first cause first."""
    if error is None:
        return
    yield from _lines(
        error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    )
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__module__}.{type(error).__qualname__}\n"
