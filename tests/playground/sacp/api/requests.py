"""Requests to the API of SACP, and what they register."""

import json
from typing import Any

from django.test import Client

from auditlog import access

HOTEL = '{"g":"FIND_HOTEL","msg_id":"a1","plan":[["s","H_API",{"c":"Paris"}],["p","PRES",{"n":5}]]}'
VISA = '{"g":"VISIT","plan":[["s","H_API",{}],["check","VISA_QUERY",{"nationality":"FR"}]]}'
VERB = {
    "name": "translate",
    "description": "Says it in another language.",
    "inputs": ["text"],
    "outputs": "string",
}
AGENT = {
    "agent_name": "TRANSLATOR",
    "supported_verbs": ["translate"],
    "supported_tools": ["DICT"],
    "inputs": ["text"],
    "outputs": ["text"],
    "description": "Knows forty languages",
    "tool.interface": "https://example.org",
}


def key(*scopes: str) -> str:
    return access.create_key(source="registrar", scopes=scopes or ("admin",))[1]


def post(
    client: Client, path: str, body: object, status: int = 200, token: str | None = None
) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = client.post(
        f"/api/v1/sacp/{path}", json.dumps(body), content_type="application/json", headers=headers
    )
    assert response.status_code == status, response.content
    return dict(json.loads(response.content))
