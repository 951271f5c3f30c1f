"""`manage.py people`: listing, disabling, enabling, signing out, and the rights of
administrators.
"""

import re
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client

from auditlog import access
from playground.accounts import signin
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def run(*words: str) -> str:
    out = StringIO()
    call_command("people", *words, stdout=out)
    return out.getvalue()


def browser(person: User) -> Client:
    client = Client()
    client.post(signin.link(User.objects.get(pk=person.pk)))
    return client


def is_in(client: Client) -> bool:
    return client.get("/audit/").status_code == 200


def test_it_lists_everybody_with_their_rights_and_sessions(ada: User) -> None:
    signin.first_administrator()
    browser(ada), browser(ada)

    person, admin = run("list").splitlines()

    assert admin == "admin\tadministrator\tactive\tnever signed in\t0 open sessions"
    assert re.fullmatch(
        r"ada\tperson\tactive\tsigned in 20\d\d-\d\d-\d\d \d\d:\d\d\t2 open sessions", person
    )


def test_a_session_that_has_ended_is_not_counted(ada: User) -> None:
    client = browser(ada)
    browser(ada)
    ended = Session.objects.filter(pk=client.session.session_key)
    ended.update(expire_date=datetime.now(UTC) - timedelta(seconds=1))

    assert run("list").endswith("\t1 open session\n")


def test_a_disabled_person_is_out_at_once_and_stays_out(ada: User) -> None:
    client = browser(ada)
    link = signin.link(User.objects.get(pk=ada.pk))
    assert is_in(client)

    with recorded() as lines:
        assert run("disable", "ada") == "ada is disabled and signed out\n"

    assert events(lines) == [{"event": "person.disabled", "person": "ada"}]
    assert not is_in(client)
    assert not Session.objects.exists()
    assert Client().post(link).status_code == 410
    assert run("list").split("\t")[:3] == ["ada", "person", "disabled"]
    with pytest.raises(CommandError, match=re.escape("manage.py people enable ada")):
        call_command("signin", "ada")


def test_an_enabled_person_needs_a_new_link(ada: User) -> None:
    link = signin.link(ada)
    run("disable", "ada")

    assert run("enable", "ada") == "ada is enabled; make a link with: manage.py signin ada\n"

    assert Client().post(link).status_code == 410
    assert is_in(browser(User.objects.get(pk=ada.pk)))


def test_signing_out_ends_every_session_and_unused_link_of_one_person(ada: User) -> None:
    clients, other = [browser(ada) for _ in range(2)], browser(User.objects.create_user("bob"))
    link = signin.link(User.objects.get(pk=ada.pk))

    with recorded() as lines:
        assert run("sign-out", "ada") == "ada is signed out; 2 sessions ended\n"

    assert events(lines) == [
        {"event": "session.ended", "reason": "command", "person": "ada", "sessions": 2}
    ]
    assert [is_in(client) for client in clients] == [False, False]
    assert Client().post(link).status_code == 410
    assert is_in(other)


def test_a_copied_session_row_does_not_outlive_a_sign_out(ada: User) -> None:
    client = browser(ada)
    (row,) = Session.objects.all()

    run("sign-out", "ada")
    row.save(force_insert=True)

    assert not is_in(client)


def test_rights_of_an_administrator_are_given_and_taken(ada: User) -> None:
    with recorded() as lines:
        assert run("make-admin", "ada") == "ada is now an administrator\n"
        assert User.objects.get(username="ada").is_superuser
        assert run("remove-admin", "ada") == "ada is no longer an administrator\n"

    assert not User.objects.get(username="ada").is_superuser
    assert [line["event"] for line in lines] == ["person.admin_granted", "person.admin_removed"]


def test_a_new_account_is_logged() -> None:
    with recorded() as lines:
        call_command("signin", "bob", "--create", "--url", "http://localhost", stdout=StringIO())

    assert {"event": "person.made", "person": "bob"} in events(lines)


@pytest.mark.parametrize("act", ["disable", "enable", "sign-out", "make-admin", "remove-admin"])
def test_a_name_that_nobody_has_is_said(act: str) -> None:
    with pytest.raises(CommandError, match="Unknown account 'eve'"):
        run(act, "eve")


def test_two_people_never_share_a_source(ada: User) -> None:
    with pytest.raises(CommandError, match="already exists"):
        call_command("signin", "ａda", "--create", "--url", "http://localhost")
    with pytest.raises(CommandError, match="The limit is 90"):
        call_command("signin", "x" * 91, "--create", "--url", "http://localhost")
    call_command("signin", "x" * 90, "--create", "--url", "http://localhost")

    person = User.objects.get(username="x" * 90)
    assert access.person(person).source == "user:" + "x" * 90


@pytest.mark.parametrize("name", ["a\nb", "x" * 151, "<b>", "a b"])
def test_an_account_has_a_short_plain_name(name: str) -> None:
    with pytest.raises(CommandError, match=r"Invalid account name|The limit is 90"):
        call_command("signin", name, "--create")

    assert not User.objects.exists()
