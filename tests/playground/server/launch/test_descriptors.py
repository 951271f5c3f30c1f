import resource
import subprocess
import sys

import pytest

from playground.server.launch import descriptors


def test_a_low_limit_is_raised() -> None:
    source = (
        "import resource; from playground.server.launch import descriptors;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 512));"
        "print(descriptors.raise_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))"
    )

    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )

    assert done.stdout == "512 (512, 512)\n"


def test_connections_leave_room_for_files() -> None:
    assert descriptors.connections(1_024) == 768
    assert descriptors.connections(100) == 50
    assert (
        descriptors.connections(descriptors.raise_limit())
        < resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    )


@pytest.mark.parametrize(
    ("soft", "hard", "raised"),
    [
        (1_024, 19_999, 19_999),
        (1_024, 1 << 20, 20_000),
        (1_024, resource.RLIM_INFINITY, 20_000),
    ],
)
def test_a_limit_is_not_raised_without_end(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int
) -> None:
    """A process that is started with a limit of a billion closes that many descriptors."""
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: limits.append(both))

    assert descriptors.raise_limit() == raised
    assert limits == [(raised, hard)]
