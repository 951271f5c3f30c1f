"""Our NLIP server agent over HTTP: what it answers, how often, and over which connection."""

from typing import Any

import pytest
from django.core import signing
from django.test import Client
from pytest_django.fixtures import Settings

from auditlog import access
from auditlog.models import Packet
from playground.http.throttle import Throttle
from playground.nlip.views import agent as view
from playground.server import environment
from playground.wsgi import with_scheme
from tests.playground.drawn import words
from tests.playground.nlip.server_agent.messages import body, ours, post, read, said, token

pytestmark = pytest.mark.django_db


@pytest.mark.requirement("NLIP-20")
@pytest.mark.requirement("NLIP-29")
@pytest.mark.requirement("NLIP-34")
@pytest.mark.parametrize("address", ["/nlip", "/nlip/"])
def test_a_message_is_answered_without_authentication(client: Client, address: str) -> None:
    response = post(client, body("REQ/TSK|g=42,t=1"), address)

    assert response.status_code == 200
    assert (
        "1 message found. nSLIP, valid, 11 tokens: Requests task 1 of goal 42."
        in read(response).values["content"]
    )
    assert "no-store" in response.headers["Cache-Control"]
    assert Packet.objects.count() == 0


@pytest.mark.requirement("NLIP-21")
@pytest.mark.requirement("NLIP-22")
def test_a_conversation_goes_on_by_its_tokens(client: Client) -> None:
    first = said(client, body("Hello", token("conversation", "c-17")))
    mine = ours(first)

    second = said(client, body("More", token("conversation", "c-17"), mine))

    assert ours(second) == mine
    assert (
        sum(part["subformat"].startswith("conversation") for part in second.values["submessages"])
        == 2
    )


@pytest.mark.requirement("NLIP-22")
def test_a_token_that_we_did_not_sign_comes_back_like_any_other(client: Client) -> None:
    forged = token(
        "conversation_cablese", signing.Signer(salt="another").sign_object(["a", False, False])
    )

    answer = read(post(client, body("Hello", forged)))

    assert forged in answer.values["submessages"]
    assert len(answer.values["submessages"]) == 2


@pytest.mark.parametrize(
    "wire", ["", "null", "{", "\x00", "[" * 100_000, body("x")[:-1], b"\xff\xfe", b'"\xc3"']
)
def test_malformed_bodies_are_answered_with_an_error(client: Client, wire: str | bytes) -> None:
    response = post(client, wire)

    assert response.status_code == 400
    assert read(response).values["format"] == "error"


def test_a_body_of_another_kind_or_size_is_answered_with_an_error(client: Client) -> None:
    other = post(client, "a=b", content_type="application/x-www-form-urlencoded")
    large = post(client, body("x" * 1024 * 1024))

    assert (other.status_code, read(other).values["format"]) == (415, "error")
    assert large.status_code == 413
    assert "upload address" in read(large).values["content"]


def test_a_log_that_is_not_there_is_told_to_the_one_who_runs_this(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.NLIP_LOG = "nowhere"

    assert post(client, body("Hello")).status_code == 200
    assert 'Unknown log "nowhere"' in caplog.text


def test_nobody_takes_the_name_under_which_strangers_are_kept() -> None:
    with pytest.raises(ValueError, match="nobody:"):
        access.create_key(source="nobody:nlip", scopes=("ingest",))


def test_who_shows_no_key_is_answered_at_a_pace(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "throttle", Throttle(burst=2, pace=0.01))

    statuses = [post(client, body("Hello")).status_code for _ in range(2)]
    refused = post(client, body("Hello"))

    assert statuses == [200, 200]
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 100
    assert read(refused).values["format"] == "error"
    assert post(client, body("Hello", token("authentication", key))).status_code == 200


def test_callers_behind_a_proxy_of_ours_have_a_pace_each(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(view, "throttle", Throttle(burst=1, pace=0.01))

    def statuses(*callers: str) -> list[int]:
        return [
            post(client, body("Hello"), headers={"X-Forwarded-For": caller}).status_code
            for caller in callers
        ]

    assert statuses("192.0.2.1", "192.0.2.2") == [200, 429]
    settings.TRUSTED_PROXY = environment.read({"CABLESE_TRUSTED_PROXY": "127.0.0.1"}).trusted_proxy
    assert statuses("192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1") == [200, 200, 429]


@pytest.mark.requirement("NLIP-30")
@pytest.mark.parametrize(
    ("host", "caller", "scheme", "status"),
    [
        ("localhost", "127.0.0.1", "http", 200),
        ("log.example.org", "192.0.2.1", "https", 200),
        ("log.example.org", "192.0.2.1", "http", 403),
        ("log.example.org", "127.0.0.1", "http", 403),
        ("localhost", "192.0.2.1", "http", 403),
    ],
)
def test_away_from_this_machine_it_is_spoken_over_tls_only(
    client: Client,
    host: str,
    caller: str,
    scheme: str,
    status: int,
) -> None:
    response = post(
        client, body("Hello"), headers={"host": host}, REMOTE_ADDR=caller, secure=scheme == "https"
    )

    assert response.status_code == status
    assert (read(response).values["format"] == "error") is (status == 403)


@pytest.mark.requirement("NLIP-30")
@pytest.mark.parametrize(
    ("caller", "said_by_proxy", "scheme"),
    [
        ("192.0.2.7", "https", "https"),
        ("192.0.2.7", "http", "http"),
        ("192.0.2.7", "gopher", "http"),
        ("192.0.2.8", "https", "http"),
        ("", "https", "http"),
        ("2001:db8::17", "https", "https"),
    ],
)
def test_only_a_proxy_of_ours_is_believed_about_tls(
    caller: str, said_by_proxy: str, scheme: str
) -> None:
    trusted = environment.read({"CABLESE_TRUSTED_PROXY": "192.0.2.7, 2001:db8::/64"}).trusted_proxy
    seen: list[str] = []

    def application(environ: dict[str, Any], _start: object) -> list[bytes]:
        seen.append(environ["wsgi.url_scheme"])
        return []

    environ = {
        "REMOTE_ADDR": caller,
        "HTTP_X_FORWARDED_PROTO": said_by_proxy,
        "wsgi.url_scheme": "http",
    }
    with_scheme(application, trusted=trusted)(environ, lambda *_: lambda _: None)

    assert seen == [scheme]


def test_a_look_at_the_address_explains_it(client: Client) -> None:
    page = client.get("/nlip", headers={"accept": "text/html,*/*;q=0.8"})
    plain = client.get("/nlip", headers={"accept": "*/*"})

    assert "This server’s NLIP agent" in words(page.content.decode())
    assert plain.json()["post"] == "http://testserver/nlip"
    assert client.put("/nlip").status_code == 405


def test_a_bucket_fills_again_and_the_oldest_is_forgotten() -> None:
    throttle = Throttle(burst=2, pace=0.5, callers=2)

    assert [throttle.wait("a", now=0.0) for _ in range(3)] == [0, 0, 2]
    assert throttle.wait("a", now=2.0) == 0
    assert throttle.wait("b", now=2.0) == throttle.wait("c", now=2.0) == 0
    assert [throttle.wait("a", now=2.0) for _ in range(3)] == [0, 0, 2]
