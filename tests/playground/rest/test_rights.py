"""Who may do what over the API: every operation with a key of each scope, of all logs, of its log,
and of another.
"""

import json
from typing import Any, NamedTuple

import pytest
from django.test import Client, override_settings

from auditlog import access
from auditlog.log import logs
from auditlog.models import Log, Packet, SavedSearch
from playground.aacp.models import Candidate
from playground.api import api
from playground.audit import receipt_pace
from playground.http.throttle import Throttle
from playground.models import Definition
from playground.server.environment import Peer
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db

HOME, OTHER = "home", "other"
WIRE = "REQ/TSK|g=42,t=1"
PLAN = '{"g":"VISIT","plan":[["check","VISA_QUERY",{"nationality":"FR"}]]}'
VERB = {
    "name": "translate",
    "description": "Says it in another language.",
    "inputs": ["text"],
    "outputs": "string",
}
TOOL = {
    "id": "DICT",
    "description": "A dictionary.",
    "supported_verbs": ["translate"],
    "parameters": [],
}
AGENT = {
    "agent_name": "TRANSLATOR", "supported_verbs": ["translate"], "supported_tools": ["DICT"],
    "inputs": ["text"],
    "outputs": ["text"], "description": "Knows forty languages",
    "tool.interface": "https://example.org",
}  # fmt: skip


class Right(NamedTuple):
    """What an operation needs: a scope, and a key for all logs or one for the log that is meant."""

    scope: str
    reach: str
    body: object = None
    query: str = ""


RIGHTS = {
    ("post", "/api/v1/packets"): Right("ingest", "log", {"wire": WIRE, "log": HOME}),
    ("post", "/api/v1/packets/batch"): Right("ingest", "log", [{"wire": WIRE, "log": HOME}]),
    ("get", "/api/v1/packets/{uid}"): Right("read", "log"),
    ("post", "/api/v1/packets/{uid}/erase"): Right("admin", "log", {"reason": "asked"}),
    ("get", "/api/v1/packets/{uid}/proof"): Right("read", "log"),
    ("get", "/api/v1/export"): Right("export", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/evidence"): Right("export", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/search"): Right("read", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/search/autopilot"): Right("read", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/search/conversations"): Right("read", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/searches"): Right("read", "log", query=f"?log={HOME}"),
    ("post", "/api/v1/searches"): Right("admin", "log", {"name": "a"}, query=f"?log={HOME}"),
    ("delete", "/api/v1/searches/{uid}"): Right("admin", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/search/complete"): Right("read", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/statistics"): Right("read", "log", query=f"?log={HOME}"),
    ("get", "/api/v1/search/facets"): Right("read", "log", query=f"?log={HOME}"),
    ("post", "/api/v1/nlip/send"): Right(
        "ingest", "any", {"server": "nowhere", "message": "Hello"}
    ),
    ("get", "/api/v1/aacp/candidates"): Right("read", "all"),
    ("get", "/api/v1/aacp/rules"): Right("read", "all"),
    ("post", "/api/v1/aacp/candidates/{number}/preview"): Right("read", "all", {}),
    ("post", "/api/v1/aacp/candidates/{number}/rule"): Right("admin", "all", {}),
    ("post", "/api/v1/aacp/candidates/{number}/decision"): Right(
        "admin", "all", {"state": "rejected"}
    ),
    ("delete", "/api/v1/aacp/rules/{number}"): Right("admin", "all"),
    ("post", "/api/v1/sacp/verbs"): Right("admin", "all", VERB),
    ("post", "/api/v1/sacp/tools"): Right("admin", "all", TOOL),
    ("post", "/api/v1/sacp/agents"): Right("admin", "all", AGENT),
    ("delete", "/api/v1/sacp/verbs/{name}"): Right("admin", "all"),
    ("delete", "/api/v1/sacp/tools/{name}"): Right("admin", "all"),
    ("delete", "/api/v1/sacp/agents/{name}"): Right("admin", "all"),
    ("post", "/api/v1/sacp/spawn"): Right("admin", "all", {"message": PLAN}),
}
LOGS = (None, HOME, OTHER)


@pytest.fixture(autouse=True)
def full_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test of the same process have used up the receipts that may be checked."""
    monkeypatch.setattr(receipt_pace, "throttle", Throttle())


@pytest.fixture
def home() -> str:
    """A log with a packet in it; gives the packet's ID."""
    for slug in (HOME, OTHER):
        logs.create(slug=slug)
    Candidate.objects.create(
        pk=1, english="Ask for it.", digest="0" * 64, packet="", failure="none", model="m", calls=1,
        tokens_in=1, tokens_out=1, reported=True, asked="2026-01-01T00:00:00Z",
    )  # fmt: skip
    _, token = access.create_key(source="filler", scopes=("ingest",))
    answer = _send(Client(), "post", "/api/v1/packets", token, {"wire": WIRE, "log": HOME})
    return str(json.loads(answer.content)["results"][0]["packet"])


def _send(client: Client, method: str, address: str, token: str, body: object = None) -> Any:
    content = b"" if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}"}
    return client.generic(
        method.upper(), address, content, content_type="application/json", headers=headers
    )


def _key(scopes: tuple[str, ...], log: str | None) -> str:
    return access.create_key(
        source="bot", scopes=scopes, log=Log.objects.get(slug=log) if log else None
    )[1]


def _is_granted(right: Right, scope: str, log: str | None) -> bool:
    allowed = {"any": LOGS, "all": (None,), "log": (None, HOME)}[right.reach]
    return scope == right.scope and log in allowed


