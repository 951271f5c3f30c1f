"""Storing packets over HTTP, durable and searchable at once: batches and single packets on SQLite
against writing the same rows with sqlite3, and batches on PostgreSQL against those on SQLite.

The baseline has the server's tables, indexes, triggers, and pragmas, and commits as often as a
server has to, but no HTTP, no decoding, no counting of tokens, no hashing, and no Django: the rows
are at hand.
"""

import json
import os
import selectors
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import count, islice
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from auditlog.log.reindex import terms_of
from auditlog.models import Log, Packet, Source
from auditlog.search import index, merging, terms
from auditlog.search.table import row_number
from playground.server.launch import serving_lock
from tests.benchmarks import corpus
from tests.benchmarks.line import Line, duration, faster, interleaved
from tests.installation import Installation, running
from tests.processes import family, ticks
from tests.rounds import postgresql

BATCH = 20_000
PIECE = 500
SINGLES = 9_000
CONNECTIONS = 32
ROUNDS = 5
SERVING = 60e-6
"""Seconds of the processor that the serving process may take for a packet."""
TABLES = ("auditlog_leaf", "auditlog_packet", "auditlog_seed")
STORED = """\
SELECT p.log_id, p.leaf, p.protocol, p.dialect, p.wire, p.valid, p.supplied, p.content, g.slug,
    s.name, p.tokens, p.sent_at, p.event_id, p.diagnostics
FROM auditlog_packet p JOIN auditlog_log g ON g.id = p.log_id
JOIN auditlog_source s ON s.id = p.source_id
ORDER BY p.rowid DESC LIMIT ?"""
# FTS5 merges by itself here, which is as much work as the steps in which the server merges.
AUTOMERGE = """\
INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('automerge', 16);
INSERT INTO auditlog_search(auditlog_search, rank) VALUES ('crisismerge', 32);"""
BEHIND = """\
SELECT count(*) FROM auditlog_findingposition f JOIN auditlog_logend e ON e.log_id = f.log_id
WHERE f.leaf < e.size"""
PARTS = "SELECT count(DISTINCT segid) FROM auditlog_search_idx"
PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA"
    " foreign_keys=ON;"
)
ACTS = ("REQ/TSK", "PRO/PLN", "ACC/PLN", "REJ/PLN", "INF/OBS", "EVL/EVL")
TAGS = ("auth_refactor", "search_tests", "deploy_api", "billing_docs")

numbers = count(1)


Items = Iterator[bytes]


class Server(NamedTuple):
    """An installation that stores, and a key for it."""

    installation: Installation
    key: str

    def store(self, items: Items, number: int = BATCH) -> float:
        """Send a batch; the seconds until its receipts are there."""
        body = b"\n".join(islice(items, number))
        begin = perf_counter()
        answer = post(
            self.installation, self.key, "/api/v1/packets/batch", body, "application/x-ndjson"
        )
        seconds = perf_counter() - begin
        assert [one["status"] for one in answer["results"]] == [201] * number
        return seconds

    def processor_seconds(self) -> float:
        return processor_seconds(self.installation.process.pid)

    def serving_seconds(self) -> float:
        """What the process that serves has used of the processor, without its helpers. SQLite
        only.
        """
        lock = self.installation.data / f"cablese.sqlite3{serving_lock.SUFFIX}"
        return own_seconds(int(lock.read_text()))

    def wait_until_idle(self) -> None:
        """Wait until each packet of earlier measurements has its findings, and the parts of the
        search index are merged. SQLite only.
        """
        with closing(sqlite3.connect(self.installation.data / "cablese.sqlite3")) as database:
            while (
                database.execute(BEHIND).fetchone()[0]
                or database.execute(PARTS).fetchone()[0] > merging.FEW
            ):
                sleep(0.1)


def measure() -> Iterator[Line]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cablese-bench-")))
        sqlite = stack.enter_context(serving(folder / "sqlite"))
        straight = Straight(sqlite.installation, folder)
        yield from batches(sqlite, straight, "one protocol", one_protocol(), 0.5)
        yield from batches(sqlite, straight, "mixed", mixed(), 0.38)
        yield from singles(sqlite, straight)
        address = stack.enter_context(postgresql())
        ours = stack.enter_context(serving(folder / "postgresql", DATABASE_URL=address))
        yield beside(ours, sqlite)


@contextmanager
def serving(data: Path, **more: str) -> Iterator[Server]:
    with running(data, **more) as installation:
        key = installation.manage("apikey", "create", "bench", "--scopes", "ingest")
        yield Server(installation, key)


def one_protocol() -> Items:
    """Packets of nSLIP with four tags and few goals, which flatter a log."""
    while True:
        yield item()


def mixed() -> Items:
    """Packets of a mixed log, see `corpus.mixed`."""
    for sent in corpus.mixed(sys.maxsize):
        said = {
            "wire": sent.wire,
            "event_id": f"event-{next(numbers)}",
            "sent_at": sent.sent_at.isoformat(),
            "from": sent.sender,
        }
        yield json.dumps(said).encode()


