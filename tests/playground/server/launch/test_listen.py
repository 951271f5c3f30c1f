import socket

import pytest

from playground.server.launch import listen


def test_a_server_that_accepts_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert listen.answers("0.0.0.0", port)  # noqa: S104 - nothing listens there

    assert not listen.answers("127.0.0.1", port)


def test_an_address_that_drops_everything_is_not_asked_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def drop(_address: tuple[str, int], timeout: float | None = None) -> None:
        assert timeout is not None
        assert timeout < 2
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", drop)

    assert not listen.answers("192.0.2.7", 8000)
