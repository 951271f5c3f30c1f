"""Routes that no list has. Each gets hostile text in every text field, so that a new route is swept
without being listed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.urls import NoReverseMatch, reverse

from auditlog.search.query import MAX_LENGTH as QUERY_LIMIT
from playground.api import api

from .routes import OTHERS, ROUTES, TEXT, Route, keys

JSON = "application/json"
VALUES: dict[str, Any] = {"string": TEXT, "integer": 1, "number": 1, "boolean": False}
"""What a field gets by its type."""


def every_route() -> tuple[Route, ...]:
    return (*ROUTES, *guess(keys() - {route.key for route in ROUTES} - OTHERS.keys()))


def guess(missing: Iterable[str]) -> Iterator[Route]:
    """Yield a route for each key that is ``missing``, unless its path has parts."""
    operations = dict(_operations())
    for key in sorted(missing):
        if key in operations:
            yield operations[key]
        elif not key.startswith("api:"):
            try:
                yield Route(key, reverse(key), "query", {"q": TEXT, "text": TEXT}, QUERY_LIMIT)
            except NoReverseMatch:
                continue


def _operations() -> Iterator[tuple[str, Route]]:
    document = api.get_openapi_schema()
    for path, methods in document["paths"].items():
        for operation in methods.values():
            key = f"api:{operation['operationId']}"
            if "{" in path:
                continue
            schema = operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")
            if schema:
                yield key, Route(key, path, fields=_sample(schema, document["components"]))
            else:
                yield key, Route(key, path, "query", {"q": TEXT}, QUERY_LIMIT)


def _sample(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Any:
    """Return a value of the schema, with TEXT for each text that is not one of a list."""
    if "$ref" in schema:
        found = components["schemas"][schema["$ref"].rpartition("/")[2]]
        return {
            name: _sample(field, components)
            for name, field in found["properties"].items()
            if name in found.get("required", ()) or field.get("type") == "string"
        }
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [_sample(schema["items"], components)]
    return VALUES.get(schema.get("type", ""), {})
