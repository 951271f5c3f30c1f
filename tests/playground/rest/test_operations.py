"""Whatever is wrong with a request, every operation answers it with one problem that says so."""

import json
import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.models import Packet
from playground.api import api

pytestmark = pytest.mark.django_db

EXAMPLES = {"uid": "00000000-0000-7000-8000-000000000000", "number": "1"}
DOCUMENT = api.get_openapi_schema()
PATHS: dict[str, dict[str, Any]] = DOCUMENT["paths"]
OPERATIONS = [(method, path) for path, operations in PATHS.items() for method in operations]
KEYED = [
    (method, path)
    for method, path in OPERATIONS
    if {} not in PATHS[path][method].get("security", [{}])
]
WITH_BODY = [(method, path) for method, path in OPERATIONS if "requestBody" in PATHS[path][method]]
STREAMED = ("/api/v1/evidence", "/api/v1/export", "/api/v1/nslip/training")
# What is posted to a live session is shown, whatever it is.
LENIENT = ("/api/v1/post/{address}",)
VERBS = {
    "Assemble", "Bill", "Cancel", "Check", "Close", "Compare", "Complete", "Compute", "Convert",
    "Count", "Create", "Decide", "Decode", "Delete", "Encode", "Erase", "Export", "Find",
    "Generate", "Get", "List", "Measure", "Open", "Post", "Preview", "Promote", "Query", "Rank",
    "Read", "Register", "Rehearse", "Reject", "Search", "Send", "Spawn", "Store", "Test", "Track",
    "Translate", "Update", "Validate", "Withdraw", "Write",
}  # fmt: skip


@pytest.fixture
def key() -> str:
    return access.create_key(source="bot", scopes=access.SCOPES)[1]


def open_address(client: Client) -> str:
    """Where a live session is posted to."""
    return str(client.post("/api/v1/pads").json()["post"]).rpartition("/")[2]


def ask(
    client: Client,
    method: str,
    path: str,
    key: str | None,
    body: bytes = b"{}",
    media: str = "application/json",
    address: str = "a" * 24,
) -> Any:
    examples = EXAMPLES | {"address": address}
    path = path.replace("workflows/{name}", "workflows/payroll")
    path = re.sub(r"{(\w+)}", lambda seen: examples.get(seen[1], "a" * 24), path)
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return client.generic(method.upper(), path, body, content_type=media, headers=headers)


def problem(response: Any) -> dict[str, Any]:
    assert response.headers["Content-Type"] == "application/problem+json", response.getvalue()
    found: dict[str, Any] = json.loads(response.content)
    assert list(found)[:5] == ["type", "title", "status", "detail", "pointer"]
    assert found["status"] == response.status_code >= 400
    assert found["title"] == HTTPStatus(response.status_code).phrase
    assert found["detail"]
    return found


def has_head(path: str) -> bool:
    return "get" in PATHS[path] and path not in STREAMED


def documented(method: str, path: str) -> set[int]:
    return {int(status) for status in PATHS[path][method]["responses"]}


@pytest.mark.parametrize("path", PATHS)
def test_another_method_is_405(client: Client, key: str, path: str) -> None:
    for method in {"get", "post", "put", "patch", "delete", "options", "brew"} - PATHS[path].keys():
        response = ask(client, method, path, key)

        assert problem(response)["status"] == 405
        allowed = {part.strip().lower() for part in response.headers["Allow"].split(",")}
        assert allowed == PATHS[path].keys() | ({"head"} if has_head(path) else set())


@pytest.mark.parametrize("path", [path for path in PATHS if "get" in PATHS[path]])
def test_head_is_answered_like_get_unless_the_response_is_streamed(
    client: Client, key: str, path: str
) -> None:
    read, head = ask(client, "get", path, key), ask(client, "head", path, key)

    assert head.getvalue() == b""
    if not has_head(path):
        assert head.status_code == 405
        return
    assert head.status_code == read.status_code
    assert head.headers["Content-Type"] == read.headers["Content-Type"]


@pytest.mark.parametrize(("method", "path"), KEYED)
def test_without_a_valid_key_it_is_401(client: Client, method: str, path: str) -> None:
    for wrong in (None, "", "cbl_live_x", "é", "x" * 5_000):
        response = ask(client, method, path, wrong)

        assert problem(response)["status"] == 401
        assert response.headers["WWW-Authenticate"] == "Bearer"
    assert 401 in documented(method, path)


@pytest.mark.parametrize(("method", "path"), KEYED)
def test_a_key_without_the_scope_is_403(client: Client, method: str, path: str) -> None:
    other = "ingest" if path.endswith(("/export", "/evidence")) else "export"
    _, lesser = access.create_key(source="bot", scopes=(other,))

    assert problem(ask(client, method, path, lesser))["status"] == 403
    assert 403 in documented(method, path)


BROKEN = [
    b"", b" \r\n", b"{", b"\xff\xfe", b"nul", b'"', b"[" * 100_000, b'{"nonsense":1}', b"[1]",
    b'{"wire":"\\ud800"}', b'{"a":1,"a":2}',
]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path"), [operation for operation in WITH_BODY if operation[1] not in LENIENT]
)
def test_a_body_that_cannot_be_read_is_a_documented_problem(
    client: Client, key: str, method: str, path: str
) -> None:
    for body in BROKEN:
        status = problem(ask(client, method, path, key, body))["status"]

        assert status in {400, 404, 413, 422} & documented(method, path), body
    assert not Packet.objects.exists()


@pytest.mark.parametrize(
    ("method", "path"), [operation for operation in WITH_BODY if operation[1] not in LENIENT]
)
def test_another_kind_of_body_is_415(client: Client, key: str, method: str, path: str) -> None:
    for media in ("application/xml", "multipart/form-data", "image/png", "text/html", "x"):
        assert problem(ask(client, method, path, key, b"<x/>", media))["status"] == 415
    assert 415 in documented(method, path)


@pytest.mark.parametrize(("method", "path"), WITH_BODY)
def test_too_large_a_body_is_413(client: Client, key: str, method: str, path: str) -> None:
    address = open_address(client) if path in LENIENT else ""
    size = 17 * 1024 * 1024 if path.endswith("/packets") else 9 * 1024 * 1024

    assert (
        problem(ask(client, method, path, key, b"[" + b" " * size + b"]", address=address))[
            "status"
        ]
        == 413
    )
    assert 413 in documented(method, path)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_it_has_a_short_name_of_a_verb_and_a_noun(method: str, path: str) -> None:
    first, *rest = PATHS[path][method]["summary"].split()

    assert first in VERBS
    assert 1 <= len(rest) <= 6
    assert not any(word.istitle() and word != "English" for word in rest)


def test_every_posted_body_is_described() -> None:
    kinds = {path: set(PATHS[path][method]["requestBody"]["content"]) for method, path in WITH_BODY}

    assert kinds["/api/v1/packets/batch"] == {
        "application/json",
        "application/x-ndjson",
        "text/plain",
    }
    assert {path for path in PATHS if "post" in PATHS[path]} - kinds.keys() == {"/api/v1/pads"}


def test_names_are_unique() -> None:
    names = [PATHS[path][method]["summary"] for method, path in OPERATIONS]
    assert len(set(names)) == len(names)
