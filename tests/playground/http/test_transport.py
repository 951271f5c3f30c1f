"""How answers travel: what is cached, where cookies go, and what plain HTTP is answered."""

import http.client
import ssl
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from playground.accounts import signin
from tests.installation import running
from tests.playground.certificates import certificate


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    ["/api/v1/protocols", "/api/v1/search", "/api/v1/nothing", "/api/openapi.json", "/api/docs"],
)
def test_no_answer_of_the_api_is_cached(client: Client, address: str) -> None:
    assert client.get(address).headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/", "/protocols/", "/examples/", "/audit/", "/no/such/page", "/signout"]
)
def test_no_page_of_a_signed_in_person_is_cached(client: Client, address: str) -> None:
    client.force_login(User.objects.create_user("ada"))

    assert "no-store" in client.get(address).headers["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/", "/audit/", "/api/docs", "/api/openapi.json", "/api/v1/protocols", "/nlip"]
)
def test_nothing_answers_a_trace(client: Client, address: str) -> None:
    assert client.generic("TRACE", address).status_code == 405


@pytest.mark.parametrize("address", ["/api/v1/packets", "/api/docs", "/api/v1/nothing"])
def test_a_trace_of_the_api_is_answered_with_a_problem(client: Client, address: str) -> None:
    response = client.generic("TRACE", address)

    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Allow"] == ""
    assert response.json()["detail"] == "Method not allowed. No address accepts TRACE."


@pytest.mark.django_db
def test_a_page_of_a_stranger_may_be_cached(client: Client) -> None:
    assert "no-store" not in client.get("/protocols/").headers.get("Cache-Control", "")


@pytest.mark.django_db
def test_cookies_are_secure_where_the_request_was(client: Client) -> None:
    link = signin.link(User.objects.create_user("ada"))

    page = client.get("/signin", secure=True)
    client.get(link, secure=True)
    answer = client.post(link, secure=True)

    assert answer.status_code == 302
    cookies = {**page.cookies, **answer.cookies}
    assert cookies.keys() >= {"sessionid", "csrftoken"}
    for cookie in cookies.values():
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")
        assert (cookie["path"], cookie["domain"]) == ("/", "")


@pytest.mark.django_db
def test_cookies_work_without_tls_on_this_machine(client: Client) -> None:
    answer = client.post(signin.link(User.objects.create_user("ada")))

    assert not answer.cookies["sessionid"]["secure"]


@pytest.mark.django_db
@override_settings(SECURE_SSL_REDIRECT=True, ALLOWED_HOSTS=["log.example.org", "127.0.0.1"])
def test_pages_are_redirected_to_https_and_programs_are_refused() -> None:
    client = Client(headers={"Host": "log.example.org"})

    page = client.get("/protocols/?a=b")
    docs = client.get("/api/docs")
    program = client.get("/api/v1/protocols")

    assert (page.status_code, page.headers["Location"]) == (
        301,
        "https://log.example.org/protocols/?a=b",
    )
    assert docs.status_code == 301
    assert program.status_code == 403
    assert program.json()["detail"].startswith("The API requires HTTPS.")
    assert client.get("/api/v1/protocols", secure=True).status_code == 200
    assert Client(headers={"Host": "127.0.0.1"}).get("/api/v1/protocols").status_code == 200
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
@override_settings(SECURE_HSTS_SECONDS=600)
def test_the_policy_is_sent_over_tls_only() -> None:
    # The middleware reads its settings when it is made, with the client.
    client = Client()

    assert (
        client.get("/protocols/", secure=True).headers["Strict-Transport-Security"] == "max-age=600"
    )
    assert (
        client.get("/api/v1/protocols", secure=True).headers["Strict-Transport-Security"]
        == "max-age=600"
    )
    assert "Strict-Transport-Security" not in client.get("/protocols/").headers


def request(
    host: str, port: int, trust: ssl.SSLContext, address: str, method: str = "GET", **headers: str
) -> Any:
    connection = http.client.HTTPSConnection(host, port, context=trust, timeout=20)
    with suppress(OSError):  # The server may answer before all of a large head is sent.
        connection.request(method, address, headers=headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


def test_a_server_with_a_certificate_sends_secure_cookies_and_the_policy(tmp_path: Path) -> None:
    chain, key = certificate(tmp_path)
    trust = ssl.create_default_context(cafile=str(chain))
    words = "--certificate", str(chain), "--key", str(key)

    with running(tmp_path / "data", *words, CABLESE_HSTS="600; includeSubDomains") as secure:
        host, port = secure.base_url.removeprefix("https://").split(":")
        ask = partial(request, host, int(port), trust)
        answers = {
            address: ask(address)
            for address in (
                "/sacp/plan",
                "/api/v1/protocols",
                "/no/such/page",
                "/static/",
                "/static/base/base.css",
            )
        }
        refused = ask("/", "POST", **{"Content-Type": "text/plain; charset=rot13"})
        beyond = [
            ask("/healthz?" + "a" * 70_000).status,
            ask("/healthz", Cookie="a" * 1_000_000).status,
            ask("/healthz", **{f"X-{at}": "a" for at in range(120)}).status,
        ]
        old = ssl.create_default_context(cafile=str(chain))
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        with pytest.raises(ssl.SSLError):
            http.client.HTTPSConnection(host, int(port), context=old, timeout=20).connect()

    assert beyond == [414, 431, 431]
    for answer in (*answers.values(), refused):
        assert answer.headers.get_all("Strict-Transport-Security") == [
            "max-age=600; includeSubDomains"
        ]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    (cookie,) = answers["/sacp/plan"].headers.get_all("Set-Cookie")
    assert "; Secure" in cookie