def item() -> bytes:
    """A packet unlike all others, as a client sends it."""
    n = next(numbers)
    act = ACTS[n % len(ACTS)]
    reason = ",!=scope_too_large" if act == "REJ/PLN" else ""
    wire = f"{act}|g={n % 977},t={n % 7},p={1 + n % 3},@={TAGS[n % len(TAGS)]}{reason}"
    sent = {
        "wire": wire,
        "event_id": f"event-{n}",
        "sent_at": "2026-11-20T10:00:01.000250Z",
        "from": "planner",
    }
    return json.dumps(sent).encode()


def batches(
    server: Server, straight: "Straight", what: str, items: Items, target: float
) -> Iterator[Line]:
    server.store(items)
    spent, serving = server.processor_seconds(), list[float]()

    def store() -> float:
        before = server.serving_seconds()
        seconds = server.store(items)
        serving.append(server.serving_seconds() - before)
        return seconds

    http, sqlite = interleaved(store, lambda: straight.write(BATCH, PIECE), rounds=ROUNDS)
    spent = (server.processor_seconds() - spent) / (ROUNDS + 1) / BATCH
    yield faster(
        f"keep, {BATCH:,} packets as NDJSON, {what}",
        ours=http, baseline=sqlite, items=BATCH, target=target,
    )  # fmt: skip
    yield Line(
        what=f"keep, NDJSON packets a second, {what}",
        ours=f"{BATCH / http:,.0f}",
        baseline=f"{BATCH / sqlite:,.0f}",
    )
    yield Line(what=f"keep, processor time of a packet, {what}", ours=duration(spent))
    yield faster(
        f"keep, the same of the serving process while it stores, {what}",
        ours=sum(serving[1:]), baseline=SERVING * len(serving[1:]) * BATCH,
        items=len(serving[1:]) * BATCH, target=1,
    )  # fmt: skip


def beside(ours: Server, sqlite: Server) -> Line:
    """Batches on PostgreSQL against those on SQLite."""
    items = mixed()
    ours.store(items)
    there, here = interleaved(lambda: ours.store(items), lambda: sqlite.store(items), rounds=ROUNDS)
    what = f"keep, {BATCH:,} packets as NDJSON, mixed, PostgreSQL against SQLite"
    return faster(what, ours=there, baseline=here, items=BATCH, target=0.6)


def singles(server: Server, straight: "Straight") -> Iterator[Line]:
    items, waits = mixed(), list[float]()

    def ours(number: int = SINGLES, connections: int = CONNECTIONS) -> float:
        requests = [
            request(server.installation, server.key, "/api/v1/packets", each, "application/json")
            for each in islice(items, number)
        ]
        begin = perf_counter()
        waits.extend(crowd(server.installation, requests, connections))
        return perf_counter() - begin

    server.wait_until_idle()
    ours(SINGLES // 10)
    waits.clear()
    http, sqlite = interleaved(ours, lambda: straight.write(SINGLES, 1), rounds=ROUNDS)
    yield faster(
        f"keep, one packet a request, {CONNECTIONS} connections",
        ours=http, baseline=sqlite, items=SINGLES, target=0.8,
    )  # fmt: skip
    yield Line(
        what="keep, requests a second",
        ours=f"{SINGLES / http:,.0f}",
        baseline=f"{SINGLES / sqlite:,.0f}",
    )
    yield late(waits, CONNECTIONS, 0.025)
    waits.clear()
    ours(SINGLES, 1)
    yield late(waits, 1, 0.010)


def late(waits: Sequence[float], connections: int, most: float) -> Line:
    """How long 99 of 100 requests wait at most, in seconds."""
    seconds = quantiles(waits, n=100)[98]
    many = "1 connection" if connections == 1 else f"{connections} connections"
    what = f"keep, 99 of 100 requests are answered within, {many}"
    return faster(what, ours=seconds, baseline=most, target=1)


class Straight:
    """The server's newest rows, written again into a database with its tables that grows as the
    server's does.
    """

    def __init__(self, installation: Installation, folder: Path) -> None:
        self.server = installation.data / "cablese.sqlite3"
        self.copy = folder / "straight.sqlite3"
        self._prepare()

    def write(self, number: int, piece: int) -> float:
        """The seconds that the newest packets take, with a commit after each `piece` of them."""
        rows = self._take(number)
        with closing(sqlite3.connect(self.copy, isolation_level=None)) as copy:
            copy.executescript(PRAGMAS)
            begin = perf_counter()
            for at in range(0, number, piece):
                copy.execute("BEGIN IMMEDIATE")
                for statement, some in rows:
                    copy.executemany(statement, some[at : at + piece])
                copy.execute("COMMIT")
            return perf_counter() - begin

    def _take(self, number: int) -> list[tuple[str, list[Any]]]:
        """The newest rows of each table, with the statement that writes one."""
        taken = []
        with closing(sqlite3.connect(self.server)) as server:
            for table in TABLES:
                cursor = server.execute(
                    f"SELECT * FROM {table} ORDER BY rowid DESC LIMIT {number}"  # noqa: S608
                )
                rows = cursor.fetchall()[::-1]
                taken.append((insertion(table, [column[0] for column in cursor.description]), rows))
            # The index has no copy of its terms.
            indexed = [terms_row(row) for row in server.execute(STORED, (number,)).fetchall()[::-1]]
            taken.append((insertion("auditlog_search", ("rowid", "terms")), indexed))
        return taken

    def _prepare(self) -> None:
        """The server's tables, and the few rows that packets refer to."""
        with (
            closing(sqlite3.connect(self.server)) as server,
            closing(sqlite3.connect(self.copy)) as copy,
        ):
            copy.executescript(PRAGMAS)
            made = server.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
                " AND name NOT LIKE 'auditlog_search_%' ORDER BY type = 'trigger', type = 'index'"
            )
            for (statement,) in made:
                copy.execute(statement)
            copy.executescript(AUTOMERGE)
            for table in ("auth_user", "auditlog_log", "auditlog_source", "auditlog_apikey"):
                cursor = server.execute(f"SELECT * FROM {table}")  # noqa: S608
                copy.executemany(
                    insertion(table, [column[0] for column in cursor.description]),
                    cursor.fetchall(),
                )
            copy.commit()


