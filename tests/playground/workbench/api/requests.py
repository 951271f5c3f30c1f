"""Requests to decode, encode, and count, and their problems."""

import json
from typing import Any, cast

from django.http import HttpResponse
from django.test import Client

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


def post(client: Client, operation: str, body: object) -> HttpResponse:
    """The answer to a body: bytes and text as they are, anything else as JSON."""
    content = body if isinstance(body, bytes | str) else json.dumps(body)
    return cast(
        "HttpResponse",
        client.post(f"/api/v1/{operation}", content, content_type="application/json"),
    )


def decode(client: Client, text: str, **more: object) -> dict[str, Any]:
    response = post(client, "decode", {"text": text, **more})
    assert response.status_code == 200
    return dict(json.loads(response.content))


def refused(response: HttpResponse) -> tuple[int, str]:
    """Status and pointer of a problem."""
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(response.content)
    assert problem["status"] == response.status_code
    assert problem["detail"].endswith((".", "…"))
    return problem["status"], problem["pointer"]
