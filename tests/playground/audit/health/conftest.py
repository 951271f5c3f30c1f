"""A self-check compares a log with files beside the database, which other tests write too."""

from tests.auditlog.check.conftest import beside

__all__ = ["beside"]
