"""Every answer of our NLIP server agent, held to the exchange checker: it never faults our own."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from auditlog import access
from auditlog.database.unavailable import Overloaded
from auditlog.text import from_bytes
from cablese import registry
from cablese.protocols.nlip.exchange.breaches import Breach
from cablese.protocols.nlip.exchange.checker import check
from cablese.protocols.nlip.formats import DEFAULT, DIALECTS
from playground.http.throttle import Throttle
from playground.nlip import server_agent
from playground.nlip.views import agent as view
from playground.server.front import refusals
from playground.server.front.refusals import Refusal
from playground.wsgi import with_utf8
from tests import fuzz

pytestmark = pytest.mark.django_db

NLIP = registry.get("nlip")
VECTORS = Path(__file__).parents[2] / "vectors"
ECMA = "nlip/ecma-430"
CONTENTS: list[tuple[str, str, Any]] = [
    ("text", "English", "Hello"),
    ("text", "english", "12:00 planner: REQ/TSK|g=42,t=1\nREQ/TSK|g=x,t=1"),
    ("text", "French", "Bonjour"),
    ("text", "English", "What is your upload limit?"),
    ("text", "English", "Where may I send a large file?"),
    ("text", "English", "Please authenticate yourself."),
    ("token", "conversation", "c-9"),
    ("token", "billing", "b-1"),
    ("structured", "json", {"g": "BOOK", "plan": [["FIND", "hotels", {}]]}),
    ("structured", "uri", "https://example.org/"),
    ("structured", "COBOL", "DISPLAY"),
    ("binary", "image/jpeg", "/9g="),
    ("binary", "image/jpeg", "not base64!"),
    ("location", "GPS", "52.5, 13.4"),
    ("error", "code", 401),
    ("generic", "chess", {"move": "e4."}),
]
TOKENS: list[list[tuple[str, Any]]] = [
    [],
    [("conversation", "c-17")],
    [
        ("conversation_bob", "ü\n."),
        ("conversation", "c-17"),
        ("conversation", "c-17"),
        ("Conversation", "c-17"),
    ],
    [("authentication", "nonsense"), ("conversation", "c-17")],
    [("authorization", "nonsense"), ("trace", "t-1")],
    [
        ("conversation", 17),
        ("conversation", ""),
        ("conversation", None),
        ("_x", "y"),
        ("conversation", "\ud800"),
    ],
    [("conversation_cablese", "forged"), ("trace_a", "t-2")],
]


def part(format_: str, subformat: str, content: Any) -> dict[str, Any]:
    return {"format": format_, "subformat": subformat, "content": content}


def written() -> Iterator[str]:
    """Messages of every format with every kind of tokens, as data and as control."""
    for content, tokens, control in product(CONTENTS, TOKENS, (False, True)):
        values: dict[str, Any] = {"messagetype": "control"} if control else {}
        values |= part(*content)
        if tokens:
            values["submessages"] = [part("token", *token) for token in tokens]
        yield json.dumps(values)


def spoilt(wires: list[str], number: int) -> Iterator[str]:
    """Messages that are cut off, or have a character lost, doubled or changed."""
    luck = fuzz.dice()
    for _ in range(number):
        wire = luck.choice(wires)
        at = luck.randrange(len(wire))
        yield luck.choice(
            [
                wire[:at],
                wire[:at] + wire[at + 1 :],
                wire[:at] + luck.choice('"{}[],:x\\0') + wire[at:],
            ]
        )


def corpus() -> list[bytes]:
    lines = (VECTORS / "nlip.jsonl").read_text().splitlines() + (
        VECTORS / "exchanges" / "nlip.jsonl"
    ).read_text().splitlines()
    cases = [json.loads(line) for line in lines]
    made = list(written())
    wires = [
        *(case.get("wire", case.get("request")) for case in cases),
        *made,
        *spoilt(made, fuzz.many(60)),
    ]
    return [
        *(wire.encode(errors="surrogatepass") for wire in wires),
        b"\xff\xfe",
        b"",
        b'{"format":"text"}\x00',
    ]


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    monkeypatch.setattr(view, "throttle", Throttle(burst=1_000_000))


def call(
    client: Client, body: bytes, dialect: str = DEFAULT, address: str = "/nlip", **more: Any
) -> HttpResponse:
    more = {
        "method": "POST",
        "content_type": "application/json",
        "headers": {"host": "localhost"},
    } | more
    method, media = more.pop("method"), more.pop("content_type")
    asked = f"{address}?dialect={dialect}" if dialect != DEFAULT else address
    return cast("HttpResponse", client.generic(method, asked, body, content_type=media, **more))


def faults(body: bytes, dialect: str, content: bytes, status: int) -> list[Breach]:
    """What the checker says of an answer of ours; what it says of the request alone is left out."""
    request, answer = (NLIP.decode(from_bytes(wire), dialect=dialect) for wire in (body, content))
    return [
        finding
        for finding in check(request, answer, own_tokens=("cablese",), status=status)
        if finding.at == 1
    ]


@pytest.mark.requirement("NLIP-19")
@pytest.mark.requirement("NLIP-20")
@pytest.mark.requirement("NLIP-21")
@pytest.mark.requirement("NLIP-24")
@pytest.mark.requirement("NLIP-28")
@fuzz.mark
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_answer_is_faulted(client: Client, dialect: str) -> None:
    statuses = set()
    for body in corpus():
        response = call(client, body, dialect)
        statuses.add(response.status_code)
        assert faults(body, dialect, response.content, response.status_code) == [], body
        answer = NLIP.decode(response.content.decode(), dialect=dialect)
        assert {diagnostic.severity for diagnostic in answer.diagnostics} <= {"warning", "info"}, (
            body
        )
    assert statuses == {200, 400}


def refused(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each way to be refused, with its status."""

    def overloaded(*_: Any, **__: Any) -> None:
        raise Overloaded

    local = {"host": "localhost"}
    yield 401, {"headers": local | {"Authorization": "Bearer cbl_live_nonsense"}}
    yield 403, {"REMOTE_ADDR": "192.0.2.1"}
    yield 404, {"address": "/nlip/upload/forged"}
    yield 404, {"address": "/nlip/nowhere"}
    yield 405, {"method": "PUT"}
    yield 405, {"address": "/nlip/upload/forged", "method": "DELETE"}
    yield 421, {"headers": {"host": "elsewhere.example.org"}}
    yield 415, {"content_type": "text/plain"}
    yield 415, {"content_type": "application/x-www-form-urlencoded"}
    with monkeypatch.context() as patch:
        patch.setattr(view, "throttle", Throttle(burst=0))
        yield 429, {}
        yield 429, {"address": "/nlip/upload/forged"}
    with monkeypatch.context() as patch:
        patch.setattr(server_agent, "store_exchange", overloaded)
        yield 503, {}


