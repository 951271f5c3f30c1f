"""A model's endpoint on loopback, and a person who may ask it."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from playground.server.environment import Endpoint
from tests.playground.aacp.chat import Chat, chatting


@pytest.fixture
def chat(settings: Settings) -> Iterator[Chat]:
    with chatting() as server:
        settings.LLM = Endpoint(server.url, "small", "sk-secret")
        yield server


@pytest.fixture
def ada() -> User:
    return User.objects.create_superuser("ada")
