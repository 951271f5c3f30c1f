import pytest

from playground.http import wanted
from playground.http.wanted import Unwanted


def test_outside_of_a_request_everything_is_wanted() -> None:
    assert list(wanted.while_wanted("abc")) == ["a", "b", "c"]


def test_work_stops_when_nobody_waits_for_it() -> None:
    done: list[str] = []

    def take(name: str) -> None:
        done.append(name)

    with wanted.asking(lambda: len(done) < 2), pytest.raises(Unwanted):
        list(map(take, wanted.while_wanted("abc")))

    assert done == ["a", "b"]
    wanted.check()
