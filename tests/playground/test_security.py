"""What docs/security.md claims and no other test shows: escaping, forms, origins, and logs
that stay apart."""

import json
import re
from collections.abc import Callable, Iterator
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from auditlog import access
from auditlog.log import logs
from auditlog.models import Log
from playground.http.throttle import Throttle
from playground.stream import opening
from playground.stream.pads import Pads
from tests.playground.securitylines import events, recorded

HOSTILE = "<img src=x onerror=alert(1)>"
BRACES = "{0.__class__}{user.password}%s%(x)s{{ 7|add:7 }}{% debug %}"
WIRE = "REQ/TSK|g=42,t=1,@=auth_refactor"


# Answers.


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_superuser("ada")
    client.force_login(person)
    return person


HOSTILE_LINE = (
    f"2026-11-20T10:00:00Z INFO bus {HOSTILE} -> <b>coder</b> trace_id=<script>1</script> {WIRE}\n"
    f'{{"from":"{HOSTILE}","thread_id":"<script>2</script>","trace_id":"<svg onload=3>",'
    f'"message":"{WIRE}"}}\n'
    f"FETCH|SALES|return <img src=x onerror=alert(4)>\n"
    f"REQ/TSK g=42 <img src=x onerror=alert(5)>\n"
)
TAG = re.compile(
    r"<(img|svg|script)(?! src=\"/static| type=\"module\")[^>]*(onerror|onload|>\d)", re.IGNORECASE
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    ["/", "/reading", "/reading/rows", "/reading/marks", "/fixes", "/save", "/reading/whole"],
)
def test_what_lines_say_is_text_on_the_workbench(client: Client, ada: User, address: str) -> None:
    answer = client.post(address, {"text": HOSTILE_LINE, "message": "0"})

    assert answer.status_code in (200, 422)
    assert TAG.search(answer.content.decode()) is None


@pytest.mark.django_db
def test_what_lines_say_is_text_in_the_import_and_the_trail(client: Client, ada: User) -> None:
    query = f"file={'0' * 64}&at=0&line=1&log=default&kind=plain&zone=UTC"
    looked = client.post(
        f"/import/preview?{query}", HOSTILE_LINE, content_type="application/octet-stream"
    )
    saved = client.post(
        "/save/confirm",
        {"text": HOSTILE_LINE, "shown_zone": "UTC", "zone": "UTC", "log": "default"},
    )
    listed = client.get("/audit/", {"q": HOSTILE})
    found = client.get("/audit/").content.decode()

    pages = [looked, saved, listed]
    uids = set(re.findall(r"/audit/default/([0-9a-f-]{36})", found))
    pages += [client.get(f"/audit/default/{uid}") for uid in uids]
    assert uids
    assert all(TAG.search(page.content.decode()) is None for page in pages)


@pytest.mark.django_db
def test_text_with_braces_is_only_text(client: Client, ada: User) -> None:
    for address, form in (
        ("/", {"text": f"REQ/TSK|g={BRACES}"}),
        ("/aacp/english", {"english": BRACES}),
        ("/sacp/plan", {"text": json.dumps({"g": BRACES, "plan": [["s", BRACES, {}]]})}),
    ):
        page = client.post(address, form).content.decode()
        assert "14" not in re.findall(r"\}(\d+)\{", page)
        assert "__class__" in page or "{user" in page
    answer = client.post(
        "/api/v1/decode", {"text": f"REQ/TSK|g={BRACES}"}, content_type="application/json"
    )
    assert answer.status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/", "/api/v1/protocols", "/api/openapi.json", "/nlip", "/healthz"]
)
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_no_answer_is_for_other_origins(client: Client, address: str, method: str) -> None:
    answer = client.generic(method, address, headers={"Origin": "https://evil.example"})

    assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


@pytest.mark.django_db
def test_text_names_its_charset(client: Client, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    # The stream is never closed, and so keeps its place.
    monkeypatch.setattr("playground.stream.events._places", BoundedSemaphore(1))
    pages = [
        "/",
        "/audit/export.csv",
        "/audit/export.ndjson",
        "/api/docs",
        "/no/such/page",
        "/stream/log/default/events",
    ]
    kinds = {address: client.get(address).headers["Content-Type"] for address in pages}

    assert all("charset=utf-8" in kind for kind in kinds.values() if kind.startswith("text/")), (
        kinds
    )
    assert kinds["/audit/export.csv"] == "text/csv; charset=utf-8"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/.git/config", "/static/", "/static/../manage.py", "/manage.py", "/var/secret-key"]
)
def test_no_file_of_the_repository_is_served(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_too_many_parameters_and_too_long_ones_are_refused(client: Client, ada: User) -> None:
    headers = {
        "Authorization": f"Bearer {access.create_key(source='bot', scopes=access.SCOPES)[1]}"
    }
    many = "&".join(f"a{at}=1" for at in range(1_001))
    asked = {
        f"/api/v1/search?{many}": 400,
        f"/audit/?{many}": 400,
        f"/api/v1/search?q={'(' * 60_000}": 422,
        f"/api/v1/search?cursor={'a' * 60_000}": 422,
        f"/api/v1/claims?{'b' * 60_000}": 422,
        f"/api/v1/search?log={'a' * 41}": 422,
        f"/sacp/verb/{'a' * 60_000}": 404,
        f"/signin/{'a' * 60_000}/x": 410,
    }

    assert {address: client.get(address, headers=headers).status_code for address in asked} == asked
    assert client.post("/audit/", {f"a{at}": "1" for at in range(1_001)}).status_code in (400, 405)


# Forms. NLIP takes keys and no cookies; the page of the import checks the token when it has seen
# who sends; a checkpoint for the witness is signed by its log.
WITHOUT_TOKEN = {"add-checkpoint", "nlip", "nlip-upload", "nlip-via", None}


def _routes(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str | None, str]]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name, prefix + str(pattern.pattern)
        elif isinstance(pattern, URLResolver) and pattern.namespace != "api":
            yield from _routes(pattern.url_patterns, prefix + str(pattern.pattern))


