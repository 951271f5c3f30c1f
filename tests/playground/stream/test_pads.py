"""The pads of a process: secret addresses, an hour each, so many and no more."""

import gc
import threading
from typing import Any

import pytest

from auditlog.ingest.item import Item
from playground.stream.pad import LIFE, Ended
from playground.stream.pads import PADS, PADS_PER_CALLER, UNUSED, NoPad, Pads, TooMany, address_of


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pads(clock: Clock) -> Pads:
    return Pads(clock)


def test_a_pad_has_a_key_to_read_it_and_an_address_to_post_to(pads: Pads) -> None:
    key, pad = pads.open("here")

    assert pads.get(key) is pad
    assert pads.at(address_of(key)) is pad


def test_neither_address_does_the_work_of_the_other(pads: Pads) -> None:
    key, _ = pads.open("here")

    with pytest.raises(NoPad):
        pads.at(key)
    with pytest.raises(NoPad):
        pads.get(address_of(key))


def test_addresses_are_144_bits_that_nobody_can_guess(pads: Pads) -> None:
    keys = [pads.open(str(at))[0] for at in range(PADS)]

    assert len(set(keys)) == PADS
    assert {len(key) for key in keys} == {24}
    assert {len(address_of(key)) for key in keys} == {24}


def test_only_hashes_of_the_addresses_are_held(pads: Pads) -> None:
    key, _ = pads.open("here")

    held = repr(gc.get_referents(pads.__dict__))

    assert key not in held
    assert address_of(key) not in held


def test_an_hour_later_it_has_ended_and_what_it_held_is_gone(pads: Pads, clock: Clock) -> None:
    key, pad = pads.open("here")
    pad.take([Item("REQ/TSK|g=1,t=1")], now=clock.now)
    clock.now += LIFE - 1
    assert pads.get(key) is pad

    clock.now += 1

    with pytest.raises(Ended):
        pads.get(key)
    with pytest.raises(Ended):
        pads.at(address_of(key))
    assert pad.ended
    assert pad.entries() == []


def test_what_nobody_asks_for_is_swept_away_all_the_same(pads: Pads, clock: Clock) -> None:
    _, pad = pads.open("here")
    clock.now += LIFE

    pads.sweep()

    assert pad.ended


def test_a_closed_pad_has_ended(pads: Pads) -> None:
    key, pad = pads.open("here")
    pads.close(pad)

    assert pad.ended
    with pytest.raises(Ended):
        pads.get(key)


def test_one_caller_opens_so_many_and_others_go_on(pads: Pads, clock: Clock) -> None:
    for _ in range(PADS_PER_CALLER):
        pads.open("here")
    clock.now += 100

    with pytest.raises(TooMany) as refused:
        pads.open("here")

    assert refused.value.mine
    assert refused.value.seconds == LIFE - 100
    assert pads.open("there")


def test_there_is_an_end_to_all_pads_together(pads: Pads) -> None:
    for at in range(PADS):
        pads.open(str(at))

    with pytest.raises(TooMany) as refused:
        pads.open("another")

    assert not refused.value.mine


def test_four_callers_do_not_take_all_of_them(pads: Pads, clock: Clock) -> None:
    keys = []
    for caller in "abcd":
        for _ in range(PADS_PER_CALLER):
            keys.append(pads.open(caller)[0])
            clock.now += 1
    for key in keys[1:]:
        pads.get(key)

    key, pad = pads.open("new")

    assert pads.get(key) is pad
    with pytest.raises(Ended):
        pads.get(keys[0])
    assert all(pads.get(key) for key in keys[1:])


def test_one_that_nobody_uses_makes_room(pads: Pads, clock: Clock) -> None:
    keys = [pads.open(str(at))[0] for at in range(PADS)]
    with pytest.raises(TooMany):
        pads.open("new")

    clock.now += UNUSED + 1
    for key in keys[1:]:
        pads.get(key)
    pads.open("new")

    with pytest.raises(Ended):
        pads.get(keys[0])
    with pytest.raises(TooMany):
        pads.open("another")


def test_a_stranger_never_takes_the_room_of_a_key(pads: Pads, clock: Clock) -> None:
    keys = [pads.open(str(at), key_id=f"key{at}")[0] for at in range(PADS)]
    clock.now += UNUSED + 1

    with pytest.raises(TooMany):
        pads.open("stranger")
    assert pads.open("member", key_id="another")
    with pytest.raises(Ended):
        pads.get(keys[0])


def test_what_ended_makes_room(pads: Pads, clock: Clock) -> None:
    for at in range(PADS):
        pads.open(str(at))
    clock.now += LIFE

    assert pads.open("another")


def test_only_the_last_that_ended_are_remembered(
    pads: Pads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each pad two addresses."""
    monkeypatch.setattr("playground.stream.pads._REMEMBERED", 4)
    keys = [pads.open("here") for _ in range(3)]
    for _, pad in keys:
        pads.close(pad)

    with pytest.raises(NoPad):
        pads.get(keys[0][0])
    for key, _ in keys[1:]:
        with pytest.raises(Ended):
            pads.get(key)


def test_a_pad_that_nobody_asks_for_is_swept_after_its_hour(
    pads: Pads, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    class Timer:
        def __init__(self, seconds: float, _act: Any) -> None:
            waits.append(seconds)

        def start(self) -> None:
            pass

    monkeypatch.setattr(threading, "Timer", Timer)
    pads.open("here")
    pads.open("there")

    assert waits == [LIFE]