@pytest.mark.requirement("NLIP-17")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_refusal_is_faulted(
    client: Client, monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    for status, more in refused(monkeypatch):
        for body in (next(written()), *list(written())[3::11], "{", "x" * (1024 * 1024 + 1)):
            response = call(client, body.encode(), dialect, **more)

            if len(body) < 1024 * 1024:
                assert response.status_code in ({status, 400} if status == 401 else {status}), (
                    more,
                    body,
                )
            assert faults(body.encode(), dialect, response.content, response.status_code) == [], (
                more,
                body,
            )
            assert response.headers["Content-Type"] == "application/json"


@pytest.mark.requirement("NLIP-21")
@pytest.mark.requirement("NLIP-28")
@pytest.mark.parametrize("status", [403, 404, 405, 415, 429, 503])
def test_a_refusal_returns_the_tokens_and_shows_who_we_are(
    client: Client, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    tokens = [part("token", "conversation_bob", "b-1"), part("token", "conversation", "c-1")]
    request = part("text", "English", "Please authenticate yourself.")
    control = {"messagetype": "control", **request, "submessages": tokens}
    asked = json.loads(call(client, json.dumps(control).encode()).content)
    mine = [
        submessage
        for submessage in asked["submessages"]
        if submessage["subformat"] == "conversation_cablese"
    ]
    body = json.dumps(part("text", "English", "Hello") | {"submessages": [*tokens, *mine]})
    ways = [
        more
        for found, more in refused(monkeypatch)
        if found == status and more.get("address") != "/nlip/nowhere"
    ]
    for found, more in refused(monkeypatch):
        if more not in ways or found != status:
            continue
        response = call(client, body.encode(), **more)

        assert response.status_code == status
        answer = json.loads(response.content)
        assert answer["format"] == "error"
        assert answer["submessages"] == [*tokens, asked["submessages"][-2], *mine]


def test_a_key_is_in_no_refusal(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    _, key = access.create_key(source="bob", scopes=("ingest",))
    body = json.dumps(
        part("text", "English", "Hello") | {"submessages": [part("token", "authentication", key)]}
    )

    for _, more in refused(monkeypatch):
        assert key.encode() not in call(client, body.encode(), ECMA, **more).content


def test_a_browser_is_shown_a_page(client: Client) -> None:
    response = call(
        client,
        b"x",
        address="/nlip/nowhere",
        headers={"host": "localhost", "accept": "text/html,*/*"},
    )

    assert (response.status_code, response.headers["Content-Type"]) == (
        404,
        "text/html; charset=utf-8",
    )


@pytest.mark.requirement("NLIP-20")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("path", ["/nlip", "/nlip/", "/nlip/upload/x", "/nlipper"])
def test_what_is_refused_before_django_is_asked_is_a_message_there_too(
    path: str, dialect: str
) -> None:
    seen: list[tuple[str, dict[str, str]]] = []

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Any:
        seen.append((status[:3], dict(headers)))

    environ = {"PATH_INFO": path, "QUERY_STRING": f"dialect={dialect}", "CONTENT_LENGTH": "9"}
    charset = environ | {"CONTENT_TYPE": "application/json; charset=rot13"}
    number, sent, content = refusals.answer(environ, Refusal(503, "Try again.", 5))
    start(str(number), sent)
    bodies = [content, b"".join(with_utf8(lambda *_: [])(charset, start))]

    assert [status for status, _ in seen] == ["503", "415"]
    assert seen[0][1]["Retry-After"] == "5"
    for (status, headers), body in zip(seen, bodies, strict=True):
        assert (headers["Content-Type"] == "application/json") is (path != "/nlipper")
        if path != "/nlipper":
            assert faults(next(written()).encode(), dialect, body, int(status)) == []
