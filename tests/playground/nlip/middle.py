"""The middle agent of a test, and the server after it."""

import json
from collections.abc import Callable
from typing import Any, cast

from django.http import HttpResponse
from django.test import Client

from cablese import registry
from cablese.message import Message
from cablese.protocols.nlip.exchange.checker import check
from playground.nlip.peers import Reply, identity
from playground.server.environment import Peer

NLIP = registry.get("nlip")
ROOMS = Peer("rooms", "https://rooms.example.org/nlip")
ALICE = {"format": "token", "subformat": "conversation_alice", "content": "a-1"}


def part(format_: str, subformat: str, content: Any) -> dict[str, Any]:
    return {"format": format_, "subformat": subformat, "content": content}


def text(words: str, *parts: dict[str, Any], control: bool = False) -> dict[str, Any]:
    values = ({"messagetype": "control"} if control else {}) | part("text", "English", words)
    return values | ({"submessages": list(parts)} if parts else {})


class Server:
    """What stands behind the middle agent: it keeps what came, and answers what it is told."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.vias: list[str] = []
        self.answer: Callable[[dict[str, Any]], Any] = self.polite
        self.status = 200
        self.own = part("token", "conversation_rooms", "s-1")
        self.transcript: list[Message] = []

    def polite(self, request: dict[str, Any]) -> dict[str, Any]:
        tokens = [
            submessage
            for submessage in request.get("submessages", [])
            if submessage["subformat"].startswith("conversation")
        ]
        back = [token for token in tokens if token["subformat"] != self.own["subformat"]]
        return text("Two.", *back, self.own, part("token", "authentication_rooms", "theirs"))

    def send(self, peer: Peer, wire: str, *, via: str = "") -> Reply:
        self.requests.append(json.loads(wire))
        self.vias.append(via)
        answer = self.answer(self.requests[-1])
        if isinstance(answer, Exception):
            raise answer
        said = answer if isinstance(answer, str) else json.dumps(answer)
        self.transcript += [NLIP.decode(wire), NLIP.decode(said)]
        return Reply(self.status, said)


def post(
    client: Client, body: object, key: str = "", address: str = "/nlip/via/rooms", **headers: str
) -> HttpResponse:
    headers = {"host": "localhost", **headers} | ({"Authorization": f"Bearer {key}"} if key else {})
    wire = body if isinstance(body, str) else json.dumps(body)
    return cast(
        "HttpResponse", client.post(address, wire, content_type="application/json", headers=headers)
    )


def read(body: object, response: HttpResponse, dialect: str | None = None) -> dict[str, Any]:
    """The answer, which the checker does not fault."""
    wires = body if isinstance(body, str) else json.dumps(body), response.content.decode()
    sides = [NLIP.decode(wire, dialect=dialect) for wire in wires]
    found = check(*sides, own_tokens=(identity(),), status=response.status_code)
    assert [one for one in found if one.at == 1] == [], wires
    return cast("dict[str, Any]", json.loads(response.content))


def error(body: object, response: HttpResponse, status: int) -> str:
    answer = read(body, response)
    assert (response.status_code, answer["format"]) == (status, "error")
    return cast("str", answer["content"])


def ours(answer: dict[str, Any], name: str = "conversation") -> dict[str, Any]:
    found = (
        submessage
        for submessage in answer["submessages"]
        if submessage["subformat"] == f"{name}_{identity()}"
    )
    return next(found)
