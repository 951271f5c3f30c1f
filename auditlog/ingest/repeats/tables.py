"""The tables of what may be sent again: the results of requests with an `Idempotency-Key`, for 24
hours, and the files that were imported.
"""

from typing import ClassVar

from django.db import models


class IdempotentRequest(models.Model):
    """A request with an `Idempotency-Key` that stored something, see `ingest.repeats`."""

    id = models.CharField(max_length=36, primary_key=True)
    key = models.ForeignKey("auditlog.ApiKey", models.CASCADE, db_index=False, related_name="+")
    value = models.CharField(max_length=255)
    request = models.BinaryField(max_length=32)
    """SHA-256 of method, path, query parameters, and media type."""
    body = models.BinaryField(max_length=32, null=True)
    """Keyed SHA-256 of the whole content; none until all of it is stored, and none if it may be
    cut off.
    """
    items = models.IntegerField()
    """The number of items whose results are in `pieces`."""
    created = models.DateTimeField(db_index=True)
    touched = models.DateTimeField(null=True)
    """When the running request last stored something; none while none is running."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key", "value"], name="auditlog_idempotent_value"),
        ]

    def __str__(self) -> str:
        return f"{self.key_id} {self.value}"


class IdempotentPiece(models.Model):
    """The results of the items that one commit of an idempotent request stored."""

    pk = models.CompositePrimaryKey("request_id", "item")
    request = models.ForeignKey(
        IdempotentRequest, models.CASCADE, db_index=False, related_name="pieces"
    )
    item = models.IntegerField()
    """The index of its first item."""
    digest = models.BinaryField(max_length=32)
    """Keyed SHA-256 of all items of the request up to the end of this piece."""
    results = models.TextField()
    """JSON, as written by `auditlog.ingest.repeats.results`."""

    def __str__(self) -> str:
        return f"{self.request_id} from item {self.item}"


class ImportedFile(models.Model):
    """A file that a person imported completely, see `ingest.repeats.imported_files`. It has neither
    the name of the file nor anything from which its content can be guessed.
    """

    log = models.ForeignKey("auditlog.Log", models.PROTECT, db_index=False, related_name="+")
    source = models.ForeignKey("auditlog.Source", models.PROTECT, db_index=False, related_name="+")
    earlier = models.ForeignKey("self", models.PROTECT, null=True, db_index=False, related_name="+")
    """The file that it began with, if that was imported before."""
    size = models.BigIntegerField()
    """The number of its bytes."""
    settled = models.BigIntegerField()
    """Where the first message begins that bytes after its end may change."""
    seal = models.BinaryField(max_length=32)
    """A keyed hash of log, source, size, and content."""
    file = models.BinaryField(max_length=32)
    """What the event IDs of its messages after those of `earlier` are made of."""
    created = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["log", "source", "seal"], name="auditlog_importedfile_seal"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.size} bytes in {self.log_id}"
