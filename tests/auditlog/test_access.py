"""Keys: what is kept of them, and what they grant."""

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from auditlog import access
from auditlog.log import group_commit, logs
from auditlog.models import ApiKey, Source
from auditlog.sender import Sender
from tests.auditlog.writing import another_writer

pytestmark = pytest.mark.django_db


def make(**options: Any) -> tuple[ApiKey, str]:
    return access.create_key(**{"source": "hr-bot", "scopes": ("ingest", "read")} | options)


def test_a_key_has_the_documented_shape_and_is_not_stored() -> None:
    key, token = make()
    assert re.fullmatch(r"cbl_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}", token)
    secret = token.split("_")[3].encode()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM auditlog_apikey")
        row = cursor.fetchone()
    assert key.id == token.split("_")[2]
    assert not any(
        secret in (bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode())
        for cell in row
    )


def test_it_grants_its_scopes_in_the_name_of_its_source() -> None:
    log = logs.create(slug="other")
    key, token = make(scopes=("read", "ingest"), log=log)
    sender = access.authenticate(token)
    assert sender == Sender(
        key.source_id, "hr-bot", key_id=key.id, scopes=frozenset({"ingest", "read"}), log="other"
    )
    assert key.scopes == "ingest read"


def test_a_source_can_have_several_keys() -> None:
    one, two = make()[0], make()[0]
    assert one.source_id == two.source_id
    assert one.id != two.id


def test_a_mistyped_key_is_refused_without_a_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    _, token = make()
    typos = [token[:-1], token + "x", token.replace("cbl_live", "cbl_test"), "", "ü", token + "\n"]
    typos += [
        token[:at] + ("x" if token[at] != "x" else "y") + token[at + 1 :]
        for at in (9, 30, len(token) - 1)
    ]
    with django_assert_num_queries(0):
        assert [access.authenticate(typo) for typo in typos] == [None] * len(typos)


def test_another_secret_behind_the_same_id_is_refused() -> None:
    key, _ = make()
    body = f"cbl_live_{key.id}_{'0' * 43}"
    assert access.authenticate(f"{body}_{access._checksum(body)}") is None


def test_revocation_works_at_once() -> None:
    key, token = make()
    assert access.authenticate(token)
    access.revoke_key(key.id)
    assert access.authenticate(token) is None
    first = ApiKey.objects.get(pk=key.id).revoked
    access.revoke_key(key.id)
    assert ApiKey.objects.get(pk=key.id).revoked == first
    with pytest.raises(access.NoSuchKey):
        access.revoke_key("no")


@pytest.mark.parametrize(("seconds", "granted"), [(60, True), (-1, False)])
def test_a_key_expires(seconds: int, *, granted: bool) -> None:
    _, token = make(expires=datetime.now(UTC) + timedelta(seconds=seconds))
    assert (access.authenticate(token) is not None) == granted


@pytest.mark.parametrize(
    ("change", "is_held"),
    [
        ({"expires": datetime.now(UTC) + timedelta(hours=1)}, True),
        ({"expires": datetime.now(UTC) - timedelta(seconds=1)}, False),
        ({"revoked": datetime.now(UTC)}, False),
    ],
)
def test_who_held_a_key_holds_it_no_longer_than_it_lasts(
    change: dict[str, Any], *, is_held: bool
) -> None:
    key, _ = make(log=logs.create(slug="other"))
    sender = access.holder(key.id)
    assert sender is not None
    assert (sender.source, sender.log) == ("hr-bot", "other")
    assert sender.scopes == {"ingest", "read"}

    ApiKey.objects.filter(pk=key.id).update(**change)

    assert (access.holder(key.id) is not None) == is_held


def test_it_is_said_why_a_key_is_refused() -> None:
    """Only who has the secret learns that a key was revoked or has expired."""
    key, token = make(expires=datetime.now(UTC) - timedelta(seconds=1))
    body = f"cbl_live_{key.id}_{'0' * 43}"
    other = f"{body}_{access._checksum(body)}"

    assert access.reason_refused(token[:-1]) == ("malformed", None)
    assert access.reason_refused(other) == ("unknown", key.id)
    assert access.reason_refused(token) == ("expired", key.id)
    access.revoke_key(key.id)
    assert access.reason_refused(token) == ("revoked", key.id)


