from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from auditlog.search import table
from auditlog.search.terms import GAP

_BEFORE = "auditlog_search_before"
_TERMS = f"""\
CREATE VIRTUAL TABLE temp.{_BEFORE}_terms USING fts5vocab('main', '{_BEFORE}', 'instance')"""
_READ = f"SELECT doc, term FROM temp.{_BEFORE}_terms ORDER BY doc, offset"  # noqa: S608
_WRITE = "INSERT INTO auditlog_search (rowid, terms) VALUES (?, ?)"


Change = Callable[[list[str], int], str]
"""Gives the text of a packet's tokens, by its leaf."""


def mark_partitions(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let tokens begin with the mark of their partition (SQLite)."""
    _make_again(schema_editor, lambda tokens, leaf: table.mark(" ".join(tokens), leaf))


def unmark_partitions(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the marks from the tokens."""
    _make_again(schema_editor, lambda tokens, _: " ".join([token[1:] for token in tokens]))


def _make_again(schema_editor: BaseDatabaseSchemaEditor, change: Change) -> None:
    """Make the index again. FTS5 has no text of a packet, but lists its tokens and their places."""
    if schema_editor.connection.vendor != "sqlite":
        return
    schema_editor.execute(f"ALTER TABLE auditlog_search RENAME TO {_BEFORE}", None)
    schema_editor.execute(_TERMS, None)
    table.create_fts5(schema_editor)
    with schema_editor.connection.cursor() as cursor:
        rows = cursor.connection.execute(_READ)
        cursor.connection.executemany(_WRITE, _change(rows, change))
    schema_editor.execute(f"DROP TABLE temp.{_BEFORE}_terms", None)
    schema_editor.execute(f"DROP TABLE {_BEFORE}", None)


def _change(rows: Iterator[tuple[int, str]], change: Change) -> Iterator[tuple[int, str]]:
    """Yield the number of each row of the index with its text."""
    for number, terms in groupby(rows, itemgetter(0)):
        tokens = [term for _, term in terms]
        # The token of a packet's bytes is the same in all partitions.
        same = tokens.pop(0) if tokens[0].startswith("=") and tokens[0] != GAP else ""
        yield number, f"{same} {change(tokens, number & table.LAST_LEAF)}"


class Migration(migrations.Migration):
    dependencies = (("auditlog", "0011_search_pairs"),)
    operations = (migrations.RunPython(mark_partitions, unmark_partitions),)
