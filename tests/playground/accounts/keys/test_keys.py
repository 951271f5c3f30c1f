"""The page of API keys: who may use it, and what it does."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.log import logs
from auditlog.models import ApiKey
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r"cbl_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}")


def make(**more: Any) -> tuple[ApiKey, str]:
    return access.create_key(source="hr-bot", scopes=("read", "export"), **more)


def shown(answer: Any) -> str:
    """The one key on a page."""
    assert "no-store" in answer.headers["Cache-Control"]
    (token,) = set(TOKEN.findall(answer.content.decode()))
    return str(token)


def rotate(client: Client, key: ApiKey, grace: str) -> Any:
    return client.post(f"/account/keys/{key.pk}/rotate", {"grace": grace})


def test_times_are_shown_in_the_zone_of_the_reader(admin_client: Client) -> None:
    key, _ = make(expires=datetime.now(UTC) + timedelta(days=3))
    page = admin_client.get("/account/keys").content.decode()

    assert key.expires is not None
    for at in (key.created, key.expires):
        shown = f"{at:%Y-%m-%d %H:%M:%S} UTC"
        assert f'datetime="{at.isoformat()}" title="{shown}">{shown}</time>' in page
    assert "times.js" in page


def test_a_key_is_created_and_shown_once(admin_client: Client) -> None:
    logs.create(slug="night")
    form = {"source": "hr-bot", "scopes": ["read", "export"], "log": "night", "days": "3"}

    with recorded() as lines:
        answer = admin_client.post("/account/keys", form)

    token = shown(answer)
    sender = access.authenticate(token)
    assert sender is not None
    assert (sender.source, sender.scopes, sender.log) == (
        "hr-bot", frozenset({"read", "export"}), "night",
    )  # fmt: skip
    key = ApiKey.objects.get()
    assert key.expires is not None
    assert timedelta(days=2.9) < key.expires - datetime.now(UTC) <= timedelta(days=3)
    (line,) = events(lines, "expires")
    assert line == {
        "event": "key.made", "key": key.pk, "source": "hr-bot", "scopes": "read export",
        "log": "night", "by": "admin",
    }  # fmt: skip
    assert token.split("_")[3] not in str(lines)
    assert not TOKEN.search(admin_client.get("/account/keys").content.decode())


@pytest.mark.parametrize(
    "form",
    [{}, {"source": "a"}, {"source": "user:ada", "scopes": "read"},
     {"source": "a", "scopes": "write"}, {"source": "a", "scopes": "read", "log": "nowhere"},
     {"source": "a", "scopes": "read", "days": "0"}],
)  # fmt: skip
def test_a_key_that_cannot_be_is_not_created(admin_client: Client, form: dict[str, str]) -> None:
    answer = admin_client.post("/account/keys", form)

    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not ApiKey.objects.exists()


def test_a_form_that_is_sent_again_creates_no_other_key(admin_client: Client) -> None:
    form = {"source": "reloaded-bot", "scopes": ["read"], "once": "a1b2"}

    first = admin_client.post("/account/keys", form)
    again = admin_client.post("/account/keys", form)

    assert (first.status_code, again.status_code) == (200, 409)
    assert "already created" in again.content.decode()
    assert ApiKey.objects.filter(source__name="reloaded-bot").count() == 1
    assert admin_client.post("/account/keys", form | {"once": "c3d4"}).status_code == 200
    assert ApiKey.objects.filter(source__name="reloaded-bot").count() == 2


@pytest.mark.parametrize("grace", ["1h", "24h", "7d"])
def test_a_rotated_key_works_for_the_grace_time(admin_client: Client, grace: str) -> None:
    old, old_token = make()

    with recorded() as lines:
        answer = rotate(admin_client, old, grace)

    new_token = shown(answer)
    old.refresh_from_db()
    new = ApiKey.objects.exclude(pk=old.pk).get()
    assert (new.source, new.scopes, new.log, new.expires) == (old.source, old.scopes, old.log, None)
    assert old.expires is not None
    assert abs(old.expires - datetime.now(UTC) - access.GRACES[grace]) < timedelta(minutes=1)
    assert access.authenticate(old_token) is not None
    assert access.authenticate(new_token) is not None
    assert events(lines)[-1] == {
        "event": "key.rotated", "key": old.pk, "successor": new.pk, "by": "admin",
        "expires": old.expires.isoformat(),
    }  # fmt: skip
    assert new_token.split("_")[3] not in str(lines)


def test_a_key_that_is_rotated_now_stops(admin_client: Client) -> None:
    old, old_token = make(expires=datetime.now(UTC) + timedelta(days=10))

    new_token = shown(rotate(admin_client, old, "now"))

    assert access.authenticate(old_token) is None
    new = ApiKey.objects.exclude(pk=old.pk).get()
    assert new.expires is not None
    assert timedelta(days=9.9) < new.expires - datetime.now(UTC) <= timedelta(days=10.1)
    assert access.authenticate(new_token) is not None


def test_rotation_never_prolongs_a_key(admin_client: Client) -> None:
    old, _ = make(expires=datetime.now(UTC) + timedelta(minutes=5))
    before = old.expires

    rotate(admin_client, old, "7d")

    old.refresh_from_db()
    assert old.expires == before


def test_a_key_that_ended_is_not_rotated(admin_client: Client) -> None:
    key, _ = make()
    access.revoke_key(key.pk)

    assert rotate(admin_client, key, "1h").status_code == 422
    assert rotate(admin_client, make()[0], "1y").status_code == 422
    assert ApiKey.objects.count() == 2
    assert admin_client.post("/account/keys/nobody/rotate", {"grace": "1h"}).status_code == 404


def test_a_revoked_key_ends(admin_client: Client) -> None:
    key, token = make()

    with recorded() as lines:
        answer = admin_client.post(f"/account/keys/{key.pk}/revoke", follow=True)

    assert f"Key {key.pk} revoked." in answer.content.decode()
    assert access.authenticate(token) is None
    assert events(lines) == [{"event": "key.revoked", "key": key.pk, "by": "admin"}]
    assert admin_client.post("/account/keys/nobody/revoke").status_code == 404


def test_each_key_says_whether_it_still_works(admin_client: Client) -> None:
    now, states = datetime.now(UTC), re.compile(r'<span class="chip">(\w+)</span>')
    access.revoke_key(make()[0].pk)
    make()
    ended = [make(expires=now + timedelta(minutes=5))[0] for _ in range(2)]

    before = states.findall(admin_client.get("/account/keys").content.decode())
    ApiKey.objects.filter(pk=ended[0].pk).update(expires=now - timedelta(seconds=1))
    after = states.findall(admin_client.get("/account/keys").content.decode())

    assert sorted(before) == ["active", "active", "active", "revoked"]
    assert sorted(after) == ["active", "active", "expired", "revoked"]


def test_a_key_is_expired_at_its_very_end(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, _ = make(expires=datetime.now(UTC) + timedelta(minutes=5))
    clock = Mock(now=Mock(return_value=key.expires))
    monkeypatch.setattr("playground.accounts.keys.views.datetime", clock)

    assert '<span class="chip">expired</span>' in admin_client.get("/account/keys").content.decode()


def test_each_way_to_rotate_a_key_can_be_chosen(admin_client: Client) -> None:
    make()
    page = admin_client.get("/account/keys").content.decode()
    choices = page[page.index('name="grace"') :].partition("</select>")[0]

    assert re.findall(r'<option value="(\w+)"', choices) == list(access.GRACES)


def test_the_last_use_of_a_key_is_shown(admin_client: Client) -> None:
    key, _ = make()
    assert "Never used" in admin_client.get("/account/keys").content.decode()

    ApiKey.objects.filter(pk=key.pk).update(last_used=datetime(2026, 11, 20, 10, 5, tzinfo=UTC))

    page = admin_client.get("/account/keys").content.decode()
    assert "2026-11-20 10:05:00 UTC" in page
    assert "Never used" not in page


def test_only_administrators_see_and_change_keys(client: Client) -> None:
    key, token = make()
    ways = ("/account/keys", f"/account/keys/{key.pk}/rotate", f"/account/keys/{key.pk}/revoke")
    form = {"source": "x", "scopes": "admin", "grace": "now"}
    for way in ways:
        assert client.post(way, form).status_code == 302
    client.force_login(User.objects.create_user("bob"))

    for way in ways:
        assert client.post(way, form).status_code == 403
    assert client.get("/account/keys").status_code == 403
    assert "/account/keys" not in client.get("/").content.decode()
    assert ApiKey.objects.count() == 1
    assert access.authenticate(token) is not None


def test_administrators_find_the_page(admin_client: Client) -> None:
    assert 'href="/account/keys"' in admin_client.get("/").content.decode()


def test_forms_need_the_token_of_our_page(admin_user: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin_user)
    key, token = make()

    assert client.post(f"/account/keys/{key.pk}/revoke").status_code == 403
    assert access.authenticate(token) is not None
