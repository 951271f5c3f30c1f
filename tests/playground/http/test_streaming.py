"""Answers that are made while they are sent: only so many at a time, and each gives its
place back.
"""

import gc
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client, RequestFactory

from auditlog.models import Log
from playground.http import streaming
from playground.http.streaming import Busy, LimitedStream, respond

pytestmark = pytest.mark.django_db
FILES = (
    "/protocols/nslip/training.jsonl",
    "/api/v1/nslip/training",
    "/audit/export.csv",
    "/audit/export.ndjson",
)


@pytest.fixture(autouse=True)
def all_given_back() -> Iterator[None]:
    gc.collect()
    before = free()
    yield
    gc.collect()
    assert free() == before


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    Log.objects.get_or_create(slug="default")
    return client


def free() -> int:
    """How many places there are now."""
    taken = 0
    while streaming._places.acquire(blocking=False):
        taken += 1
    for _ in range(taken):
        streaming._places.release()
    return taken


@pytest.mark.parametrize("address", FILES)
def test_a_file_too_many_is_refused_and_one_that_was_sent_makes_room(
    reader: Client, address: str
) -> None:
    held = [LimitedStream(lambda: [b""], streaming._places) for _ in range(free())]

    refused = reader.get(address)
    held[0].close()
    sent = reader.get(address)

    assert refused.status_code == 503
    assert refused["Retry-After"] == "5"
    assert b"Try again" in refused.content
    assert sent.status_code == 200
    sent.getvalue()
    sent.close()
    assert free() == 1
    # The log that the test keeps holds the request, and with it these.
    for one in held:
        one.close()


def test_people_who_are_not_signed_in_leave_places_to_those_who_are(reader: Client) -> None:
    held = [Client().get(FILES[0]) for _ in range(free())]

    answer = reader.get("/audit/export.csv")

    assert {one.status_code for one in held} == {200, 503}
    assert answer.status_code == 200
    for one in (*held, answer):
        one.close()


def test_a_place_is_given_back_once_however_often_it_is_closed_and_though_nothing_was_sent() -> (
    None
):
    before = free()
    closed: list[int] = []

    def blocks() -> Iterator[bytes]:
        try:
            yield b"a"
            yield b"b"
        finally:
            closed.append(1)

    sent = LimitedStream(blocks, streaming._places)
    assert next(iter(sent)) == b"a"
    sent.close()
    sent.close()
    LimitedStream(blocks, streaming._places).close()

    assert free() == before
    assert closed == [1]


def test_an_answer_that_nobody_closes_gives_its_place_back_when_it_is_gone() -> None:
    before = free()

    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    answer = respond(request, [b"a"], "text/plain")
    assert free() == before - 1
    del answer
    gc.collect()

    assert free() == before


def test_there_are_fewer_places_than_threads() -> None:
    held = [LimitedStream(list, streaming._places) for _ in range(free())]

    assert 1 <= len(held) <= 4
    with pytest.raises(Busy):
        LimitedStream(list, streaming._places)
