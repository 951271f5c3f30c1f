"""The tables of the search index: FTS5 on SQLite, a tsvector with GIN on PostgreSQL, and the keys
seen on the wire.

They are no models: only `index` writes them and only `find` reads them, in SQL. FTS5 knows a row by
one number, so that is made of a packet's log and leaf: the packets of a log are one range of it.
FTS5 stores the index alone, without the tokens it was made from (which needs SQLite 3.43).

FTS5 reads all hits of a prefix before it gives the first. So each token of a packet begins with a
character for the packet's partition, which is PARTITION leaves: a search begins with the newest
partition, and rarely reads them all. An index of prefixes answers one and two characters after it.
"""

from string import punctuation

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LEAF_BITS = 40
"""The low bits of FTS5's row number, which hold the leaf index; the log's ID is above them."""
LAST_LEAF = (1 << LEAF_BITS) - 1


def row_number(log_id: int, leaf: int) -> int:
    """Return the number of a packet's row in FTS5."""
    return log_id << LEAF_BITS | leaf


PARTITION = 1 << 16
"""Leaves of a log whose tokens begin with the same character."""
_FIRST_MARK, _SURROGATES, _LAST_MARK = 0x100, range(0xD800, 0xE000), 0x10FFFF


def partition_mark(partition: int) -> str:
    """Return the character with which the tokens of a partition begin. Partitions share the last
    one from 72 billion leaves on.
    """
    code = _FIRST_MARK + partition
    if code >= _SURROGATES.start:
        code += len(_SURROGATES)
    return chr(min(code, _LAST_MARK))


def mark(tokens: str, leaf: int) -> str:
    """Return the tokens of a packet as FTS5 has them."""
    character = partition_mark(leaf // PARTITION)
    return character + tokens.replace(" ", f" {character}")


def _fts5() -> str:
    # Every sign is part of a token; only spaces separate tokens.
    signs = punctuation.replace("'", "''").replace('"', '""')
    tokenizer = f"tokenize=\"ascii tokenchars '{signs}'\""
    options = f"terms, content='', contentless_delete=1, prefix='2 3', {tokenizer}"
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
_SET = "INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('{}', {})"
PARTS = 16
"""Parts of the index of SQLite, of about the same size, that the writer merges into one. With the
usual 4, FTS5 would write each term twice as often.
"""
_FTS5 = [
    _fts5(),
    # `merging` does it in smaller steps. FTS5 would merge a level of 16 at once, for which all
    # requests would wait.
    _SET.format("automerge", 0),
    _SET.format("usermerge", PARTS),
    _SET.format("crisismerge", 32),
]
_CREATE = {
    "sqlite": [*_FTS5, _KEYS + " WITHOUT ROWID"],
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


def create_fts5(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the index of SQLite alone."""
    for statement in _FTS5:
        schema_editor.execute(statement, None)


def drop(schema_editor: BaseDatabaseSchemaEditor) -> None:
    for table in ("auditlog_search", "auditlog_searchkey"):
        schema_editor.execute(f"DROP TABLE {table}", None)
