"""The shortcut without a server: what is left to Django, and what is refused."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from auditlog.database.unavailable import Overloaded, Unavailable
from auditlog.ingest.item import Item
from auditlog.ingest.receive import Receipt
from auditlog.ingest.together import Answer, Deliver, Read, Results
from auditlog.log.draft import Submission
from auditlog.sender import Sender
from playground.health import failures
from playground.server.environment import read
from playground.server.front import application
from playground.server.front.application import Front
from playground.server.front.callers import Caller
from playground.server.front.hot import ordinary, shortcut
from tests.playground.server.front.loops import run_in_loop

BODY = b'{"wire":"REQ/TSK|g=42,t=1"}'
SENDER = Sender(1, "agents", key_id="1", scopes=frozenset({"ingest"}))
STORED = Receipt(
    0, None, 201, "an ID", "default", 7, "00", valid=True, diagnostics=msgspec.Raw(b"[]")
)
DJANGO = 418


class Storing:
    """Stands for `Together`: reads requests, and answers them with these results."""

    results: Results = [STORED]
    held: list[Callable[[], None]]
    read: list[Submission | None]
    holds = False

    def __init__(self, _: Deliver) -> None:
        type(self).held, type(self).read = [], []

    def submit(self, _sender: str, size: int, read: Read, answer: Answer) -> None:
        assert size == len(BODY)
        self.read.append(read())
        if self.holds:
            self.held.append(lambda: answer(self.results, 0.0))
        else:
            answer(self.results, 0.0)


@pytest.fixture
def storing(monkeypatch: pytest.MonkeyPatch) -> type[Storing]:
    fresh = type("Fresh", (Storing,), {})
    monkeypatch.setattr(shortcut, "Together", fresh)
    return fresh


@pytest.fixture(autouse=True)
def every_key_may_store(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = Caller("key:1", "1", member=True, sender=SENDER)
    monkeypatch.setattr(application, "look_up", lambda _: caller)


@pytest.fixture
def front(tmp_path: Path) -> Front:
    return Front(django, folder=tmp_path, limits=read({}))


def django(environ: Any, start_response: Any) -> Iterable[bytes]:
    """Answer with the body."""
    start_response(f"{DJANGO} I'm a teapot", [])
    return [environ["wsgi.input"].read()]


class Client:
    """Sends one request, and takes the answer."""

    def __init__(self, **scope: Any) -> None:
        headers = {
            "host": "localhost",
            "authorization": "Bearer cbl_live_a",
            "content-type": "application/json",
            "content-length": str(len(BODY)),
        } | scope.pop("headers", {})
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": ordinary.ONE,
            "raw_path": ordinary.ONE.encode(),
            "query_string": b"",
            "http_version": "1.1",
            "scheme": "http",
            "server": ("127.0.0.1", 8000),
            "client": ("192.0.2.7", 50_000),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        } | scope
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""

    async def receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": BODY, "more_body": False}

    async def send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.headers |= {
            name.decode(): value.decode() for name, value in message.get("headers", ())
        }
        self.body += message.get("body", b"")

    async def ask(self, front: Front) -> "Client":
        await asyncio.wait_for(front(self.scope, self.receive, self.send), 5)
        return self


def ask(front: Front, **scope: Any) -> Client:
    return run_in_loop(Client(**scope).ask(front))


def test_an_ordinary_request_is_answered_with_its_results(
    front: Front, storing: type[Storing]
) -> None:
    client = ask(front)

    assert client.status == 201
    assert msgspec.json.decode(client.body)["results"][0]["leaf"] == 7
    (submission,) = storing.read
    assert submission is not None
    (item,) = submission.items
    assert isinstance(item, Item)
    assert item.wire == "REQ/TSK|g=42,t=1"
    assert (submission.sender, submission.strict) == (SENDER, False)


def test_django_gets_the_whole_body_of_what_is_not_answered(
    front: Front, storing: type[Storing]
) -> None:
    storing.results = None

    client = ask(front)

    assert (client.status, client.body) == (DJANGO, BODY)


def test_what_cannot_be_stored_now_is_refused_and_logged(
    front: Front,
    storing: type[Storing],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(failures, "_repeats", failures.Repeats())
    error: Unavailable = Overloaded()
    storing.results = error

    client = ask(front)

    assert client.status == 503
    assert client.headers["retry-after"] == str(error.retry_after)
    assert client.headers["content-type"] == "application/problem+json"
    assert msgspec.json.decode(client.body)["detail"] == str(error)
    assert client.headers["x-request-id"] in caplog.text
    assert "Overloaded" in caplog.text


@pytest.mark.parametrize("limit", ["MINE", "WAITING"])
def test_more_than_may_wait_is_left_to_django(
    front: Front, storing: type[Storing], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(shortcut, limit, 1)
    storing.holds = True

    async def run() -> tuple[int, int, int]:
        first = Client()
        waiting = asyncio.create_task(first.ask(front))
        while not getattr(storing, "held", None):
            await asyncio.sleep(0)
        second = await Client().ask(front)
        storing.held.pop()()
        await waiting
        storing.holds = False
        third = await Client().ask(front)
        return first.status, second.status, third.status

    assert run_in_loop(run()) == (201, DJANGO, 201)


def test_a_key_without_the_scope_is_left_to_django(
    front: Front, storing: type[Storing], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Sender(1, "agents", key_id="1", scopes=frozenset({"read"}))
    caller = Caller("key:1", "1", member=True, sender=reader)
    monkeypatch.setattr(application, "look_up", lambda _: caller)

    assert ask(front).status == DJANGO
    assert not storing.read


@pytest.mark.parametrize(("scheme", "status"), [("http", DJANGO), ("https", 201)])
def test_where_tls_is_required_plain_http_is_left_to_django(
    front: Front, storing: type[Storing], settings: Any, scheme: str, status: int
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 60

    client = ask(front, scheme=scheme)

    assert client.status == status
    assert ("strict-transport-security" in client.headers) == (status == 201)


def test_without_a_shortcut_django_answers(storing: type[Storing], tmp_path: Path) -> None:
    front = Front(django, folder=tmp_path, limits=read({}), shortcut=False)

    assert ask(front).status == DJANGO
    assert not hasattr(storing, "held")
