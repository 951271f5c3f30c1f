from pathlib import Path

import pytest

from playground.server.front.arriving.bodies import GRACE, SPOOLED, Bodies, Body
from playground.server.front.arriving.spool import Spool
from playground.server.front.callers import Caller
from playground.server.front.refusals import Refused


class Hall:
    """32 places, and who asks for them."""

    def __init__(self, folder: Path) -> None:
        self.bodies = Bodies(32, seconds=60, rate=100)
        self._folder = folder

    def add(self, name: str, *, key: bool = False) -> tuple[Body, Body | None]:
        caller = Caller(name, name.removeprefix("key:") if key else None, member=key)
        body = Body(caller, Spool(self._folder), 1_000, began=0.0)
        return body, self.bodies.add(body)


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def test_one_client_has_a_share(hall: Hall) -> None:
    for _ in range(4):
        hall.add("address:1")
    for _ in range(8):
        hall.add("key:1", key=True)

    for name, key in (("address:1", False), ("key:1", True)):
        with pytest.raises(Refused) as refused:
            hall.add(name, key=key)
        assert refused.value.refusal.status == 429
        assert refused.value.refusal.retry_after


def test_strangers_leave_half_of_the_places_to_keys(hall: Hall) -> None:
    for number in range(16):
        hall.add(f"address:{number}")

    with pytest.raises(Refused) as refused:
        hall.add("address:new")
    assert refused.value.refusal.status == 503
    assert hall.add("key:1", key=True)[1] is None


def test_keys_may_have_all_places(hall: Hall) -> None:
    for key in "abcd":
        for _ in range(8):
            hall.add(f"key:{key}", key=True)

    with pytest.raises(Refused):
        hall.add("address:1")
    assert hall.bodies.count == 32


def test_who_has_most_makes_room_for_a_newcomer(hall: Hall) -> None:
    oldest, _ = hall.add("address:greedy")
    for name in ("greedy", "greedy", "greedy", *"abcdefghijkl"):
        hall.add(f"address:{name}")

    _, given_up = hall.add("address:new")

    assert given_up is oldest
    assert oldest.late is not None
    assert hall.bodies.count == 16


def test_a_place_is_given_back_once(hall: Hall) -> None:
    body, _ = hall.add("address:1")

    hall.bodies.remove(body)
    hall.bodies.remove(body)

    assert hall.bodies.count == 0
    for _ in range(4):
        hall.add("address:1")


def test_a_body_must_come_fast_enough_and_in_time(hall: Hall) -> None:
    body, _ = hall.add("address:1")

    assert hall.bodies.is_late(body, GRACE) is None
    late = hall.bodies.is_late(body, GRACE + 5)
    assert late is not None
    assert late.status == 408
    body.spool.feed(bytes(600))
    assert hall.bodies.is_late(body, GRACE + 5) is None
    body.spool.feed(bytes(60_000))
    assert hall.bodies.is_late(body, 59) is None
    assert hall.bodies.is_late(body, 61) is not None


def test_files_have_a_limit_together(hall: Hall) -> None:
    hall.bodies.spooled = SPOOLED
    hall.add("address:1")
    hall.bodies.spooled += 1

    with pytest.raises(Refused, match="cannot receive another large request") as refused:
        hall.add("address:2")
    assert refused.value.refusal.status == 503
