"""`manage.py migrate`: Django's command, but it never replaces a lost database by an empty one, and
makes the data directory of a new one.
"""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate

from auditlog.database.condition import Unfit
from playground.server.launch import preparation


class Command(migrate.Command):
    def handle(self, *arguments: Any, **options: Any) -> None:
        # Tests migrate databases of their own, under other names.
        if settings.DATABASES["default"]["NAME"] == settings.DATABASE_NAME:
            # Only the owner may read packets, even if the data directory existed before.
            os.umask(0o077)
            try:
                preparation.require_not_lost()
                preparation.make_folder()
            except Unfit as unfit:
                raise CommandError(str(unfit)) from None
            except OSError as error:
                raise CommandError(
                    f"CABLESE_DATA: {settings.DATA} cannot be created: {error.strerror}."
                ) from None
        super().handle(*arguments, **options)
