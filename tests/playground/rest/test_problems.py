"""Whatever goes wrong below /api/ is one JSON object that says what and where."""

import json
from collections.abc import Callable

import pytest
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory

from cablese.json import pointer
from playground.rest.problems import Problem, ProblemsOnly, answer
from tests.database.faults import database_error, raising

pytestmark = pytest.mark.django_db


def problem(response: HttpResponseBase) -> dict[str, object]:
    assert response.headers["Content-Type"] == "application/problem+json"
    assert isinstance(response, HttpResponse)
    found = dict(json.loads(response.content))
    assert found["status"] == response.status_code
    return found


def passing(path: str, view: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
    response = ProblemsOnly(view)(RequestFactory().get(path))
    assert isinstance(response, HttpResponseBase)
    return response


def test_a_problem_has_the_members_of_rfc_9457_and_a_pointer() -> None:
    response = answer(Problem(413, "Too long.", "/text", limit=3).with_headers(Retry_After="1"))

    assert problem(response) == {
        "type": "about:blank",
        "title": "Request Entity Too Large",
        "status": 413,
        "detail": "Too long.",
        "pointer": "/text",
        "limit": 3,
    }
    assert response.headers["Retry-After"] == "1"


@pytest.mark.parametrize(("name", "step"), [("a", "a"), ("a/b", "a~1b"), ("~1", "~01"), ("", "")])
def test_a_key_is_escaped_as_json_pointers_want_it(name: str, step: str) -> None:
    assert pointer.join(name) == f"/{step}"


@pytest.mark.parametrize(
    "path", ["/api/v1/nowhere", "/api/v1/packets/not-an-id", "/api/v2/decode", "/api/v1/"]
)
def test_an_address_where_nothing_is_has_no_page(client: Client, path: str) -> None:
    assert problem(client.get(path))["status"] == 404


@pytest.mark.parametrize(
    ("path", "allowed"), [("decode", "POST"), ("packets", "POST"), ("packets/batch", "POST")]
)
def test_another_method_is_told_the_right_one(client: Client, path: str, allowed: str) -> None:
    response = client.put(f"/api/v1/{path}")

    assert problem(response)["detail"] == f"Method not allowed. Expected {allowed}."
    assert response.headers["Allow"] == allowed


def test_a_host_that_is_not_ours_gets_a_problem(client: Client) -> None:
    found = problem(client.get("/api/v1/protocols", headers={"host": "evil.example"}))

    assert found["status"] == 400
    assert found["detail"] == "Unknown host. Expected a Host header that CABLESE_HOSTS has."


@pytest.mark.parametrize(
    ("path", "hint"),
    [("packets/", True), ("packets/batch//", True), ("packet/", False), ("", False)],
)
def test_an_address_with_a_slash_too_many_gets_a_hint(
    client: Client, path: str, *, hint: bool
) -> None:
    found = problem(client.post(f"/api/v1/{path}", "{}", content_type="application/json"))

    assert found["status"] == 404
    assert ("Remove the / at its end." in str(found["detail"])) is hint


def test_a_failure_of_ours_says_nothing_of_what_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise LookupError("the words of an agent")

    monkeypatch.setattr("playground.workbench.api.read_json", break_down)
    client = Client(raise_request_exception=False)

    response = client.post("/api/v1/decode", '{"text":"x"}', content_type="application/json")

    assert problem(response)["status"] == 500
    assert b"words of an agent" not in response.content


def test_too_much_for_django_is_a_problem(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    def refuse(*_: object) -> None:
        raise RequestDataTooBig

    monkeypatch.setattr("playground.workbench.api.read_json", refuse)

    found = problem(client.post("/api/v1/decode"))
    assert found["status"] == 413
    assert found["detail"] == "The body is larger than the limit of 10,485,760 bytes."


def test_pages_for_people_and_answers_of_ours_are_left_alone() -> None:
    page = HttpResponse("<p>Not here", status=404)
    ours = answer(Problem(422, "No."))
    docs = HttpResponse("<p>Docs")

    assert passing("/audit/x", lambda _: page) is page
    assert passing("/api/v1/x", lambda _: ours) is ours
    assert passing("/api/docs", lambda _: docs) is docs


def test_a_database_that_cannot_be_written_is_a_503(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    full = database_error("SQLITE_FULL", "database or disk is full")
    monkeypatch.setattr("playground.workbench.api.read_json", raising(full))

    response = client.post("/api/v1/tokens", "{}", content_type="application/json")

    assert problem(response)["status"] == 503
    assert str(problem(response)["detail"]).startswith("The disk is full")
    assert b"database or disk" not in response.content


LONG = "z" * 1_000
TEXT = "REQ/TSK|g=42,t=1"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"decode?{LONG}=1", {"text": TEXT}),
        ("decode", {"text": TEXT, LONG: 1}),
        ("decode", {"text": TEXT, "protocol": LONG}),
        ("decode", {"text": TEXT, "dialect": LONG}),
        ("decode", {"text": TEXT, "protocol": "nslip", "dialect": LONG}),
        ("decode", {"text": TEXT, "tokenizers": [LONG]}),
        ("translate", {"wire": TEXT, "to": LONG}),
        ("corruption", {"wire": TEXT, "unit": LONG}),
        ("tokens/baselines", {"wire": TEXT, "baseline": LONG}),
        ("autopilot", {"text": TEXT, "baseline": LONG}),
        ("nlip/exchange", {"request": "{}", "response": "{}", "dialect": LONG}),
        ("sacp/query", {LONG: 1}),
    ],
)
def test_a_long_name_is_quoted_in_part(client: Client, path: str, body: object) -> None:
    response = client.post(f"/api/v1/{path}", body, content_type="application/json")

    detail = str(problem(response)["detail"])
    assert response.status_code == 422
    assert f"{'z' * 40}…" in detail
    assert "z" * 41 not in detail


@pytest.mark.parametrize("header", ["content-type", "content-encoding"])
def test_a_long_header_is_quoted_in_part(client: Client, header: str) -> None:
    headers = {"content-type": "application/json"} | {header: f"a/{LONG}"}
    response = client.generic("POST", "/api/v1/decode", b"{}", headers=headers)

    assert problem(response)["status"] == 415
    assert "zzz…" in str(problem(response)["detail"])
    assert "z" * 41 not in str(problem(response)["detail"])
