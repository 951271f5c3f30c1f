"""Every operation that takes a dialect refuses one that the protocol does not have, and names the
place.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from cablese import registry
from playground.api import api

pytestmark = pytest.mark.django_db

DOCUMENT = api.get_openapi_schema()
WIRES = {codec.name: codec.reference.example for codec in registry.all_codecs()}
KNOWN = {codec.name: codec.dialects for codec in registry.all_codecs()}
DIALECTS = [*(dialect for known in KNOWN.values() for dialect in known), "nlip/9", "", "x" * 40]
NLIP_ONLY = ("/api/v1/nlip/send", "/api/v1/nlip/exchange")


def fields(schema: dict[str, Any]) -> set[str]:
    """The fields of a body, or of the items of one that is a list."""
    if "$ref" in schema:
        return fields(DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    found = set(schema.get("properties", {}))
    inner = [*schema.get("anyOf", ()), *schema.get("allOf", ())]
    inner += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    return found.union(*map(fields, inner))


def with_dialect() -> Iterator[tuple[str, set[str]]]:
    for path, operations in DOCUMENT["paths"].items():
        for operation in operations.values():
            media = operation.get("requestBody", {}).get("content", {})
            names = set().union(*(fields(value.get("schema", {})) for value in media.values()))
            if "dialect" in names:
                yield path, names


ROUTES = dict(with_dialect())


def test_routes_are_found() -> None:
    assert {"/api/v1/decode", "/api/v1/packets/batch", "/api/v1/lens", *NLIP_ONLY} <= set(ROUTES)
    assert len(ROUTES) > 10


def body(path: str, names: set[str], protocol: str, wire: str, dialect: str) -> Any:
    values = {
        "wire": wire,
        "text": wire,
        "protocol": protocol,
        "to": "sacp",
        "message": wire,
        "server": "nobody",
        "request": wire,
        "response": wire,
        "values": {},
    }
    sent = {name: values[name] for name in values if name in names} | {"dialect": dialect}
    if "packets" in path:
        sent.pop("to")
    return [sent] if path.endswith("/batch") else sent


def pointer(answer: dict[str, Any]) -> str:
    if answer.get("results"):
        return str(answer["results"][0].get("error", {}).get("pointer"))
    return str(answer.get("pointer"))


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("protocol", ["auto", *KNOWN])
def test_a_foreign_dialect_is_refused_at_its_place(
    client: Client, path: str, protocol: str
) -> None:
    key = access.create_key(source="bot", scopes=access.SCOPES)[1]
    headers = {"Authorization": f"Bearer {key}"}
    for wire_of, wire in WIRES.items() if protocol == "auto" else [(protocol, WIRES[protocol])]:
        known = KNOWN["nlip" if path in NLIP_ONLY else wire_of]
        for dialect in DIALECTS:
            sent = json.dumps(body(path, ROUTES[path], protocol, wire, dialect))
            answer = client.post(path, sent, content_type="application/json", headers=headers)
            refused = answer.status_code == 422 and pointer(answer.json()) == "/dialect"
            named = protocol == "auto" and path == "/api/v1/encode"

            assert answer.status_code not in (500, 502)
            assert refused is (dialect not in known) or named, (path, protocol, wire, dialect)


@pytest.mark.parametrize(
    "path", [path for path in ROUTES if path not in NLIP_ONLY and "wire" in ROUTES[path]]
)
def test_a_message_of_no_protocol_is_answered_whatever_the_dialect(
    client: Client, path: str
) -> None:
    key = access.create_key(source="bot", scopes=access.SCOPES)[1]
    for dialect in DIALECTS:
        sent = json.dumps(body(path, ROUTES[path], "auto", "hello", dialect))
        answer = client.post(
            path, sent, content_type="application/json", headers={"Authorization": f"Bearer {key}"}
        )
        assert answer.status_code in (200, 422)


def test_the_refusal_names_the_dialects_that_there_are(client: Client) -> None:
    sent = {"wire": WIRES["nlip"], "dialect": "nslip/1"}
    answer = client.post("/api/v1/lens", sent, content_type="application/json").json()

    names = ", ".join(KNOWN["nlip"])
    assert answer["detail"] == f'Unknown dialect "nslip/1" for nlip. Expected {names}.'
    assert answer["pointer"] == "/dialect"
