"""Bodies on the event loop: how many are read while they arrive, and how much of each."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playground.server.environment import read
from playground.server.front.arriving import intake, spool
from playground.server.front.arriving.bodies import Body
from playground.server.front.arriving.intake import Intake
from playground.server.front.arriving.spool import HEAD, Spool
from playground.server.front.budget import Budgets
from playground.server.front.callers import Caller
from playground.server.front.refusals import Refused
from tests.playground.server.front.loops import run_in_loop


@pytest.fixture
def place(tmp_path: Path) -> Callable[[int], Body]:
    """Make a body with a limit."""
    return lambda limit: Body(Caller("address:192.0.2.7"), Spool(tmp_path), limit)


class Pieces:
    """Pieces of a body. The last one says that it is."""

    def __init__(self, *pieces: bytes) -> None:
        self.left = [*pieces]

    async def receive(self) -> dict[str, Any]:
        piece = self.left.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(self.left)}


def start() -> Intake:
    return Intake(read({}), Budgets(seconds=1, size=1))


def test_only_so_many_are_read_while_they_arrive(
    place: Callable[[int], Body], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "STREAMS", 2)

    async def run() -> list[bool]:
        taken, received, bodies = start(), [], [place(4 * HEAD) for _ in range(4)]
        for body in bodies[:3]:
            pieces = Pieces(bytes(HEAD), bytes(HEAD), b"end")
            received.append(await taken.receive(body, pieces.receive, streamed=True))
        taken.close(bodies[0], streamed=True)
        pieces = Pieces(bytes(HEAD), b"end")
        received.append(await taken.receive(bodies[3], pieces.receive, streamed=True))
        return received

    assert run_in_loop(run()) == [False, False, True, False]


@pytest.mark.parametrize(("size", "left"), [(10, []), (11, [b"more"])])
def test_one_byte_over_the_limit_is_the_last_that_is_received(
    place: Callable[[int], Body], size: int, left: list[bytes]
) -> None:
    body, pieces = place(10), Pieces(bytes(size), *([b""] if size == 10 else [b"more"]))

    async def run() -> bool:
        return await start().receive(body, pieces.receive, streamed=False)

    assert run_in_loop(run())
    assert pieces.left == left
    assert body.spool.size == size


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_cannot_be_written_ends_the_body_and_says_nothing_of_what_was_stored(
    place: Callable[[int], Body], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def fail(_folder: Path) -> int:
        raise OSError(code, "No")

    monkeypatch.setattr(spool, "_nameless", fail)
    pieces = Pieces(bytes(2 * HEAD), b"end")

    async def run() -> None:
        await start().receive(place(4 * HEAD), pieces.receive, streamed=False)

    with pytest.raises(Refused) as refused:
        run_in_loop(run())

    assert refused.value.refusal.status == 503
    assert "may be full or read-only" in refused.value.refusal.words
    assert "stored" not in refused.value.refusal.words
