"""`manage.py demo`: load sample conversations into a log.

They are quoted from the specifications, our own where a specification has none, and invalid
packets. Their metadata is what the source states around them. Event IDs are fixed, so that a second
run adds nothing.
"""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.conf import settings
from django.urls import reverse
from msgspec.structs import replace

from auditlog.command import DatabaseCommand
from auditlog.ingest.item import parse
from auditlog.ingest.receive import Receipt, keep
from auditlog.log import logs
from auditlog.log.writer import APPENDED
from auditlog.models import Log, Source
from auditlog.sender import Sender
from auditlog.tree import keys
from playground.server.launch import served

NAME = "demo"
SAMPLES = settings.BASE_DIR / "playground" / "reference" / "demo.jsonl"


class Command(DatabaseCommand):
    help = f"Loads sample conversations into the log {NAME}. Running it again adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--url", help="the base URL of this installation (default: that of its running server)"
        )

    def handle(self, *_: Any, url: str | None, **__: Any) -> None:
        if not Log.objects.filter(slug=NAME).exists():
            log = logs.create(slug=NAME, title="Conversations of the sources")
            keys.ensure(log)
            self.stdout.write(f"Created the log {log.slug}.")
        source, _created = Source.objects.get_or_create(name=NAME)
        items = [replace(parse(line), log=NAME) for line in SAMPLES.read_bytes().splitlines()]
        receipts = [
            result
            for result in keep(items, sender=Sender(source.pk, source.name))
            if isinstance(result, Receipt)
        ]
        assert len(receipts) == len(items), (
            "the same bytes under the same event ids are never refused"
        )
        valid = Counter(receipt.valid for receipt in receipts if receipt.status == APPENDED)
        if valid:
            self.stdout.write(f"Stored {valid[True]} valid and {valid[False]} invalid packets.")
        else:
            self.stdout.write(f"All {len(receipts)} packets were already stored.")
        home = (url or served.home(self.stderr.write)).rstrip("/")
        self.stdout.write(f"View them at {home}{reverse('audit')}?log={NAME}")
