"""An answer in two pieces: the first is sent before the second is made."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from playground.server.front.outbox import LARGE
from tests.playground.server.front.loops import run_in_loop
from tests.playground.server.front.visit.test_visit import answer


class Halves:
    """An answer in two pieces, as Django gives it."""

    in_pieces = True
    streaming = True

    def __init__(self, sent: list[dict[str, Any]], rest: bytes | Exception) -> None:
        self.sent_before_rest: list[dict[str, Any]] = []
        self.closed = False
        self._sent = sent
        self._rest = rest

    def __iter__(self) -> Iterator[bytes]:
        yield b"first"
        self.sent_before_rest = [*self._sent]
        if isinstance(self._rest, Exception):
            raise self._rest
        yield self._rest
        yield b"."

    def close(self) -> None:
        self.closed = True


def send_halves(rest: bytes | Exception) -> tuple[Halves, list[dict[str, Any]]]:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    halves = Halves(sent, rest)
    assert run_in_loop(answer(halves, send)).held == 0
    assert halves.closed
    return halves, sent


@pytest.mark.parametrize("size", [4, LARGE], ids=["small", "large"])
def test_the_first_piece_is_sent_before_the_rest_is_made(size: int) -> None:
    halves, sent = send_halves(bytes(size))

    assert [message["type"] for message in halves.sent_before_rest] == [
        "http.response.start",
        "http.response.body",
    ]
    assert [message["type"] for message in sent].count("http.response.start") == 1
    bodies = sent[1:]
    assert bodies[0]["body"] == b"first"
    assert b"".join(one["body"] for one in bodies[1:]) == bytes(size) + b"."
    assert [one["more_body"] for one in bodies] == [True] * (len(bodies) - 1) + [False]
    assert all(len(one["body"]) <= LARGE for one in bodies)


def test_a_fault_in_the_rest_is_logged_and_ends_the_answer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        _, sent = send_halves(ValueError("secret"))

    assert [(one["body"], one["more_body"]) for one in sent[1:]] == [(b"first", True), (b"", False)]
    assert [record.exc_info is not None for record in caplog.records] == [True]
    assert "500 POST , request" in caplog.text
