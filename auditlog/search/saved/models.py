"""The table of saved searches. `auditlog.models` has it too."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from auditlog.database.uid import UidField

NAME_LIMIT = 80
COLUMNS_LIMIT = 400


class SavedSearch(models.Model):
    """A query of a log with a name. Everyone who can read the log sees it."""

    pk = models.CompositePrimaryKey("log_id", "uid")
    log = models.ForeignKey("auditlog.Log", models.PROTECT, db_index=False, related_name="+")
    uid = UidField()
    name = models.CharField(max_length=NAME_LIMIT)
    query = models.TextField()
    columns = models.CharField(max_length=COLUMNS_LIMIT)
    """Names of columns in their order, space-separated; empty for those that the reader chose."""
    size = models.BigIntegerField(null=True)
    """The number of leaves that it is pinned to, if it is."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    key = models.ForeignKey("auditlog.ApiKey", models.PROTECT, null=True, related_name="+")
    """The person or the key that saved it."""
    created = models.DateTimeField()
    updated = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "name"], name="auditlog_savedsearch_name"),
        ]

    def __str__(self) -> str:
        return f"{self.log_id}/{self.uid}"
