"""The tables that are tampered with, and the place that a fault must name for a row of each.

The columns are those that docs/design/audit.md does not call free, so that a new one is included,
and those of the search index, which are no models.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection, models

from auditlog.check.fault import Fault
from cablese.tlog.tile import Tile, format_path
from tests.auditlog.integrity.rulings import read_rulings

_BIG, _SHORT = models.BigIntegerField(), models.CharField(max_length=60)
_OF_SEARCH: dict[str, dict[str, Any]] = {
    "searchkey": {"log_id": _BIG, "protocol": models.CharField(max_length=20), "key": _SHORT},
    "searchvalue": {"log_id": _BIG, "key": _SHORT, "value": _SHORT, "packets": _BIG},
}
KEYS = {
    "leaf": "index", "tile": "number", "checkpoint": "size", "logend": "log_id", "log": "id",
    "source": "id", "rollup": "source", "searchkey": "log_id", "searchvalue": "packets",
}  # fmt: skip
"""The number by which rows of a table are told apart, where that is not `leaf`."""
Row = dict[str, Any]


class Place(NamedTuple):
    """What a fault must name: the log that is checked, the kind of row, and its place."""

    log: str | None
    """None if a fault of any log may name it."""
    row: str
    at: str

    def is_named(self, log: str, fault: Fault) -> bool:
        return (self.row, self.at) == (fault.row, fault.at) and self.log in (None, log)


_AT: dict[str, Callable[[Row], str]] = {
    "leaf": lambda row: str(row["index"]),
    "tile": lambda row: format_path(Tile(row["level"], row["number"])),
    "checkpoint": lambda row: str(row["size"]),
    "rollup": lambda row: f"{row['dimension']}/{row['period']}/{row['start']}",
    "searchkey": lambda row: f"{row['protocol']}/{row['key']}",
    "searchvalue": lambda row: str(row["key"]),
}
"""The place of a row in its log, where that is not its leaf."""


def find_places(table: str, row: Row, logs: dict[int, str]) -> set[Place]:
    """Return the places of which one must be named if a row was changed. `logs` are the names of
    the logs before.
    """
    if table == "source":
        return {Place(None, "source", str(row["id"]))}
    if table == "log":  # One that was added has no end.
        return {
            Place(None, "log", str(row["id"])), Place(None, "log", row["slug"]),
            Place(None, "logend", row["slug"]),
        }  # fmt: skip
    log = logs.get(row["log_id"])
    if table == "logend":
        at = f"{row['log_id']}/{row['size']}" if log is None else log
        return {Place(log, "logend", at)}
    return {Place(log, table, _AT[table](row) if table in _AT else str(row["leaf"]))}


def find_dependent(table: str, column: str, row: Row, logs: dict[int, str]) -> set[Place]:
    """Return the places of other rows that may be named instead.

    The name of a source is committed to by its packets, which cannot tell it from their key.
    """
    if (table, column) != ("source", "name"):
        return set()
    sent = run("SELECT log_id, leaf FROM auditlog_packet WHERE source_id = %s", row["id"])
    return {Place(logs[log_id], "packet", str(leaf)) for log_id, leaf in sent}


def list_columns() -> list[tuple[str, str]]:
    """Return tables with columns that are committed or made again."""
    listed = [(each.table, each.column) for each in read_rulings() if not each.is_free]
    return listed + [(table, name) for table, fields in _OF_SEARCH.items() for name in fields]


def get_fields(table: str) -> dict[str, Any]:
    """Return the fields of a table by their columns."""
    if table in _OF_SEARCH:
        return _OF_SEARCH[table]
    return {str(field.column): field for field in _model(table)._meta.concrete_fields}


def get_identity(table: str) -> tuple[str, ...]:
    """Return the columns of the primary key."""
    if table in _OF_SEARCH:
        return tuple(name for name in _OF_SEARCH[table] if name != "packets")
    pk = _model(table)._meta.pk
    if isinstance(pk, models.CompositePrimaryKey):
        return tuple(str(field.column) for field in pk.fields if isinstance(field, models.Field))
    assert pk is not None
    return (str(pk.column),)


def _model(table: str) -> type[models.Model]:
    return next(
        model
        for model in apps.get_app_config("auditlog").get_models()
        if model._meta.db_table == f"auditlog_{table}"
    )


def run(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def read_logs() -> dict[int, str]:
    """Return the names of the logs by their IDs."""
    return dict(run("SELECT id, slug FROM auditlog_log"))
