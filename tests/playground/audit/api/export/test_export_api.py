"""Exports by API: what a query finds, pinned to a size, and continued after a break."""

import csv
import gzip
import io
import json
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log
from playground.http import streaming, wanted
from playground.rest import keys
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def free_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no response that a test leaves unread keep its place."""
    monkeypatch.setattr(streaming, "_places", BoundedSemaphore(streaming._PLACES))


@pytest.fixture
def key() -> str:
    return access.create_key(source="archive", scopes=("export",))[1]


def store(number: int, start: int = 0) -> None:
    items = (Item(f"REQ/TSK|g={n % 2},t={n}") for n in range(start, start + number))
    append(*items, sender=make_sender())


def ask(client: Client, key: str, **parameters: str | int) -> Any:
    headers = {"Authorization": f"Bearer {key}"}
    return client.get("/api/v1/export", parameters, headers=headers)


def lines(response: Any) -> list[dict[str, Any]]:
    assert isinstance(response, StreamingHttpResponse), response.content
    content = response.getvalue()
    assert not content or content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


def problem(response: Any) -> dict[str, Any]:
    assert response.headers["Content-Type"] == "application/problem+json"
    found: dict[str, Any] = json.loads(response.content)
    return found


def test_everything_is_exported_oldest_first(client: Client, key: str) -> None:
    store(5)

    response = ask(client, key)

    assert response.headers["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert response.headers["Cablese-Log-Size"] == "5"
    assert response.headers["Cablese-Last-Leaf"] == "4"
    assert response.headers["Cache-Control"] == "no-store"
    found = lines(response)
    assert [(one["log"], one["leaf"], one["meaning"]["task"]) for one in found] == [
        ("default", n, str(n)) for n in range(5)
    ]
    assert found[0]["sentence"].startswith("Request")


def test_a_broken_export_continues_where_it_ended(client: Client, key: str) -> None:
    store(8)
    first = ask(client, key, q="goal:1")
    begun = lines(first)[:2]
    store(4, start=8)

    rest = ask(
        client, key, q="goal:1", after=begun[-1]["leaf"], at=first.headers["Cablese-Log-Size"],
        time=first.headers["Cablese-Time"],
    )  # fmt: skip

    assert [one["leaf"] for one in begun + lines(rest)] == [1, 3, 5, 7]
    for header in ("Cablese-Log-Size", "Cablese-Time", "Cablese-Last-Leaf"):
        assert rest.headers[header] == first.headers[header]


def test_nothing_is_left_after_the_last_leaf(client: Client, key: str) -> None:
    store(3)

    response = ask(client, key, after=2, at=3)

    assert "Cablese-Last-Leaf" not in response.headers
    assert lines(response) == []


def test_relative_times_count_from_the_time_given(client: Client, key: str) -> None:
    store(1)
    now = int(ask(client, key).headers["Cablese-Time"])

    assert lines(ask(client, key, q="since:1h", time=now + 7_200)) == []
    assert len(lines(ask(client, key, q="since:3h", time=now + 7_200))) == 1
    assert lines(ask(client, key, q="since:20000d", time=0)) != []


def test_csv_has_a_head_and_a_row_for_each_packet(client: Client, key: str) -> None:
    store(3)

    response = ask(client, key, format="csv")

    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    table = csv.DictReader(io.StringIO(response.getvalue().decode(), newline=""))
    assert [row["leaf"] for row in table] == ["0", "1", "2"]


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip;q=0.5", "GZIP"])
def test_it_is_compressed_for_who_accepts_that(client: Client, key: str, accepted: str) -> None:
    store(3)
    headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": accepted}

    response = client.get("/api/v1/export", headers=headers)

    assert response.headers["Content-Encoding"] == "gzip"
    assert response.headers["Vary"] == "Accept-Encoding"
    assert isinstance(response, StreamingHttpResponse)
    assert gzip.decompress(response.getvalue()).count(b"\n") == 3


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "gzip;q=0.0"])
def test_it_is_not_compressed_for_others(client: Client, key: str, accepted: str) -> None:
    headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": accepted}

    assert "Content-Encoding" not in client.get("/api/v1/export", headers=headers).headers


def test_a_wrong_query_is_explained_as_by_search(client: Client, key: str) -> None:
    answer = problem(ask(client, key, q="goal:1 ts:never"))

    assert (answer["status"], answer["pointer"], answer["span"]) == (422, "/q", [10, 15])


@pytest.mark.parametrize(
    ("parameters", "status", "pointer"),
    [
        ({"at": 2}, 422, "/at"), ({"after": -1}, 422, "/after"), ({"format": "xlsx"}, 422,
        "/format"), ({"time": -1}, 422, "/time"), ({"log": "nowhere"}, 404, "/log"),
        ({"form": "csv"}, 422, "/form"),
    ],
)  # fmt: skip
def test_a_wrong_parameter_is_named(
    client: Client, key: str, parameters: dict[str, str | int], status: int, pointer: str
) -> None:
    store(1)

    answer = problem(ask(client, key, **parameters))

    assert (answer["status"], answer["pointer"]) == (status, pointer)


def test_a_key_of_a_log_exports_that_log_only(client: Client) -> None:
    logs.create(slug="home")
    append(Item("REQ/TSK|g=1,t=1", log="home"), sender=make_sender())
    store(2)
    home = Log.objects.get(slug="home")
    _, token = access.create_key(source="archive", scopes=("export",), log=home)

    assert [one["log"] for one in lines(ask(client, token))] == ["home"]
    assert problem(ask(client, token, log="default"))["status"] == 403


def test_an_export_ends_when_its_key_is_revoked(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "CHECKED", -1.0)
    store(2)
    valid, broken = ask(client, key), ask(client, key)
    assert len(lines(valid)) == 2

    access.revoke_key(key.split("_")[2])

    with pytest.raises(wanted.Unwanted):
        b"".join(broken.streaming_content)


def test_an_export_over_the_limit_of_downloads_is_refused(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(1)
    taken = [ask(client, key) for _ in range(streaming._PLACES)]

    response = ask(client, key)

    assert (problem(response)["status"], response.headers["Retry-After"]) == (503, "5")
    for one in taken:
        lines(one)
    assert len(lines(ask(client, key))) == 1
