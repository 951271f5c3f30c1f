"""Triggers by which the database itself refuses to change what must never change.

A leaf cannot be updated, deleted, or replaced. A log cannot be deleted, and neither its slug nor an
origin that is set can change (docs/design/audit.md). The owner of the database can remove the
triggers: they stop accidents, not attacks.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

_REFUSED = (
    ("auditlog_leaf_no_update", "auditlog_leaf", "UPDATE", "", "a leaf is never changed"),
    ("auditlog_leaf_no_delete", "auditlog_leaf", "DELETE", "", "a leaf is never deleted"),
    (
        "auditlog_log_no_rename",
        "auditlog_log",
        "UPDATE OF slug, origin",
        "WHEN (OLD.slug <> NEW.slug OR OLD.origin IS NOT NULL) ",
        "a log keeps its slug and origin",
    ),
    ("auditlog_log_no_delete", "auditlog_log", "DELETE", "", "a log is never deleted"),
)
"""Name, table, event, condition, and the words of the error."""
_TRUNCATED = tuple((f"{table}_no_truncate", table) for table in ("auditlog_leaf", "auditlog_log"))

# SQLite fires no DELETE trigger for the row that INSERT OR REPLACE throws away.
_NO_REPLACE = """\
CREATE TRIGGER auditlog_leaf_no_replace BEFORE INSERT ON auditlog_leaf
WHEN EXISTS (SELECT 1 FROM auditlog_leaf WHERE log_id = NEW.log_id AND "index" = NEW."index")
BEGIN SELECT RAISE(ABORT, 'a leaf is never replaced'); END"""

_REFUSE = """\
CREATE OR REPLACE FUNCTION auditlog_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END$$"""


def put(connection: BaseDatabaseWrapper) -> None:
    """Make the triggers. The words of each are the error that a refused statement gets."""
    with connection.cursor() as cursor:
        for statement in _PUT[connection.vendor]:
            cursor.execute(statement)


def take(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers: for undoing the migration, and for tests that empty the tables."""
    with connection.cursor() as cursor:
        for statement in _TAKE[connection.vendor]:
            cursor.execute(statement)


_PUT = {
    "sqlite": [
        *(
            f"CREATE TRIGGER {name} BEFORE {event} ON {table} {condition}"
            f"BEGIN SELECT RAISE(ABORT, '{words}'); END"
            for name, table, event, condition, words in _REFUSED
        ),
        _NO_REPLACE,
    ],
    "postgresql": [
        _REFUSE,
        *(
            f"CREATE TRIGGER {name} BEFORE {event} ON {table} "
            f"FOR EACH ROW {condition}EXECUTE FUNCTION auditlog_refuse('{words}')"
            for name, table, event, condition, words in _REFUSED
        ),
        *(
            f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {table} "
            "EXECUTE FUNCTION auditlog_refuse('never emptied')"
            for name, table in _TRUNCATED
        ),
    ],
}
_TAKE = {
    "sqlite": [
        *(f"DROP TRIGGER {name}" for name, *_ in _REFUSED),
        "DROP TRIGGER auditlog_leaf_no_replace",
    ],
    "postgresql": [
        *(f"DROP TRIGGER {name} ON {table}" for name, table, *_ in (*_REFUSED, *_TRUNCATED)),
        "DROP FUNCTION auditlog_refuse()",
    ],
}
