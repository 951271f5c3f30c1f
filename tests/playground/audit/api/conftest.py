"""A key that may write and read."""

import pytest

from tests.playground.audit.api.requests import make_key


@pytest.fixture
def key() -> str:
    return make_key()