def test_the_table_has_every_operation_that_needs_a_key() -> None:
    paths = api.get_openapi_schema()["paths"]

    operations = [
        (method, path, one) for path, group in paths.items() for method, one in group.items()
    ]
    assert RIGHTS.keys() == {
        (method, path) for method, path, one in operations if {} not in one.get("security", [{}])
    }


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("scope", access.SCOPES)
@pytest.mark.parametrize(("method", "path"), RIGHTS)
def test_a_key_does_what_its_scope_and_its_log_allow_and_no_more(
    client: Client, home: str, method: str, path: str, scope: str, log: str | None
) -> None:
    right = RIGHTS[method, path]
    address = (
        path.replace("{uid}", home).replace("{number}", "1").replace("{name}", "MERGE")
        + right.query
    )
    before = _state()

    answer = _send(client, method, address, _key((scope,), log), right.body)
    answer.getvalue()  # An export releases its place.

    if _is_granted(right, scope, log):
        assert answer.status_code not in (401, 403)
    else:
        # What another log holds is not there, and an item for it is refused in its place.
        assert answer.status_code in _refusals(path, scope == right.scope)
        assert _state() == before


def _refusals(path: str, has_scope: bool) -> set[int]:  # noqa: FBT001
    other_log = {
        "/api/v1/packets": {422},
        "/api/v1/packets/batch": {422},
        "/api/v1/packets/{uid}": {404},
        "/api/v1/packets/{uid}/erase": {404},
        "/api/v1/packets/{uid}/proof": {404},
    }
    return other_log.get(path, {403}) if has_scope else {403}


def _state() -> tuple[int, ...]:
    return (
        Packet.objects.count(),
        Definition.objects.count(),
        Candidate.objects.filter(state="candidate").count(),
        SavedSearch.objects.count(),
    )


def test_an_admin_key_of_one_log_changes_no_rule_and_is_logged(client: Client, home: str) -> None:
    token = _key(("admin",), OTHER)

    with recorded() as lines:
        answer = _send(client, "delete", "/api/v1/sacp/verbs/generate", token)

    assert answer.status_code == 403
    assert (
        json.loads(answer.content)["detail"]
        == "This key is limited to log other. Use a key for all logs."
    )
    assert not Definition.objects.filter(name="generate", withdrawn=True).exists()
    assert events(lines) == [
        {
            "event": "right.refused", "needed": "a key for all logs", "key": token.split("_")[2],
            "method": "DELETE",
            "route": "api/v1/sacp/verbs/<name>", "address": "127.0.0.1",
        }
    ]  # fmt: skip
    assert token.split("_")[3] not in str(lines)


def test_a_change_of_a_rule_is_logged_with_its_key(client: Client, home: str) -> None:
    token = _key(("admin",), None)

    with recorded() as lines:
        assert _send(client, "post", "/api/v1/sacp/verbs", token, VERB).status_code == 201
        for _ in range(2):  # The second one changes nothing.
            answer = _send(client, "delete", "/api/v1/sacp/verbs/translate", token)
            assert (answer.status_code, answer.json()["revision"]) == (200, 2)
        assert (
            _send(client, "post", "/api/v1/sacp/spawn", token, {"message": PLAN}).status_code == 200
        )

    told = [(line["event"], line["change"], line["rule"], line["key"]) for line in lines]
    key = token.split("_")[2]
    assert told == [
        ("rule.changed", "registered", "verb", key),
        ("rule.changed", "withdrawn", "verb", key),
        ("rule.changed", "spawned", "agent", key),
    ]


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("scope", access.SCOPES)
def test_a_pad_keeps_with_the_scope_ingest_only(
    client: Client, home: str, scope: str, log: str | None
) -> None:
    answer = _send(client, "post", "/api/v1/pads", _key((scope,), log))

    assert answer.status_code == (201 if scope == "ingest" else 403)


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("scope", access.SCOPES)
def test_a_model_is_asked_with_the_scope_ingest_only(
    client: Client, home: str, scope: str, log: str | None
) -> None:
    body = {"english": "Water the plants on the moon."}
    answer = _send(client, "post", "/api/v1/aacp/english", _key((scope,), log), body)

    assert answer.status_code == (503 if scope == "ingest" else 403)


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("scope", access.SCOPES)
def test_a_receipt_is_found_by_its_packet_in_the_logs_of_the_key_only(
    client: Client, home: str, scope: str, log: str | None
) -> None:
    body = {"receipt": home}
    answer = _send(client, "post", "/api/v1/receipts/check", _key((scope,), log), body)

    assert answer.status_code == 200, answer.content
    (check,) = json.loads(answer.content)["checks"]
    assert (WIRE in json.dumps(check) or HOME in json.dumps(check)) == (
        scope == "read" and log in (None, HOME)
    )


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("scope", access.SCOPES)
def test_a_middle_agent_passes_on_with_the_scope_ingest_only(
    client: Client, home: str, scope: str, log: str | None
) -> None:
    message = {"format": "text", "subformat": "English", "content": "Hello"}
    with override_settings(NLIP_SERVERS=(Peer("rooms", "https://rooms.example.invalid/nlip"),)):
        headers = {"Authorization": f"Bearer {_key((scope,), log)}"}
        answer = client.post(
            "/nlip/via/rooms",
            json.dumps(message),
            content_type="application/json",
            headers=headers,
            secure=True,
        )

    assert (answer.status_code == 403) == (scope != "ingest")
