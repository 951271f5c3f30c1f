"""What a log has for completion: its keys, and the values of a key by their frequency."""

from typing import NamedTuple

from django.db import connection

from auditlog.findings import sensitive
from auditlog.models import Log
from auditlog.search.completion.counts import FIRST, MARK
from auditlog.search.completion.suggestion import is_typable
from auditlog.search.keys import get_term
from auditlog.search.terms import ATTRIBUTE, fold

_SPARE = 3
"""How many times as many values are read as are offered, because some may be sensitive."""


class Value(NamedTuple):
    text: str
    packets: int


def is_exact(log: Log) -> bool:
    """Return whether every packet of a log is counted. The log comes with its end."""
    return log.end.size <= FIRST


def find_values(log: Log, key: str, typed: str, limit: int) -> list[Value]:
    """Return values of a key that begin with what was typed, the most frequent first, then those
    that contain it. Sensitive values are left out.
    """
    begun = _fold_typed(typed)
    sql = "SELECT value, packets FROM auditlog_searchvalue WHERE log_id = %s AND key = %s"
    order = " ORDER BY packets DESC, value LIMIT %s"
    most = limit * _SPARE
    with connection.cursor() as cursor:
        cursor.execute(
            f"{sql} AND value > %s AND value >= %s AND value < %s{order}",
            (log.pk, key, MARK, begun, f"{begun}\U0010ffff", most),
        )
        rows = cursor.fetchall()
        if len(rows) < limit and begun.strip():
            pattern = f"%{_escape(begun.strip())}%"
            cursor.execute(
                f"{sql} AND value LIKE %s ESCAPE '!' AND NOT (value >= %s AND value < %s){order}",
                (log.pk, key, pattern, begun, f"{begun}\U0010ffff", most),
            )
            rows += cursor.fetchall()
    found: list[Value] = []
    for value, packets in rows:
        if not is_sensitive(key, value):
            found.append(Value(value, packets))
        if len(found) == limit:
            break
    return found


def is_sensitive(key: str, value: str) -> bool:
    """Return whether a detector objects to a value. It was folded, so it is looked at in capitals
    too, in which the identifiers of banks and clouds are written.
    """
    spellings = (value, value.upper())
    return any(sensitive.describe(key, each) is not None for each in spellings)


def find_keys(log: Log, protocol: str, typed: str, limit: int) -> list[str]:
    """Return fields of a protocol that begin with what was typed; without a protocol of all of
    them. Those that have a meaning of ours or cannot be typed are left out.
    """
    of = "protocol = %s" if protocol else "protocol <> %s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT DISTINCT key FROM auditlog_searchkey WHERE log_id = %s AND {of} "  # noqa: S608
            "AND key LIKE %s ESCAPE '!' AND key NOT LIKE '%%#%%' ORDER BY key LIMIT %s",
            (log.pk, protocol or ATTRIBUTE, f"{_escape(typed)}%", limit * _SPARE),
        )
        keys = [key for (key,) in cursor.fetchall()]
    return [key for key in keys if (protocol or get_term(key) is None) and is_typable(key)][:limit]


def _fold_typed(typed: str) -> str:
    """Return what was typed as values are stored; a space at its end stays."""
    folded = fold(typed)
    return " ".join(folded.split()) + (" " if folded[-1:].isspace() and folded.strip() else "")


def _escape(text: str) -> str:
    for sign in "!%_":
        text = text.replace(sign, f"!{sign}")
    return text
