"""The hosts, the pace, and a key of these tests."""

import pytest
from pytest_django.fixtures import Settings

from auditlog import access
from playground.http.throttle import Throttle
from playground.nlip.views import agent as view


@pytest.fixture(autouse=True)
def local(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "testserver", "log.example.org"]


@pytest.fixture(autouse=True)
def throttle(monkeypatch: pytest.MonkeyPatch) -> Throttle:
    throttle = Throttle()
    monkeypatch.setattr(view, "throttle", throttle)
    return throttle


@pytest.fixture
def key() -> str:
    return access.create_key(source="bob", scopes=("ingest",))[1]
