"""UUIDs in columns: 16 bytes on SQLite, `uuid` on PostgreSQL, and text everywhere else.

Django's own field stores 32 characters on SQLite, once in the row and once in each index.
"""

import re
from typing import Any
from uuid import UUID

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

_UID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def to_column(uid: str, vendor: str) -> bytes | str:
    """Return the value that the driver of a database takes. Raises ValueError for other text."""
    return uid if vendor == "postgresql" else bytes.fromhex(uid.replace("-", ""))


def is_uid(text: str) -> bool:
    """Return whether a text is a UUID as this module writes it."""
    return _UID.fullmatch(text) is not None


def to_text(stored: Any) -> str:
    """Return the text of a value as the driver gives it."""
    return str(stored if isinstance(stored, UUID) else UUID(bytes=bytes(stored)))


class UidField(models.Field):  # type: ignore[type-arg]
    """A UUID as text, such as ``019a8f3e-…``."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "uuid" if connection.vendor == "postgresql" else "blob"

    def from_db_value(self, value: Any, _expression: Any, _connection: Any) -> str | None:
        return None if value is None else to_text(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: Any = None) -> Any:
        return None if value is None else to_column(str(UUID(str(value))), connection.vendor)
