"""A server of this room's own, with logs to review."""

from collections.abc import Iterator

import pytest

from tests.installation import Installation, running


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation whose logs have 60 invalid packets each, one for each test."""
    with running(tmp_path_factory.mktemp("review")) as one:
        for log in (
            "keys",
            "follow",
            "bulk",
            "again",
            "two",
            "bare",
            "lost",
            "old",
            "broken",
            "draft",
            "out",
            "tabs",
            "zone",
            "line",
            "edge",
            "gone",
            "zoom",
        ):
            one.manage("log", "create", log)
        yield one
