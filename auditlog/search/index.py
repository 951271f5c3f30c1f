"""Write the search index. The log's writer calls it inside the transaction that stores packets.

The `ascii` tokenizer of FTS5, with all punctuation as part of tokens, splits only at spaces, and
depends on no Unicode version.
"""

from collections.abc import Iterable, Sequence

import msgspec
from django.db.backends.utils import CursorWrapper

from auditlog.log import bulk_insert
from auditlog.search import merging, table
from auditlog.search.completion import counts
from auditlog.search.engine import lexemes
from auditlog.search.terms import ATTRIBUTE, Terms, fold_attribute, key_names, shape

MAX_KEYS = 5_000
"""The limit of stored keys per protocol and log, because agents can invent any number of names."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A packet to index: its log and leaf, its protocol, its terms, and its token from `same`."""

    log_id: int
    leaf: int
    protocol: str
    terms: Terms
    same: str = ""
    counted: bool = False
    """Whether its values are in the counts for completion already."""


Key = tuple[int, int]
"""A packet's log ID and leaf."""

# The shapes of packets and the keys that the tables contain, so that a packet like an earlier one
# costs one look-up. Attributes count as the keys of a protocol of their own.
Shape = tuple[int, str, tuple[str, ...]]
_shapes: set[Shape] = set()
_keys: dict[tuple[int, str], set[str]] = {}
_ROOM = 20_000


def write(cursor: CursorWrapper, entries: Sequence[Entry]) -> None:
    """Index new packets. Must be called inside `transaction.atomic`."""
    if cursor.db.vendor == "sqlite":
        columns: dict[str, bulk_insert.Column] = {
            "rowid": [table.row_number(entry.log_id, entry.leaf) for entry in entries],
            "terms": [make_text(entry) for entry in entries],
        }
        bulk_insert.insert_columns(cursor, "auditlog_search", columns, whole=True)
        merging.keep_up(cursor, len(entries))
    else:
        vectors = [(entry.log_id, entry.leaf, make_vector(entry)) for entry in entries]
        bulk_insert.insert(cursor, "auditlog_search", ("log_id", "leaf", "terms"), vectors)
    new = [entry for entry in entries if counts.is_counted(entry.leaf) and not entry.counted]
    counts.add(cursor, [(entry.log_id, entry.leaf, entry.terms.tokens) for entry in new])
    fresh = {
        shape
        for entry in entries
        if (shape := (entry.log_id, entry.protocol, entry.terms.keys)) not in _shapes
    }
    fresh |= {
        shape
        for entry in entries
        if entry.terms.attributes
        and (shape := (entry.log_id, ATTRIBUTE, entry.terms.attributes)) not in _shapes
    }
    if fresh:
        _register(cursor, fresh)


def make_text(entry: Entry) -> str:
    """Return the tokens of a packet as FTS5 reads them. The token of its bytes is the same in all
    partitions, so that one look-up finds it.
    """
    return f"{entry.same} {table.mark(entry.terms.tokens, entry.leaf)}"


def make_vector(entry: Entry) -> str:
    """Return the tokens of a packet, its pairs of words, and its blocks of leaves as PostgreSQL
    reads a tsvector. Only tokens that a phrase can contain have a position: words, and the tokens
    of a value of several words.
    """
    parts = entry.terms.tokens.split(" ")
    names = [None, *map(_name, parts), None]
    return " ".join(
        [
            lexemes.quote(token)
            if (name := names[at]) is not None and name not in (names[at - 1], names[at + 1])
            else f"{lexemes.quote(token)}:{at}"
            for at, token in enumerate(parts, 1)
        ]
        + [f"'{name}'" for name in lexemes.name_pairs(entry.terms.tokens)]
        + [*lexemes.quote_blocks(entry.log_id, entry.leaf)]
    )


def _name(token: str) -> str | None:
    """Return the name of a term; None for a word."""
    name, equals, _ = token.partition("=")
    return name if equals else None


def _register(cursor: CursorWrapper, fresh: Iterable[Shape]) -> None:
    found = {
        (log_id, protocol, key)
        for log_id, protocol, names in fresh
        if len(known := _keys.get((log_id, protocol), set())) < MAX_KEYS
        for name in names
        for key in name_keys(protocol, name)
        if key not in known
    }
    if found:
        # Always in the same order, so that two writers never deadlock.
        cursor.executemany(
            "INSERT INTO auditlog_searchkey(log_id, protocol, key) VALUES (%s, %s, %s) "
            "ON CONFLICT DO NOTHING",
            sorted(found)[:MAX_KEYS],
        )
    # Remember only what is committed: after a rollback, the keys must be written again.
    cursor.db.on_commit(lambda: _remember(fresh, found))


def name_keys(protocol: str, name: str) -> list[str]:
    """Return the keys that are stored for a field of a protocol, or for an attribute."""
    names = (fold_attribute(name),) if protocol == ATTRIBUTE else key_names(name)
    return [key for key in map(shape, names) if key]


def _remember(fresh: Iterable[Shape], found: Iterable[tuple[int, str, str]]) -> None:
    if len(_shapes) > _ROOM:
        _shapes.clear()
    _shapes.update(fresh)
    for log_id, protocol, key in found:
        _keys.setdefault((log_id, protocol), set()).add(key)


def clear_keys(cursor: CursorWrapper) -> None:
    """Delete all keys, before all packets are indexed again."""
    cursor.execute("DELETE FROM auditlog_searchkey")
    cursor.db.on_commit(forget)


def forget() -> None:
    """Forget which keys are stored, because the rows are others."""
    _shapes.clear()
    _keys.clear()
    counts.forget()


def erase(cursor: CursorWrapper, keys: Iterable[Key]) -> None:
    """Delete the terms of these packets. On SQLite, the index has them until `merging.purge`.

    Their values stay counted for completion until `counts.subtract` takes them back.
    """
    if cursor.db.vendor == "sqlite":
        rows = [(table.row_number(*key),) for key in keys]
        cursor.executemany("DELETE FROM auditlog_search WHERE rowid = %s", rows)
    else:
        cursor.executemany("DELETE FROM auditlog_search WHERE log_id = %s AND leaf = %s", [*keys])
