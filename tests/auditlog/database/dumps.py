"""Stands in for the connection of which a dump asks where the database is."""

from collections.abc import Mapping
from types import SimpleNamespace


def connected(
    found: Mapping[str, str] | None = None, given: Mapping[str, object] | None = None
) -> SimpleNamespace:
    """Return a connection whose driver found parameters, and which was given some."""
    info = SimpleNamespace(get_parameters=lambda: dict(found or {}), password="")
    connection = SimpleNamespace(info=info)
    return SimpleNamespace(connection=connection, get_connection_params=lambda: dict(given or {}))
