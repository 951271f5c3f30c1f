"""The supervisor ends the server, if need be by force."""

import subprocess

from playground.management.commands.up import KILL
from playground.server.launch import supervisor

SERVICE_MANAGER = 90
"""Seconds that systemd waits before it kills everything."""


class Deaf:
    """A process that does not stop when asked."""

    stdin = None

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.waited = 0.0

    def terminate(self) -> None:
        self.heard.append("terminate")

    def kill(self) -> None:
        self.heard.append("kill")

    def wait(self, timeout: float = 0) -> None:
        self.waited += timeout
        if "kill" not in self.heard:
            raise subprocess.TimeoutExpired("server", timeout)


def test_a_server_that_does_not_stop_is_killed_before_the_service_manager_would() -> None:
    process = Deaf()

    supervisor._stop(process)  # type: ignore[arg-type]

    assert process.heard == ["terminate", "kill"]
    assert KILL < process.waited < SERVICE_MANAGER
