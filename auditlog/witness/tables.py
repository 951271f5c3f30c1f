"""The tables of witnesses: the logs that this installation watches, and who watches its own."""

from typing import ClassVar

from django.db import models


class WatchedLog(models.Model):
    """A log of another installation, and the newest checkpoint that was cosigned here."""

    origin = models.CharField(max_length=300, primary_key=True)
    keys = models.TextField()
    """The log's verifier keys, one a line."""
    size = models.BigIntegerField(default=0)
    root = models.BinaryField(max_length=32, null=True)
    note = models.TextField(default="")
    """The note with that checkpoint, as it was submitted."""
    cosigned = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.origin


class Witness(models.Model):
    """A witness of a log of this installation."""

    log = models.ForeignKey("auditlog.Log", models.PROTECT, related_name="witnesses")
    url = models.CharField(max_length=300)
    """Its submission prefix, without a slash at the end."""
    key = models.TextField()
    """Its verifier key."""
    size = models.BigIntegerField(default=0)
    """The size of the checkpoint that it cosigned last."""
    cosigned = models.DateTimeField(null=True)
    problem = models.TextField(default="")
    """Why it did not cosign the newest checkpoint; empty if it did."""

    class Meta:
        verbose_name_plural = "witnesses"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("log", "key"), name="auditlog_witness_key"),
        ]

    def __str__(self) -> str:
        return f"{self.url} for {self.log_id}"
