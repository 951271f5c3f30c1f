"""Helper processes of a real server: large batches start them, and their end loses nothing."""

import json
import os
import signal
import threading
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.auditlog.helpers.helpers import is_alive, wait_for
from tests.benchmarks import corpus
from tests.installation import Installation, running
from tests.processes import descendants

PROGRAM = b"auditlog.helpers.process"
ITEMS = 10_000


def helpers(server: Installation) -> list[int]:
    """Return the helper processes of a server."""
    found = []
    for process in descendants(server.process.pid):
        with suppress(OSError):
            if PROGRAM in Path(f"/proc/{process}/cmdline").read_bytes() and is_alive(process):
                found.append(process)
    return found


def send(server: Installation, key: str, wires: list[str]) -> list[dict[str, Any]]:
    body = "".join(
        json.dumps({"wire": wire, "event_id": f"{key[-8:]}-{len(wires)}-{at}"}) + "\n"
        for at, wire in enumerate(wires)
    )
    connection = HTTPConnection(urlsplit(server.base_url).netloc, timeout=120)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/x-ndjson"}
    connection.request("POST", "/api/v1/packets/batch", body.encode(), headers)
    results: list[dict[str, Any]] = json.loads(connection.getresponse().read())["results"]
    connection.close()
    return results


def test_a_batch_is_stored_once_while_helpers_are_killed(tmp_path: Path) -> None:
    wires = [sent.wire for sent in corpus.mixed(ITEMS)]
    with running(tmp_path) as server:
        key = server.manage("apikey", "create", "many", "--scopes", "ingest")
        assert helpers(server) == [], "a start does not wait for helpers"
        assert {one["status"] for one in send(server, key, wires[:600])} == {201}
        wait_for(lambda: len(helpers(server)) >= 2)
        killed = set[int]()
        done = threading.Event()

        def kill() -> None:
            while not done.wait(0.1):
                for process in helpers(server):
                    killed.add(process)
                    os.kill(process, signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        results = send(server, key, wires)
        done.set()
        thread.join()

        assert len(killed) >= 2
        assert {one["status"] for one in results} == {201}
        assert [one["leaf"] for one in results] == list(range(601, 601 + ITEMS))
        again = send(server, key, wires)
        assert [(one["status"], one["leaf"]) for one in again] == [
            (200, leaf) for leaf in range(601, 601 + ITEMS)
        ]


def test_helpers_end_with_the_server(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        key = server.manage("apikey", "create", "many", "--scopes", "ingest")
        send(server, key, ["REQ/TSK|g=1,t=1"] * 600)
        wait_for(lambda: len(helpers(server)) >= 2)
        left = helpers(server)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(40) == 0

        wait_for(lambda: not any(map(is_alive, left)))
