"""Rate limits: how many requests at once, how many later, and for how many callers."""

import pytest

from playground.http.throttle import Throttle


@pytest.fixture
def throttle() -> Throttle:
    return Throttle(burst=3, pace=0.5, callers=2)


def take(throttle: Throttle, caller: str, now: float, times: int) -> list[int]:
    return [throttle.wait(caller, now=now) for _ in range(times)]


def test_it_takes_a_burst_and_then_says_how_long_to_wait(throttle: Throttle) -> None:
    assert take(throttle, "ada", 100, 5) == [0, 0, 0, 2, 2]


def test_it_regains_at_its_pace(throttle: Throttle) -> None:
    take(throttle, "ada", 100, 3)

    assert take(throttle, "ada", 101, 1) == [1]
    assert take(throttle, "ada", 102, 2) == [0, 2]


def test_a_long_silence_regains_no_more_than_a_burst(throttle: Throttle) -> None:
    take(throttle, "ada", 100, 3)

    assert take(throttle, "ada", 100_000, 4) == [0, 0, 0, 2]


def test_one_caller_does_not_wait_for_another(throttle: Throttle) -> None:
    take(throttle, "ada", 100, 3)

    assert take(throttle, "grace", 100, 1) == [0]


def test_the_caller_that_was_silent_longest_is_forgotten(throttle: Throttle) -> None:
    for caller in ("ada", "grace", "ada"):
        take(throttle, caller, 100, 3)
    take(throttle, "edith", 100, 1)

    assert list(throttle._buckets) == ["ada", "edith"]


def test_ten_thousand_callers_are_remembered_and_no_more() -> None:
    throttle = Throttle(burst=1)
    for number in range(10_001):
        throttle.wait(f"caller-{number}", now=100)

    assert take(throttle, "caller-1", 100, 1) == [1]
    assert take(throttle, "caller-0", 100, 1) == [0]


def test_addresses_of_one_network_share_a_bucket(throttle: Throttle) -> None:
    take(throttle, "2001:db8::1", 100, 3)

    assert take(throttle, "2001:db8::2", 100, 1) == [2]
    assert take(throttle, "2001:db8:0:1::1", 100, 1) == [0]
