"""One key on real servers: at once, from two processes, and over the death of one."""

import json
import os
import signal
import socket
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.installation import Installation, running

NDJSON = "application/x-ndjson"
WIRES = (
    "SELECT wire FROM auditlog_packet p JOIN auditlog_source s ON s.id = p.source_id "
    "WHERE s.name = {} ORDER BY leaf"
)


class Client:
    """A program with a key of its own."""

    def __init__(self, server: Installation, name: str) -> None:
        self.name = name
        self.key = server.manage("apikey", "create", name, "--scopes", "ingest,read")

    def headers(self, value: str) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": NDJSON,
            "Idempotency-Key": value,
        }

    def send(self, server: Installation, body: Any, value: str) -> tuple[int, dict[str, str], Any]:
        host = urlsplit(server.base_url)
        connection = HTTPConnection(str(host.hostname), host.port, timeout=60)
        try:
            chunked = not isinstance(body, bytes)
            path = "/api/v1/packets/batch"
            connection.request("POST", path, body, self.headers(value), encode_chunked=chunked)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), json.loads(response.read())
        finally:
            connection.close()

    def stored(self, server: Installation) -> list[str]:
        """The wires of this client in the order of their leaves, read beside the server."""
        with sqlite3.connect(server.data / "cablese.sqlite3") as database:
            rows = database.execute(WIRES.format("?"), (self.name,)).fetchall()
        return [bytes(wire).decode() for (wire,) in rows]


def wires(amount: int) -> list[str]:
    return [f"REQ/TSK|g={number},t=1" for number in range(amount)]


def lines(amount: int) -> list[bytes]:
    return [json.dumps({"wire": wire}).encode() + b"\n" for wire in wires(amount)]


def in_blocks(body: bytes) -> Iterator[bytes]:
    for at in range(0, len(body), 10_000):
        yield body[at : at + 10_000]


@pytest.mark.parametrize("amount", [1, 4_000])
def test_four_requests_at_once_with_one_key_write_once(server: Installation, amount: int) -> None:
    client = Client(server, f"at-once-{amount}")

    send_at_once(client, [server] * 4, amount)

    assert client.stored(server) == wires(amount)


@pytest.mark.postgres
@pytest.mark.parametrize("amount", [1, 4_000])
def test_so_do_two_processes_on_postgresql(
    tmp_path: Path, postgresql_url: str, amount: int
) -> None:
    import psycopg

    shared = {
        "DATABASE_URL": postgresql_url,
        "CABLESE_SECRET_KEY": "shared by both of these servers!",
    }
    with running(tmp_path / "a", **shared) as first, running(tmp_path / "b", **shared) as second:
        client = Client(first, f"at-once-{amount}")

        send_at_once(client, [first, second] * 2, amount)

    with psycopg.connect(postgresql_url) as database:
        rows = database.execute(WIRES.format("%s"), (client.name,)).fetchall()
    assert [bytes(wire).decode() for (wire,) in rows] == wires(amount)


def send_at_once(client: Client, servers: list[Installation], amount: int) -> None:
    """Send the same request to each of these, and check what they answer."""
    body = b"".join(lines(amount))
    with ThreadPoolExecutor(len(servers)) as pool:
        answers = list(pool.map(lambda server: client.send(server, body, "one"), servers))
    final = client.send(servers[-1], body, "one")

    fresh = [(status, sent) for status, sent, _ in answers if "idempotency-replayed" not in sent]
    assert sorted(status for status, _ in fresh) == [201, *[409] * (len(fresh) - 1)]
    assert all(int(sent["retry-after"]) > 0 for status, sent in fresh if status == 409)
    complete = [answer for status, _, answer in answers if status == 201]
    assert all(answer == final[2] for answer in complete)


def test_a_client_that_sends_all_before_it_listens_is_told_why(server: Installation) -> None:
    client = Client(server, "deaf")
    assert client.send(server, b"".join(lines(3)), "k")[0] == 201
    with sqlite3.connect(server.data / "cablese.sqlite3") as database:
        database.execute(
            "UPDATE auditlog_idempotentrequest SET body = NULL, touched = datetime('now', '+1 "
            "hour') "
            "WHERE key_id = ? AND value = 'k'",
            (client.key.split("_")[2],),
        )

    assert client.send(server, b"".join(lines(200_000)), "k")[0] == 409


def test_after_a_kill_the_same_request_is_completed(tmp_path: Path) -> None:
    amount = 20_000
    sent = lines(amount)
    with running(tmp_path) as first:
        client = Client(first, "killed")
        _send_and_kill(first, client, sent)
        before = len(client.stored(first))
    assert 500 <= before < amount

    with running(tmp_path) as second:
        status, headers, answer = client.send(second, b"".join(sent), "night run")
        if status == 409:
            sleep(int(headers["retry-after"]))
            status, headers, answer = client.send(second, b"".join(sent), "night run")
        assert status == 201, answer
        assert "idempotency-replayed" not in headers
        assert [(result["item"], result["leaf"]) for result in answer["results"]] == [
            (at, at + 1) for at in range(amount)
        ]
        assert client.stored(second) == wires(amount)
        again = client.send(second, b"".join(sent), "night run")
        assert (again[0], again[2]) == (201, answer)
        assert again[1]["idempotency-replayed"] == "true"
        assert len(client.stored(second)) == amount


def _send_and_kill(server: Installation, client: Client, sent: list[bytes]) -> None:
    """Send the first half of a body, and kill the server while it is stored."""
    host = urlsplit(server.base_url)
    body = b"".join(sent)
    head = "\r\n".join((
        "POST /api/v1/packets/batch HTTP/1.1", f"Host: {host.netloc}",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in client.headers("night run").items()), "", "",
    )).encode()  # fmt: skip
    children = (
        Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    )
    with socket.create_connection((str(host.hostname), host.port or 0)) as line:
        line.sendall(head + b"".join(sent[: len(sent) // 2]))
        until = monotonic() + 30
        while len(client.stored(server)) < 1_000:
            assert monotonic() < until
            sleep(0.01)
        for child in children:
            os.killpg(int(child), signal.SIGKILL)
    server.process.wait(20)


def test_a_chunked_body_that_was_cut_off_is_completed(server: Installation) -> None:
    client = Client(server, "cut off")
    sent = lines(3_000)
    host = urlsplit(server.base_url)
    head = "\r\n".join((
        "POST /api/v1/packets/batch HTTP/1.1", f"Host: {host.netloc}", "Transfer-Encoding: chunked",
        *(f"{name}: {value}" for name, value in client.headers("k").items()), "", "",
    )).encode()  # fmt: skip
    with socket.create_connection((str(host.hostname), host.port or 0)) as line:
        line.sendall(head)
        for at in range(0, 2_250, 250):
            block = b"".join(sent[at : at + 250])
            block = block[:-9] if at == 2_000 else block
            line.sendall(f"{len(block):x}\r\n".encode() + block + b"\r\n")
    _settle(client, server)

    status, _, answer = client.send(server, in_blocks(b"".join(sent)), "k")
    while status == 409:
        sleep(1)
        status, _, answer = client.send(server, in_blocks(b"".join(sent)), "k")

    assert status == 201, answer
    assert client.stored(server) == wires(3_000)
    assert [result["status"] for result in answer["results"]] == [201] * 3_000


def _settle(client: Client, server: Installation) -> None:
    until, seen = monotonic() + 20, -1
    while (now := len(client.stored(server))) != seen or not now:
        assert monotonic() < until
        seen = now
        sleep(0.5)
