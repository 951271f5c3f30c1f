"""What large requests leave behind is let go, whatever Python's own counting says."""

import gc
import weakref
from collections.abc import Iterable, Iterator
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from playground.server.gc_policy import EVERY, IDLE, collect_idle, settle, with_collection


class Knot:
    """A value that only a look for garbage finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def never_by_itself() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def left(*requests: WSGIEnvironment) -> int:
    """How many knots are left when each of these requests has tied one."""
    tied: list[weakref.ref[Knot]] = []

    def application(_environ: WSGIEnvironment, _start: StartResponse) -> Iterable[bytes]:
        tied.append(weakref.ref(Knot()))
        return []

    collected = with_collection(application)
    for environ in requests:
        collected(environ, lambda *_: len)
    return sum(knot() is not None for knot in tied)


@pytest.mark.parametrize("length", [EVERY // 4, 10**18])
def test_large_bodies_are_let_go_every_now_and_then(length: int) -> None:
    assert left(*[{"CONTENT_LENGTH": str(length)}] * 9) == 2


def test_chunked_bodies_count_too() -> None:
    assert left(*[{"HTTP_TRANSFER_ENCODING": "chunked"}] * 40) == 9


@pytest.mark.parametrize("length", ["", "0", "100", "x", "²", "9" * 5000])
def test_small_ones_and_lengths_that_are_none_cost_no_look(length: str) -> None:
    assert left(*[{"CONTENT_LENGTH": length}] * 50) == 50


@pytest.mark.parametrize(("new", "left"), [(IDLE // 2, 1), (2 * IDLE, 0)])
def test_what_requests_left_is_collected_when_none_runs_if_it_is_much(new: int, left: int) -> None:
    knot = weakref.ref(Knot())
    held = [[number] for number in range(new)]

    collect_idle()

    assert len(held) == new
    assert (knot() is not None) == left


@pytest.fixture
def settled() -> Iterator[None]:
    before = gc.get_threshold()
    settle()
    gc.enable()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("settled")
def test_no_look_goes_through_all_that_a_large_text_became() -> None:
    """A look holds Python's lock, and nobody is answered meanwhile."""
    looked: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            looked.append(
                sum(len(gc.get_objects(number)) for number in range(info["generation"] + 1))
            )

    gc.callbacks.append(note)
    try:
        held = [[number] for number in range(1_500_000)]
    finally:
        gc.callbacks.remove(note)

    assert len(held) > 4 * max(looked)
    assert len(looked) > 10
