"""A query parameter that an operation does not have is refused, whatever the operation."""

import re
from typing import Any

import pytest
from django.test import Client, RequestFactory

from auditlog import access
from auditlog.models import Packet
from playground.api import api
from playground.rest.body import announced
from playground.rest.parameters import check_query

pytestmark = pytest.mark.django_db

EXAMPLES = {"uid": "00000000-0000-7000-8000-000000000000", "number": "1"}
DOCUMENT = api.get_openapi_schema()
OPERATIONS = [
    (
        method,
        path,
        [parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"],
    )
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
]


@pytest.fixture
def key() -> str:
    return access.create_key(source="bot", scopes=access.SCOPES)[1]


def ask(client: Client, method: str, path: str, key: str | None) -> Any:
    path = re.sub(r"{(\w+)}", lambda seen: EXAMPLES.get(seen[1], "a" * 24), path)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.generic(
        method.upper(), path, b"{}", content_type="application/json", headers=headers
    )


def test_all_operations_are_asked() -> None:
    assert len(OPERATIONS) > 50


@pytest.mark.parametrize(
    ("method", "path", "names"), OPERATIONS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_an_unknown_one_is_named_with_the_valid_ones(
    client: Client, key: str, method: str, path: str, names: list[str]
) -> None:
    response = ask(client, method, f"{path}?nonsense_~/=1", key)

    assert response.status_code == 422, response.content
    problem = response.json()
    assert problem["pointer"] == "/nonsense_~0~1"
    assert '"nonsense_~/"' in problem["detail"]
    assert all(name in problem["detail"] for name in names)
    assert "422" in {str(status) for status in DOCUMENT["paths"][path][method]["responses"]}


@pytest.mark.parametrize(
    ("method", "path", "names"), OPERATIONS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_none_of_the_documented_ones_is_unknown(
    client: Client, key: str, method: str, path: str, names: list[str]
) -> None:
    for name in names:
        assert (
            "Unknown query parameter"
            not in ask(client, method, f"{path}?{name}=1", key).getvalue().decode()
        )


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [("search?limt=5", "limit"), ("search?Q=x", "q"), ("search?zzz=1", None)],
)
def test_the_nearest_one_is_suggested(
    client: Client, key: str, path: str, suggestion: str | None
) -> None:
    problem = ask(client, "get", f"/api/v1/{path}", key).json()

    assert problem.get("suggestion") == suggestion
    assert (f"Did you mean {suggestion}?" in problem["detail"]) is bool(suggestion)


def test_one_that_is_given_twice_is_refused(client: Client, key: str) -> None:
    response = ask(client, "get", "/api/v1/search?limit=1&limit=2", key)

    assert (response.status_code, response.json()["pointer"]) == (422, "/limit")


WHOLE = "a whole number from 1 to 1,000"
DAY = "a date such as 2026-11-20"
FEW = "text of at most 100 characters"
WITHHELD = "(raw|index|reading|event|by)"


@pytest.mark.parametrize(
    ("method", "path", "detail"),
    [
        ("get", "search?limit=abc", f'Invalid limit "abc". Expected {WHOLE}.'),
        ("get", "search?limit=", f'Invalid limit "". Expected {WHOLE}.'),
        ("get", "search?limit=0", f'Invalid limit "0". Expected {WHOLE}.'),
        ("get", "search?limit=1001", f'Invalid limit "1001". Expected {WHOLE}.'),
        ("get", f"search?limit={'9' * 50}", f'Invalid limit "{"9" * 40}…". Expected {WHOLE}.'),
        ("get", "search?at=1.5",
         'Invalid at "1.5". Expected a whole number from 1 to 9,007,199,254,740,991.'),
        ("get", "search?log=A%20B",
         'Invalid log "A B". Expected text that matches ^[a-z0-9-]{1,40}$.'),
        ("get", "search?cursor=x",
         "Invalid cursor. Expected the value of next in a response to the same query."),
        ("get", "search/complete?caret=-1",
         'Invalid caret "-1". Expected a whole number of at least 0.'),
        ("get", f"search/complete?q={'x' * 4001}",
         f'Invalid q "{"x" * 40}…". Expected text of at most 4,000 characters.'),
        ("get", "evidence?withhold=x",
         f'Invalid withhold "x". Expected {FEW} that matches ^{WITHHELD}(,{WITHHELD})*$.'),
        ("get", "export?format=xml", 'Invalid format "xml". Expected ndjson, csv.'),
        ("post", "packets?strict=maybe", 'Invalid strict "maybe". Expected true or false.'),
        ("get", "statistics?from=x", f'Invalid from "x". Expected {DAY}.'),
        ("get", "statistics?to=2026-99-01", f'Invalid to "2026-99-01". Expected {DAY}.'),
        ("get", "statistics?price=nan",
         'Invalid price "nan". Expected a number from 0 to 100,000.'),
        ("get", "statistics?source=x",
         'Unknown source "x". Expected the name of a source with packets in the log default.'),
        ("get", "pads/short",
         'Invalid key "short". Expected text that matches ^[A-Za-z0-9_-]{24}$.'),
        ("get", "claims?tokenizer=x", 'Unknown tokenizer "x". Expected o200k_base, '),
    ],
)  # fmt: skip
def test_one_that_does_not_fit_is_told_what_fits(
    client: Client, key: str, method: str, path: str, detail: str
) -> None:
    response = ask(client, method, f"/api/v1/{path}", key)

    assert response.status_code == 422
    assert response.json()["detail"].startswith(detail)
    assert response.json()["pointer"] == f"/{re.split('[/?=]', path)[-2].replace('pads', 'key')}"


@pytest.mark.parametrize(
    ("method", "path", "names"), OPERATIONS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_each_one_that_does_not_fit_is_named(
    client: Client, key: str, method: str, path: str, names: list[str]
) -> None:
    for name in names:
        for sent in ("", "-1", "1e400", "x" * 200, "%00", "2026-99-01"):
            response = ask(client, method, f"{path}?{name}={sent}", key)
            if response.status_code == 422:
                detail = response.json()["detail"]
                assert not re.search(r"\b(Input|String|Value) should\b", detail), detail


def test_a_key_is_asked_for_first(client: Client) -> None:
    assert ask(client, "get", "/api/v1/search?limt=5", None).status_code == 401


def test_nothing_is_stored(client: Client, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    response = client.post(
        "/api/v1/packets?stric=true",
        {"wire": "REQ/TSK|g=1"},
        content_type="application/json",
        headers=headers,
    )

    assert response.status_code == 422
    assert not Packet.objects.exists()


@pytest.mark.parametrize(
    "path", ["/?utm_source=x", "/claims/?x=1", "/protocols/?x=1", "/api/docs?x=1"]
)
def test_pages_take_any(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


def test_a_request_without_a_query_is_read_no_further() -> None:
    request = RequestFactory().post("/api/v1/packets", b"{}", content_type="application/json")

    check_query(request, ())

    assert announced(request) == 2
    assert vars(request).keys().isdisjoint({"GET", "headers"})
