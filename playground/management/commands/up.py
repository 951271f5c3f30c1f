"""`manage.py up`: prepare, serve, and stop."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from auditlog.continuity.high_water import Unreadable
from auditlog.database.condition import Unfit
from playground.accounts import signin
from playground.server import sqlite
from playground.server.launch import descriptors, listen, served, serving_lock, tls
from playground.server.launch.preparation import Accepted, file, prepare
from playground.server.launch.static_files import collect
from playground.server.launch.supervisor import supervise

_LAST_PORT = 65535
KILL = 30
"""Seconds for the server to stop: a batch may need them."""


class Command(BaseCommand):
    help = "Migrates the database and serves Cablese until stopped."
    requires_system_checks = ()  # as for DatabaseCommand

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", default=listen.HOST, help="address to listen on (%(default)s)"
        )
        parser.add_argument(
            "--port", default=listen.PORT, type=_port, help="port to listen on (%(default)s)"
        )
        parser.add_argument(
            "--certificate", type=Path, help="serve TLS with this certificate chain, a PEM file"
        )
        parser.add_argument("--key", type=Path, help="the certificate's key, a PEM file (PKCS#8)")
        parser.add_argument(
            "--new-log", action="store_true", help="start an empty log if the old one is lost"
        )
        parser.add_argument(
            "--accept-older", action="store_true", help="serve an older copy of the database"
        )
        parser.add_argument(
            "--accept-damage", action="store_true", help="serve a log that lacks leaves"
        )

    def handle(
        self,
        *_: Any,
        host: str,
        port: int,
        certificate: Path | None,
        key: Path | None,
        new_log: bool,
        accept_older: bool,
        accept_damage: bool,
        **__: Any,
    ) -> None:
        # Only the owner may read packets, even if the data directory existed before.
        os.umask(0o077)
        if (certificate is None) is not (key is None):
            raise CommandError("--certificate and --key must be used together.")
        try:
            listen.require_free(host, port)
            if certificate is not None and key is not None:
                tls.require(certificate, key)
            # Before the preparation, which could migrate what another server serves.
            _require_alone()
        except (listen.CannotListen, tls.Unfit, serving_lock.Taken) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise _unwritable(error) from None
        self._warn()
        self._prepare(Accepted(new_log=new_log, older=accept_older, damage=accept_damage))
        secure = certificate is not None
        welcome = self._welcome(served.link_to(host, port, secure=secure))
        connections.close_all()
        command = _server(host, port, certificate, key)
        with served.noted(host, port, secure=secure, warn=self.stderr.write):
            self._supervise(command, host, port, welcome)

    def _supervise(self, command: Sequence[str], host: str, port: int, welcome: str) -> None:
        try:
            status = supervise(
                command,
                folder=settings.BASE_DIR,
                is_ready=partial(listen.answers, host, port),
                ready=partial(self._begin, port, welcome),
            )
            if status is not None:
                # Of two servers that start at once, one ends.
                _require_alone()
        except (listen.CannotListen, serving_lock.Taken) as error:
            raise CommandError(str(error)) from None
        if status is not None:
            raise CommandError(f"The server stopped unexpectedly with status {status}.")

    def _prepare(self, accepted: Accepted) -> None:
        try:
            prepare(accepted, self.stderr.write)
            collect(self.stderr.write)
        except (Unfit, Unreadable) as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {error}") from None
        except OSError as error:
            raise _unwritable(error) from None

    def _warn(self) -> None:
        warning = sqlite.warning() if connections[DEFAULT_DB_ALIAS].vendor == "sqlite" else None
        if warning:
            self.stderr.write(warning)

    def _welcome(self, base_url: str) -> str:
        place = f"Cablese is at {base_url}/  (stop it with Ctrl-C)"
        if not signin.has_no_sign_ins():
            return place
        person = signin.first_administrator()
        invitation = f"Sign in as {person} with this link. It works once and expires after one day:"
        return f"{invitation}\n\n    {base_url}{signin.link(person)}\n\n{place}"

    def _begin(self, port: int, welcome: str) -> None:
        listen.require_alone(port)
        self._say(welcome)

    def _say(self, text: str) -> None:
        # Flush, because a parent process may wait for this line on a pipe.
        self.stdout.write(text)
        self.stdout.flush()


def _unwritable(error: OSError) -> CommandError:
    return CommandError(f"CABLESE_DATA: {settings.DATA} cannot be written: {error.strerror}.")


def _require_alone() -> None:
    """Raise Taken if another server serves the database."""
    if (database := file()) is not None:
        serving_lock.require_free(database)


def _port(text: str) -> int:
    """Return a port by its number."""
    if text.isdecimal() and 1 <= int(text) <= _LAST_PORT:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is not a port. Expected a number from 1 to {_LAST_PORT}.")


def _server(host: str, port: int, certificate: Path | None, key: Path | None) -> tuple[str, ...]:
    options = {
        # Without lifespan events, which the front does not use.
        "--interface": "asginl",
        # With HTTP/2 allowed, a connection that never sends anything would never be closed.
        "--http": "1",
        "--host": host,
        "--port": str(port),
        "--workers": "1",
        "--workers-kill-timeout": str(KILL),
        "--backlog": "2048",
        # Connections. The front limits the cost of their requests, and an idle one costs little.
        "--backpressure": str(descriptors.connections(descriptors.raise_limit())),
        "--http1-header-read-timeout": "20000",
        "--log-level": "error",
    }
    if certificate is not None and key is not None:
        options |= {
            "--ssl-certificate": str(certificate.resolve()),
            "--ssl-keyfile": str(key.resolve()),
        }
    pairs = (word for pair in options.items() for word in pair)
    module = "playground.server.launch.process"
    return (sys.executable, "-m", module, *pairs, "--no-ws", "playground.asgi:application")
