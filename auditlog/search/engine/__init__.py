"""Answer an expression for one log: its newest or oldest packets, and how many there are.

Tokens go into the engines' query languages as quoted strings made here; none of their syntax can
come from a user.
"""

from django.db import connection

from auditlog.models import Log
from auditlog.search.engine import postgresql, sqlite
from auditlog.search.engine.condition import Found
from auditlog.search.expression import NEVER, Expression


def find(
    log: Log, expression: Expression, limit: int, *, counted: int = 0, oldest_first: bool = False
) -> Found:
    """Return the leaves of the packets that an expression holds of, newest first by default.

    There are at most ``limit`` of them. Their number is counted up to ``counted``, if that is more,
    on PostgreSQL while the caller goes on.
    """
    if expression == NEVER:
        return Found([], lambda: 0)
    ask = sqlite.find if connection.vendor == "sqlite" else postgresql.find
    return ask(log, expression, limit, counted=counted, oldest_first=oldest_first)
