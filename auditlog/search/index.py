"""Writes the index. The log's writer calls it inside the transaction that stores the packets.

On SQLite the tokens are the content of an FTS5 table, because erasing needs exactly what was
indexed, and SQLite 3.40 can delete from a contentless table only when told the old text again. The
`ascii` tokenizer, told that all punctuation belongs to tokens, splits at blanks and nowhere else,
and knows no Unicode version that could age.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from django.db.backends.utils import CursorWrapper

from auditlog.log import bulk_insert
from auditlog.search.engine import quote_lexeme
from auditlog.search.terms import ATTRIBUTE, Terms, fold_attribute, fold_key, key_names, shape

SAME_BYTES = """\
CREATE INDEX auditlog_packet_digest
ON auditlog_packet (log_id, substring(sha256(wire) FOR 16), leaf)"""
"""The index by which PostgreSQL finds packets with the same bytes, without a column for it."""
DIGEST = 16
MAX_KEYS = 5_000
"""Keys remembered of a protocol in a log: agents can make up names without end."""


class Entry(NamedTuple):
    """A packet to be found: its `seq`, the slug of its log, its protocol, its terms, and what
    `same` gives for it.
    """

    seq: int
    log: str
    protocol: str
    terms: Terms
    same: str = ""


# Attributes stand among the keys as those of a protocol of their own. Which keys the tables hold,
# so that a packet like those before it costs one look-up: shapes of packets, and keys.
Shape = tuple[str, str, tuple[str, ...]]
_shapes: set[Shape] = set()
_keys: dict[tuple[str, str], set[str]] = {}
_ROOM = 20_000


def same(log_id: int, wire: bytes) -> str:
    """Return the token that packets of a log with the same bytes share on SQLite.

    A hash in an index of its own would change another page of the database for every packet; among
    the other tokens it is written in order. No word begins with ``=``.
    """
    return "=" + sha256(log_id.to_bytes(8) + wire).hexdigest()[: 2 * DIGEST]


def write(cursor: CursorWrapper, entries: Sequence[Entry]) -> None:
    """Index packets that were not indexed before. Belongs inside `transaction.atomic`."""
    if cursor.db.vendor == "sqlite":
        tokens = [(entry.seq, f"{entry.same} {entry.terms.tokens}") for entry in entries]
        bulk_insert.insert(cursor, "auditlog_search", ("rowid", "terms"), tokens)
    else:
        vectors = [(entry.seq, _vector(entry.terms.tokens)) for entry in entries]
        cursor.executemany(
            "INSERT INTO auditlog_search(rowid, terms) VALUES (%s, %s::tsvector)", vectors
        )
    fresh = {
        shape
        for entry in entries
        if (shape := (entry.log, entry.protocol, entry.terms.keys)) not in _shapes
    }
    fresh |= {
        shape
        for entry in entries
        if entry.terms.attributes
        and (shape := (entry.log, ATTRIBUTE, entry.terms.attributes)) not in _shapes
    }
    if fresh:
        _register(cursor, fresh)


def _vector(tokens: str) -> str:
    return " ".join(
        [f"{quote_lexeme(token)}:{at}" for at, token in enumerate(tokens.split(" "), 1)]
    )


def _register(cursor: CursorWrapper, fresh: Iterable[Shape]) -> None:
    found = {
        (log, protocol, key)
        for log, protocol, names in fresh
        if len(known := _keys.get((log, protocol), set())) < MAX_KEYS
        for name in names
        for key in map(shape, (fold_attribute(name),) if protocol == ATTRIBUTE else key_names(name))
        if key and key not in known
    }
    if found:
        # In one order everywhere, so that two writers never wait for each other in a circle.
        insert = (
            "INSERT INTO auditlog_searchkey(log, protocol, key) VALUES (%s, %s, %s) "
            "ON CONFLICT DO NOTHING"
        )
        cursor.executemany(insert, sorted(found)[:MAX_KEYS])
    # Only what is committed is remembered: after a rollback the keys are written again.
    cursor.db.on_commit(lambda: _remember(fresh, found))


def _remember(fresh: Iterable[Shape], found: Iterable[tuple[str, str, str]]) -> None:
    if len(_shapes) > _ROOM:
        _shapes.clear()
    _shapes.update(fresh)
    for log, protocol, key in found:
        _keys.setdefault((log, protocol), set()).add(key)


def forget() -> None:
    """Forget which keys are stored: for tests that empty the tables."""
    _shapes.clear()
    _keys.clear()


def erase(cursor: CursorWrapper, seqs: Iterable[int]) -> None:
    """Remove all terms of these packets. On SQLite `purge` removes what the index still holds of
    them.
    """
    cursor.executemany("DELETE FROM auditlog_search WHERE rowid = %s", [(seq,) for seq in seqs])


def purge(cursor: CursorWrapper) -> None:
    """Rewrite the index without erased terms, which both engines keep until then: slow, and outside
    of transactions.

    With ``PRAGMA secure_delete`` the old pages are overwritten; the write-ahead log holds them
    until it is truncated.
    """
    if cursor.db.vendor == "sqlite":
        cursor.execute("INSERT INTO auditlog_search(auditlog_search) VALUES ('optimize')")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    else:
        cursor.execute("VACUUM auditlog_search")


def review(cursor: CursorWrapper, seq: int, state: str) -> None:
    """Note the new state of a packet's review, in the transaction that stores it; ``is:``
    finds it.
    """
    tokens = ("state=any", f"state={fold_key(state)}")
    if cursor.db.vendor == "sqlite":
        cursor.execute("SELECT terms FROM auditlog_search WHERE rowid = %s", (seq,))
        if found := cursor.fetchone():
            kept = [token for token in found[0].split(" ") if not token.startswith("state=")]
            cursor.execute(
                "UPDATE auditlog_search SET terms = %s WHERE rowid = %s",
                (" ".join([*kept, *tokens]), seq),
            )
    else:
        cursor.execute(
            "UPDATE auditlog_search SET terms = ts_delete(terms, ARRAY("
            "SELECT lexeme FROM unnest(terms) WHERE starts_with(lexeme, 'state=')"
            ")) || %s::tsvector WHERE rowid = %s",
            (_vector(" ".join(tokens)), seq),
        )
