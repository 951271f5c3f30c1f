"""Reject unknown parameters, because a misspelled one would be ignored silently, and explain what
is wrong with a known one:

    Invalid limit "all". Expected a whole number from 1 to 1,000.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import wraps
from types import MethodType
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationErrorContext
from ninja.operation import Operation

from auditlog.text import whole
from cablese.json import pointer
from cablese.text import quote
from playground.rest.problems import Problem

_KINDS = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "date": "a date such as 2026-11-20",
    "uuid": "a UUID",
    "string": "text",
}
_Run = Callable[..., HttpResponse]
_Schema = Mapping[str, Any]


def install(api: NinjaAPI) -> None:
    """Check the query of every operation, after its key and its own parameters."""
    api.add_decorator(_checked, mode="view")


def _checked(run: _Run) -> _Run:
    """Wrap the function of the operation, which runs after authentication."""
    operation = cast("MethodType", run).__self__
    assert isinstance(operation, Operation)
    names = _names(operation)
    view = operation.view_func

    @wraps(view)
    def check(request: HttpRequest, **values: Any) -> Any:
        check_query(request, names)
        return view(request, **values)

    operation.view_func = check
    return run


def _names(operation: Operation) -> tuple[str, ...]:
    queries = [model for model in operation.models if model.__ninja_param_source__ == "query"]
    return tuple(name for model in queries for name in model.__ninja_flatten_map__)


def check_query(request: HttpRequest, names: tuple[str, ...]) -> None:
    """Raise Problem 422 for a query parameter that is not in ``names`` or is given twice."""
    if not request.META.get("QUERY_STRING"):
        return
    for name, values in request.GET.lists():
        if name not in names:
            valid = (
                f"Valid parameters: {', '.join(names)}."
                if names
                else "This operation has no query parameters."
            )
            matches = get_close_matches(name.lower(), names, 1)
            suggestion = f" Did you mean {matches[0]}?" if matches else ""
            detail = f"Unknown query parameter {quote(name)}. {valid}{suggestion}"
            more = {"suggestion": matches[0]} if matches else {}
            raise Problem(422, detail, pointer.join(name), **more)
        if len(values) > 1:
            detail = f'The query parameter "{name}" is given {len(values)} times.'
            raise Problem(422, detail, pointer.join(name))


def explain(context: ValidationErrorContext[Any]) -> Problem:
    """Return what is wrong with the first parameter of a request that does not fit its type."""
    first = context.pydantic_validation_error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    sent = quote(whole(str(first["input"])))
    schema = context.model.model_json_schema()["properties"][name]
    return Problem(422, f"Invalid {name} {sent}. Expected {_expect(schema)}.", f"/{name}")


def _expect(schema: _Schema) -> str:
    """Return what a parameter with a schema accepts, in words."""
    kinds = schema.get("anyOf", [schema])
    kind: _Schema = next(each for each in kinds if each.get("type") != "null")
    if "enum" in kind and "maxLength" not in kind:  # Not hundreds of time zones.
        return ", ".join(kind["enum"])
    expected = _KINDS[kind.get("format", kind["type"])]
    if "maxLength" in kind:
        expected += f" of at most {kind['maxLength']:,} characters"
    if "pattern" in kind:
        expected += f" that matches {kind['pattern']}"
    if "minimum" in kind:
        least, most = kind["minimum"], kind.get("maximum")
        expected += f" of at least {least:,}" if most is None else f" from {least:,} to {most:,}"
    return expected
