"""The search index: FTS5 on SQLite, a tsvector with GIN on PostgreSQL, and the keys seen on the
wire.
"""

from string import punctuation

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def _fts5() -> str:
    # Every sign is part of a token; only blanks stand between tokens.
    signs = punctuation.replace("'", "''").replace('"', '""')
    options = f"terms, columnsize=0, tokenize=\"ascii tokenchars '{signs}'\""
    return f"CREATE VIRTUAL TABLE auditlog_search USING fts5({options})"


_KEYS = """\
CREATE TABLE auditlog_searchkey (
    log varchar(40) NOT NULL, protocol varchar(20) NOT NULL, key varchar(100) NOT NULL,
    PRIMARY KEY (log, protocol, key)
)"""

_MAKE = {
    "sqlite": [
        _fts5(),
        # Merging in small steps keeps commits even; 8 segments a level write a fifth less than the
        # usual 4.
        "INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('automerge', 8)",
        _KEYS + " WITHOUT ROWID",
    ],
    "postgresql": [
        "CREATE TABLE auditlog_search (rowid bigint PRIMARY KEY, terms tsvector NOT NULL)",
        "CREATE INDEX auditlog_search_terms ON auditlog_search USING gin (terms)",
        _KEYS,
    ],
}


def make_index(_apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in _MAKE[schema_editor.connection.vendor]:
        schema_editor.execute(statement, None)


def drop_index(_apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for table in ("auditlog_search", "auditlog_searchkey"):
        schema_editor.execute(f"DROP TABLE {table}", None)


class Migration(migrations.Migration):
    """No models: only `auditlog.search.index` writes these tables and only `find` reads them, in
    SQL.
    """

    dependencies = [("auditlog", "0001_initial")]
    operations = [migrations.RunPython(make_index, drop_index)]
