"""A person who is signed in, and readers that see the facts of log lines."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.playground.stating import state


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


@pytest.fixture
def stated(monkeypatch: pytest.MonkeyPatch) -> None:
    state(monkeypatch)