def test_its_last_use_is_noted_once_a_minute(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    key, token = make()
    with django_assert_num_queries(2):
        access.authenticate(token)
    used = ApiKey.objects.get(pk=key.id).last_used
    assert used is not None
    with django_assert_num_queries(1):
        access.authenticate(token)
    ApiKey.objects.filter(pk=key.id).update(last_used=used - timedelta(minutes=2))
    access.authenticate(token)
    assert ApiKey.objects.get(pk=key.id).last_used != used - timedelta(minutes=2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scopes": ("ingest", "write")}, "Unknown scope 'write'"),
        ({"scopes": ()}, "Expected ingest"),
        ({"source": "user:ann"}, "must not start with user:"),
        ({"source": " "}, "A source name"),
        ({"source": "x" * 101}, "1 to 100"),
        ({"source": "a\nb"}, "printable"),
    ],
)
def test_what_no_key_can_be_is_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        make(**options)
    assert not Source.objects.exists()


def test_a_person_is_a_source_of_their_own() -> None:
    user = User.objects.create(username="ann")
    sender = access.person(user)
    assert (sender.source, sender.user_id, sender.key_id) == ("user:ann", user.pk, None)
    assert sender.scopes == {"ingest", "read", "export"}
    assert access.person(user) == sender


def test_who_needs_no_key_is_a_source_that_no_key_can_name() -> None:
    sender, again = access.anonymous("door"), access.anonymous("door")

    assert sender == again == Sender(Source.objects.get().pk, "nobody:door")
    with pytest.raises(ValueError, match="must not start with"):
        access.create_key(source=sender.source, scopes=("read",))


@pytest.mark.django_db(transaction=True)
def test_a_reader_does_not_wait_for_a_writer_and_its_use_is_noted_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_commit, "LEISURE", 0.0)
    key, token = access.create_key(source="agent", scopes=("read",))
    with another_writer("auditlog_apikey"):
        began = time.monotonic()
        assert access.authenticate(token) is not None
        assert time.monotonic() - began < 5
        assert ApiKey.objects.get(pk=key.pk).last_used is None
    group_commit.stop()
    assert ApiKey.objects.get(pk=key.pk).last_used is not None


def test_a_key_is_replaced_once() -> None:
    key, _ = access.create_key(source="bot", scopes=("read",))
    successor, _ = access.rotate_key(key.pk, grace=timedelta(hours=24))

    with pytest.raises(access.KeyEnded, match=f"replaced already, by {successor.pk}"):
        access.rotate_key(key.pk, grace=timedelta(hours=24))

    assert successor.expires is None
    assert ApiKey.objects.count() == 2


@pytest.mark.parametrize(
    ("lives", "grace", "left"), [(None, 24, 24), (1, 24, 1), (48, 24, 24), (48, 0, 0)]
)
def test_a_replaced_key_works_for_its_grace_and_not_beyond_its_own_end(
    lives: int | None, grace: int, left: int
) -> None:
    now = datetime.now(UTC)
    expires = None if lives is None else now + timedelta(hours=lives)
    key, _ = access.create_key(source="bot", scopes=("read",), expires=expires)
    access.rotate_key(key.pk, grace=timedelta(hours=grace))

    ends = ApiKey.objects.get(pk=key.pk).expires

    assert ends is not None
    assert abs(ends - now - timedelta(hours=left)) < timedelta(seconds=30)


@pytest.mark.parametrize("change", ["expires", "revoked"])
def test_a_key_that_ended_is_not_replaced(change: str) -> None:
    key, _ = make()
    ApiKey.objects.filter(pk=key.pk).update(**{change: datetime.now(UTC) - timedelta(seconds=1)})

    with pytest.raises(access.KeyEnded, match="revoked or has expired"):
        access.rotate_key(key.pk, grace=timedelta(hours=24))

    assert ApiKey.objects.count() == 1


def test_a_source_is_named_after_a_person_as_far_as_there_is_room() -> None:
    assert access.name_person(User(username="ada")) == "user:ada"
    assert len(access.name_person(User(username="a" * 150))) == 100
