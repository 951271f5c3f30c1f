from ipaddress import ip_network
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from playground.http.proxy import caller_of, network_of, scheme_of
from playground.server.environment import Network
from playground.server.front.callers import Callers, Token, look_up, token_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix", "unix"),
    ],
)
def test_an_address_of_ipv6_counts_as_its_network(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.parametrize(
    ("trusted", "name"), [((), "10.0.0.1"), ((ip_network("10.0.0.0/8"),), "192.0.2.7")]
)
def test_only_a_proxy_of_ours_names_another_address(
    trusted: tuple[Network, ...], name: str
) -> None:
    environ = {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "198.51.100.1, 192.0.2.7"}

    assert Callers(trusted).address(environ).name == f"address:{name}"


def test_a_proxy_over_ipv4_is_known_where_the_server_listens_on_ipv6() -> None:
    environ = {"REMOTE_ADDR": "::ffff:10.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7"}
    trusted = (ip_network("10.0.0.0/8"),)

    assert Callers(trusted).address(environ).name == "address:192.0.2.7"
    assert (
        scheme_of(
            {**environ, "HTTP_X_FORWARDED_PROTO": "https", "wsgi.url_scheme": "http"}, trusted
        )
        == "https"
    )


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("192.0.2.7:4711", "192.0.2.7"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("unknown:1", "unknown:1"),
    ],
)
def test_connections_of_one_caller_count_together(said: str, address: str) -> None:
    assert caller_of("10.0.0.1", said, (ip_network("10.0.0.0/8"),)) == address


@pytest.mark.django_db
def test_a_key_is_known_until_it_is_revoked() -> None:
    key, text = access.create_key(source="bot", scopes=("ingest",))
    token = token_of({"HTTP_AUTHORIZATION": f"Bearer {text}"})
    assert token == Token(text, is_key=True)

    found = look_up(token)
    assert found is not None
    assert (found.name, found.key_id, found.member) == (f"key:{key.pk}", key.pk, True)
    access.revoke_key(key.pk)
    assert look_up(token) is None


@pytest.mark.django_db
def test_a_session_is_a_person() -> None:
    client, ada = Client(), User.objects.create_user("ada")
    client.force_login(ada)
    token = token_of({"HTTP_COOKIE": f"theme=dark; sessionid={client.cookies['sessionid'].value}"})
    assert token is not None

    found = look_up(token)

    assert found is not None
    assert (found.name, found.member) == (f"person:{ada.pk}", True)
    assert look_up(Token("x" * 32, is_key=False)) is None


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"HTTP_AUTHORIZATION": "Basic abc"},
        {"HTTP_AUTHORIZATION": "Bearer other"},
        {"HTTP_COOKIE": "theme=dark"},
        {"HTTP_COOKIE": "sessionid=x"},
    ],
)
def test_everything_else_shows_nothing(environ: dict[str, Any]) -> None:
    assert token_of(environ) is None


def test_what_is_known_is_forgotten_again(monkeypatch: pytest.MonkeyPatch) -> None:
    callers, token = Callers(()), Token("x" * 32, is_key=False)

    assert callers.recall(token) == (None, False)
    callers.remember(token, None)
    assert callers.recall(token) == (None, True)
    monkeypatch.setattr("playground.server.front.callers.time.monotonic", lambda: 1e12)
    assert callers.recall(token) == (None, False)


def test_the_first_of_many_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.server.front.callers.MEMORY", 2)
    callers, tokens = Callers(()), [Token(letter * 32, is_key=False) for letter in "xyz"]

    for token in tokens:
        callers.remember(token, None)

    assert [callers.recall(token) for token in tokens] == [(None, False), *[(None, True)] * 2]


def test_nobody_is_known_once_all_are_forgotten() -> None:
    callers, token = Callers(()), Token("cablese_x", is_key=True)
    callers.remember(token, None)
    assert callers.recall(token) == (None, True)

    callers.forget()

    assert callers.recall(token) == (None, False)
