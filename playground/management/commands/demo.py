"""`manage.py demo`: a log with something in it."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.urls import reverse

from auditlog.access import Sender
from auditlog.command import DatabaseCommand
from auditlog.ingest.receive import Receipt, keep
from auditlog.log import logs
from auditlog.log.writer import APPENDED
from auditlog.models import Log, Source
from playground.reference.demo import CONVERSATIONS
from playground.server.launch import served

NAME = "demo"


class Command(DatabaseCommand):
    help = (
        f"Loads the conversations of the sources into the log {NAME}. A second time adds nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--url", help="how a browser reaches this installation (as its server runs)"
        )

    def handle(self, *_: Any, url: str | None, **__: Any) -> None:
        if not Log.objects.filter(slug=NAME).exists():
            self.stdout.write(
                f"Made the log {logs.create(slug=NAME, title='Conversations of the sources').slug}."
            )
        source, _made = Source.objects.get_or_create(name=NAME)
        items = [item for conversation in CONVERSATIONS for item in conversation.items(NAME)]
        kept = [
            one
            for one in keep(items, sender=Sender(source.pk, source.name))
            if isinstance(one, Receipt)
        ]
        assert len(kept) == len(items), "the same bytes under the same event ids are never refused"
        valid = Counter(receipt.valid for receipt in kept if receipt.status == APPENDED)
        if valid:
            self.stdout.write(f"Kept {valid[True]} valid and {valid[False]} broken packets.")
        else:
            self.stdout.write(f"All {len(kept)} packets were there already.")
        self.stdout.write(
            f"Look at them: {(url or served.home(self.stderr.write)).rstrip('/')}{reverse('audit')}?log={NAME}"
        )
