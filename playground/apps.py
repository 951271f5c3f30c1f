from django.apps import AppConfig
from django.conf import settings

from auditlog import tokens


class PlaygroundConfig(AppConfig):
    name = "playground"

    def ready(self) -> None:
        tokens.configure(settings.DATA / "vocabularies")
