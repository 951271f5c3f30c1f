from django.apps import AppConfig

from playground.http import uid


class InBrowser(AppConfig):
    """The playground without what only a server has: sessions, keys, and stored vocabularies."""

    name = "playground"

    def ready(self) -> None:
        uid.register()
