"""Messages between processes have a limit, at both ends."""

import socket
from collections.abc import Iterator

import pytest

from auditlog.helpers import frames


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two ends of a socket, over which messages of at most 4 bytes go."""
    monkeypatch.setattr(frames, "LIMIT", 4)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for end in (ours, theirs):
            end.settimeout(10)
        yield ours, theirs


def test_a_message_within_the_limit_arrives(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    frames.send(ours, b"abcd")

    assert frames.receive(theirs) == b"abcd"


def test_a_message_over_the_limit_is_not_sent(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    with pytest.raises(OSError, match="too large"):
        frames.send(ours, b"abcde")
    frames.send(ours, b"next")

    assert frames.receive(theirs) == b"next"


def test_a_message_over_the_limit_is_not_read(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    ours.sendall((5).to_bytes(4, "big") + b"abcde")

    with pytest.raises(OSError, match="too large"):
        frames.receive(theirs)
