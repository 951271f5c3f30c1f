"""The address of the running server, in a file of the data directory.

Commands that print a link read it, because `manage.py up` can use any host and port. A file left by
a killed server is ignored: its process has ended, or nothing answers on its port.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from django.conf import settings
from django.http.request import validate_host

from playground.server.launch import listen

NAME = "served.json"
NOT_RUNNING = (
    "No server is running for this data directory, so the address may be wrong. "
    "Start one with manage.py up."
)
NOT_STORED = "{} cannot be written: {}. Commands print the default address."


class Served(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The address on which `manage.py up` listens, and its process."""

    pid: int
    host: str
    port: int
    secure: bool


@contextmanager
def noted(host: str, port: int, *, secure: bool, warn: Callable[[str], object]) -> Iterator[None]:
    """Store the address during the block, and delete it unless another server wrote its own.

    Warns if the file cannot be written, because a server can be read on a full disk.
    """
    own = Served(os.getpid(), host, port, secure)
    passing = _file().with_suffix(f".{own.pid}")
    try:
        passing.write_bytes(msgspec.json.encode(own))
        passing.replace(_file())
    except OSError as error:
        with suppress(OSError):
            passing.unlink()
        warn(NOT_STORED.format(_file(), error.strerror))
    try:
        yield
    finally:
        if _read() == own:
            _file().unlink(missing_ok=True)


def find() -> Served | None:
    """Return the server that runs on this data directory, if any."""
    left = _read()
    return (
        left
        if left is not None and _is_alive(left.pid) and listen.answers(left.host, left.port)
        else None
    )


def link_to(host: str, port: int, *, secure: bool) -> str:
    """Return the URL of a server that listens here, with a name of `CABLESE_HOSTS`, because the
    server accepts no other.

    An `https://` origin among them means that people use TLS, perhaps through a proxy.
    """
    if settings.CSRF_TRUSTED_ORIGINS:
        return str(settings.CSRF_TRUSTED_ORIGINS[0])
    url = listen.base_url(host, port, secure=secure)
    name = url.partition("://")[2].rpartition(":")[0]
    if validate_host(name, settings.ALLOWED_HOSTS):
        return url
    named = next((name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))), name)
    return f"http{'s' if secure else ''}://{named}:{port}"


def home(warn: Callable[[str], object]) -> str:
    """Return the URL of this installation; the default one, with a warning, without a running
    server.
    """
    server = find()
    if server is not None:
        return link_to(server.host, server.port, secure=server.secure)
    warn(NOT_RUNNING)
    return link_to(listen.HOST, listen.PORT, secure=False)


def _file() -> Path:
    return Path(settings.DATA) / NAME


def _read() -> Served | None:
    try:
        return msgspec.json.decode(_file().read_bytes(), type=Served)
    except (OSError, msgspec.MsgspecError):
        return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return pid > 0
