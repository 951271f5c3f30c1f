"""The tables of the search index: FTS5 on SQLite, a tsvector with GIN on PostgreSQL, and the keys
seen on the wire.

They are no models: only `index` writes them and only `find` reads them, in SQL. FTS5 knows a row by
one number, so that is made of a packet's log and leaf: the packets of a log are one range of it.
FTS5 stores the index alone, without the tokens it was made from (which needs SQLite 3.43), and an
index of prefixes of one and two characters.
"""

from string import punctuation

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LEAF_BITS = 40
"""The low bits of FTS5's row number, which hold the leaf index; the log's ID is above them."""
LAST_LEAF = (1 << LEAF_BITS) - 1


def row_number(log_id: int, leaf: int) -> int:
    """Return the number of a packet's row in FTS5."""
    return log_id << LEAF_BITS | leaf


def _fts5() -> str:
    # Every sign is part of a token; only spaces separate tokens.
    signs = punctuation.replace("'", "''").replace('"', '""')
    tokenizer = f"tokenize=\"ascii tokenchars '{signs}'\""
    options = f"terms, content='', contentless_delete=1, prefix='1 2', {tokenizer}"
    return f"CREATE VIRTUAL TABLE auditlog_search USING fts5({options})"


_KEYS = """\
CREATE TABLE auditlog_searchkey (
    log_id bigint NOT NULL, protocol varchar(20) NOT NULL, key varchar(100) NOT NULL,
    PRIMARY KEY (log_id, protocol, key)
)"""
_TERMS = """\
CREATE TABLE auditlog_search (
    log_id bigint NOT NULL, leaf bigint NOT NULL, terms tsvector NOT NULL,
    PRIMARY KEY (log_id, leaf)
)"""
HASH = "('x' || encode(substring(sha256({wire}) FOR 8), 'hex'))::bit(64)::bigint"
"""64 bits of the hash of a wire, in PostgreSQL."""
_DIGEST = f"""\
CREATE INDEX auditlog_packet_digest
ON auditlog_packet (log_id, ({HASH.format(wire="wire")}), leaf)"""
_CREATE = {
    "sqlite": [
        _fts5(),
        # `index.write` merges in smaller steps. With 16 parts a level instead of the usual 4, FTS5
        # writes each term half as often; a search of 100,000 packets takes 0.3 ms more at most. It
        # would merge a level of 16 at once, for which all requests would wait.
        "INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('automerge', 0)",
        "INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('usermerge', 16)",
        "INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('crisismerge', 32)",
        _KEYS + " WITHOUT ROWID",
    ],
    "postgresql": [
        _TERMS,
        "CREATE INDEX auditlog_search_terms ON auditlog_search USING gin (terms)",
        _KEYS,
        # Finds packets that may have the same bytes, without a column for their hash.
        _DIGEST,
    ],
}


def create(schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in _CREATE[schema_editor.connection.vendor]:
        schema_editor.execute(statement, None)


def drop(schema_editor: BaseDatabaseSchemaEditor) -> None:
    for table in ("auditlog_search", "auditlog_searchkey"):
        schema_editor.execute(f"DROP TABLE {table}", None)
