import asyncio
from typing import Any

import pytest

from playground.server.front.outbox import PIECE, Outbox
from tests.playground.server.front.loops import run_in_loop

HEAD = {"type": "http.response.start", "status": 200, "headers": []}


class Client:
    """A client that takes so many pieces and then no more."""

    def __init__(self, takes: int = 1_000) -> None:
        self.takes = takes
        self.came: list[dict[str, Any]] = []

    async def send(self, message: dict[str, Any]) -> None:
        if len(self.came) == self.takes:
            await asyncio.Event().wait()
        self.came.append(message)

    @property
    def content(self) -> bytes:
        return b"".join(message["body"] for message in self.came[1:])


def test_an_answer_is_sent_in_pieces() -> None:
    async def run() -> None:
        outbox, client, content = Outbox(), Client(), bytes(range(256)) * 1_000

        await outbox.begin(HEAD, content, client.send)

        assert client.came[0] == HEAD
        assert client.content == content
        assert [message["more_body"] for message in client.came[1:]] == [True, True, True, False]
        assert outbox.size == 0

    run_in_loop(run())


def test_the_rest_of_an_answer_is_sent_without_its_beginning() -> None:
    async def run() -> None:
        outbox, client = Outbox(), Client()

        await outbox.begin(None, bytes(PIECE) + b"a", client.send)

        assert [message["body"] for message in client.came] == [bytes(PIECE), b"a"]

    run_in_loop(run())


def test_an_answer_that_is_not_taken_is_given_up() -> None:
    async def run() -> None:
        # The whole would have days, and each piece has a moment.
        outbox, client = Outbox(taken=0.05, rate=1), Client(takes=2)
        task = outbox.begin(HEAD, bytes(3 * PIECE), client.send)
        await asyncio.wait([task], timeout=2)

        assert task.done()
        assert isinstance(task.exception(), TimeoutError)
        assert client.content == bytes(PIECE)
        assert outbox.size == 0

    run_in_loop(run())


def test_an_answer_that_is_taken_in_small_bites_is_given_up() -> None:
    async def run() -> None:
        class Nibbler(Client):
            async def send(self, message: dict[str, Any]) -> None:
                await asyncio.sleep(0.02)
                await super().send(message)

        client = Nibbler()
        outbox = Outbox(taken=0.1, rate=1 << 30)

        with pytest.raises(TimeoutError):
            await outbox.begin(HEAD, bytes(100 * PIECE), client.send)

        assert 1 < len(client.came) < 50

    run_in_loop(run())


def test_the_oldest_answer_is_given_up_when_there_is_no_room() -> None:
    async def run() -> None:
        outbox, clients = Outbox(room=5 * PIECE), [Client(takes=1) for _ in range(3)]

        tasks = [outbox.begin(HEAD, bytes(2 * PIECE), client.send) for client in clients]
        await asyncio.wait(tasks[:1])

        assert [task.cancelled() for task in tasks] == [True, False, False]
        assert outbox.size == 4 * PIECE
        for task in tasks:
            task.cancel()

    run_in_loop(run())
