"""Requests to store packets and to search, with their keys."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from auditlog import access
from auditlog.models import Log

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
BROKEN = "RJE/PLN|g=42,t=1"
NDJSON = "application/x-ndjson"


def make_key(*scopes: str, source: str = "hr-bot", log: Log | None = None) -> str:
    return access.create_key(source=source, scopes=scopes or ("ingest", "read"), log=log)[1]


def post(
    client: Client,
    path: str,
    body: object,
    key: str | None,
    media: str = "application/json",
    **more: Any,
) -> Any:
    content = body if isinstance(body, bytes | str) else json.dumps(body)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.post(f"/api/v1/{path}", content, content_type=media, headers=headers | more)


def get(client: Client, path: str, key: str | None, **query: Any) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.get(f"/api/v1/{path}", query, headers=headers)


def refused(response: HttpResponse) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(response.content)
    assert problem["status"] == response.status_code
    return problem["status"], problem["pointer"]


def statuses(response: Any) -> list[int]:
    return [receipt["status"] for receipt in response.json()["results"]]
