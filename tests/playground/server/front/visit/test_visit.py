import asyncio
import threading
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any
from wsgiref.types import WSGIApplication

import pytest

from auditlog.ingest.body import CutOff
from playground.server.front import visit as visits
from playground.server.front.callers import Caller
from playground.server.front.lanes import Lane
from playground.server.front.outbox import Outbox
from playground.server.front.pool import Pool
from playground.server.front.visit import Ear, Send, Visit
from tests.playground.server.front.loops import run_in_loop


class Pieces:
    """A streamed answer, as Django gives it."""

    streaming = True

    def __init__(self, count: int) -> None:
        self.made = 0
        self.closed = False
        self._count = count

    def __iter__(self) -> Iterator[bytes]:
        while self.made < self._count:
            self.made += 1
            yield b"piece"

    def close(self) -> None:
        self.closed = True


def visit_in(lane: Lane, application: WSGIApplication, send: Send) -> Visit:
    return Visit(
        {"REQUEST_METHOD": "POST", "PATH_INFO": "/"},
        Caller("address:127.0.0.1"),
        application=application,
        pool=Pool(),
        lane=lane,
        patience=1,
        outbox=Outbox(),
        send=send,
    )


async def answer(body: Iterable[bytes], send: Send) -> Lane:
    """Send an answer, and return the lane it was made in."""

    def application(_environ: Any, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return body

    lane = Lane(1)
    visit = visit_in(lane, application, send)
    visit.start()
    await asyncio.wait_for(visit.answered, 5)
    return lane


async def ignore(_message: dict[str, Any]) -> None:
    """Send nothing."""


@pytest.mark.parametrize(("delay", "whole"), [(0.0, True), (0.02, False)])
def test_a_streamed_answer_that_is_taken_in_small_bites_is_given_up(
    monkeypatch: pytest.MonkeyPatch, delay: float, *, whole: bool
) -> None:
    monkeypatch.setattr(visits, "TAKEN", 0.5)
    monkeypatch.setattr(visits, "RATE", 1 << 40)
    body = Pieces(200)

    async def send(_message: dict[str, Any]) -> None:
        await asyncio.sleep(delay)

    lane = run_in_loop(answer(body, send))

    assert (body.made == 200) is whole
    assert body.closed
    assert lane.held == 0


def test_a_thread_that_streams_is_counted_as_one_while_it_does() -> None:
    streams: list[int] = []

    async def run() -> None:
        async def send(message: dict[str, Any]) -> None:
            if message.get("body"):
                streams.append(pool.streams)

        def application(_environ: Any, start_response: Any) -> Iterable[bytes]:
            start_response("200 OK", [])
            return Pieces(1)

        visit = visit_in(Lane(1), application, send)
        pool = visit._pool
        visit.start()
        await asyncio.wait_for(visit.answered, 5)
        streams.append(pool.streams)

    run_in_loop(run())

    assert streams == [1, 0]


def test_a_streamed_answer_ends_when_a_piece_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(visits, "TAKEN", 0.05)
    body = Pieces(3)

    async def send(message: dict[str, Any]) -> None:
        if message.get("body"):
            await asyncio.Event().wait()

    run_in_loop(answer(body, send))

    assert (body.made, body.closed) == (1, True)


@pytest.mark.parametrize(
    ("seconds", "order"), [(0.0, ["next", "first"]), (60.0, ["first", "next"])]
)
def test_a_request_that_reads_its_body_for_long_lets_the_next_one_run(
    monkeypatch: pytest.MonkeyPatch, seconds: float, order: list[str]
) -> None:
    monkeypatch.setattr(visits, "SLICE", seconds)
    done: list[str] = []
    queued = threading.Event()

    async def run() -> None:
        lane = Lane(1)

        def reading(_environ: Any, start_response: Any) -> Iterable[bytes]:
            queued.wait(5)
            first.check_body()
            done.append("first")
            start_response("200 OK", [])
            return [b""]

        def short(_environ: Any, start_response: Any) -> Iterable[bytes]:
            done.append("next")
            start_response("200 OK", [])
            return [b""]

        first, following = visit_in(lane, reading, ignore), visit_in(lane, short, ignore)
        for visit in (first, following):
            visit.start()
        queued.set()
        await asyncio.wait_for(asyncio.gather(first.answered, following.answered), 5)

    run_in_loop(run())

    assert done == order


def test_a_long_reader_that_came_back_has_a_slice_of_its_own_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(visits, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    done: list[str] = []
    queued = threading.Event()

    def named(name: str, *, reads: bool = False) -> WSGIApplication:
        def answers(_environ: Any, start_response: Any) -> Iterable[bytes]:
            if reads:
                queued.wait(5)
                clock[0] += visits.SLICE + 1
                visits_of["first"].check_body()
                visits_of["first"].check_body()
            done.append(name)
            start_response("200 OK", [])
            return [b""]

        return answers

    async def run() -> None:
        lane = Lane(1)
        visits_of["first"] = visit_in(lane, named("first", reads=True), ignore)
        others = [visit_in(lane, named(name), ignore) for name in ("second", "third", "fourth")]
        following = [visits_of["first"], *others]
        for visit in following:
            visit.start()
        queued.set()
        await asyncio.wait_for(asyncio.gather(*(visit.answered for visit in following)), 5)

    visits_of: dict[str, Visit] = {}
    run_in_loop(run())

    assert done == ["second", "first", "third", "fourth"]


def test_a_client_that_has_gone_gives_up_its_place_in_the_lane() -> None:
    async def run() -> tuple[bool, int]:
        lane, go_on = Lane(1), threading.Event()

        def waits(_environ: Any, start_response: Any) -> Iterable[bytes]:
            go_on.wait(5)
            start_response("200 OK", [])
            return [b""]

        first, second = visit_in(lane, waits, ignore), visit_in(lane, waits, ignore)
        first.start()
        second.start()
        second.leave()
        left = second.answered.done(), lane.queued
        go_on.set()
        await asyncio.wait_for(first.answered, 5)
        return left

    assert run_in_loop(run()) == (True, 0)


def test_the_body_of_a_client_that_has_gone_is_not_read_on() -> None:
    async def run() -> None:
        visit = visit_in(Lane(1), lambda _environ, _start: [b""], ignore)
        visit.check_body()
        visit.gone = True
        with pytest.raises(CutOff, match="closed the connection"):
            visit.check_body()

    run_in_loop(run())


def test_the_rest_of_a_refused_request_is_not_read() -> None:
    read = []

    async def rest() -> bool:
        read.append(True)
        return True

    async def receive() -> dict[str, Any]:
        raise AssertionError("the rest comes first")

    async def run() -> None:
        visit = visit_in(Lane(1), lambda *_: [b""], lambda _: asyncio.sleep(0))
        ear = Ear(visit, receive, rest())
        ear.close()
        await asyncio.sleep(0)

    run_in_loop(run())  # A coroutine that is never awaited warns, and a warning fails the test.

    assert not read
