"""A request that met a fault of the database is told what is wrong and what became of it, wherever
it meets it.
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import IntegrityError, OperationalError, connection
from django.test import Client

from auditlog import access
from auditlog.database import unavailable
from auditlog.database.faults import Fault
from cablese.protocols.nlip.codec import codec as nlip
from playground.accounts import signin
from playground.accounts.sessions import SessionStore
from playground.health import outage
from tests.database.faults import database_error, raising

pytestmark = pytest.mark.django_db

LOCKED = Fault("locked", "OperationalError SQLITE_BUSY: database is locked")


@pytest.fixture
def client() -> Client:
    """As a browser meets the server: an exception is an answer."""
    return Client(raise_request_exception=False)


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


@pytest.mark.parametrize(
    ("code", "method", "words"),
    [
        (
            "SQLITE_BUSY",
            "GET",
            "Another program has locked the database, so nothing can be stored. Try again later.",
        ),
        (
            "SQLITE_FULL",
            "POST",
            "The disk is full, so nothing can be stored. None of this was stored.",
        ),
        (
            "SQLITE_READONLY",
            "POST",
            "The database is read-only, so nothing can be stored. None of this was stored.",
        ),
        ("SQLITE_IOERR", "POST", "This may or may not have been stored."),
        ("SQLITE_CANTOPEN", "GET", "The database cannot be reached"),
    ],
)
def test_it_says_what_is_wrong_and_what_became_of_the_request(
    code: str, method: str, words: str
) -> None:
    found = outage.find(database_error(code), method)
    assert words in str(found)


def test_other_errors_are_no_outage() -> None:
    assert outage.find(None, "GET") is None
    assert outage.find(ValueError("x"), "GET") is None
    assert outage.find(database_error("SQLITE_CONSTRAINT", kind=IntegrityError), "POST") is None
    assert outage.find(OperationalError("no such table"), "GET") is None


def test_a_page_that_meets_a_fault_is_a_503_with_a_time_to_come_back(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "playground.aacp.views.candidates.recent",
        raising(database_error("SQLITE_CANTOPEN")),
    )
    answer = client.get("/aacp/candidates")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    page = answer.content.decode()
    assert "The database cannot be reached" in page
    assert "words of the driver" not in page
    assert answer.headers["X-Request-ID"] in page


def test_signing_in_while_the_database_is_locked_is_a_503_and_the_link_stays_good(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = signin.link(User.objects.create_user("ada"))
    with monkeypatch.context() as patch:
        patch.setattr("playground.accounts.views.login", raising(database_error("SQLITE_BUSY")))
        answer = client.post(link)
    assert answer.status_code == 503
    assert "None of this was stored" in answer.content.decode()
    assert client.post(link).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_the_link_is_spent_and_the_session_is_stored_in_one_transaction(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault between the two would cost the person the link."""
    link = signin.link(User.objects.create_user("ada"))
    saves: list[bool] = []
    real = SessionStore.create_model_instance

    def create(store: SessionStore, data: dict[str, Any]) -> Session:
        saves.append(connection.in_atomic_block)
        return real(store, data)

    monkeypatch.setattr(SessionStore, "create_model_instance", create)
    assert client.post(link).status_code == 302
    assert client.get("/audit/").status_code == 200
    assert saves
    assert all(saves)


def test_the_api_answers_a_problem(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    _, key = access.create_key(source="agent", scopes=("read",))
    monkeypatch.setattr("playground.audit.api.log.find", raising(database_error("SQLITE_CANTOPEN")))
    answer = client.get("/api/v1/search", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["X-Request-ID"]
    assert answer.json()["detail"].startswith("The database cannot be reached")


def test_the_api_answers_a_problem_to_a_fault_that_is_met_before_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "playground.http.pages.Frames.process_response", raising(database_error("SQLITE_BUSY"))
    )
    monkeypatch.setattr("playground.http.pages.API", "/elsewhere/")
    answer = client.get("/api/v1/protocols")
    assert (answer.status_code, answer.headers["Content-Type"]) == (503, "application/problem+json")
    assert answer.headers["Retry-After"] == "5"
    assert "locked the database" in answer.json()["detail"]


def test_an_error_of_ours_stays_a_500(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    _, key = access.create_key(source="agent", scopes=("read",))
    monkeypatch.setattr(
        "playground.audit.api.log.find", raising(OperationalError("no such table: hunter2"))
    )
    answer = client.get("/api/v1/search", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 500
    assert "hunter2" not in answer.content.decode()


@pytest.mark.parametrize("error", [unavailable.Stuck(LOCKED), database_error("SQLITE_BUSY")])
def test_an_agent_is_told_in_a_message(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr("playground.nlip.server_agent.store_exchange", raising(error))
    body = '{"format":"text","subformat":"English","content":"REQ/TSK|g=1,t=1"}'
    answer = client.post(
        "/nlip", body, content_type="application/json", headers={"host": "localhost"}
    )
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    said = nlip.decode(answer.content.decode())
    assert said.valid
    assert "locked the database" in answer.content.decode()


@pytest.mark.parametrize("address", ["/import/piece", "/save/confirm"])
def test_what_a_person_stores_is_not_claimed(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("auditlog.log.writer.submit", raising(unavailable.Stuck(LOCKED)))
    query = {"file": "0" * 64, "at": 0, "line": 1, "log": "default", "final": 1, "zone": "UTC"}
    wire = "REQ/TSK|g=1,t=1"
    if address == "/save/confirm":
        answer = client.post(address, {"text": wire})
    else:
        answer = client.post(address, wire, content_type="text/plain", query_params=query)
    assert answer.status_code == 503
    assert "locked the database" in answer.content.decode()
