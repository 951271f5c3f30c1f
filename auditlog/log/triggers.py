"""Triggers by which the database itself refuses to change what must never change.

A leaf cannot be updated, deleted, or replaced. A log cannot be deleted, and neither its slug nor an
origin that is set can change. A tile can only grow, and a checkpoint stays as it was signed
(docs/design/audit.md). The owner of the database can remove the triggers: they stop accidents, not
attacks.
"""

from typing import NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper


class _Refused(NamedTuple):
    """What a trigger refuses, and the words of the error."""

    name: str
    table: str
    event: str
    words: str
    condition: str = ""


class _Kept(NamedTuple):
    """What no INSERT may replace. SQLite fires no DELETE trigger for the row that INSERT OR REPLACE
    throws away.
    """

    name: str
    table: str
    same: str
    words: str


class Group(NamedTuple):
    """Triggers that one migration makes."""

    refused: tuple[_Refused, ...]
    kept: tuple[_Kept, ...]


_GROWS = (
    "WHEN (NEW.log_id <> OLD.log_id OR NEW.level <> OLD.level OR NEW.number <> OLD.number"
    " OR length(NEW.hashes) <= length(OLD.hashes)"
    " OR substr(NEW.hashes, 1, length(OLD.hashes)) <> OLD.hashes) "
)
LEAVES = Group(
    (
        _Refused("auditlog_leaf_no_update", "auditlog_leaf", "UPDATE", "a leaf is never changed"),
        _Refused("auditlog_leaf_no_delete", "auditlog_leaf", "DELETE", "a leaf is never deleted"),
        _Refused(
            "auditlog_log_no_rename",
            "auditlog_log",
            "UPDATE OF slug, origin",
            "a log keeps its slug and origin",
            "WHEN (OLD.slug <> NEW.slug OR OLD.origin IS NOT NULL) ",
        ),
        _Refused("auditlog_log_no_delete", "auditlog_log", "DELETE", "a log is never deleted"),
    ),
    (
        _Kept(
            "auditlog_leaf_no_replace",
            "auditlog_leaf",
            'log_id = NEW.log_id AND "index" = NEW."index"',
            "a leaf is never replaced",
        ),
    ),
)
TREE = Group(
    (
        _Refused("auditlog_tile_grows", "auditlog_tile", "UPDATE", "a tile only grows", _GROWS),
        _Refused("auditlog_tile_no_delete", "auditlog_tile", "DELETE", "a tile is never deleted"),
        _Refused(
            "auditlog_checkpoint_no_update",
            "auditlog_checkpoint",
            "UPDATE",
            "a checkpoint is never changed",
        ),
        _Refused(
            "auditlog_checkpoint_no_delete",
            "auditlog_checkpoint",
            "DELETE",
            "a checkpoint is never deleted",
        ),
        _Refused(
            "auditlog_treeleaf_no_update",
            "auditlog_treeleaf",
            "UPDATE",
            "the place of a leaf is never changed",
        ),
        _Refused(
            "auditlog_treeleaf_no_delete",
            "auditlog_treeleaf",
            "DELETE",
            "the place of a leaf is never deleted",
        ),
    ),
    (
        _Kept(
            "auditlog_tile_no_replace",
            "auditlog_tile",
            "log_id = NEW.log_id AND level = NEW.level AND number = NEW.number",
            "a tile is never replaced",
        ),
        _Kept(
            "auditlog_checkpoint_no_replace",
            "auditlog_checkpoint",
            "log_id = NEW.log_id AND size = NEW.size",
            "a checkpoint is never replaced",
        ),
    ),
)
EVERY = (LEAVES, TREE)

_REFUSE = """\
CREATE OR REPLACE FUNCTION auditlog_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END$$"""


def put(connection: BaseDatabaseWrapper, *groups: Group) -> None:
    """Make the triggers, or only those of some groups. The words of each are the error that a
    refused statement gets.
    """
    statements = _put_sqlite if connection.vendor == "sqlite" else _put_postgresql
    with connection.cursor() as cursor:
        for group in groups or EVERY:
            for statement in statements(group):
                cursor.execute(statement)


def take(connection: BaseDatabaseWrapper, *groups: Group) -> None:
    """Drop the triggers, or only those of some groups: for undoing a migration, and for tests that
    damage the tables.
    """
    with connection.cursor() as cursor:
        for group in groups or EVERY:
            for name, table in _names(group, connection.vendor):
                cursor.execute(
                    f"DROP TRIGGER {name}"
                    + ("" if connection.vendor == "sqlite" else f" ON {table}")
                )


def _put_sqlite(group: Group) -> list[str]:
    return [
        *(
            f"CREATE TRIGGER {one.name} BEFORE {one.event} ON {one.table} {one.condition}"
            f"BEGIN SELECT RAISE(ABORT, '{one.words}'); END"
            for one in group.refused
        ),
        *(
            f"CREATE TRIGGER {one.name} BEFORE INSERT ON {one.table}"  # noqa: S608
            f" WHEN EXISTS (SELECT 1 FROM {one.table} WHERE {one.same})"
            f" BEGIN SELECT RAISE(ABORT, '{one.words}'); END"
            for one in group.kept
        ),
    ]


def _put_postgresql(group: Group) -> list[str]:
    return [
        _REFUSE,
        *(
            f"CREATE TRIGGER {one.name} BEFORE {one.event} ON {one.table} "
            f"FOR EACH ROW {one.condition}EXECUTE FUNCTION auditlog_refuse('{one.words}')"
            for one in group.refused
        ),
        *(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            "EXECUTE FUNCTION auditlog_refuse('never emptied')"
            for table in _tables(group)
        ),
    ]


def _names(group: Group, vendor: str) -> list[tuple[str, str]]:
    """Return the triggers of a group, each with its table."""
    names = [(one.name, one.table) for one in group.refused]
    if vendor == "sqlite":
        return names + [(one.name, one.table) for one in group.kept]
    return names + [(f"{table}_no_truncate", table) for table in _tables(group)]


def _tables(group: Group) -> list[str]:
    return sorted({one.table for one in group.refused})
