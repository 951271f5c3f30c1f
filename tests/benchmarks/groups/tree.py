"""What the tree of a log costs: time of the writer, bytes, and the time of a proof.

python -m tests.benchmarks tree --packets 1000000

The leaves are written as packets' leaves are, in one transaction for each batch, to a SQLite
database of their own; only the time in `auditlog.tree.growth` counts.
"""

from collections.abc import Iterator
from statistics import median
from time import perf_counter, thread_time
from unittest.mock import patch

from django.core.management import call_command
from django.db import connection, transaction

from auditlog.log import log_end
from auditlog.models import Log
from auditlog.tree import growth, hashes
from cablese.tlog import merkle
from tests.benchmarks.line import Line, duration, faster

LEAVES = 1_000_000
SINGLE = 10_000
"""Leaves that are committed one by one."""
BATCH = 500
COST = 5e-6
"""Seconds of the processor for a leaf."""
SPACE = 50
"""Bytes for a leaf."""
PROOF = 0.005
"""Seconds for a proof."""
PROOFS = 200
LEAF = b'{"commit":{"by":"","event":"","index":"","raw":"","reading":""},"kind":"packet","v":2}%d'


def measure(leaves: int = LEAVES) -> Iterator[Line]:
    call_command("migrate", verbosity=0)
    log = Log.objects.get(slug="default")
    single = add(log, SINGLE, 1)
    together = add(log, max(leaves - SINGLE, BATCH), BATCH)
    for cost, batch in ((single, 1), (together, BATCH)):
        yield faster(f"tree, processor time of a leaf, {batch} in a commit",
                     ours=cost, baseline=COST, target=1)  # fmt: skip
    size = log_size(log)
    proofs = [prove(log, size * at // PROOFS, size) for at in range(PROOFS)]
    yield faster(
        f"tree, proof of a leaf of {size:,}, slowest {duration(max(proofs))}",
        ours=median(proofs), baseline=PROOF, target=1,
    )  # fmt: skip
    begun = perf_counter()
    hashes.root(log.pk, size)
    yield Line(what=f"tree, root of {size:,} leaves", ours=duration(perf_counter() - begun))
    space = tile_bytes() / size
    yield Line(
        what="tree, bytes of a leaf", ours=f"{space:.1f}", baseline=str(SPACE),
        ratio=SPACE / space, target=1,
    )  # fmt: skip


def add(log: Log, number: int, batch: int) -> float:
    """Append leaves, and return the seconds of the processor that the tree took for one."""
    spent = 0.0
    grow = growth.grow

    def timed(*args: object) -> None:
        nonlocal spent
        begun = thread_time()
        grow(*args)  # type: ignore[arg-type]
        spent += thread_time() - begun

    with patch.object(growth, "grow", timed):
        for _ in range(number // batch):
            append(log, batch)
    return (spent - number // batch * clock()) / number


def clock() -> float:
    """Return the seconds that reading the clock takes, between two readings of it."""
    begun = thread_time()
    for _ in range(1_000):
        thread_time()
    return (thread_time() - begun) / 1_000


def append(log: Log, number: int) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        (end,) = log_end.hold(cursor, [log.pk]).values()
        for _ in range(number):
            end.add("packet", LEAF % end.size)
        log_end.store(cursor, [end])


def log_size(log: Log) -> int:
    log.refresh_from_db()
    return log.end.size


def prove(log: Log, index: int, size: int) -> float:
    """Return the seconds for the proof of a leaf, which is verified."""
    begun = perf_counter()
    read = hashes.reader(log.pk, size)
    proof = merkle.prove_inclusion(index, size, read)
    spent = perf_counter() - begun
    leaf = hashes.reader(log.pk, size)(0, index)
    merkle.verify_inclusion(leaf, index, size, proof, merkle.root(size, read))
    return spent


def tile_bytes() -> int:
    """Return the bytes of the file that are the tiles'. The table is lost."""
    whole = file_bytes()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE auditlog_tile")
    return whole - file_bytes()


def file_bytes() -> int:
    """Return the bytes of the file without free pages."""
    pages = read_pragma("page_count") - read_pragma("freelist_count")
    return pages * read_pragma("page_size")


def read_pragma(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name}")
        return int(cursor.fetchone()[0])
