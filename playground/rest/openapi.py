"""The OpenAPI document: operations describe their bodies and answers by the msgspec types that read
and write them.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from playground.rest.problems import ProblemBody

REF = "#/components/schemas/{name}"
_TYPES: list[Any] = [ProblemBody]
_WORDS = {
    200: "OK",
    201: "Kept, and safe on disk",
    207: "Some were not kept, or were there before; each receipt says",
    400: "Not a request that can be read",
    401: "No key, or one that is not valid",
    403: "The key does not allow this",
    404: "Not there",
    408: "The body came too slowly",
    409: "The event id was used with other bytes, or a request with this Idempotency-Key is still running",
    410: "It was there, and has ended",
    413: "Too large",
    415: "A kind of body that is not taken",
    422: "Something in the request does not fit; the pointer says what",
    429: "Too much in this time; Retry-After says when to try again",
    502: "What was asked, a model or a server, gave no answer that can be used",
    503: "Too much at once; try again",
    504: "The server gave no answer in time",
}


_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "1 to 255 printable ASCII characters that name this request. Sent again within 24 hours, the same "
    "request with the same key gets the same receipts, and nothing is stored twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"},
}
_REPLAYED = {
    "Idempotency-Replayed": {
        "description": "true when the receipts are those of an earlier request with this Idempotency-Key.",
        "schema": {"const": "true"},
    }
}


_RETRY = {
    "Retry-After": {
        "description": "Seconds after which it is worth trying again.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_NONE: Mapping[int, Any] = {}


def described(
    *,
    answer: Any,
    body: Any = None,
    media: tuple[str, ...] = ("application/json",),
    written: str = "application/json",
    statuses: tuple[int, ...] = (200,),
    idempotent: bool = False,
    problems: tuple[int, ...] = (),
    refusals: Mapping[int, Any] = _NONE,
) -> dict[str, Any]:
    """What OpenAPI says of an operation: its body as JSON (and other ``media``), its problems, and
    its answer.

    Of an answer ``written`` in lines of JSON, ``answer`` is one line. An ``idempotent`` operation
    honors an ``Idempotency-Key``; ``refusals`` are problems that say more than others.
    """
    _TYPES.extend(kind for kind in (body, answer) if kind is not None)
    failed = _failed()
    answered = {written: {"schema": _reference(answer)}}
    responses: dict[int, Any] = {
        code: {"description": _WORDS[code], "content": answered} for code in statuses
    }
    if idempotent:
        for response in responses.values():
            response["headers"] = _REPLAYED
    responses.update({code: {"description": _WORDS[code], "content": failed} for code in problems})
    for code, kind in refusals.items():
        _TYPES.append(kind)
        responses[code]["content"] = {"application/problem+json": {"schema": _reference(kind)}}
    extra: dict[str, Any] = {"responses": responses} | (
        {"parameters": [_KEY]} if idempotent else {}
    )
    if body is not None:
        if media == ("application/json",):
            responses.setdefault(415, {"description": _WORDS[415], "content": failed})
        content = {
            kind: {"schema": _reference(body) if kind == "application/json" else {"type": "string"}}
            for kind in media
        }
        extra["requestBody"] = {"required": True, "content": content}
    return extra


class DocumentedAPI(NinjaAPI):
    """An API whose document holds the msgspec types that its operations name."""

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> OpenAPISchema:
        document = super().get_openapi_schema(*args, **kwargs)
        _, components = msgspec.json.schema_components(_TYPES, ref_template=REF)
        document["components"].setdefault("schemas", {}).update(components)
        for operations in document["paths"].values():
            for operation in operations.values():
                _drop_undescribed(operation["responses"])
                # Any operation may be asked with a query parameter that it does not have.
                _add(operation["responses"], 422)
                # The server itself refuses what is too much, and bodies that come too slowly.
                for status in (408, 429, 503) if "requestBody" in operation else (429, 503):
                    _add(operation["responses"], status)
                for status in (429, 503):
                    operation["responses"][status].setdefault("headers", {}).update(_RETRY)
        return document


def _add(responses: dict[Any, Any], status: int) -> None:
    responses.setdefault(status, {"description": _WORDS[status], "content": _failed()})


def _drop_undescribed(responses: dict[Any, Any]) -> None:
    """ninja puts a 200 beside the answers that an operation describes, also where it
    answers 201.
    """
    for status in [status for status, answer in responses.items() if "content" not in answer]:
        del responses[status]


def _failed() -> dict[str, Any]:
    return {"application/problem+json": {"schema": _reference(ProblemBody)}}


def _reference(kind: Any) -> dict[str, Any]:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return dict(schema)
