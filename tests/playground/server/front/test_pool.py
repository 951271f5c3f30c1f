import asyncio
import threading
import time
from typing import Any

import pytest

from auditlog.helpers import spent
from playground.server import gc_policy
from playground.server.front.pool import LATER, LONG, Pool
from tests.playground.server.front.loops import run_in_loop


@pytest.mark.parametrize("seconds", [0.0, LONG - 0.005, LONG + LATER, 4 * LONG])
def test_the_end_of_work_is_heard_however_long_it_takes(seconds: float) -> None:
    async def run() -> None:
        pool, ended = Pool(), asyncio.Event()
        pool.run(lambda: time.sleep(seconds), lambda _: ended.set(), lambda: False)
        async with asyncio.timeout(3):
            await ended.wait()

    run_in_loop(run())


def test_the_processor_time_of_helpers_is_told() -> None:
    told: list[float] = []

    async def run() -> None:
        pool, ended = Pool(), asyncio.Event()

        def done(seconds: float) -> None:
            told.append(seconds)
            ended.set()

        for work in (lambda: spent.add(100.0), lambda: None):
            ended.clear()
            pool.run(work, done, lambda: True)
            async with asyncio.timeout(3):
                await ended.wait()

    run_in_loop(run())

    assert 100.0 <= told[0] < 110.0
    assert told[1] < 10.0


def test_work_runs_at_once_in_threads_that_are_used_again() -> None:
    meeting = threading.Barrier(4)
    names: set[str] = set()

    def meet() -> None:
        meeting.wait(10)
        names.add(threading.current_thread().name)

    async def run() -> None:
        pool = Pool()
        for _ in range(5):
            ends = [asyncio.Event() for _ in range(4)]
            for end in ends:
                pool.run(meet, lambda _, end=end: end.set(), lambda: True)  # type: ignore[misc]
            async with asyncio.timeout(3):
                for end in ends:
                    await end.wait()

    run_in_loop(run())

    assert len(names) == 4


def test_work_may_outlive_the_loop() -> None:
    async def run() -> Pool:
        return Pool()

    pool = run_in_loop(run())

    pool.tell(lambda: None, soon=True)


def test_work_that_fails_ends_too(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        pool, ended = Pool(), asyncio.Event()
        pool.run(lambda: [][0], lambda _: ended.set(), lambda: True)
        async with asyncio.timeout(3):
            await ended.wait()

    run_in_loop(run())

    assert "failed outside of Django" in caplog.text


def test_long_work_is_polled_for_only_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> int:
        loop, pool, ended = asyncio.get_running_loop(), Pool(), asyncio.Event()
        later, polls = loop.call_later, list[float]()

        def note(delay: float, *rest: Any, **options: Any) -> asyncio.TimerHandle:
            polls.append(delay)
            return later(delay, *rest, **options)

        monkeypatch.setattr(loop, "call_later", note)
        pool.run(lambda: time.sleep(5 * LONG), lambda _: ended.set(), lambda: False)
        await ended.wait()
        return len(polls)

    assert run_in_loop(run()) <= LONG / LATER + 3


@pytest.mark.parametrize("streams", [0, 1])
def test_garbage_is_collected_when_no_work_is_left_but_streams(
    streams: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected, ours = threading.Event(), set[threading.Thread]()

    def collect() -> None:
        # The threads of an earlier test end late.
        if threading.current_thread() in ours:
            collected.set()

    monkeypatch.setattr(gc_policy, "collect_idle", collect)

    async def run() -> None:
        pool, ended, begun = Pool(), asyncio.Event(), threading.Event()
        pool.streams = streams
        go_on = threading.Event()

        def hold() -> None:
            ours.add(threading.current_thread())
            begun.set()
            go_on.wait(10)

        pool.run(hold, lambda _: None, lambda: True)
        begun.wait(10)
        pool.run(lambda: ours.add(threading.current_thread()), lambda _: ended.set(), lambda: True)
        try:
            async with asyncio.timeout(3):
                await ended.wait()
            await asyncio.sleep(0.05)
            assert collected.is_set() == bool(streams)
        finally:
            go_on.set()
        assert await asyncio.to_thread(collected.wait, 3)

    run_in_loop(run())
