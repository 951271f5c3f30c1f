import pytest
from pytest_django.fixtures import Settings

from playground.offline import built

FILES = built.Built(
    "offline/python/0123456789abcdef/", ("offline/python/0123456789abcdef/a.js",), 8_700_000, "s"
)


@pytest.fixture
def offered(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> built.Built:
    """The files of `make offline` are there, and offered."""
    settings.OFFLINE = "offered"
    monkeypatch.setattr(built, "current", lambda: FILES)
    return FILES
