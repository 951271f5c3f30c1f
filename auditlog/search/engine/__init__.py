"""Answer an expression for one log: its newest or oldest packets, and how many there are.

Tokens go into the engines' query languages as quoted strings made here; none of their syntax can
come from a user.
"""

from time import monotonic

from django.db import connection

from auditlog.models import Log
from auditlog.search.engine import postgresql, sqlite
from auditlog.search.engine.condition import Found, Total
from auditlog.search.expression import NEVER, Expression


def find(
    log: Log,
    expression: Expression,
    limit: int,
    *,
    counted: int = 0,
    patience: float | None = None,
    oldest_first: bool = False,
) -> Found:
    """Return the leaves of the packets that an expression holds of, newest first by default.

    There are at most ``limit`` of them. Their number is counted up to ``counted``, if that is more,
    while the caller goes on: with ``patience``, for so many seconds from now.
    """
    if expression == NEVER:
        return Found([], lambda: Total(0))
    until = None if patience is None else monotonic() + patience
    ask = sqlite.find if connection.vendor == "sqlite" else postgresql.find
    return ask(log, expression, limit, counted, until, oldest_first=oldest_first)
