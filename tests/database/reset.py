"""Puts a database back as the migrations left it, after a test that really committed.

Django's own way is to empty every table. Here that would lose the rows that migrations wrote, and
the triggers that guard leaves rightly refuse it. So SQLite gets a copy of the whole file back, and
PostgreSQL its rows, with triggers off.
"""

import sqlite3
from collections.abc import Callable

from django.db import connection

from auditlog.log import group_commit
from auditlog.rollup import counting
from auditlog.search import index

_PATIENCE = 40  # steps of a quarter of a second


def keep() -> Callable[[], None]:
    """Remembers the test database as it is now; the function returned puts it back."""
    put_rows_back = {"sqlite": _keep_sqlite, "postgresql": _keep_postgresql}[connection.vendor]()

    def put_back() -> None:
        # What it still has to write, it writes now, and it leaves no connection open.
        group_commit.stop()
        put_rows_back()
        index.forget()
        counting.forget()

    return put_back


def _keep_sqlite() -> Callable[[], None]:
    kept = sqlite3.connect(":memory:", check_same_thread=False)
    connection.ensure_connection()
    connection.connection.backup(kept)

    def put_back() -> None:
        connection.ensure_connection()
        waited = 0

        def progress(status: int, _remaining: int, _total: int) -> None:
            nonlocal waited
            waited += status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
            assert waited < _PATIENCE, (
                "the test left a transaction open, perhaps in a thread it did not stop"
            )

        kept.backup(connection.connection, progress=progress)

    return put_back


def _keep_postgresql() -> Callable[[], None]:
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        tables = [quote(name) for name in connection.introspection.table_names(cursor)]
        cursor.execute("CREATE SCHEMA pristine")
        filled = []
        for table in tables:
            # The database itself names the tables.
            cursor.execute(f"SELECT EXISTS (SELECT FROM {table})")  # noqa: S608
            if cursor.fetchone() == (True,):
                cursor.execute(f"CREATE TABLE pristine.{table} AS TABLE {table}")
                filled.append(table)

    def put_back() -> None:
        with connection.cursor() as cursor:
            # The role "replica" is what copies of a database use to write rows past their triggers.
            cursor.execute("SET lock_timeout = '10s'; SET session_replication_role = replica")
            cursor.execute(f"TRUNCATE {', '.join(tables)}")
            for table in filled:
                cursor.execute(f"INSERT INTO {table} TABLE pristine.{table}")
            cursor.execute("SET session_replication_role = DEFAULT; SET lock_timeout = DEFAULT")

    return put_back
