from django.apps import AppConfig
from django.conf import settings

from auditlog import tokens


class PlaygroundConfig(AppConfig):
    name = "playground"

    def ready(self) -> None:
        from playground import sessions  # needs the models

        tokens.configure(settings.DATA / "vocabularies")
        sessions.connect()
