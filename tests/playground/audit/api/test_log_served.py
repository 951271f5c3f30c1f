"""Batches and many clients at once on a real server: what Django's test client cannot show."""

import json
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.installation import Installation

NDJSON = "application/x-ndjson"
NUMBERS = count(1)


class Caller:
    """A program with a key of its own, whose packets no other test sees."""

    def __init__(self, server: Installation) -> None:
        self.name = f"caller-{next(NUMBERS)}"
        self.key = server.manage("apikey", "create", self.name, "--scopes", "ingest,read")
        self.host, self.port = urlsplit(server.base_url).hostname, urlsplit(server.base_url).port
        assert self.host is not None

    def headers(self, media: str = "application/json") -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}", "Content-Type": media}

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        assert self.host is not None
        connection = HTTPConnection(self.host, self.port, timeout=60)
        try:
            chunked = not isinstance(body, bytes | None)
            connection.request(
                method, f"/api/v1/{path}", body, self.headers() | headers, encode_chunked=chunked
            )
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def found(self, query: str = "") -> list[dict[str, Any]]:
        """Everything of this caller that a query finds, by walking the cursor."""
        rows: list[dict[str, Any]] = []
        asked = {"q": f"source:{self.name} {query}", "limit": "1000"}
        while True:
            status, page = self.call("GET", f"search?{urlencode(asked)}")
            assert status == 200, page
            rows += page["results"]
            if page["next"] is None:
                return rows
            asked["cursor"] = page["next"]


@pytest.fixture
def caller(server: Installation) -> Caller:
    return Caller(server)


def wire(number: int) -> str:
    return f"RJE/PLN|g={number},t=1" if number % 100 == 7 else f"REQ/TSK|g={number},t=1,@=batch"


def lines(amount: int) -> list[bytes]:
    return [
        json.dumps({"wire": wire(at), "event_id": f"e-{at}"}).encode() + b"\n"
        for at in range(amount)
    ]


def in_odd_pieces(body: bytes) -> Iterator[bytes]:
    """The body in chunks that end anywhere but at a line."""
    for at in range(0, len(body), 12_345):
        yield body[at : at + 12_345]


@pytest.mark.parametrize("chunked", [False, True], ids=["with a length", "chunked"])
def test_ten_thousand_packets_are_answered_in_order_and_all_found(
    caller: Caller, *, chunked: bool
) -> None:
    body = b"".join(lines(10_000))

    status, answer = caller.call(
        "POST",
        "packets/batch",
        in_odd_pieces(body) if chunked else body,
        **{"Content-Type": NDJSON},
    )

    assert status == 201
    receipts = answer["results"]
    assert [(receipt["item"], receipt["event_id"]) for receipt in receipts] == [
        (at, f"e-{at}") for at in range(10_000)
    ]
    assert {receipt["status"] for receipt in receipts} == {201}
    assert [receipt["item"] for receipt in receipts if not receipt["valid"]] == list(
        range(7, 10_000, 100)
    )
    found = caller.found()
    assert [one["wire"] for one in reversed(found)] == [wire(at) for at in range(10_000)]
    assert {one["event_id"] for one in caller.found("is:invalid")} == {
        f"e-{at}" for at in range(7, 10_000, 100)
    }


def test_a_plain_log_is_read_as_it_comes(caller: Caller) -> None:
    text = "".join(f"10:00 agent: {wire(at)}\n" for at in range(3_000)).encode()

    status, answer = caller.call(
        "POST", "packets/batch", in_odd_pieces(text), **{"Content-Type": "text/plain"}
    )

    assert status == 201
    assert len(answer["results"]) == 3_000
    assert len(answer["ignored"]) + answer["ignored_more"] == 3_000
    assert [text.decode()[slice(*result["span"])] for result in answer["results"]] == [
        wire(at) for at in range(3_000)
    ]


def test_what_was_committed_before_a_cut_stays_and_sending_again_is_safe(caller: Caller) -> None:
    sent = lines(3_000)
    head = "\r\n".join((
        "POST /api/v1/packets/batch HTTP/1.1", f"Host: {caller.host}:{caller.port}",
        "Transfer-Encoding: chunked",
        *(f"{name}: {value}" for name, value in caller.headers(NDJSON).items()), "", "",
    )).encode()  # fmt: skip
    with socket.create_connection((str(caller.host), caller.port or 0)) as line:
        line.sendall(head)
        for at in range(0, 2_250, 250):
            piece = b"".join(sent[at : at + 250])
            line.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    kept = _settled(caller)
    assert 500 <= kept <= 2_250
    status, answer = caller.call(
        "POST", "packets/batch", b"".join(sent), **{"Content-Type": NDJSON}
    )

    assert status == 207
    assert [result["status"] for result in answer["results"]] == [200] * kept + [201] * (
        3_000 - kept
    )
    assert Counter(one["event_id"] for one in caller.found()) == Counter(
        f"e-{at}" for at in range(3_000)
    )


def _settled(caller: Caller) -> int:
    """How many packets are there once no more arrive."""
    until, seen = monotonic() + 20, -1
    while monotonic() < until:
        now = len(caller.found())
        if now == seen and now:
            return now
        seen = now
        sleep(0.5)
    raise AssertionError(f"after 20 s there are {seen} packets")


def test_thirty_two_clients_at_once_are_all_answered_and_found(caller: Caller) -> None:
    def post(at: int) -> tuple[int, Any]:
        body = json.dumps({"wire": wire(at), "event_id": f"e-{at}"}).encode()
        return caller.call("POST", "packets", body)

    with ThreadPoolExecutor(32) as clients:
        answers = list(clients.map(post, range(640)))

    assert {status for status, _ in answers} == {201}
    receipts = [answer["results"][0] for _, answer in answers]
    assert [receipt["event_id"] for receipt in receipts] == [f"e-{at}" for at in range(640)]
    assert len({receipt["leaf"] for receipt in receipts}) == 640
    assert {one["id"] for one in caller.found()} == {receipt["packet"] for receipt in receipts}


def test_one_event_id_from_many_clients_at_once_is_one_packet(caller: Caller) -> None:
    body = json.dumps({"wire": wire(1), "event_id": "the same"}).encode()

    with ThreadPoolExecutor(16) as clients:
        answers = list(clients.map(lambda _: caller.call("POST", "packets", body), range(64)))

    assert Counter(status for status, _ in answers) == {201: 1, 200: 63}
    assert len({answer["results"][0]["packet"] for _, answer in answers}) == 1
    assert len(caller.found()) == 1


def test_a_small_chunked_body_is_like_any_other(caller: Caller) -> None:
    status, answer = caller.call("POST", "decode", iter([b'{"text":"REQ/TSK|g=4', b'2,t=1"}']))

    assert status == 200
    assert answer["messages"][0]["wire"] == "REQ/TSK|g=42,t=1"


def test_too_large_a_body_is_refused_by_its_length_before_it_is_sent(caller: Caller) -> None:
    with socket.create_connection((str(caller.host), caller.port or 0), timeout=20) as line:
        head = "\r\n".join((
            "POST /api/v1/packets/batch HTTP/1.1", f"Host: {caller.host}:{caller.port}",
            "Connection: close",
            f"Content-Length: {65 * 1024 * 1024}",
            *(f"{name}: {value}" for name, value in caller.headers(NDJSON).items()), "", "",
        )).encode()  # fmt: skip
        line.sendall(head)
        answer = line.recv(65_536)

    assert answer.startswith(b"HTTP/1.1 413 ")
