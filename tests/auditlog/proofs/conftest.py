"""A log with a key, whose signed trees are remembered in a directory of each test."""

from tests.auditlog.tree.conftest import data, log

__all__ = ["data", "log"]
