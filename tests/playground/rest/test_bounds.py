"""The bounds of what a caller of the API may send, as the OpenAPI document states them. Pydantic
states what it enforces, from the same fields.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

Schema = dict[str, Any]
KINDS = ("maxLength", "maximum", "maxItems")
BOUNDS: Schema = tomllib.loads(Path(__file__).with_name("bounds.toml").read_text())


def bounds(place: str, schema: Any) -> Iterator[tuple[str, int]]:
    """Yield each bound of a schema with its place; models that it names have their own."""
    if not isinstance(schema, dict):
        return
    yield from ((place, int(schema[kind])) for kind in KINDS if kind in schema)
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from bounds(place, choice)
    for name, inner in schema.get("properties", {}).items():
        yield from bounds(f"{place}.{name}", inner)
    yield from bounds(f"{place}[]", schema.get("items"))


def models(document: Schema, schema: Any) -> Iterator[str]:
    """Yield the names of the models that a schema needs."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rsplit("/", 1)[1]
        schema = list(schema.values())
    if isinstance(schema, list):
        for inner in schema:
            yield from models(document, inner)


def sent(document: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield each parameter, and each model that a body needs, by its name."""
    needed: list[str] = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", ()):
                yield f"{method.upper()} {path} {parameter['name']}", parameter["schema"]
            needed += models(document, operation.get("requestBody"))
    schemas = document["components"]["schemas"]
    for name in needed:
        needed += (each for each in models(document, schemas[name]) if each not in needed)
    yield from ((name, schemas[name]) for name in dict.fromkeys(needed))


def test_the_document_states_the_bounds_of_what_is_sent(client: Client) -> None:
    document = client.get("/api/openapi.json").json()

    stated = dict(each for place, schema in sent(document) for each in bounds(place, schema))
    assert stated == BOUNDS
