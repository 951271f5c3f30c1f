"""The OpenAPI document, made from the msgspec types that read bodies and write responses."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from ninja import NinjaAPI
from ninja.errors import ValidationErrorContext
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from playground.rest import parameters
from playground.rest.problems import ProblemBody

REF = "#/components/schemas/{name}"
_TYPES: list[Any] = [ProblemBody]
_DESCRIPTIONS = {
    200: "OK",
    201: "Stored durably",
    207: "Some items were rejected or are duplicates; see each receipt",
    400: "Malformed request",
    401: "Missing or invalid key",
    403: "The key lacks the required scope or log",
    404: "Not found",
    408: "The body arrived too slowly",
    409: "event_id was used with different bytes, "
    "or a request with this Idempotency-Key is still running",
    410: "Ended or erased",
    413: "Larger than the limit",
    415: "Unsupported media type",
    422: "Invalid request; see pointer",
    429: "Too many requests; try again after Retry-After",
    502: "A model or server returned an unusable response",
    503: "The server is busy; try again after Retry-After",
    504: "A server did not respond in time",
}


_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "1 to 255 printable ASCII characters that identify this request. The same "
    "request sent again with the same key within 24 hours returns the same receipts, and nothing "
    "is stored twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"},
}
_REPLAYED = {
    "Idempotency-Replayed": {
        "description": "true if the receipts are those of an earlier request with this "
        "Idempotency-Key.",
        "schema": {"const": "true"},
    }
}


_QUERY = {
    "at": "Pins the request to this many leaves of the log.",
    "baseline": "The JSON that the messages are compared with.",
    "by": "What the rows are grouped by.",
    "caret": "The position in q where something is typed, in code points; by default, its end.",
    "count": "The number of examples.",
    "cursor": "The next of the page before; leave it out for the first page.",
    "format": "The form of the lines.",
    "limit": "The most results of the response.",
    "log": "The name of a log; by default, that of the key, or default.",
    "protocol": "The name of a protocol; by default, that of each message is detected.",
    "q": "A query of the search language; an empty one finds every packet.",
    "roles": "Names of roles, separated by commas; by default, all.",
    "seed": "The same seed makes the same examples.",
    "source": "The name of a source; by default, all sources.",
    "specification": "true adds the specification.",
    "strict": "true refuses invalid packets instead of storing them.",
    "time": "The second of the Unix time that relative times of q count from.",
    "tokenizer": "The tokenizer to count with.",
    "zone": "The time zone of times without one, such as Europe/Berlin.",
}
"""Descriptions of query parameters that have none of their own."""
_RETRY = {
    "Retry-After": {
        "description": "Seconds to wait before trying again.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_RATE = {
    "RateLimit-Policy": {
        "description": "The limit of requests per minute, as in draft-ietf-httpapi-"
        'ratelimit-headers: "requests";q=60000;w=60.',
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "How many requests are left, and the seconds until the full limit is "
        'available: "requests";r=59990;t=1.',
        "schema": {"type": "string"},
    },
}
_NONE: Mapping[int, Any] = {}
_NO_HEADERS: Mapping[str, Any] = {}


def described(
    *,
    answer: Any,
    body: Any = None,
    media: tuple[str, ...] = ("application/json",),
    written: str = "application/json",
    also: str = "",
    binary: str = "",
    headers: Mapping[str, Any] = _NO_HEADERS,
    statuses: tuple[int, ...] = (200,),
    idempotent: bool = False,
    optional_key: bool = False,
    problems: tuple[int, ...] = (),
    refusals: Mapping[int, Any] = _NONE,
) -> dict[str, Any]:
    """Return the OpenAPI description of an operation: its body, its response, and its problems.

    The body is JSON, or has one of ``media``. If the response is ``written`` as lines of JSON,
    ``answer`` is one line; ``also`` is another form of text that it can have, and ``binary`` one of
    bytes. An ``idempotent`` operation honors ``Idempotency-Key``. One with an ``optional_key`` does
    more with a key, and answers without one. ``refusals`` are problems with more fields.
    """
    _TYPES.extend(kind for kind in (body, answer, *refusals.values()) if kind is not None)
    answered = _answer_content(answer, written, also, binary)
    told = {"headers": {**headers, **_REPLAYED} if idempotent else headers}
    responses: dict[int, Any] = {
        code: {"description": _DESCRIPTIONS[code], "content": answered} | told for code in statuses
    }
    for code in problems:
        _add(responses, code)
    for code, kind in refusals.items():
        responses[code]["content"] = {"application/problem+json": {"schema": _reference(kind)}}
    extra: dict[str, Any] = {"responses": responses}
    extra |= {"parameters": [_KEY]} if idempotent else {}
    extra |= {"security": [{}, {"Key": []}]} if optional_key else {}
    if body is not None:
        if media == ("application/json",):
            _add(responses, 415)
        extra["requestBody"] = {"required": True, "content": _body_content(body, media)}
    return extra


def _answer_content(answer: Any, written: str, also: str, binary: str) -> dict[str, Any]:
    content = {written: {"schema": _reference(answer)}}
    content |= {also: {"schema": {"type": "string"}}} if also else {}
    content |= {binary: {"schema": {"type": "string", "format": "binary"}}} if binary else {}
    return content


def _body_content(body: Any, media: tuple[str, ...]) -> dict[str, Any]:
    return {
        kind: {"schema": _reference(body) if kind == "application/json" else {"type": "string"}}
        for kind in media
    }


class DocumentedAPI(NinjaAPI):
    """An API whose document contains the msgspec types of its operations, and whose problems are
    ours.
    """

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the function's name: clients are generated from it, so it names no modules."""
        return operation.view_func.__name__

    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> Any:
        """Return what is raised for parameters that do not fit their types."""
        return parameters.explain(error_contexts[0])

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> OpenAPISchema:
        document = super().get_openapi_schema(*args, **kwargs)
        _, components = msgspec.json.schema_components(_TYPES, ref_template=REF)
        document["components"].setdefault("schemas", {}).update(components)
        for operations in document["paths"].values():
            operations.pop("head", None)  # It answers like GET, see `head`.
            for operation in operations.values():
                _describe(operation.get("parameters", ()))
                _drop_undescribed(operation["responses"])
                # Any operation can get an unknown query parameter.
                _add(operation["responses"], 422)
                # The server itself enforces limits and rejects slow bodies.
                for status in (408, 429, 503) if "requestBody" in operation else (429, 503):
                    _add(operation["responses"], status)
                for response in operation["responses"].values():
                    response["headers"] = {**response.get("headers", {}), **_RATE}
                for status in (429, 503):
                    operation["responses"][status].setdefault("headers", {}).update(_RETRY)
        return document


def _describe(parameters: Iterable[dict[str, Any]]) -> None:
    """Describe each parameter itself: pydantic describes only the type of an optional one."""
    for parameter in parameters:
        if parameter["in"] == "query" and not parameter.get("description"):
            kinds = parameter["schema"].get("anyOf", [parameter["schema"]])
            own = kinds[0].get("description")
            parameter["description"] = own or _QUERY[parameter["name"]]


def _add(responses: dict[Any, Any], status: int) -> None:
    responses.setdefault(status, {"description": _DESCRIPTIONS[status], "content": _failed()})


def _drop_undescribed(responses: dict[Any, Any]) -> None:
    """Drop the 200 that ninja adds to every operation, even to one that answers 201."""
    for status in [status for status, answer in responses.items() if "content" not in answer]:
        del responses[status]


def _failed() -> dict[str, Any]:
    return {"application/problem+json": {"schema": _reference(ProblemBody)}}


def _reference(kind: Any) -> dict[str, Any]:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return dict(schema)
