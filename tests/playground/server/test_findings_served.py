"""A server has findings made soon after it stored packets, and again after it was killed."""

import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.benchmarks.groups.ingest import post
from tests.installation import Installation, running
from tests.processes import descendants

CARD = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|filter:card=4111 1111 1111 1111"
PACKETS = 3_000


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that takes 2 s on a machine with nothing else to do."""
    limit = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.1)


def send(server: Installation, wires: list[str]) -> list[int]:
    """Store packets, and return their leaves."""
    key = server.manage("apikey", "create", "findings", "--scopes", "ingest")
    body = "\n".join(json.dumps({"wire": wire}) for wire in wires).encode()
    answer = post(server, key, "/api/v1/packets/batch", body, "application/x-ndjson")
    return [result["leaf"] for result in answer["results"]]


def count(server: Installation, statement: str, *parameters: int) -> int:
    with closing(sqlite3.connect(server.data / "cablese.sqlite3")) as database:
        return int(database.execute(statement, parameters).fetchone()[0])


def of_cards(server: Installation, leaves: list[int]) -> int:
    return count(
        server,
        "SELECT COUNT(*) FROM auditlog_finding WHERE code = 'card-number' AND leaf BETWEEN ? AND ?",
        leaves[0],
        leaves[-1],
    )


def find_makers(server: Installation) -> list[int]:
    """Return the processes of a server that make findings."""
    return [
        process
        for process in descendants(server.process.pid)
        if b"auditlog.findings.following.process" in Path(f"/proc/{process}/cmdline").read_bytes()
    ]


def is_gone(process: int) -> bool:
    return not Path(f"/proc/{process}/cmdline").exists()


def test_findings_follow_the_packets(server: Installation) -> None:
    leaves = send(server, [CARD])

    until(lambda: of_cards(server, leaves) == 1)
    until(lambda: "default: up to date." in server.manage("findings").splitlines())


def test_a_process_of_its_own_makes_them_and_is_started_again(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        leaves = send(server, [CARD])
        until(lambda: of_cards(server, leaves) == 1)
        (first,) = find_makers(server)

        os.kill(first, signal.SIGKILL)
        leaves = send(server, [f"{CARD}|n:2"])
        until(lambda: of_cards(server, leaves) == 1)

        (second,) = find_makers(server)
        assert second != first
        os.kill(second, signal.SIGTERM)  # The signal of a service manager comes to all processes.
        leaves = send(server, [f"{CARD}|n:3"])
        until(lambda: of_cards(server, leaves) == 1)
        assert find_makers(server) == [second]
    until(lambda: is_gone(second))


def test_the_process_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        leaves = send(server, [CARD])
        until(lambda: of_cards(server, leaves) == 1)
        (maker,) = find_makers(server)
        (worker,) = [one for one in descendants(server.process.pid) if maker in descendants(one)][
            -1:
        ]

        os.kill(worker, signal.SIGKILL)

        until(lambda: is_gone(maker))


@pytest.mark.slow
def test_a_server_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        leaves = send(server, [f"{CARD}|n:{number}" for number in range(PACKETS)])
        server.process.kill()
        made = of_cards(server, leaves)

    with running(tmp_path / "data") as server:
        until(lambda: of_cards(server, leaves) == PACKETS)
        found = count(server, "SELECT COUNT(DISTINCT leaf) FROM auditlog_finding")

    assert made < PACKETS
    assert found == PACKETS
