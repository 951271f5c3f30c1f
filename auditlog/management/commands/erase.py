from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand, find_log
from auditlog.continuity import clock
from auditlog.erasure import erase, purging, redaction, subject
from auditlog.log import packet as packets
from auditlog.log.packet import NoSuchPacket
from auditlog.proofs import place
from auditlog.proofs.place import Place
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from cablese.amount import count
from cablese.text import clean


class Command(DatabaseCommand):
    help = "Erase the content of packets. Their leaves stay, so proofs still verify."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query", nargs="?", help="erase what this search finds in --log")
        parser.add_argument("--packet", metavar="ID", help="erase one packet")
        parser.add_argument(
            "--field",
            default="",
            help="erase only this field, such as to of the message or metadata.to, and store a "
            "redacted copy",
        )
        parser.add_argument("--log", default="default", metavar="SLUG", help="default: default")
        parser.add_argument("--at", metavar="SIZE", help="the size of the log in the preview")
        parser.add_argument("--reason", default="", help="why; pages show the reason")
        parser.add_argument("--keep-notes", action="store_true", help="keep notes of the review")
        parser.add_argument("--yes", action="store_true", help="erase, instead of a preview")
        parser.add_argument(
            "--rewrite",
            action="store_true",
            help="on PostgreSQL, write the tables again afterwards, while nothing can be stored",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            self._handle(options)
        except (erase.BadErasure, QueryError, BadPin, clock.Behind) as error:
            raise CommandError(str(error)) from None

    def _handle(self, options: dict[str, Any]) -> None:
        if options["packet"] and options["query"]:
            raise CommandError("Give a search or --packet, not both.")
        if not options["query"] and not options["packet"]:
            if not options["rewrite"]:
                raise CommandError("Give a search or --packet.")
            self._purge(options)
            return
        if options["field"] and not options["packet"]:
            raise CommandError("--field applies to one packet only. Add --packet.")
        order = erase.Order(
            erase.By(), options["reason"], options["field"], notes=not options["keep_notes"]
        )
        if options["packet"]:
            self._erase_one(options, order)
        else:
            self._erase_all(options, order)

    def _erase_one(self, options: dict[str, Any], order: erase.Order) -> None:
        try:
            found = place.find(options["packet"])
        except NoSuchPacket:
            raise CommandError(f"Unknown packet {options['packet']}.") from None
        self.stdout.write(f"packet\t{options['packet']}\tlog {found.log.slug}, leaf {found.leaf}")
        if options["yes"]:
            erase.check(order)
            made = erase.erase(log=found.log, leaves=[found.leaf], order=order)
            self.stdout.write(f"erased\t{len(made)}")
            self._purge(options)
        else:
            if order.field and not found.erased:
                self._show_copy(options["packet"], found, order.field)
            self.stdout.write("Nothing was erased. To erase it, add --yes and --reason.")

    def _show_copy(self, uid: str, found: Place, field: str) -> None:
        """Write the redacted copy that would be stored."""
        try:
            copy = redaction.redact(packets.find(uid, log=found.log.slug), field)
        except redaction.NoSuchField as missing:
            raise CommandError(str(missing)) from None
        self.stdout.write(f"copy\t{clean(copy.decode())}")

    def _erase_all(self, options: dict[str, Any], order: erase.Order) -> None:
        log, query = find_log(options["log"]), options["query"]
        found = subject.preview(log, query, size=options["at"])
        packets = count(found.number, "packet")
        self.stdout.write(f"found\t{packets} in log {log.slug} at size {found.size}")
        if not options["yes"]:
            self.stdout.write(
                f"Nothing was erased. To erase them, add --at {found.size}, --reason, and --yes."
            )
            return
        for done, total in subject.run(log=log, query=query, size=found.size, order=order):
            self.stdout.write(f"erased\t{done} of {total}")
        self._purge(options)

    def _purge(self, options: dict[str, Any]) -> None:
        clean = purging.purge(rewrite=options["rewrite"])
        if clean:
            self.stdout.write("The database files no longer contain the content.")
        else:
            self.stdout.write(
                "The database files may still contain the content. "
                "To remove it, run: manage.py erase --rewrite"
            )
        self.stdout.write("Backups contain it until you delete them.")
