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
