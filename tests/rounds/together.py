"""`python -m tests.rounds.together [--seconds 60] [--processes 4]`: servers on one PostgreSQL.

Each server is a real `manage.py up` with a data directory of its own. Programs post the same
packets, with their event IDs, to two servers at a time, one by one and in batches. Then the log is
compared with every receipt: each event is stored once, both receipts name the same leaf, the leaves
have no gap, the packet IDs are unique, and no server printed an error of a lock.
"""

import argparse
import re
import sys
import tempfile
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import psycopg

from tests.installation import environment
from tests.rounds import Rounds, Rows, postgresql
from tests.rounds.posting import Poster, Server

SINGLES, BATCHES = 3, 1
"""Connections for each pair of servers, on each of both."""
BATCH = 50
LOCK = re.compile("(?i)deadlock|lock timeout|could not obtain lock|serializ")
KEY = "a-secret-key-that-all-servers-of-this-run-share-because-they-share-users"


def run(address: str, folder: Path, *, processes: int, seconds: float) -> list[str]:
    """Return the faults."""
    environs = [
        environment(folder / str(number), DATABASE_URL=address, CABLESE_SECRET_KEY=KEY)
        for number in range(processes)
    ]

    def read(query: str) -> Rows:
        with psycopg.connect(address) as database:
            return database.execute(query).fetchall()

    rounds = Rounds(folder, environs[0], read, "leaf")
    logs = [folder / f"server-{number}.log" for number in range(processes)]
    with ExitStack() as stack:
        servers = []
        for environ, log in zip(environs, logs, strict=True):
            servers.append(Server(environ, log))
            stack.callback(servers[-1].kill)
        posters = _posters([server.port for server in servers], rounds.make_key())
        for poster in posters:
            poster.start()
        time.sleep(seconds)
        for server in servers:
            server.process.terminate()
        for server in servers:
            server.process.wait(40)
        for poster in posters:
            poster.join()
    return _check(rounds, posters, logs)


def _posters(ports: list[int], key: str) -> list[Poster]:
    """Return pairs that post the same packets to two servers."""
    posters, first = [], 1
    for port, other in zip(ports, [*ports[1:], ports[0]], strict=True):
        for size in [1] * SINGLES + [BATCH] * BATCHES:
            posters += [Poster(each, key, count(first), size) for each in (port, other)]
            first += 10_000_000
    return posters


def _check(rounds: Rounds, posters: list[Poster], logs: list[Path]) -> list[str]:
    faults = rounds.totals.faults
    for poster in posters:
        faults += [poster.fault] if poster.fault else []
        for event, stored in poster.sent.stored.items():
            if rounds.sent.stored.setdefault(event, stored) != stored:
                faults.append(f"{event} has two receipts that differ.")
    rounds.check()
    ((packets, ids),) = rounds.read("SELECT count(*), count(DISTINCT uid) FROM auditlog_packet")
    if packets != ids:
        faults.append(f"{packets:,} packets have {ids:,} IDs.")
    for log in logs:
        faults += [line for line in log.read_text().splitlines() if LOCK.search(line)]
    print(f"{len(rounds.sent.stored):,} packets acknowledged, {rounds.totals.leaves:,} leaves")
    return faults


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rounds.together")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=4)
    given = parser.parse_args(words)
    with postgresql() as address, tempfile.TemporaryDirectory(prefix="cablese-together-") as name:
        faults = run(address, Path(name), processes=given.processes, seconds=given.seconds)
    for fault in faults[:20]:
        print(f"  {fault}")
    print(f"{len(faults):,} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
