from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate

from auditlog.continuity import high_water
from cablese import tokens
from playground.http import uid
from playground.server import secret_key


class PlaygroundConfig(AppConfig):
    name = "playground"

    def ready(self) -> None:
        from playground.accounts import sessions  # needs the models

        tokens.configure(settings.DATA / "vocabularies")
        high_water.configure(settings.DATA / high_water.FOLDER)
        uid.register()
        sessions.connect()
        post_migrate.connect(_keep_key, sender=self)


def _keep_key(**_: object) -> None:
    """Store the key once there is a database. A key without a database means that it was lost."""
    if not settings.KEY_IS_GIVEN:
        settings.SECRET_KEY = secret_key.store(settings.DATA, settings.SECRET_KEY)
