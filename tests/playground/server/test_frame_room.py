"""A page is as fast at any depth of calls."""

import resource
import sys
import threading
from collections.abc import Callable

import pytest

from playground.server.frame_room import call_with_room

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts the faults of a thread")

DEPTHS = 200
"""Calls that fill more than one chunk of frames."""
CALLS = 500


def _most_faults() -> int:
    """Return the pages that CALLS calls touched for the first time, at the worst depth."""
    return max(_at(depth, _faults_of_calls) for depth in range(DEPTHS))


def _at(depth: int, work: Callable[[], int]) -> int:
    return _at(depth - 1, work) if depth else work()


def _faults_of_calls() -> int:
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        _leaf()
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def _leaf() -> None:
    """Return at once."""


def _on_a_thread(run: Callable[[Callable[[], None]], None]) -> int:
    counted: list[int] = []
    thread = threading.Thread(target=run, args=(lambda: counted.append(_most_faults()),))
    thread.start()
    thread.join()
    return counted[0]


def test_no_depth_of_calls_maps_memory_for_each_call() -> None:
    assert _on_a_thread(lambda work: work()) >= CALLS  # so that the next line can fail
    assert _on_a_thread(call_with_room) < CALLS / 10
