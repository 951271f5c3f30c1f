"""Reject unknown query parameters, because a misspelled one would be ignored silently."""

from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from types import MethodType
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.operation import Operation

from cablese.json import pointer
from playground.rest.problems import Problem

_Run = Callable[..., HttpResponse]


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
            detail = f'Unknown query parameter "{name}". {valid}{suggestion}'
            more = {"suggestion": matches[0]} if matches else {}
            raise Problem(422, detail, pointer.join(name), **more)
        if len(values) > 1:
            detail = f'The query parameter "{name}" is given {len(values)} times.'
            raise Problem(422, detail, pointer.join(name))
