"""IDs in addresses: a UUID in either case, as RFC 9562 asks for. We write them in lower case."""

from django.urls.converters import UUIDConverter


class UidConverter(UUIDConverter):
    """Converts ``<uid:…>`` in a route."""

    regex = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
