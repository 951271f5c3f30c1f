"""Sessions: when they end, and that putting off their end costs a page nothing."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory

from auditlog.log import group_commit
from auditlog.log.logs import create
from playground.accounts import sessions, signin
from playground.http.throttle import Throttle
from playground.stream import events
from tests.playground.securitylines import events as told
from tests.playground.securitylines import recorded

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_touches", Throttle(burst=1, pace=1 / 300))
    monkeypatch.setattr(sessions, "_reports", Throttle(burst=1, pace=1 / 300))


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


def left() -> timedelta:
    return Session.objects.get().expire_date - datetime.now(UTC)


def shorten(**by: float) -> None:
    Session.objects.update(expire_date=Session.objects.get().expire_date - timedelta(**by))


def is_in(client: Client) -> bool:
    return client.get("/audit/").status_code == 200


def test_a_session_ends_after_eight_hours_without_a_request(client: Client, ada: User) -> None:
    assert timedelta(hours=7, minutes=59) < left() <= timedelta(hours=8)
    assert is_in(client)

    shorten(hours=8)

    assert not is_in(client)


def test_a_request_puts_the_end_off(client: Client, ada: User) -> None:
    shorten(hours=7)

    assert is_in(client)

    assert left() > timedelta(hours=7, minutes=59)


def test_a_session_ends_fourteen_days_after_the_sign_in_however_busy_it_is(
    client: Client, ada: User
) -> None:
    session = client.session
    session["began"] = (datetime.now(UTC) - timedelta(days=14) + timedelta(hours=1)).isoformat()
    session.save()
    shorten(minutes=30)

    assert is_in(client)

    assert timedelta(minutes=59) < left() <= timedelta(hours=1)


def test_reading_puts_the_end_off_once_in_some_minutes_only(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[Any] = []
    monkeypatch.setattr(group_commit, "run", lambda *errand: handed.append(errand))

    is_in(client)
    assert handed == []
    shorten(minutes=6)
    for _ in range(5):
        is_in(client)

    assert len(handed) == 1


def test_a_session_that_was_ended_is_not_brought_back(client: Client, ada: User) -> None:
    key = str(client.session.session_key)
    Session.objects.all().delete()

    group_commit.run(sessions._TOUCH, key, datetime.now(UTC) + timedelta(hours=8))

    assert not Session.objects.exists()
    assert not is_in(client)


def test_a_session_that_has_run_out_is_not_extended_late(client: Client, ada: User) -> None:
    key = str(client.session.session_key)
    shorten(hours=9)

    group_commit.run(sessions._TOUCH, key, datetime.now(UTC) + timedelta(hours=8))

    assert left() < timedelta(0)
    assert not is_in(client)


def test_a_session_of_before_the_limits_is_not_put_off(client: Client, ada: User) -> None:
    session = client.session
    del session["began"]
    session.save()
    shorten(hours=7)

    assert is_in(client)

    assert left() < timedelta(hours=1)


@pytest.mark.parametrize(("hours_ago", "reason"), [(9, "idle"), (14 * 24, "age")])
def test_the_end_of_a_session_is_logged_once(
    client: Client, ada: User, hours_ago: int, reason: str
) -> None:
    session = client.session
    session["began"] = (datetime.now(UTC) - timedelta(hours=hours_ago)).isoformat()
    session.save()
    Session.objects.update(expire_date=datetime.now(UTC) - timedelta(seconds=1))
    if reason == "age":
        began = datetime.fromisoformat(session["began"])
        Session.objects.update(expire_date=began + sessions.LONGEST)

    with recorded() as lines:
        is_in(client)
        is_in(client)

    assert told(lines) == [{"event": "session.ended", "reason": reason, "person": "ada"}]


def test_signing_in_and_out_is_logged_without_the_link(client: Client) -> None:
    ada = User.objects.create_user("ada")

    with recorded() as lines:
        link = signin.link(ada)
        client.post(link)
        client.post(link)
        client.post("/signout")

    assert told(lines) == [
        {"event": "signin.link_made", "person": "ada"},
        {"event": "signin.accepted", "person": "ada", "address": "127.0.0.1"},
        {"event": "signin.refused", "method": "POST", "address": "127.0.0.1"},
        {"event": "session.ended", "reason": "signed_out", "person": "ada", "address": "127.0.0.1"},
    ]
    assert link.rsplit("/", 1)[1] not in str(lines)


def test_signing_in_deletes_what_has_ended(client: Client, ada: User) -> None:
    Session.objects.update(expire_date=datetime.now(UTC) - timedelta(days=1))

    Client().post(signin.link(User.objects.create_user("bob")))

    assert Session.objects.count() == 1


def test_signing_in_gives_a_new_session_token(client: Client, ada: User) -> None:
    before = client.session.session_key

    client.post(signin.link(User.objects.create_user("bob")))

    assert client.session.session_key != before
    assert not Session.objects.filter(pk=before).exists()


def test_a_stream_of_a_log_ends_with_the_session(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(slug="own")
    for name in ("RECHECK", "TICK"):
        monkeypatch.setattr(events, name, 0.0)
    monkeypatch.setattr(events, "HEARTBEAT", 0.01)
    answer: Any = client.get("/stream/log/own/events")
    stream = answer.streaming_content
    next(stream), next(stream)
    Session.objects.all().delete()

    assert b"event: again" in b"".join(stream)


def test_a_session_is_asked_for_anew(client: Client, ada: User) -> None:
    request = RequestFactory().get("/")
    request.session = client.session

    assert sessions.is_signed_in(request)
    User.objects.update(is_active=False)
    assert not sessions.is_signed_in(request)
