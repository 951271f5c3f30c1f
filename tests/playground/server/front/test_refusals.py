"""Refusals of the front: their headers over TLS, and the line of a pace that is exceeded."""

from typing import Any

import pytest
from django.test import override_settings

from playground.http import csp, security_events
from playground.server.environment import read
from playground.server.front import refusals
from playground.server.front.hot import shortcut
from playground.server.front.refusals import Refusal
from tests.playground.securitylines import events, recorded

BUSY = Refusal(503, "Too busy.", 5)


def environ(**more: Any) -> dict[str, Any]:
    return {
        "PATH_INFO": "/api/v1/packets",
        "QUERY_STRING": "",
        "REMOTE_ADDR": "192.0.2.7",
        "wsgi.url_scheme": "http",
    } | more


@override_settings(SECURE_HSTS_SECONDS=600, SECURE_HSTS_INCLUDE_SUBDOMAINS=True)
@pytest.mark.parametrize(
    ("trusted", "more", "sent"),
    [
        ("", {}, None),
        ("", {"wsgi.url_scheme": "https"}, "max-age=600; includeSubDomains"),
        ("", {"HTTP_X_FORWARDED_PROTO": "https"}, None),
        ("192.0.2.7", {"HTTP_X_FORWARDED_PROTO": "https"}, "max-age=600; includeSubDomains"),
    ],
)
def test_a_refusal_over_tls_tells_browsers_to_stay_there(
    trusted: str, more: dict[str, str], sent: str | None
) -> None:
    with override_settings(TRUSTED_PROXY=read({"CABLESE_TRUSTED_PROXY": trusted}).trusted_proxy):
        _, headers, _ = refusals.answer(environ(**more), BUSY)

    assert dict(headers).get("Strict-Transport-Security") == sent
    assert dict(headers)["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "more", "media"),
    [
        ("/api/v1/packets", {"HTTP_ACCEPT": "text/html"}, "application/problem+json"),
        ("/", {"HTTP_ACCEPT": "text/html"}, "text/html; charset=utf-8"),
        ("/", {"HTTP_ACCEPT": "text/html", "HTTP_HX_REQUEST": "true"}, "application/problem+json"),
        ("/", {"HTTP_ACCEPT": "*/*"}, "application/problem+json"),
        ("/", {}, "application/problem+json"),
        ("/nlip", {"HTTP_ACCEPT": "application/json"}, "application/json"),
    ],
)
def test_a_refusal_has_a_form_that_the_client_understands(
    path: str, more: dict[str, str], media: str
) -> None:
    status, headers, body = refusals.answer(environ(PATH_INFO=path, **more), BUSY)

    assert (status, dict(headers)["Content-Type"]) == (503, media)
    assert dict(headers)["Retry-After"] == "5"
    assert b"Too busy." in body


def test_a_pace_that_is_exceeded_is_logged_and_not_without_end() -> None:
    with recorded() as lines:
        for _ in range(50):
            security_events.refuse_pace(environ())

    assert events(lines[:1]) == [{"event": "pace.refused", "address": "192.0.2.7"}]
    assert 20 <= len(lines) < 30


def test_what_the_front_answers_is_stored_nowhere_and_runs_nothing() -> None:
    assert dict(refusals.ALWAYS) == {
        "Content-Security-Policy": csp.POLICY,
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    assert dict(shortcut._HEADERS) == dict(refusals.ALWAYS) | {
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
