"""IDs in addresses: a UUID in either case, as RFC 9562 asks for. We write them in lower case."""

from django.urls import register_converter
from django.urls.converters import UUIDConverter


class UidConverter(UUIDConverter):
    """Converts ``<uid:…>`` in a route."""

    regex = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"


def register() -> None:
    """Let routes name the converter. To be called once, before they are read."""
    register_converter(UidConverter, "uid")
