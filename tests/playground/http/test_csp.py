import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from playground.http.csp import ContentSecurityPolicy

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Written out: a policy compared with itself would lose a rule unnoticed."""
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/signin", "/healthz", "/no/such/page"])
def test_every_answer_allows_only_our_own_files(client: Client, address: str) -> None:
    headers = client.get(address).headers

    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Permissions-Policy"] == PERMISSIONS


def test_a_page_may_bring_a_policy_of_its_own() -> None:
    def page(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Content-Security-Policy": "sandbox"})

    response = ContentSecurityPolicy(page)(RequestFactory().get("/"))

    assert isinstance(response, HttpResponse)
    assert response.headers["Content-Security-Policy"] == "sandbox"
