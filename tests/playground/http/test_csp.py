import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from playground.http.csp import POLICY, ContentSecurityPolicy


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/signin", "/healthz", "/no/such/page"])
def test_every_answer_allows_only_our_own_files(client: Client, address: str) -> None:
    headers = client.get(address).headers

    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert "camera=()" in headers["Permissions-Policy"]


def test_nothing_inline_and_nothing_from_elsewhere() -> None:
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))

    assert rules["default-src"] == "'none'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
    assert "*" not in POLICY


def test_a_page_may_bring_a_policy_of_its_own() -> None:
    def page(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Content-Security-Policy": "sandbox"})

    response = ContentSecurityPolicy(page)(RequestFactory().get("/"))

    assert response.headers["Content-Security-Policy"] == "sandbox"
