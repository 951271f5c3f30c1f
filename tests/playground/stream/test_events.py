"""Streams of events: their places and their end."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest

from auditlog.ingest.item import Item
from playground.http.streaming import Busy
from playground.stream import events
from playground.stream.events import respond
from playground.stream.feeds import PadFeed
from playground.stream.pad import Pad

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pad() -> Pad:
    return Pad(opener="here", now=0)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(events, "TICK", 0.0)
    monkeypatch.setattr(events, "HEARTBEAT", 0.01)
    yield
    assert free() == PLACES


def free() -> int:
    """How many places there are now."""
    taken = 0
    while events._places.acquire(blocking=False):
        taken += 1
    for _ in range(taken):
        events._places.release()
    return taken


PLACES = free()


def numbers(event: bytes) -> list[int]:
    data = next(line for line in event.decode().splitlines() if line.startswith("data: "))
    return [line["n"] for line in json.loads(data.removeprefix("data: "))["lines"]]


@dataclass(frozen=True)
class Quiet(PadFeed):
    """A feed that fails when its stream waits again and again, and neither speaks nor ends."""

    waits: list[float] = field(default_factory=list)

    def wait(self, after: int, seconds: float) -> bool:
        self.waits.append(seconds)
        assert len(self.waits) < 30
        return super().wait(after, seconds)


def open_stream(pad: Pad, *args: Any, **options: Any) -> Any:
    """The content of a response: blocks, and how to close it."""
    response: Any = respond(Quiet(pad), *args, **options)
    return response._iterator


def test_lines_come_as_they_are_posted_each_event_with_the_number_to_go_on_behind(pad: Pad) -> None:
    pad.take([Item("REQ/TSK|g=1,t=1")])
    stream = open_stream(pad, None)

    assert next(stream) == b"retry: 1000\n\n"
    assert numbers(first := next(stream)) == [1]
    assert first.startswith(b"id: 1\n")
    pad.take([Item("REQ/TSK|g=2,t=1"), Item("REQ/TSK|g=3,t=1")])
    assert numbers(next(stream)) == [2, 3]
    stream.close()


def test_it_goes_on_behind_what_was_heard_last(pad: Pad) -> None:
    pad.take([Item(f"REQ/TSK|g={at},t=1") for at in range(3)])
    stream = open_stream(pad, 2)
    next(stream)

    assert numbers(next(stream)) == [3]
    stream.close()


def test_quiet_is_broken_by_a_sign_of_life(pad: Pad) -> None:
    stream = open_stream(pad, None)
    next(stream)
    next(stream)

    assert next(stream) == b": \n\n"
    stream.close()


def test_an_old_stream_says_that_it_ends_and_another_may_follow(
    pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MAX_AGE", -1.0)
    stream = open_stream(pad, None)

    assert list(stream)[-1] == b"event: again\ndata: {}\n\n"
    stream.close()


def test_the_end_of_a_pad_is_the_end_of_its_streams(pad: Pad) -> None:
    stream = open_stream(pad, None)
    next(stream)
    next(stream)
    pad.end()

    assert list(stream)[-1] == b"event: ended\ndata: {}\n\n"
    stream.close()


def test_a_quarter_of_the_threads_and_no_more(pad: Pad) -> None:
    streams = [open_stream(pad, None) for _ in range(PLACES)]

    with pytest.raises(Busy):
        open_stream(pad, None)
    for stream in streams:
        stream.close()
        stream.close()


def test_an_answer_that_was_never_sent_gives_its_place_back(pad: Pad) -> None:
    response = respond(PadFeed(pad), None)

    response.close()


def test_it_ends_soon_after_its_reader_may_read_no_longer(
    pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "RECHECK", 0.0)
    answers = iter([True, False])
    stream = open_stream(pad, None, may_read=lambda: next(answers))

    rest = [event for event in stream if event != b": \n\n"][2:]

    assert rest == [b"event: again\ndata: {}\n\n"]
    stream.close()


def test_a_stream_is_stored_nowhere(pad: Pad) -> None:
    with closing(respond(PadFeed(pad), None)) as response:
        assert response.headers["Cache-Control"] == "no-store"
