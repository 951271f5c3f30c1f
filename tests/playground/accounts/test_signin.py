import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from playground.accounts import signin
from tests import installation

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user("ada")


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_looking_at_a_link_does_not_spend_it(client: Client, person: User) -> None:
    link = signin.link(person)

    for _ in range(2):
        response = client.get(link)
        assert response.status_code == 200
        assert "Sign in as ada" in response.content.decode()
    assert not signed_in(client)


def test_the_button_signs_in(client: Client, person: User) -> None:
    response = client.post(signin.link(person))

    assert response.status_code == 302
    assert response.headers["Location"] == "/"
    assert client.session["_auth_user_id"] == str(person.pk)


def test_a_link_works_once(client: Client, person: User) -> None:
    link = signin.link(person)
    client.post(link)
    stranger = Client()

    assert stranger.get(link).status_code == 410
    assert stranger.post(link).status_code == 410
    assert not signed_in(stranger)


def test_signing_in_spends_older_links_too(client: Client, person: User) -> None:
    first, second = signin.link(person), signin.link(person)
    client.post(second)

    assert Client().post(first).status_code == 410


def test_a_link_lasts_a_day(client: Client, person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    link = signin.link(person)
    now = signin._tokens._now()

    monkeypatch.setattr(signin._tokens, "_now", lambda: now + timedelta(hours=23, minutes=59))
    assert client.get(link).status_code == 200
    monkeypatch.setattr(signin._tokens, "_now", lambda: now + timedelta(hours=24, minutes=1))
    assert client.get(link).status_code == 410


@pytest.mark.parametrize("uid", ["", "MQ", "OTk5", "%00", "é", "x" * 500, "LTE"])
@pytest.mark.parametrize("token", ["x", "d-e", "didezm-ed7041443d42c97e905c4bdc7fc388e2"])
def test_a_made_up_link_signs_nobody_in(client: Client, person: User, uid: str, token: str) -> None:
    assert client.post(f"/signin/{uid}/{token}").status_code in {404, 410}
    assert not signed_in(client)


def test_a_link_of_somebody_else_does_not_fit(client: Client, person: User) -> None:
    other = User.objects.create_user("bob")
    uid = signin.link(other).split("/")[-2]
    token = signin.link(person).split("/")[-1]

    assert client.post(f"/signin/{uid}/{token}").status_code == 410


def test_who_was_barred_cannot_sign_in(client: Client, person: User) -> None:
    link = signin.link(person)
    User.objects.filter(pk=person.pk).update(is_active=False)

    assert client.post(link).status_code == 410


def test_a_link_needs_the_form_of_our_own_page(person: User) -> None:
    client = Client(enforce_csrf_checks=True)

    assert client.post(signin.link(person)).status_code == 403
    assert not signed_in(client)


def token_on(client: Client, page: str) -> str:
    form = client.get(page).content.decode()
    return form.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]


def use(client: Client, link: str) -> None:
    client.post(link, {"csrfmiddlewaretoken": token_on(client, link)})


@pytest.mark.parametrize("before", ["anonymous", "ada"])
def test_a_page_from_before_the_sign_in_can_send_its_form(person: User, before: str) -> None:
    tab = Client(enforce_csrf_checks=True)
    if before == "ada":
        tab.force_login(person)
    form = {"text": "REQ/TSK|g=42,t=1", "csrfmiddlewaretoken": token_on(tab, "/")}
    use(tab, signin.link(person))

    assert signed_in(tab)
    assert tab.post("/save", form).status_code == 200


def test_a_page_of_another_person_cannot_send_its_form(person: User) -> None:
    tab = Client(enforce_csrf_checks=True)
    tab.force_login(User.objects.create_user("bob"))
    form = {"text": "REQ/TSK|g=42,t=1", "csrfmiddlewaretoken": token_on(tab, "/")}
    use(tab, signin.link(person))

    assert tab.post("/save", form).status_code == 403


def test_a_link_is_in_no_cache(client: Client, person: User) -> None:
    assert "no-store" in client.get(signin.link(person)).headers["Cache-Control"]


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        ("/audit/?q=goal%3A42", "/audit/?q=goal%3A42"),
        ("", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("\x00", "/"),
    ],
)
def test_it_goes_on_to_places_of_ours_only(
    client: Client, person: User, wanted: str, place: str
) -> None:
    response = client.post(signin.link(person), {"next": wanted})

    assert response.headers["Location"] == place


def test_signing_out_needs_a_post(client: Client, person: User) -> None:
    client.force_login(person)

    assert client.get("/signout").status_code == 405
    assert signed_in(client)
    assert client.post("/signout").status_code == 302
    assert not signed_in(client)


def test_who_is_signed_in_is_not_asked_again(client: Client, person: User) -> None:
    assert "manage.py signin" in client.get("/signin?next=/audit/").content.decode()

    client.force_login(person)

    assert client.get("/signin?next=/audit/").headers["Location"] == "/audit/"


def test_the_explanation_writes_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/signin")


def test_there_is_a_first_administrator_until_somebody_has_signed_in(client: Client) -> None:
    assert signin.has_no_sign_ins()

    admin = signin.first_administrator()
    assert admin == signin.first_administrator()
    assert admin.is_superuser
    assert not admin.has_usable_password()
    assert signin.has_no_sign_ins()

    User.objects.filter(pk=admin.pk).update(last_login=timezone.now())
    assert not signin.has_no_sign_ins()


def test_the_command_prints_a_link_that_works(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("signin", "--url", "http://log.example:8080/")

    link = capsys.readouterr().out.strip()
    assert link.startswith("http://log.example:8080/signin/")
    assert client.post(link.removeprefix("http://log.example:8080")).status_code == 302
    assert signed_in(client)


def test_the_command_makes_nobody_in_passing() -> None:
    with pytest.raises(CommandError, match="Unknown account 'grace'"):
        call_command("signin", "grace")
    call_command("signin", "grace", "--create")

    assert not User.objects.get(username="grace").is_superuser


def test_making_a_link_loads_no_views(tmp_path: Path) -> None:
    """The first `up` prints a link, and loading all views would take half of its start."""
    make = (
        "import sys, django; django.setup()\n"
        "from django.contrib.auth.models import User\n"
        "from playground.accounts import signin\n"
        "print(signin.link(User(pk=7, username='ada')))\n"
        "print('playground.urls' in sys.modules)"
    )
    environ = installation.environment(tmp_path, DJANGO_SETTINGS_MODULE="playground.settings")
    done = subprocess.run(
        [sys.executable, "-c", make], env=environ, check=True, capture_output=True, text=True
    )

    link, loads_views = done.stdout.split()
    assert resolve(link).url_name == "signin-link"
    assert loads_views == "False"
