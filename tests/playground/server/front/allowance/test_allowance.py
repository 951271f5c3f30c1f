"""API requests per minute, and the fields that say how many are left."""

import asyncio
from collections.abc import Awaitable
from typing import Any
from wsgiref.types import WSGIEnvironment

import pytest

from playground.server.front import allowance
from playground.server.front.allowance import FIELDS, Allowance, telling
from playground.server.front.callers import Caller

ADDRESS = Caller("address:192.0.2.1")
KEY = Caller("key:a", "a", member=True)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limits(clock: Clock) -> Allowance:
    return Allowance(member=120, anonymous=3, clock=clock)


def environ(path: str = "/api/v1/search", method: str = "GET") -> WSGIEnvironment:
    return {"PATH_INFO": path, "REQUEST_METHOD": method}


def told(limits: Allowance, caller: Caller) -> list[str]:
    return [value.decode() for _, value in limits.fields(environ(), caller)]


def test_the_fields_say_what_is_left(limits: Allowance, clock: Clock) -> None:
    assert told(limits, KEY) == ['"requests";q=120;w=60', '"requests";r=120;t=0']
    for _ in range(20):
        assert limits.take(environ(), KEY) is None

    assert told(limits, KEY) == ['"requests";q=120;w=60', '"requests";r=100;t=10']
    clock.now += 4
    assert told(limits, KEY)[1] == '"requests";r=108;t=6'
    clock.now += 60
    assert told(limits, KEY)[1] == '"requests";r=120;t=0'
    assert told(limits, ADDRESS) == ['"requests";q=3;w=60', '"requests";r=3;t=0']


def test_an_empty_bucket_refuses_until_it_has_one_again(limits: Allowance, clock: Clock) -> None:
    for _ in range(3):
        assert limits.take(environ(), ADDRESS) is None

    refused = limits.take(environ(), ADDRESS)

    assert refused is not None
    assert (refused.status, refused.retry_after) == (429, 20)
    assert refused.words == "The limit is 3 requests per minute. Try again in 20 s."
    assert told(limits, ADDRESS)[1] == '"requests";r=0;t=60'
    clock.now += 19
    assert limits.take(environ(), ADDRESS) is not None
    clock.now += 1
    assert limits.take(environ(), ADDRESS) is None
    assert limits.take(environ(), KEY) is None


@pytest.mark.parametrize(
    ("path", "method"),
    [("/api/v1/packets", "POST"), ("/api/v1/packets/batch", "POST"), ("/api/v1/post/a", "POST"),
     ("/audit/", "GET"), ("/api/docs", "GET")],
)  # fmt: skip
def test_what_stores_and_pages_cost_nothing(limits: Allowance, path: str, method: str) -> None:
    for _ in range(10):
        assert limits.take(environ(path, method), ADDRESS) is None
    assert told(limits, ADDRESS)[1] == '"requests";r=3;t=0'


def test_reading_a_packet_counts(limits: Allowance) -> None:
    limits.take(environ("/api/v1/packets/x"), ADDRESS)

    assert told(limits, ADDRESS)[1] == '"requests";r=2;t=20'


def test_pages_have_no_fields(limits: Allowance) -> None:
    assert limits.fields(environ("/audit/"), KEY) == ()


def test_only_so_many_clients_are_remembered(
    limits: Allowance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "CLIENTS", 2)
    for number in range(3):
        limits.take(environ(), Caller(f"address:{number}"))

    assert told(limits, Caller("address:0"))[1] == '"requests";r=3;t=0'
    assert told(limits, Caller("address:1"))[1] == '"requests";r=2;t=20'


def test_the_head_of_a_response_gets_the_fields_and_is_not_changed() -> None:
    sent: list[dict[str, Any]] = []

    def send(message: dict[str, Any]) -> Awaitable[None]:
        sent.append(message)
        return asyncio.sleep(0)

    head = {"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]}
    body = {"type": "http.response.body", "body": b""}
    known = environ()
    tell = telling(known, send)
    known[FIELDS] = ((b"ratelimit", b"x"),)
    for message in (head, body):
        asyncio.run(_await(tell(message)))

    assert sent == [{**head, "headers": [(b"a", b"b"), (b"ratelimit", b"x")]}, body]
    assert head["headers"] == [(b"a", b"b")]


async def _await(sending: Awaitable[None]) -> None:
    await sending
