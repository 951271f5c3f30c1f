"""The table of values: how many packets of a log have a value under a key of queries.

It is no model, like the other tables of search. The row of the empty value, which no packet counts
for, marks a key as full: only its other rows are counted from then on.
"""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_VALUES = """\
CREATE TABLE auditlog_searchvalue (
    log_id bigint NOT NULL, key varchar(100){order} NOT NULL, value varchar(60){order} NOT NULL,
    packets bigint NOT NULL, PRIMARY KEY (log_id, key, value)
)"""
_CREATE = {
    "sqlite": _VALUES.format(order="") + " WITHOUT ROWID",
    # Sorted by code points, so that the values with a prefix are one range of the index.
    "postgresql": _VALUES.format(order=' COLLATE "C"'),
}


def create(schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(_CREATE[schema_editor.connection.vendor], None)


def drop(schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute("DROP TABLE auditlog_searchvalue", None)
