"""HEAD: answered like GET; the server sends the response without its body.

Streamed responses are an exception: they would take one of the few places for downloads.
"""

from collections.abc import Callable
from types import MethodType
from typing import cast

from django.http import HttpResponse, StreamingHttpResponse
from ninja import NinjaAPI
from ninja.operation import Operation

_Run = Callable[..., HttpResponse]


def install(api: NinjaAPI) -> None:
    """Let every operation of GET answer HEAD too, unless its response is streamed."""
    api.add_decorator(_with_head, mode="view")


def _with_head(run: _Run) -> _Run:
    operation = cast("MethodType", run).__self__
    assert isinstance(operation, Operation)
    answer = operation.view_func.__annotations__["return"]
    if operation.methods == ["GET"] and not issubclass(answer, StreamingHttpResponse):
        operation.methods = ["GET", "HEAD"]
    return run
