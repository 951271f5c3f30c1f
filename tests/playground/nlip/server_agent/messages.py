"""Messages to our server agent, and its answers."""

import json
from typing import Any, cast

from django.http import HttpResponse
from django.test import Client

from cablese import registry
from cablese.message import Message
from cablese.protocols.nlip.exchange.checker import check

NLIP = registry.get("nlip")


def token(subformat: str, content: str) -> dict[str, Any]:
    return {"format": "token", "subformat": subformat, "content": content}


def body(text: str, *parts: dict[str, Any], control: bool = False) -> str:
    values: dict[str, Any] = {"format": "text", "subformat": "english", "content": text}
    if parts:
        values["submessages"] = list(parts)
    return json.dumps({"messagetype": "control", **values} if control else values)


def post(client: Client, wire: str | bytes, address: str = "/nlip", **more: Any) -> HttpResponse:
    more.setdefault("headers", {})
    more["headers"] = {"host": "localhost", **more["headers"]}
    more.setdefault("content_type", "application/json")
    return cast("HttpResponse", client.post(address, wire, **more))


def read(response: HttpResponse) -> Message:
    """The answer; it is a valid message whatever its status."""
    assert response.headers["Content-Type"] == "application/json"
    message = NLIP.decode(response.content.decode())
    assert {diagnostic.code for diagnostic in message.diagnostics} <= {"nlip.invisible"}
    return message


def said(client: Client, wire: str, **more: Any) -> Message:
    """The answer to a message, which owes it nothing."""
    response = post(client, wire, **more)
    assert response.status_code == 200, response.content
    message = read(response)
    assert check(NLIP.decode(wire), message, own_tokens=("cablese",)) == ()
    return message


def ours(message: Message) -> dict[str, Any]:
    """Our conversation token in an answer."""
    return next(
        part
        for part in message.values["submessages"]
        if part["subformat"] == "conversation_cablese"
    )
