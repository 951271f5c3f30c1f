from django.apps import AppConfig


class InBrowser(AppConfig):
    """The playground without what only a server has: sessions, keys, and stored vocabularies."""

    name = "playground"
