"""`manage.py signin`: a new one-time link."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from playground.accounts import people, signin
from playground.server.launch import served


class Command(DatabaseCommand):
    help = "Prints a sign-in link that works once and expires after one day."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "name",
            nargs="?",
            default=signin.FIRST_ADMINISTRATOR,
            help="the account name (default: %(default)s)",
        )
        parser.add_argument(
            "--create", action="store_true", help="create the account if it does not exist"
        )
        parser.add_argument(
            "--url", help="the base URL of this installation (default: that of its running server)"
        )

    def handle(self, *_: Any, name: str, create: bool, url: str | None, **__: Any) -> str:
        return (url or served.home(self.stderr.write)).rstrip("/") + signin.link(
            _person(name, create=create)
        )


def _person(name: str, *, create: bool) -> User:
    if name == signin.FIRST_ADMINISTRATOR:
        person = signin.first_administrator()
    else:
        person = people.find(name) or _create(name, create=create)
    if not person.is_active:
        raise CommandError(
            f"{name} is disabled. Enable the account with: manage.py people enable {name}"
        )
    return person


def _create(name: str, *, create: bool) -> User:
    if not create:
        raise CommandError(f"Unknown account {name!r}. Add --create to create it.")
    try:
        return people.make(name)
    except people.BadName as bad:
        raise CommandError(str(bad)) from None
