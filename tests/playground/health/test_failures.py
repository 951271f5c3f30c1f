"""One line of the log for each failure, with its reason and nothing that was sent."""

import logging
import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from auditlog import access
from auditlog.database import unavailable
from auditlog.database.faults import Fault
from auditlog.ingest.item import Item
from auditlog.models import Log
from auditlog.tree import incidents
from playground.health import failures
from playground.health.failures import Repeats
from playground.server.log_format import LogLine
from tests.auditlog.sending import append, make_sender
from tests.database.faults import database_error, raising

pytestmark = pytest.mark.django_db

SECRET = "hunter2-hunter2-hunter2"
FULL = Fault("full", "OperationalError SQLITE_FULL: database or disk is full")


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def key() -> str:
    return access.create_key(source="agent", scopes=("read", "ingest"))[1]


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "_repeats", Repeats())


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """The lines as the log of an installation has them."""

    def lines() -> list[str]:
        return [
            LogLine().format(record)
            for record in caplog.records
            if record.name != "django.request" and is_ours(record)
        ]

    def is_ours(record: logging.LogRecord) -> bool:
        return not record.name.startswith("cablese.security") and record.levelno >= logging.WARNING

    return lines


def search(client: Client, key: str) -> str:
    """A failing search, and the ID of its answer."""
    answer = client.get(f"/api/v1/search?q={SECRET}", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code >= 500
    return str(answer.headers["X-Request-ID"])


def test_a_failure_of_ours_is_one_line_with_places(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch, written: Callable[[], list[str]]
) -> None:
    monkeypatch.setattr("playground.audit.api.log.find", raising(ValueError(SECRET)))
    number = search(client, key)
    (line,) = written()
    assert f"500 GET api/v1/search, request {number}: ValueError\n" in line
    assert 'File "' in line
    assert SECRET not in line
    assert key not in line


def test_each_failure_of_ours_is_logged(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch, written: Callable[[], list[str]]
) -> None:
    monkeypatch.setattr("playground.audit.api.log.find", raising(ValueError(SECRET)))
    search(client, key)
    search(client, key)
    assert len(written()) == 2


def test_a_fault_of_the_database_is_one_line_a_minute_with_its_code(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch, written: Callable[[], list[str]]
) -> None:
    monkeypatch.setattr(
        "playground.audit.api.log.find",
        raising(database_error("SQLITE_FULL", "database or disk is full")),
    )
    number = search(client, key)
    for _ in range(3):
        search(client, key)
    (line,) = written()
    said = (
        rf"503 GET api/v1/search, request {number}: OperationalError SQLITE_FULL: database or "
        rf"disk is full"
    )
    assert re.search(rf"{said}$", line)


@pytest.mark.parametrize("path", ["/save/confirm", "/api/v1/packets"])
def test_what_could_not_be_stored_is_logged_with_its_fault(
    client: Client,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
    written: Callable[[], list[str]],
    path: str,
) -> None:
    monkeypatch.setattr("auditlog.log.writer.submit", raising(unavailable.Stuck(FULL)))
    if path == "/save/confirm":
        from django.contrib.auth.models import User

        client.force_login(User.objects.create_user("ada"))
        answer = client.post(path, {"text": f"REQ/TSK|g={SECRET}"})
    else:
        body = {"wire": f"REQ/TSK|g={SECRET}"}
        answer = client.post(
            path, body, content_type="application/json", headers={"Authorization": f"Bearer {key}"}
        )
    assert answer.status_code == 503
    (line,) = written()
    assert (
        f"503 POST {path[1:]}, request {answer.headers['X-Request-ID']}: Stuck ({FULL.reason})"
        in line
    )
    assert SECRET not in line


def test_an_address_that_may_be_a_secret_is_not_written(
    client: Client, monkeypatch: pytest.MonkeyPatch, written: Callable[[], list[str]]
) -> None:
    monkeypatch.setattr("playground.stream.opening.find", raising(ValueError()))
    assert client.get(f"/stream/pad/{SECRET}").status_code == 500
    (line,) = written()
    assert "500 GET stream/pad/<str:key>, request " in line
    assert SECRET not in line


def test_a_report_of_not_being_ready_is_no_failure(
    client: Client, monkeypatch: pytest.MonkeyPatch, written: Callable[[], list[str]]
) -> None:
    from playground.health import readiness

    monkeypatch.setattr(readiness, "current", readiness.State)
    assert client.get("/readyz").status_code == 503
    assert written() == []


def test_what_is_not_there_yet_is_no_failure(
    client: Client, key: str, settings: Settings, written: Callable[[], list[str]]
) -> None:
    """A proof is polled until a checkpoint covers the packet, and sending can be off."""
    settings.NLIP_SERVERS = ()
    (outcome,) = append(Item("REQ/TSK|g=42"), sender=make_sender())
    held = {"Authorization": f"Bearer {key}"}

    proof = client.get(f"/api/v1/packets/{outcome.packet}/proof", headers=held)
    sent = client.post(
        "/api/v1/nlip/send",
        {"server": "rooms", "message": "Hi"},
        content_type="application/json",
        headers=held,
    )

    for answer in (proof, sent):
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
    assert written() == []


def test_a_proof_that_no_checkpoint_will_make_is_a_failure(
    client: Client, key: str, written: Callable[[], list[str]]
) -> None:
    (outcome,) = append(Item("REQ/TSK|g=42"), sender=make_sender())
    incidents.record(Log.objects.get(slug="default"), "faults", size=1, found=1)

    answer = client.get(
        f"/api/v1/packets/{outcome.packet}/proof", headers={"Authorization": f"Bearer {key}"}
    )

    assert answer.status_code == 503
    assert "found faults" in written()[0]
    assert "503 GET" in written()[-1]


def test_an_answer_that_is_fine_has_no_id_and_no_line(
    client: Client, written: Callable[[], list[str]]
) -> None:
    for path in ("/healthz", "/nowhere", "/api/v1/search"):
        assert "X-Request-ID" not in client.get(path).headers
    assert written() == []


def test_a_failure_outside_of_django_is_written_like_any_other(
    written: Callable[[], list[str]],
) -> None:
    told = unavailable.Stuck(FULL)
    broken = RuntimeError(SECRET)
    broken.__cause__ = ValueError("the first")

    first = failures.refuse("POST", "/api/v1/packets", 503, "", told)
    second = failures.refuse("POST", "/api/v1/packets", 500, "", broken)

    begin = "POST api/v1/packets, request"
    assert written()[0].endswith(f"503 {begin} {first}: Stuck ({FULL.reason})")
    assert f"500 {begin} {second}: RuntimeError" in written()[1]
    assert written()[1].endswith("builtins.RuntimeError")
    assert not any(SECRET in line for line in written())


def test_lines_about_the_same_are_counted_until_one_is_due_again() -> None:
    repeats = Repeats(every=60, most=2)
    assert repeats.count("a", now=0.0) == 0
    assert repeats.count("a", now=1.0) is None
    assert repeats.count("a", now=59.0) is None
    assert repeats.count("b", now=59.0) == 0
    assert repeats.count("a", now=60.0) == 2
    assert repeats.count("a", now=61.0) is None


def test_what_was_told_first_is_forgotten_first() -> None:
    repeats = Repeats(every=60, most=2)
    for about in "abc":
        assert repeats.count(about, now=0.0) == 0
    assert repeats.count("c", now=1.0) is None
    assert repeats.count("a", now=1.0) == 0


def test_nothing_is_written_twice() -> None:
    """Django logs what it answers too, words and all."""
    handlers = logging.getLogger("django.request").handlers
    ours = [
        type(handler) for handler in handlers if not type(handler).__module__.startswith("_pytest")
    ]
    assert ours == [logging.NullHandler]