def terms_row(stored: Sequence[Any]) -> tuple[int, str]:
    """Return the row of the search index of a packet, whose columns are those of `STORED`."""
    (
        log_id, leaf, protocol, dialect, wire, valid, supplied, content, slug, source, tokens,
        sent_at, event_id, diagnostics,
    ) = stored  # fmt: skip
    found = terms_of(
        Packet(
            log=Log(id=log_id, slug=slug), protocol=protocol, dialect=dialect, wire=wire,
            valid=bool(valid), supplied=supplied, content=content, source=Source(name=source),
            tokens=tokens, sent_at=sent_at, event_id=event_id, diagnostics=diagnostics,
        )
    )  # fmt: skip
    entry = index.Entry(log_id, leaf, protocol, found, terms.same(log_id, wire))
    return row_number(log_id, leaf), index.make_text(entry)


def insertion(table: str, columns: Sequence[str]) -> str:
    names = ", ".join(f'"{column}"' for column in columns)
    return f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608


def request(installation: Installation, key: str, path: str, body: bytes, media: str) -> bytes:
    host = urlsplit(installation.base_url).netloc
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer"
        f" {key}\r\nContent-Type: {media}\r\n"
    )
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def post(installation: Installation, key: str, path: str, body: bytes, media: str) -> Any:
    with connect(installation) as wire:
        wire.sendall(request(installation, key, path, body, media))
        answer = b""
        while (size := length(answer)) is None or len(answer) < size:
            answer += wire.recv(1 << 20)
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def connect(installation: Installation) -> socket.socket:
    address = urlsplit(installation.base_url)
    wire = socket.create_connection((address.hostname, address.port))
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return wire


def length(answer: bytes) -> int | None:
    """How many bytes the whole answer has; None when its head is not there yet."""
    head, end, _ = answer.lower().partition(b"\r\n\r\n")
    if not end:
        return None
    return len(head) + 4 + int(head.partition(b"content-length:")[2].split()[0])


def own_seconds(process: int) -> float:
    """What a process has used of the processor until now."""
    return sum(ticks(process)[:2]) / os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    """What a process and its descendants have used of the processor until now."""
    return sum(own_seconds(one) for one in family(process))


def crowd(installation: Installation, requests: list[bytes], connections: int) -> list[float]:
    """Send all requests over some connections, each of which always waits for one answer; the
    seconds of each.

    One thread with a selector, so that the client takes little of the machine that the server
    needs.
    """
    waiting = iter(requests)
    waits: list[float] = []
    with selectors.DefaultSelector() as selector:
        for _ in range(connections):
            opened = connect(installation)
            opened.sendall(next(waiting))
            selector.register(opened, selectors.EVENT_READ, [b"", perf_counter()])
        while selector.get_map():
            for ready, _ in selector.select():
                assert isinstance(ready.fileobj, socket.socket)
                wire, state = ready.fileobj, ready.data
                state[0] += wire.recv(1 << 16)
                size = length(state[0])
                if size is None or len(state[0]) < size:
                    continue
                assert state[0].startswith(b"HTTP/1.1 201"), state[0]
                waits.append(perf_counter() - state[1])
                following = next(waiting, None)
                if following is None:
                    selector.unregister(wire)
                    wire.close()
                else:
                    state[:] = [b"", perf_counter()]
                    wire.sendall(following)
    return waits
