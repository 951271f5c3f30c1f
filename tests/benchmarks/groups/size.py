"""The bytes that a packet of a mixed log takes in the database, with its leaf, its index, and its
seed: on SQLite and on PostgreSQL.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from tests.benchmarks.groups.ingest import BATCH, Server, mixed, serving
from tests.benchmarks.line import Line
from tests.rounds import postgresql

PACKETS = 200_000
BARS = {"SQLite": 1_500, "PostgreSQL": 2_450}
"""Bytes of a packet."""


def measure(packets: int = PACKETS) -> Iterator[Line]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cablese-bench-")))
        sqlite = stack.enter_context(serving(folder / "sqlite"))
        database = sqlite.installation.data / "cablese.sqlite3"
        yield line("SQLite", sqlite, packets, lambda: _pages(database))
        address = stack.enter_context(postgresql())
        ours = stack.enter_context(serving(folder / "postgresql", DATABASE_URL=address))
        yield line("PostgreSQL", ours, packets, lambda: _database(address))


def line(what: str, server: Server, packets: int, size: Callable[[], int]) -> Line:
    items, before = mixed(), size()
    for at in range(0, packets, BATCH):
        server.store(items, min(BATCH, packets - at))
    each = (size() - before) / packets
    return Line(
        what=f"size of a packet, {what}, of {packets:,}",
        ours=f"{each:,.0f} B", baseline=f"{BARS[what]:,} B", ratio=BARS[what] / each, target=1,
    )  # fmt: skip


def _pages(path: Path) -> int:
    """The bytes of the pages that a SQLite database uses, those in its log of changes included."""
    with closing(sqlite3.connect(path)) as database:
        (used,) = database.execute(
            "SELECT (page_count - freelist_count) * page_size"
            " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
        ).fetchone()
        return int(used)


def _database(address: str) -> int:
    import psycopg

    with psycopg.connect(address) as database:
        row = database.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None
        return int(row[0])
