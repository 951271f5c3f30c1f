"""`manage.py people`: list and manage accounts."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from cablese import amount
from playground.accounts import people


class Command(DatabaseCommand):
    help = "Manages accounts: list, disable, enable, sign out, and administrator rights."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser(
            "list", help="list accounts with their rights, last sign-in, and open sessions"
        )
        for act, explanation in _ACTS.items():
            acts.add_parser(act, help=explanation).add_argument(
                "name", help="the name of the account"
            )

    def handle(self, *_args: Any, act: str, name: str = "", **_options: Any) -> None:
        if act == "list":
            for person, sessions in people.listed():
                self.stdout.write(_line(person, sessions))
            return
        try:
            self.stdout.write(_do(act, name))
        except people.BadName as bad:
            raise CommandError(str(bad)) from None


_ACTS = {
    "disable": "disable an account and end its sessions and links",
    "enable": "enable an account; it needs a new sign-in link",
    "sign-out": "end all sessions and unused links of an account",
    "make-admin": "let an account change settings of the whole installation",
    "remove-admin": "end the administrator rights of an account",
}


def _do(act: str, name: str) -> str:
    if act == "disable":
        people.disable(name)
        return f"{name} is disabled and signed out"
    if act == "enable":
        people.enable(name)
        return f"{name} is enabled; make a link with: manage.py signin {name}"
    if act == "sign-out":
        ended = people.sign_out(name)
        return f"{name} is signed out; {amount.count(ended, 'session')} ended"
    people.set_administrator(name, granted=act == "make-admin")
    return f"{name} is {'now' if act == 'make-admin' else 'no longer'} an administrator"


def _line(person: User, sessions: int) -> str:
    rights = "administrator" if person.is_superuser else "person"
    state = "active" if person.is_active else "disabled"
    sign_in = (
        f"signed in {person.last_login:%Y-%m-%d %H:%M}" if person.last_login else "never signed in"
    )
    count = amount.count(sessions, "open session")
    return f"{person.username}\t{rights}\t{state}\t{sign_in}\t{count}"
