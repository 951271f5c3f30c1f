"""The processes that listen on a port, from /proc on Linux."""

import re
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")
_LISTENING = "0A"
_SOCKET = re.compile(r"socket:\[([0-9]+)\]")


def sockets_on(port: int) -> set[str]:
    """Return the inodes of the TCP sockets that listen on a port; none on other systems."""
    sockets = set()
    for table in ("tcp", "tcp6"):
        for line in _lines(_PROC / "net" / table)[1:]:
            _, local, _, state, *rest = line.split()
            if state == _LISTENING and int(local.rpartition(":")[2], 16) == port:
                sockets.add(rest[5])
    return sockets


def holders_of(port: int) -> list[str]:
    """Return the processes that listen on a port, each as "12 (name)", without those of other
    users.
    """
    sockets = sockets_on(port)
    if not sockets:
        return []
    numbers = sorted(int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit())
    return [f"{number} ({_name(number)})" for number in numbers if sockets & {*_sockets_of(number)}]


def _sockets_of(process: int) -> Iterator[str]:
    try:
        files = [*(_PROC / str(process) / "fd").iterdir()]
    except OSError:
        return
    for file in files:
        try:
            match = _SOCKET.fullmatch(str(file.readlink()))
        except OSError:
            continue
        if match:
            yield match[1]


def _name(process: int) -> str:
    return "".join(_lines(_PROC / str(process) / "comm")).strip() or "unknown"


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except OSError:
        return []
