"""Live views of a real server: what comes when, over HTTP, which Django's test client
cannot show.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.installation import Installation, running

WIRE = "REQ/TSK|g={},t=1"
NDJSON = "application/x-ndjson"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One with few threads: two streams, and no pads of other tests."""
    with running(tmp_path_factory.mktemp("stream"), CABLESE_THREADS="8") as one:
        yield one


@pytest.fixture
def pad(installation: Installation) -> Iterator[dict[str, Any]]:
    _, opened = call(installation, "POST", "/api/v1/pads")
    yield opened
    call(installation, "DELETE", f"/api/v1/pads/{opened['key']}")


def call(
    installation: Installation, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, Any]:
    connection = HTTPConnection(urlsplit(installation.base_url).netloc, timeout=30)
    try:
        connection.request(
            method, path, body, headers, encode_chunked=not isinstance(body, bytes | None)
        )
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def post(
    installation: Installation, pad: dict[str, Any], body: Any, media: str = "text/plain"
) -> Any:
    status, answer = call(
        installation, "POST", urlsplit(pad["post"]).path, body, **{"Content-Type": media}
    )
    assert status == 200, answer
    return answer


@contextmanager
def listening(
    installation: Installation, pad: dict[str, Any], **headers: str
) -> Iterator[HTTPResponse]:
    """A stream, as soon as those of earlier tests have given their places back."""
    until = monotonic() + 20
    while True:
        with asking(installation, pad, **headers) as stream:
            if stream.status == 200:
                yield stream
                return
        assert monotonic() < until, "no place became free"
        sleep(0.1)


@contextmanager
def asking(
    installation: Installation, pad: dict[str, Any], **headers: str
) -> Iterator[HTTPResponse]:
    connection = HTTPConnection(urlsplit(installation.base_url).netloc, timeout=30)
    connection.request("GET", f"/stream/pad/{pad['key']}/events", headers=headers)
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def batches(stream: HTTPResponse) -> Iterator[tuple[int, dict[str, Any]]]:
    """The events of a stream with their ids, as they come."""
    number = 0
    while line := stream.readline():
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "id":
            number = int(value)
        elif name == "data" and value != "{}":
            yield number, json.loads(value)


def numbers(batch: dict[str, Any]) -> list[int]:
    return [line["n"] for line in batch["lines"]]


def test_messages_come_while_the_stream_is_open(
    installation: Installation, pad: dict[str, Any]
) -> None:
    with listening(installation, pad) as stream:
        coming = batches(stream)
        assert stream.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert next(coming)[1]["lines"] == []
        for number in (1, 2):
            post(installation, pad, WIRE.format(number).encode())
            assert numbers(next(coming)[1]) == [number]


def test_a_stream_goes_on_behind_the_last_event(
    installation: Installation, pad: dict[str, Any]
) -> None:
    post(installation, pad, "\n".join(WIRE.format(at) for at in range(3)).encode())
    with listening(installation, pad, **{"Last-Event-ID": "2"}) as stream:
        number, batch = next(batches(stream))

    assert (number, batch["since"], numbers(batch)) == (3, 2, [3])


@pytest.mark.parametrize("media", ["text/plain", NDJSON])
def test_a_chunked_body_is_read_like_any_other(
    installation: Installation, pad: dict[str, Any], media: str
) -> None:
    body = "".join(f"{WIRE.format(at)}\n" for at in range(5000)).encode()

    answer = post(
        installation, pad, iter([body[at : at + 777] for at in range(0, len(body), 777)]), media
    )

    assert answer["messages"] == 5000


def test_many_lines_share_an_event_and_none_is_lost(
    installation: Installation, pad: dict[str, Any]
) -> None:
    total = 1_500
    with listening(installation, pad) as stream:
        coming = batches(stream)
        next(coming)
        posting = threading.Thread(
            target=lambda: [
                post(installation, pad, WIRE.format(at).encode()) for at in range(total)
            ]
        )
        posting.start()
        seen: list[int] = []
        events = 0
        while len(seen) < total:
            seen += numbers(next(coming)[1])
            events += 1
        posting.join()

    assert seen == list(range(1, total + 1))
    assert events < total / 4


def test_beyond_its_places_a_stream_is_refused_and_batches_are_not(
    installation: Installation, pad: dict[str, Any]
) -> None:
    with listening(installation, pad) as first, listening(installation, pad) as second:
        next(batches(first))
        next(batches(second))
        with asking(installation, pad) as third:
            assert third.status == 503
        status, batch = call(installation, "GET", f"/stream/pad/{pad['key']}/lines")
        assert (status, batch["lines"]) == (200, [])


def test_a_place_is_free_again_when_its_browser_is_gone(
    installation: Installation, pad: dict[str, Any]
) -> None:
    for _ in range(6):
        with listening(installation, pad) as stream:
            assert next(batches(stream))


def test_closing_a_pad_ends_its_streams(installation: Installation, pad: dict[str, Any]) -> None:
    with listening(installation, pad) as stream:
        next(batches(stream))
        call(installation, "DELETE", f"/api/v1/pads/{pad['key']}")

        assert stream.read().endswith(b"event: ended\ndata: {}\n\n")


def test_a_commit_to_a_log_is_seen_at_once(installation: Installation) -> None:
    key = installation.manage("apikey", "create", "tail", "--scopes", "ingest")
    connection = HTTPConnection(urlsplit(installation.base_url).netloc, timeout=30)
    link = installation.sign_in_link("ada")
    cookie = sign_in(installation, link)
    connection.request("GET", "/stream/log/default/events?q=goal:77", headers={"Cookie": cookie})
    coming = batches(connection.getresponse())
    _, first = next(coming)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": NDJSON}
    body = "\n".join(json.dumps({"wire": WIRE.format(at)}) for at in (76, 77, 78)).encode()

    status, receipts = call(installation, "POST", "/api/v1/packets/batch", body, **headers)
    _, batch = next(coming)
    connection.close()

    assert status == 201
    assert batch["since"] == first["to"]
    assert numbers(batch) == [receipts["results"][1]["leaf"]]
    assert (batch["messages"], batch["hidden"]) == (3, 2)


def sign_in(installation: Installation, link: str) -> str:
    """The cookie of somebody signed in."""
    connection = HTTPConnection(urlsplit(installation.base_url).netloc, timeout=30)
    path = urlsplit(link).path
    connection.request("GET", path)
    page = connection.getresponse()
    token = (
        page.read().decode().partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    )
    csrf = str(page.headers["Set-Cookie"]).partition(";")[0]
    connection.request(
        "POST",
        path,
        f"csrfmiddlewaretoken={token}",
        {"Cookie": csrf, "Content-Type": "application/x-www-form-urlencoded"},
    )
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return next(
        value.partition(";")[0]
        for name, value in answer.getheaders()
        if value.startswith("sessionid=")
    )
