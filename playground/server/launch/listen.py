"""The address where this installation listens: whether it is free, whether a server answers, and
its URL.
"""

import errno
import socket
from contextlib import closing

from playground.server.launch.listeners import holders_of, sockets_on

HOST, PORT = "127.0.0.1", 8000
"""Where `manage.py up` listens by default."""


class CannotListen(Exception):
    """The address cannot be used. The message gives the reason."""


def require_free(host: str, port: int) -> None:
    """Raise Taken unless host and port are free.

    The server itself would not notice: it uses SO_REUSEPORT, so two servers on one port would share
    its connections.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
    except (socket.gaierror, UnicodeError):
        raise CannotListen(f"Unknown address {host}.") from None
    with closing(socket.socket(family, kind, protocol)) as probe:
        # Otherwise a port stays in use for a minute after its last server stopped.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen(1)
        except OSError as error:
            raise CannotListen(_why(host, port, error)) from None


def require_alone(port: int) -> None:
    """Raise Taken if another server listens on the port of a server that has just started.

    Two servers that start at the same moment both find it free.
    """
    if len(sockets_on(port)) > 1:
        processes = ", ".join(holders_of(port))
        raise CannotListen(
            f"Two servers listen on port {port}: processes {processes}. Choose another with --port."
        )


def _why(host: str, port: int, error: OSError) -> str:
    reason = error.strerror
    if error.errno == errno.EADDRINUSE and (processes := holders_of(port)):
        reason = f"{reason} by process {', '.join(processes)}"
    return f"Cannot listen on {host} port {port}: {reason}. Choose another with --port."


def answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((_reachable(host), port), timeout=1):
            return True
    except OSError:
        return False


def base_url(host: str, port: int, *, secure: bool = False) -> str:
    name = _reachable(host)
    return f"http{'s' if secure else ''}://{f'[{name}]' if ':' in name else name}:{port}"


def _reachable(host: str) -> str:
    """Return where to reach a server; one that listens on all addresses by the local one."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
