from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import CommandError

from auditlog import access
from auditlog.command import DatabaseCommand
from auditlog.models import ApiKey, Log


class Command(DatabaseCommand):
    help = "Create, list, rotate, and revoke API keys."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser(
            "create", help="create a key and print it; it is never shown again"
        )
        create.add_argument(
            "name", help="name of the source that uses the key; a source can have several keys"
        )
        create.add_argument(
            "--scopes",
            required=True,
            help=f"comma-separated scopes: {','.join(access.SCOPES)}",
        )
        create.add_argument("--log", help="limit the key to one log (default: all logs)")
        create.add_argument("--days", type=int, help="days until the key expires (default: never)")
        acts.add_parser("list", help="list all keys, without their secrets")
        rotate = acts.add_parser(
            "rotate", help="replace a key with a new one that has the same rights, and print it"
        )
        rotate.add_argument("id", help="key ID: the 12 characters after cbl_live_")
        rotate.add_argument(
            "--grace",
            choices=tuple(access.GRACES),
            default="24h",
            help="how long the old key still works (default: 24h)",
        )
        revoke = acts.add_parser("revoke", help="revoke a key, effective with its next request")
        revoke.add_argument("id", help="key ID: the 12 characters after cbl_live_")

    def handle(self, *_args: Any, **options: Any) -> None:
        getattr(self, f"_{options['act']}")(options)

    def _create(self, options: dict[str, Any]) -> None:
        log = Log.objects.filter(slug=options["log"]).first() if options["log"] else None
        if options["log"] and log is None:
            raise CommandError(
                f'Unknown log "{options["log"]}". '
                f"Create it with: manage.py log create {options['log']}"
            )
        if options["days"] is not None and options["days"] < 1:
            raise CommandError("--days must be 1 or more.")
        try:
            _, token = access.create_key(
                source=options["name"],
                scopes=tuple(options["scopes"].split(",")),
                log=log,
                expires=datetime.now(UTC) + timedelta(days=options["days"])
                if options["days"]
                else None,
            )
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(token)

    def _list(self, _options: dict[str, Any]) -> None:
        for key in ApiKey.objects.select_related("source", "log").order_by("created"):
            log = key.log.slug if key.log else "all logs"
            self.stdout.write(
                f"{key.id}\t{key.source.name}\t{key.scopes}\t{log}\t{_state(key)}\t{_used(key)}"
            )

    def _rotate(self, options: dict[str, Any]) -> None:
        try:
            _, token = access.rotate_key(options["id"], grace=access.GRACES[options["grace"]])
        except access.NoSuchKey:
            raise CommandError(f"Unknown key {options['id']}.") from None
        except access.KeyEnded as ended:
            raise CommandError(str(ended)) from None
        self.stdout.write(token)

    def _revoke(self, options: dict[str, Any]) -> None:
        try:
            access.revoke_key(options["id"])
        except access.NoSuchKey:
            raise CommandError(f"Unknown key {options['id']}.") from None
        self.stdout.write(f"Revoked {options['id']}")


def _state(key: ApiKey) -> str:
    if key.revoked:
        return f"revoked {key.revoked:%Y-%m-%d}"
    if key.expires:
        return (
            f"{'expired' if key.expires <= datetime.now(UTC) else 'expires'} {key.expires:%Y-%m-%d}"
        )
    return "active"


def _used(key: ApiKey) -> str:
    return f"last used {key.last_used:%Y-%m-%d %H:%M}" if key.last_used else "never used"