PAGES = [
    (name, route)
    for name, route in _routes(get_resolver().url_patterns)
    if name not in WITHOUT_TOKEN
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "route"), PAGES)
def test_every_page_that_changes_something_needs_the_token_of_a_form(name: str, route: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("ada"))
    address = "/" + re.sub(
        r"<(\w+):\w+>",
        lambda seen: {"int": "1", "uid": "0" * 8 + "-0000-7000-8000-" + "0" * 12}.get(
            seen[1], "verb"
        ),
        route,
    )

    answer = client.post(address, {"text": WIRE})

    assert answer.status_code in (403, 405), address


@pytest.mark.django_db
def test_a_form_without_its_token_is_logged(client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)

    with recorded() as lines:
        strict.post("/save", {"text": WIRE})

    assert events(lines) == [{"event": "form.refused", "route": "save", "address": "127.0.0.1"}]


# Keys.


@pytest.mark.django_db
def test_a_refused_key_is_logged_with_its_reason(client: Client) -> None:
    key, token = access.create_key(source="bot", scopes=("read",))
    access.revoke_key(key.pk)

    with recorded() as lines:
        for shown in (token, "cbl_live_x"):
            client.get("/api/v1/search", headers={"Authorization": f"Bearer {shown}"})
            client.post("/api/v1/pads", headers={"Authorization": f"Bearer {shown}"})

    told = [(line["event"], line["reason"], line.get("key"), line["route"]) for line in lines]
    assert told == [
        ("key.refused", "revoked", key.pk, "api/v1/search"),
        ("key.refused", "revoked", key.pk, "api/v1/pads"),
        ("key.refused", "malformed", None, "api/v1/search"),
        ("key.refused", "malformed", None, "api/v1/pads"),
    ]
    assert token.split("_")[3] not in str(lines)


@pytest.mark.django_db
def test_strangers_cannot_fill_the_log(client: Client) -> None:
    with recorded() as lines:
        for _ in range(50):
            client.get("/api/v1/search", headers={"Authorization": "Bearer x"})

    assert 20 <= len(lines) < 30


@pytest.mark.django_db
def test_a_pace_that_is_exceeded_is_logged(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "pads", Pads())
    monkeypatch.setattr(opening, "throttle", Throttle(burst=1, pace=0.01))

    with recorded() as lines:
        client.post("/api/v1/pads")
        client.post("/api/v1/pads")

    assert events(lines) == [
        {"event": "pace.refused", "route": "api/v1/pads", "address": "127.0.0.1"}
    ]


def key_holder(client: Client, slug: str) -> Callable[..., Any]:
    """Return how the holder of a key of a new log sends requests."""
    logs.create(slug=slug)
    log = Log.objects.get(slug=slug)
    key = access.create_key(source="bot", scopes=access.SCOPES, log=log)[1]

    def send(method: str, address: str, body: Any = None, **headers: str) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        shown = {"Authorization": f"Bearer {key}", **headers}
        return client.generic(method, address, data, content_type="application/json", headers=shown)

    return send


FOUND = (
    "attr.trace_id:4bf92f35", "@auth_refactor", "from:planner", "goal:42", "leaf:0..99", WIRE,
)  # fmt: skip
"""Queries that each find the packet of one log."""


@pytest.mark.django_db
def test_nothing_of_a_log_reaches_a_key_of_another(client: Client) -> None:
    """The same bytes in two logs, told apart by everything that a key can ask."""
    own, other = (key_holder(client, slug) for slug in ("own", "other"))
    trace = {"trace_id": "4bf92f35"}
    item = {"wire": WIRE, "attributes": trace, "event_id": "e-1", "from": "planner"}
    once = {"Idempotency-Key": "one"}
    first = own("POST", "/api/v1/packets", item, **once).json()["results"][0]
    same = other("POST", "/api/v1/packets", item, **once)
    assert (same.status_code, "Idempotency-Replayed" in same.headers) == (201, False)
    second = same.json()["results"][0]
    assert (first["log"], second["log"]) == ("own", "other")
    assert other("GET", f"/api/v1/packets/{first['packet']}").status_code == 404
    mine = other("GET", f"/api/v1/packets/{second['packet']}").json()
    assert mine["repeats"] is None
    for query in FOUND:
        found = other("GET", f"/api/v1/search?q={query.replace('/', '%2F')}").json()
        assert [packet["id"] for packet in found["results"]] == [second["packet"]], query
    own("POST", "/api/v1/packets", {"wire": WIRE, "attributes": {"secret_name": "x"}})
    unseen = other("GET", "/api/v1/search?q=attr.secret_nam:x")
    assert unseen.status_code == 422
    assert "secret_name" not in unseen.content.decode()
    talks = other("GET", "/api/v1/search/conversations").json()
    assert [packet["id"] for packet in talks["packets"]] == [second["packet"]]
    checks = other("POST", "/api/v1/receipts/check", {"receipt": first["leaf_hash"]}).json()
    checked = checks["checks"][0]
    assert (checked["verdict"], checked["log"], checked["leaf"]) == ("unknown", None, None)
    cursor = own("GET", "/api/v1/search?limit=1").json()["next"]
    assert cursor is not None
    assert other("GET", f"/api/v1/search?limit=1&cursor={cursor}").status_code == 422
